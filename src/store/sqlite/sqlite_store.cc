// Opening a SQLite file as a catalog: what must be true of the path, and what the META_ options
// mean.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "store/catalog_file.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/sqlite/sqlite_dialect.h"
#include "store/sqlite/sqlite_driver.h"

namespace tarn::sqlite {
namespace {

std::string ParseJournalMode(const std::string& value) {
  const std::string mode = AsciiLower(value);
  constexpr std::array<std::string_view, 5> kModes = {"wal", "delete", "truncate", "persist",
                                                      "memory"};
  if (std::find(kModes.begin(), kModes.end(), mode) == kModes.end()) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format(
            "META_JOURNAL_MODE cannot be \"{}\": choose wal, delete, truncate, persist or memory.",
            value));
  }
  return mode;
}

int64_t ParseTimeout(const std::string& value) {
  int64_t timeout_ms = -1;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), timeout_ms);
  if (failed != std::errc() || end != value.data() + value.size() || timeout_ms < 0) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format("META_BUSY_TIMEOUT cannot be \"{}\": give milliseconds, 0 or more.", value));
  }
  return timeout_ms;
}

void ReadParameters(const StoreOptions& options, StoreState& state) {
  state.busy_timeout = std::chrono::milliseconds(std::max<int64_t>(options.busy_timeout_ms, 0));
  for (const auto& [key, value] : options.parameters) {
    if (key == "journal_mode") {
      state.journal_mode = ParseJournalMode(value);
    } else if (key == "busy_timeout") {
      state.busy_timeout = std::chrono::milliseconds(ParseTimeout(value));
    } else if (key != "type" || AsciiLower(value) != "sqlite") {
      throw Error(ErrorCode::kInvalid,
                  fmt::format("Unrecognized option for attach \"{}\": a SQLite catalog takes "
                              "META_JOURNAL_MODE and META_BUSY_TIMEOUT.",
                              key));
    }
  }
}

/// Nothing is opened or made here, so that a refused lake leaves nothing behind.
void CheckPath(const StoreOptions& options, StoreState& state) {
  const std::string& path = options.location;
  const Error::Context context = {{"path", path}};
  if (path.empty())
    throw Error(ErrorCode::kInvalid,
                "A SQLite catalog needs the path of its file, as in \"sqlite:lake.sqlite\".");
  if (path == ":memory:") {
    throw Error(ErrorCode::kUnsupported,
                "A SQLite catalog must be a file; for a lake that lives in memory leave out "
                "\"sqlite:\" and use a DuckDB catalog.");
  }
  state.path = CanonicalPath(path);
  struct stat info;
  if (::stat(state.path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      throw Error(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is a folder: a SQLite catalog is a file.", path), context);
    }
    if (!S_ISREG(info.st_mode)) {
      throw Error(
          ErrorCode::kInvalid,
          fmt::format("\"{}\" is no regular file: name a file for the SQLite catalog.", path),
          context);
    }
    state.writable = !options.read_only && CanWrite(state.path) && CanWrite(FolderOf(state.path));
    state.may_create = state.writable && options.create_if_absent;
    return;
  }
  if (options.read_only || !options.create_if_absent) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("The SQLite catalog \"{}\" does not exist.", path), context);
  }
  const std::string folder = FolderOf(state.path);
  if (::stat(folder.c_str(), &info) != 0) {
    throw Error(
        ErrorCode::kNotFound,
        fmt::format("The SQLite catalog \"{}\" cannot be made: its folder \"{}\" does not exist.",
                    path, folder),
        context);
  }
  if (!CanWrite(folder)) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format(
            "The SQLite catalog \"{}\" cannot be made: its folder \"{}\" cannot be written.", path,
            folder),
        context);
  }
}

std::shared_ptr<const StoreState> MakeState(const StoreOptions& options) {
  auto state = std::make_shared<StoreState>();
  ReadParameters(options, *state);
  CheckPath(options, *state);
  state->queue = WriterQueue::ForFile(state->path);
  return state;
}

}  // namespace

SqliteStore::SqliteStore(const StoreOptions& options)
    : location_(options.location), schema_(options.schema), state_(MakeState(options)) {
  if (!schema_.empty() && !EqualsIgnoreCase(schema_, "main")) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format(
            "SQLite databases have no schemas, so METADATA_SCHEMA cannot be \"{}\": leave it out.",
            schema_));
  }
  // Whatever is wrong with the file shows here and not at the first query.
  try {
    SqliteConnection(state_).ListTables();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalid || DetectCatalogScheme(state_->path) != "duckdb") throw;
    throw Error(
        ErrorCode::kInvalid,
        fmt::format("\"{}\" is not a SQLite database but a DuckDB file: leave out \"sqlite:\".",
                    location_),
        error.context());
  }
}

const Dialect& SqliteStore::dialect() const { return SqliteDialect::Instance(); }

void SqliteStore::CreateSchemaIfAbsent() {}

}  // namespace tarn::sqlite

namespace tarn {

std::shared_ptr<CatalogStore> OpenSqliteStore(const StoreOptions& options) {
  return std::make_shared<sqlite::SqliteStore>(options);
}

void RegisterSqliteDriver() { RegisterStoreDriver("sqlite", OpenSqliteStore); }

}  // namespace tarn
