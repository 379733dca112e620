// See partition_values.h.
#include "catalog/partition_values.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "format/tables.h"
#include "store/statement.h"

namespace tarn {

void LoadPartitionValues(StoreConnection& connection, TableId table, std::vector<ScanFile>& files) {
  const bool any = std::any_of(files.begin(), files.end(), [](const ScanFile& file) {
    return file.file.partition_id.has_value();
  });
  if (!any) return;
  using T = tables::FilePartitionValue;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT data_file_id, partition_value FROM ").Table(T::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table);
  sql.Text(" ORDER BY data_file_id, partition_key_index");
  std::map<DataFileId, std::vector<std::optional<std::string>>> values;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) values[DataFileId(rows->Int64(0))].push_back(rows->OptText(1));
  for (ScanFile& file : files) file.file.partition_values = values[file.file.id];
}

}  // namespace tarn
