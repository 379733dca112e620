// What the catalog knows of some fields in all files of a table: kept with the files, and loaded
// where nobody has asked before, for all files in one query.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "catalog/facts_column.h"
#include "catalog/file_facts.h"
#include "catalog/table_files.h"
#include "tarn/catalog_store.h"
#include "tarn/schema.h"

namespace tarn {

/// All of it must outlive this: the files, the table that the fields belong to, as of the scan.
class ChunkFacts {
 public:
  ChunkFacts(StoreConnection& connection, const TableFiles& files, const Table& table,
             std::span<const PrunableField> fields);

  /// Something has been loaded, which is kept from now on.
  bool has_learned() const { return !open_.empty(); }
  /// By numbers: of the field in `fields`, of the chunk in TableFiles::chunks().
  const FactsColumn& Of(size_t field, size_t chunk) const { return *columns_[field][chunk]; }

 private:
  struct Open {
    size_t field;
    size_t first;  ///< the first place that is not known
    std::shared_ptr<FactsColumn> facts;
  };

  void Find(size_t field, size_t chunk);
  void Load(StoreConnection& connection, const Table& table);
  void LoadStats(StoreConnection& connection, TableId table, const std::set<size_t>& open_fields,
                 const std::vector<DataFileId>& some_ids, const FileFacts& facts);
  DataFile Get(const FileChunk& packed, size_t place) const;

  const TableFiles& files_;
  std::span<const PrunableField> fields_;
  std::vector<std::vector<std::shared_ptr<const FactsColumn>>> columns_;  ///< by field and chunk
  std::map<size_t, std::vector<Open>> open_;                              ///< by chunk
};

}  // namespace tarn
