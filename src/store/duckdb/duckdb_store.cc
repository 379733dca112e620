// Opening a DuckDB file as a catalog, and its connections.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "base/assert.h"
#include "base/text.h"
#include "store/catalog_file.h"
#include "store/duckdb/duckdb_driver.h"
#include "store/duckdb/duckdb_query.h"
#include "store/duckdb_commit_failure.h"
#include "store/duckdb_dialect.h"
#include "store/statement.h"

namespace tarn::duckdb_c {
namespace {

constexpr const char* kMainSchema = "main";
/// Rows between two looks at the interrupt check while many are inserted.
constexpr size_t kRowsBetweenChecks = 1024;

/// An opened file, shared by all stores of this process on it: DuckDB's locks do not guard a
/// process against itself.
class Instance {
 public:
  static std::shared_ptr<Instance> Open(const std::string& path, bool read_only, bool exists);

  Instance(const std::string& path, bool read_only, bool exists)
      : path_(path), read_only_(read_only), created_(!exists) {
    Config config;
    duckdb_create_config(config.out());
    duckdb_set_config(config.get(), "access_mode", read_only ? "READ_ONLY" : "READ_WRITE");
    // A catalog needs nothing from outside, and a program that reads one must not fetch anything
    // behind its user's back.
    duckdb_set_config(config.get(), "autoinstall_known_extensions", "false");
    duckdb_set_config(config.get(), "autoload_known_extensions", "false");
    if (created_)
      duckdb_set_config(config.get(), "storage_compatibility_version", kDuckDbStorageVersion);
    char* words = nullptr;
    if (duckdb_open_ext(path.c_str(), database_.out(), config.get(), &words) == DuckDBError) {
      const std::string detail = words ? words : "";
      duckdb_free(words);
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("The DuckDB catalog \"{}\" cannot be opened: {}", path, detail),
                  {{"path", path}});
    }
  }

  ~Instance() {
    const bool unused = created_ && !written_;
    if (unused) ::unlink(path_.c_str());  // first, while the file's lock keeps others out
    { const Database closed = std::move(database_); }
    if (unused) ::unlink((path_ + ".wal").c_str());
  }

  duckdb_database get() const { return database_.get(); }
  bool read_only() const { return read_only_; }
  void MarkWritten() { written_ = true; }

 private:
  const std::string path_;
  const bool read_only_;
  const bool created_;
  std::atomic<bool> written_ = false;
  Database database_;
};

std::shared_ptr<Instance> Instance::Open(const std::string& path, bool read_only, bool exists) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<Instance>> instances;
  std::lock_guard lock(mutex);
  std::erase_if(instances, [](const auto& entry) { return entry.second.expired(); });
  auto& slot = instances[path];
  if (auto open = slot.lock()) {
    if (open->read_only() == read_only) return open;
    throw Error(ErrorCode::kInvalid,
                fmt::format("The DuckDB catalog \"{}\" is open in this process already, and not in "
                            "the same mode (read-only or not).",
                            path),
                {{"path", path}});
  }
  auto opened = std::make_shared<Instance>(path, read_only, exists);
  slot = opened;
  return opened;
}

class DuckDbConnection : public StoreConnection {
 public:
  DuckDbConnection(std::shared_ptr<Instance> instance, std::shared_ptr<const Dialect> dialect,
                   const std::string& schema, const std::string& path)
      : instance_(std::move(instance)), dialect_(std::move(dialect)), schema_(schema) {
    context_.path = path;
    context_.interrupted = [this] { return Interrupted(); };
    context_.on_error = [this] { Rollback(); };
    if (duckdb_connect(instance_->get(), connection_.out()) == DuckDBError) {
      throw MakeError(context_, DUCKDB_ERROR_CONNECTION, "no connection could be made", {});
    }
    context_.connection = connection_.get();
  }
  ~DuckDbConnection() override { Rollback(); }

  const Dialect& dialect() const override { return *dialect_; }
  bool in_transaction() const override { return in_transaction_; }

  void Begin(TransactionMode mode) override {
    TARN_ASSERT(!in_transaction_);
    if (mode == TransactionMode::kWrite) RequireWritable();
    RunPlain(context_,
             mode == TransactionMode::kRead ? "BEGIN TRANSACTION READ ONLY" : "BEGIN TRANSACTION");
    in_transaction_ = true;
    mode_ = mode;
    // What a transaction sees of a database is fixed when it first touches it.
    RollingBackOnError([&] { RunPlain(context_, "SELECT txid_current()"); });
  }

