// Proves a lake whole, or says what is wrong, and repairs what can be repaired.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/file_system.h"
#include "tarn/lake.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

class DeleteFileWriter;

/// What can be repaired without guessing. Several findings may share one repair.
enum class RepairKind {
  kNone,
  kNextIds,           ///< counters of snapshots
  kChangesRow,        ///< of a snapshot that is not there; id: of the snapshot
  kDataPath,          ///< that lacks its slash
  kOption,            ///< set several times; name: its key
  kPartitionKeys,     ///< of no spec; id: of the spec
  kSortKeys,          ///< of no sort order; id: of the order
  kTags,              ///< of no owner; id: of the object
  kColumnTags,        ///< id: of the table; column
  kSchedule,          ///< of a file that is used; name: its path in normal form
  kDataFile,          ///< size, footer, rows; id: of the file
  kDeleteFile,        ///< the same of a delete file
  kFileStats,         ///< id: of the data file; column, or -1: all
  kFileBounds,        ///< that neither the catalog nor the footer has right; id, column
  kVariantStats,      ///< id: of the data file; column, or -1: all
  kPartitionValues,   ///< of no file; id: of the file
  kTableStats,        ///< the row; id: of the table
  kTableColumnStats,  ///< id: of the table; column
  kNextRowId,         ///< id: of the table
  kInlinedTable,      ///< registered several times; name
  kInlinedDeletes,    ///< of no file, or twice; id: of the table
  kUselessDeletes,    ///< a delete file without its data file; id: of the delete file
  kLastingDeletes,    ///< a delete file that outlives its data file; id: of the delete file
  kDoubleDeletes,     ///< several live delete files; id: of the data file
  kUnseenRows,        ///< that no snapshot sees, with their files
  kUnknownFile,       ///< repairs nothing: what the catalog has lost may be it; name: its path
};

struct RepairTarget {
  RepairKind kind = RepairKind::kNone;
  int64_t id = -1;
  int64_t column = -1;
  std::string name = {};
  friend auto operator<=>(const RepairTarget&, const RepairTarget&) = default;
};

struct CheckFinding {
  bool is_error = true;  ///< false: worth knowing, the lake is whole (e.g. an unreferenced file)
  std::string what;      ///< one sentence that names table, file or row
  RepairTarget repair = {};  ///< what would mend it
  std::string advice = {};   ///< a sentence: what people can do where no repair will
};

struct CheckOptions {
  bool deep = false;  ///< open each file and compare it with what the catalog says
  /// Opens one data file and returns what is wrong with it, besides what its footer shows; given by
  /// whoever can read Parquet. Sentences need not name the file. Empty: `deep` reads footers only.
  std::function<std::vector<CheckFinding>(const std::string& path, const DataFile& file,
                                          const Table& table)>
      inspect_file;
  /// The same for a Parquet delete file of a data file of so many rows.
  std::function<std::vector<CheckFinding>(const std::string& path, const DeleteFile& file,
                                          int64_t row_count)>
      inspect_delete_file;
  std::function<void(double fraction)> progress;
};

struct CheckReport {
  std::vector<CheckFinding> findings;
  int64_t snapshots = 0, tables = 0, data_files = 0, delete_files = 0, rows = 0;
  bool clean() const;  ///< no error among the findings
};

CheckReport CheckLake(Lake& lake, const CheckOptions& options = {});

/// What is wrong with one data file by its own footer: rows, sizes, field ids and statistics
/// against the catalog's. `table` has all columns that the table ever had. Files with an encrypted
/// footer cannot be looked at so.
std::vector<CheckFinding> InspectDataFile(FileSystem& file_system, const std::string& path,
                                          const DataFile& file, const Table& table);
/// The same for a delete file of either format, for a data file of so many rows.
std::vector<CheckFinding> InspectDeleteFile(FileSystem& file_system, const std::string& path,
                                            const DeleteFile& file, int64_t row_count);

/// What a file says of itself, as the catalog would have it.
struct StoredFacts {
  int64_t row_count = 0;  ///< of a delete file: the positions in it
  int64_t file_size_bytes = 0;
  std::optional<int64_t> footer_size;
  /// Of a data file: by the table's field ids; bounds only where they are of the column's type.
  std::vector<ColumnStats> stats;
  bool embeds_row_ids = false;
  std::optional<int64_t> last_row_id;  ///< of those that it embeds, where it tells
};
/// Throws what InspectDataFile would tell of a file that is not sound.
StoredFacts ReadStoredFacts(FileSystem& file_system, const std::string& path, const DataFile& file,
                            const Table& table);
StoredFacts ReadStoredFacts(FileSystem& file_system, const std::string& path,
                            const DeleteFile& file, int64_t row_count);

// Repair
// ------------------------------------------------------------------------------------------------

struct RepairOptions {
  CheckOptions check;
  bool dry_run = false;  ///< only tell
  /// Merges delete files. Null: they stay as they are.
  DeleteFileWriter* writer = nullptr;
  std::function<bool()> interrupted;
};

struct RepairReport {
  CheckReport found;                   ///< before
  std::vector<std::string> steps;      ///< done, or of a dry run: what would be; a sentence each
  std::vector<std::string> refusals;   ///< repairs that were tried and would need guessing, and why
  std::optional<SnapshotId> snapshot;  ///< in whose transaction all of it was done
};

/// Checks a lake and repairs what can be repaired without guessing, in one transaction that makes a
/// snapshot, so that no other client's commit can come between. When one does, all is looked at
/// anew. What cannot be repaired keeps nothing else from being. Throws kInvalid for a lake that
/// cannot be written.
RepairReport RepairLake(Lake& lake, const RepairOptions& options = {});

}  // namespace tarn
