// See prune_files.h.
#include "catalog/prune_files.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "catalog/catalog_sql.h"
#include "catalog/file_facts.h"
#include "catalog/predicate_pruner.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

using StatsByFile = std::unordered_map<DataFileId, std::vector<ColumnStats>>;

// The data file's id is in the first column.
ColumnStats ReadColumnStats(Rows& rows) {
  ColumnStats column;
  column.field = FieldId(rows.Int64(1));
  column.column_size_bytes = rows.OptInt64(2);
  column.value_count = rows.OptInt64(3);
  column.null_count = rows.OptInt64(4);
  column.min_value = rows.OptText(5);
  column.max_value = rows.OptText(6);
  column.contains_nan = rows.OptBool(7);
  column.extra_stats = rows.OptText(8);
  return column;
}

StatsByFile LoadStats(StoreConnection& connection, TableId table,
                      std::span<const PrunableField> fields, bool all,
                      const std::vector<ScanFile>& files) {
  using T = tables::FileColumnStats;
  static constexpr CatalogColumn kColumns[] = {T::kDataFileId, T::kColumnId,    T::kColumnSizeBytes,
                                               T::kValueCount, T::kNullCount,   T::kMinValue,
                                               T::kMaxValue,   T::kContainsNan, T::kExtraStats};
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ").Text(ColumnList(kColumns, connection.dialect()));
  sql.Text(" FROM ").Table(T::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table);
  if (!all) {
    std::vector<FieldId> ids;
    for (const PrunableField& field : fields) ids.push_back(field.id);
    sql.Text(" AND column_id IN (").BindList(ids).Text(")");
  }
  if (files.size() <= kMaxNamedFiles) {
    std::set<DataFileId> ids;
    for (const ScanFile& file : files) {
      if (!file.is_staged) ids.insert(file.file.id);
    }
    if (ids.empty()) return {};
    sql.Text(" AND data_file_id IN (").BindList(ids).Text(")");
  }
  StatsByFile stats;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    stats[DataFileId(rows->Int64(0))].push_back(ReadColumnStats(*rows));
  }
  return stats;
}

}  // namespace

std::vector<std::vector<FieldFacts>> FactsOfFiles(StoreConnection& connection, const Table& table,
                                                  std::span<const PrunableField> fields,
                                                  const std::vector<ScanFile>& files) {
  std::vector<std::vector<FieldFacts>> result;
  if (files.empty()) return result;
  StatsByFile stats;
  FileFacts::Needs needs;
  if (!table.ref.is_new()) {
    const auto is_committed = [](const ScanFile& file) { return !file.is_staged; };
    if (std::any_of(files.begin(), files.end(), is_committed))
      stats = LoadStats(connection, table.ref.id(), fields, false, files);
    for (const ScanFile& file : files) {
      // Of a staged one, which may be of another writer, only what its NaNs are worth.
      FileFacts::Needs of_file;
      of_file.Add(file.file, fields);
      needs.row_groups = needs.row_groups || of_file.row_groups;
      if (file.is_staged) continue;
      needs.history = needs.history || of_file.history;
      needs.partitions = needs.partitions || of_file.partitions;
    }
  }
  const FileFacts facts(connection, table, fields, needs);
  result.reserve(files.size());
  for (const ScanFile& file : files) {
    const std::vector<ColumnStats>* known = &file.file.stats;
    if (!file.is_staged) {
      const auto found = stats.find(file.file.id);
      known = found == stats.end() ? nullptr : &found->second;
    }
    result.push_back(facts.Of(file.file, file.is_staged, known));
  }
  return result;
}

void PruneFiles(StoreConnection& connection, const Table& table, const Predicate& predicate,
                std::vector<ScanFile>& files) {
  const PredicatePruner pruner(predicate, table);
  if (pruner.fields().empty() || files.empty()) return;
  const auto facts = FactsOfFiles(connection, table, pruner.fields(), files);
  size_t next = 0;
  std::erase_if(files, [&](const ScanFile&) { return !pruner.CanMatch(facts[next++]); });
}

void LoadFileStats(StoreConnection& connection, TableId table, std::vector<ScanFile>& files) {
  StatsByFile stats = LoadStats(connection, table, {}, true, files);
  for (ScanFile& file : files) {
    auto found = stats.find(file.file.id);
    if (!file.is_staged && found != stats.end()) file.file.stats = std::move(found->second);
  }
}

}  // namespace tarn