  CommitOutcome Commit() override {
    TARN_ASSERT(in_transaction_);
    Result result;
    if (duckdb_query(connection_.get(), "COMMIT", result.get()) == DuckDBError) {
      const auto type = duckdb_result_error_type(result.get());
      const char* words = duckdb_result_error(result.get());
      const std::string detail = words ? words : "";
      Rollback();
      switch (type) {
        case DUCKDB_ERROR_TRANSACTION:
          if (!TellsOfOtherTransaction(detail))
            throw MakeError(context_, DUCKDB_ERROR_IO, detail, "COMMIT");
          return CommitOutcome::kLostRace;
        case DUCKDB_ERROR_CONSTRAINT:
          return CommitOutcome::kLostRace;
        case DUCKDB_ERROR_IO:
        case DUCKDB_ERROR_FATAL:
        case DUCKDB_ERROR_INTERNAL:
          return CommitOutcome::kUnknown;  // the log may have it
        default:
          throw MakeError(context_, type, detail, "COMMIT");
      }
    }
    in_transaction_ = false;
    if (mode_ == TransactionMode::kWrite) instance_->MarkWritten();
    return CommitOutcome::kCommitted;
  }

  void Rollback() noexcept override {
    if (!std::exchange(in_transaction_, false)) return;
    Result result;
    duckdb_query(connection_.get(), "ROLLBACK",
                 result.get());  // fails only where DuckDB has rolled back already
  }

  std::unique_ptr<Rows> Query(const Statement& statement) override {
    return RollingBackOnError([&] { return StartQuery(context_, statement); });
  }

  int64_t Execute(const Statement& statement) override {
    if (!in_transaction_) RequireWritable();
    TARN_ASSERT(!in_transaction_ || mode_ == TransactionMode::kWrite);
    return RollingBackOnError([&] {
      const int64_t changed = RunToEnd(context_, statement);
      if (!in_transaction_) instance_->MarkWritten();
      return changed;
    });
  }

  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override {
    if (rows.empty()) return;
    if (!in_transaction_) RequireWritable();
    RollingBackOnError([&] { Append(std::string(table), columns, rows); });
    if (!in_transaction_) instance_->MarkWritten();
  }

  bool TableExists(std::string_view table) override {
    StatementBuilder sql(*dialect_,
                         "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() "
                         "AND schema_name = ");
    sql.Bind(schema_).Text(" AND lower(table_name) = lower(").Bind(table).Text(")");
    return Query(sql.Build())->Next();
  }

  std::vector<std::string> ListTables() override {
    StatementBuilder sql(*dialect_,
                         "SELECT table_name FROM duckdb_tables() WHERE database_name = "
                         "current_database() AND schema_name = ");
    sql.Bind(schema_).Text(" ORDER BY table_name");
    const auto rows = Query(sql.Build());
    std::vector<std::string> names;
    while (rows->Next()) names.emplace_back(rows->Text(0));
    return names;
  }

 private:
  void RequireWritable() const {
    if (!instance_->read_only()) return;
    throw Error(ErrorCode::kInvalid,
                fmt::format("The catalog database \"{}\" cannot be written: it is open read-only.",
                            context_.path));
  }

  template <class Work>
  auto RollingBackOnError(Work work) -> decltype(work()) {
    try {
      return work();
    } catch (...) {
      Rollback();
      throw;
    }
  }

  void Append(const std::string& table, std::span<const std::string_view> columns,
              std::span<const std::vector<Value>> rows) {
    if (!TableExists(table)) {
      throw Error(
          ErrorCode::kNotFound,
          fmt::format("The catalog database \"{}\" has no table \"{}\".", context_.path, table));
    }
    AppenderHandle appender;
    const auto require = [&](duckdb_state state) {
      if (state != DuckDBError) return;
      ErrorDataHandle error;
      *error.out() = duckdb_appender_error_data(appender.get());
      const char* words = duckdb_error_data_message(error.get());
      throw MakeError(context_, duckdb_error_data_error_type(error.get()), words ? words : "",
                      "INSERT INTO " + dialect_->Quote(table));
    };
    require(duckdb_appender_create_ext(connection_.get(), nullptr, schema_.c_str(), table.c_str(),
                                       appender.out()));
    for (const auto& column : columns)
      require(duckdb_appender_add_column(appender.get(), std::string(column).c_str()));
    for (size_t i = 0; i < rows.size(); ++i) {
      TARN_ASSERT(rows[i].size() == columns.size());
      if (i % kRowsBetweenChecks == kRowsBetweenChecks - 1 && Interrupted())
        throw MakeError(context_, DUCKDB_ERROR_INTERRUPT, "", {});
      for (const Value& value : rows[i]) require(AppendValue(appender.get(), value));
      require(duckdb_appender_end_row(appender.get()));
    }
    require(duckdb_appender_close(appender.get()));
  }

