// Going back: a table, or the whole lake, becomes again what it was at an older snapshot, as a new
// snapshot. No data file is written anew: what held rows then holds them again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What shall come back.
struct RestoreRequest {
  /// The version to go back to. With `dropped` neither: the table as it was when it was dropped.
  SnapshotSelector at;
  /// One table only: what bore this name then, or bears it now.
  std::optional<std::string> table;
  std::string schema = "main";  ///< of `table`
  /// `table` has been dropped, and the newest of that name comes back; nothing else changes.
  bool dropped = false;
};

/// A data file that comes back. No two rows of the catalog may name one path, since clean-up goes
/// by rows: so it comes back under a name of its own.
struct RevivedFile {
  /// As it was then, with the deletes of then and what must not be seen of later snapshots.
  ScanFile source;
  /// Who carries the plan out says where the new name lies (DataFile::path, relative to the table's
  /// path), and which positions of the file are dead, sorted.
  std::string path;
  std::vector<int64_t> dead;
};

/// What happens to one table.
struct RestoredTable {
  enum class Change { kChanged, kBroughtBack, kDropped };
  Change change = Change::kChanged;
  std::string schema;                  ///< its name
  std::shared_ptr<const Table> table;  ///< as it will be; of dropped ones as it was
  std::vector<RevivedFile> files;
  /// Rows of the catalog that come back, each with the row id that it had: all that these scans
  /// read.
  std::vector<InlinedScan> inlined;
  std::map<DataFileId, int64_t> ended_files;                  ///< with how many live rows, about
  std::map<std::string, std::vector<int64_t>> ended_inlined;  ///< row ids by inlined table
  /// Of a table that comes back as a new one: fields and row ids that it must not give away again.
  std::vector<LostField> lost_fields;
  int64_t first_row_id = 0;
};

/// Made by Transaction::PlanRestore for Transaction::StageRestore of the same transaction.
struct RestorePlan {
  Snapshot version;                         ///< what the tables go back to
  std::shared_ptr<const CatalogView> view;  ///< all objects afterwards
  std::vector<RestoredTable> tables;        ///< that change, by schema and name
  /// The only tables that the restore means; none: all of them.
  std::vector<TableRef> only;
};

}  // namespace tarn
