// A database instance with Tarn in it, for programs that know no DuckDB: the `tarn` command. Runs
// statements, hands their results out row by row, draws boxes, cancels, and shows the kernel's Lake
// behind an attachment.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tarn/check.h"
#include "tarn/copy_lake.h"
#include "tarn/lake.h"
#include "tarn/snapshot.h"
#include "tarn/transaction.h"

namespace tarn::engine {

struct ResultColumn {
  std::string name;
  std::string type;  ///< as SQL says it
  bool is_number = false;
};

/// What a piece of a box is, for those who paint it.
enum class BoxPart { kLayout, kColumnName, kType, kValue, kNull, kFooter };

struct BoxOptions {
  uint64_t max_width = 0;  ///< columns of the terminal; 0: as wide as it gets
  uint64_t max_rows = 0;   ///< rows in the middle are left out; 0: all
  std::function<void(BoxPart, std::string_view)> print;
};

/// The result of one statement. Lives only while it is shown; used by one thread.
class SessionResult {
 public:
  enum class Kind {
    kRows,     ///< a table, maybe an empty one
    kPlan,     ///< what EXPLAIN says: a table whose second column is a drawing
    kChanged,  ///< a count of changed rows
    kNothing,  ///< just done
  };

  virtual ~SessionResult() = default;
  virtual Kind kind() const = 0;
  virtual const std::vector<ResultColumn>& columns() const = 0;

  /// Goes to the next row. Throws tarn::Error when the statement fails on its way.
  virtual bool Next() = 0;
  /// The value as text, nullopt for NULL. Valid until Next().
  virtual std::optional<std::string_view> Text(size_t column) = 0;
  /// Appends the value as one line of JSON.
  virtual void AppendJson(size_t column, std::string& out) = 0;
  /// Draws all rows, in place of Next(). Only for results that do not stream.
  virtual void DrawBox(const BoxOptions& options) = 0;
};

/// A value for a parameter or a cell. std::monostate is NULL.
using SessionValue = std::variant<std::monostate, bool, int64_t, std::string, Timestamp>;

struct SessionOptions {
  std::vector<std::pair<std::string, std::string>>
      settings;  ///< of the instance, such as memory_limit
};

/// Which lake to attach, and how.
struct LakeRequest {
  std::string name;  ///< what SQL calls it
  std::string path;  ///< as ATTACH takes it, such as "ducklake:sqlite:nyc.sqlite"
  bool read_only = false;
  std::vector<std::pair<std::string, SessionValue>> options;  ///< of ATTACH
};

/// One connection to an in-memory instance of its own. Used by one thread, but for Interrupt().
class Session {
 public:
  using Show = std::function<void(SessionResult&)>;

  /// Throws tarn::Error for settings that do not exist or make no sense.
  static std::unique_ptr<Session> Open(const SessionOptions& options);
  virtual ~Session() = default;

  /// Attaches a lake and, unless told otherwise, makes it the default.
  virtual void Attach(const LakeRequest& request, bool make_default = true) = 0;
  /// The kernel's own view of an attached lake.
  virtual std::shared_ptr<Lake> FindLake(const std::string& name) = 0;

  /// The catalog database that a request names, with a lake or without; makes it when it is absent
  /// and something is written. Throws kInvalid for `other`'s own: no database may be open twice.
  virtual std::shared_ptr<CatalogStore> OpenStore(const LakeRequest& request,
                                                  const CatalogStore& other) = 0;
  /// For CopyOptions.
  virtual CopyInlinedRows inlined_rows() const = 0;

  /// Reads a data file whole and compares its rows with their description: for CheckOptions.
  virtual std::vector<CheckFinding> InspectFile(const std::string& path, const DataFile& file,
                                                const Table& table) = 0;
  /// The same for a Parquet delete file.
  virtual std::vector<CheckFinding> InspectFile(const std::string& path, const DeleteFile& file,
                                                int64_t row_count) = 0;

  /// Merges delete files, for RepairOptions. Its files are no transaction's: those that nobody
  /// discards stay.
  virtual std::unique_ptr<DeleteFileWriter> MakeDeleteWriter(const std::string& lake) = 0;

  /// Reads all rows that the catalog keeps.
  virtual std::vector<CheckFinding> InspectInlinedRows(Lake& lake) = 0;

  /// Runs all statements of a text and shows each result. With `stream`, rows are made while they
  /// are shown, in bounded memory. Throws tarn::Error: kInterrupted, or kInvalid with the
  /// database's own words.
  virtual void Run(const std::string& sql, bool stream, const Show& show) = 0;
  /// Runs one statement with values for its parameters.
  virtual void Run(const std::string& sql, const std::vector<SessionValue>& parameters,
                   const Show& show) = 0;
  /// Shows rows that were made by hand. Column types: bool, int64_t and so on as in the first row
  /// that is not NULL.
  virtual void ShowRows(const std::vector<std::string>& columns,
                        const std::vector<std::vector<SessionValue>>& rows, const Show& show) = 0;

  /// Cancels the running statement. May be called from a signal handler, and when nothing runs.
  virtual void Interrupt() noexcept = 0;
  /// While a statement runs for longer than `after`, `update` is told how much is done, from 0 to
  /// 1, and `finish` is called at the end.
  virtual void WatchProgress(std::chrono::milliseconds after, std::function<void(double)> update,
                             std::function<void()> finish) = 0;
  virtual bool in_transaction() const = 0;
};

/// The functions of a lake that CHECKPOINT calls, each in a transaction of its own, in this order.
inline constexpr std::array<const char*, 6> kUpkeepSteps = {
    "flush_inlined_data", "expire_snapshots",  "merge_adjacent_files",
    "rewrite_data_files", "cleanup_old_files", "delete_orphaned_files"};

/// Appends a text as a JSON string.
void AppendJsonString(std::string_view text, std::string& out);

/// Version of the database engine, such as "v1.5.5".
std::string DatabaseVersion();

}  // namespace tarn::engine