  static duckdb_state AppendValue(duckdb_appender appender, const Value& value) {
    return std::visit(
        [&](const auto& content) {
          using T = std::decay_t<decltype(content)>;
          if constexpr (std::is_same_v<T, std::monostate>) {
            return duckdb_append_null(appender);
          } else if constexpr (std::is_same_v<T, bool>) {
            return duckdb_append_bool(appender, content);
          } else if constexpr (std::is_same_v<T, int64_t>) {
            return duckdb_append_int64(appender, content);
          } else if constexpr (std::is_same_v<T, double>) {
            return duckdb_append_double(appender, content);
          } else if constexpr (std::is_same_v<T, Blob>) {
            return duckdb_append_blob(appender, content.bytes.data(), content.bytes.size());
          } else if constexpr (std::is_same_v<T, Timestamp>) {
            return duckdb_append_timestamp(appender, {content.time_since_epoch().count()});
          } else {
            return duckdb_append_varchar_length(appender, content.data(), content.size());
          }
        },
        value);
  }

  const std::shared_ptr<Instance> instance_;
  const std::shared_ptr<const Dialect> dialect_;
  const std::string schema_;
  ConnectionHandle connection_;
  QueryContext context_;
  bool in_transaction_ = false;
  TransactionMode mode_ = TransactionMode::kRead;
};

/// Everything that can be told before the file is opened or made.
bool CheckPath(const StoreOptions& options, const std::string& path) {
  const Error::Context context = {{"path", options.location}};
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      throw Error(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is a folder: a DuckDB catalog is a file.", options.location),
                  context);
    }
    const auto kind = DetectCatalogScheme(path);
    if (kind == "duckdb") return true;
    if (kind == "sqlite") {
      throw Error(
          ErrorCode::kInvalid,
          fmt::format("\"{}\" is not a DuckDB database but a SQLite one: write \"sqlite:{}\".",
                      options.location, options.location),
          context);
    }
    throw Error(ErrorCode::kInvalid,
                fmt::format("\"{}\" is not a DuckDB database.", options.location), context);
  }
  if (options.read_only || !options.create_if_absent) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("The DuckDB catalog \"{}\" does not exist.", options.location),
                context);
  }
  const std::string folder = FolderOf(path);
  if (::stat(folder.c_str(), &info) != 0) {
    throw Error(
        ErrorCode::kNotFound,
        fmt::format("The DuckDB catalog \"{}\" cannot be made: its folder \"{}\" does not exist.",
                    options.location, folder),
        context);
  }
  if (!CanWrite(folder)) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format(
            "The DuckDB catalog \"{}\" cannot be made: its folder \"{}\" cannot be written.",
            options.location, folder),
        context);
  }
  return false;
}

class DuckDbStore : public CatalogStore {
 public:
  explicit DuckDbStore(const StoreOptions& options)
      : location_(options.location),
        schema_(options.schema.empty() ? kMainSchema : options.schema) {
    for (const auto& [key, value] : options.parameters) {
      if (key == "type" && AsciiLower(value) == "duckdb") continue;
      throw Error(
          ErrorCode::kInvalid,
          fmt::format("Unrecognized option for attach \"{}\": a DuckDB catalog takes none here.",
                      key));
    }
    if (location_.empty() || location_ == ":memory:") {
      throw Error(ErrorCode::kUnsupported,
                  "A DuckDB catalog must be a file here; a lake in memory needs the engine.");
    }
    const std::string path = CanonicalPath(location_);
    const bool exists = CheckPath(options, path);
    const bool read_only =
        options.read_only || (exists && (!CanWrite(path) || !CanWrite(FolderOf(path))));
    instance_ = Instance::Open(path, read_only, exists);
    // For the one query that asks for what it is.
    dialect_ = std::make_shared<DuckDbDialect>("", schema_, false);
    DuckDbConnection connection(instance_, dialect_, schema_, location_);
    const auto rows =
        connection.Query({"SELECT database_name, tags['storage_version'] FROM duckdb_databases() "
                          "WHERE database_name = current_database()",
                          {}});
    rows->Next();
    const std::string name(rows->Text(0));
    dialect_ = std::make_shared<DuckDbDialect>(name, schema_,
                                               StoresVariant(rows->OptText(1).value_or("")));
  }

  std::unique_ptr<StoreConnection> Connect() override {
    return std::make_unique<DuckDbConnection>(instance_, dialect_, schema_, location_);
  }
  const Dialect& dialect() const override { return *dialect_; }
  std::string location() const override { return location_; }
  bool writable() const override { return !instance_->read_only(); }
  void CreateSchemaIfAbsent() override {
    if (schema_ == kMainSchema) return;
    StatementBuilder sql(*dialect_, "CREATE SCHEMA IF NOT EXISTS ");
    Connect()->Execute(sql.Name(schema_).Build());
  }

 private:
  const std::string location_;
  const std::string schema_;
  std::shared_ptr<Instance> instance_;
  std::shared_ptr<const Dialect> dialect_;
};

}  // namespace
}  // namespace tarn::duckdb_c

namespace tarn {

std::shared_ptr<CatalogStore> OpenDuckDbStore(const StoreOptions& options) {
  return std::make_shared<duckdb_c::DuckDbStore>(options);
}

void RegisterDuckDbDriver() { RegisterStoreDriver("duckdb", OpenDuckDbStore); }

}  // namespace tarn
