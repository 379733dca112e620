// See query_log.h.
#include "engine/store/query_log.h"

#include <utility>

#include "duckdb/logging/log_manager.hpp"
#include "duckdb/logging/log_type.hpp"
#include "duckdb/logging/logger.hpp"

namespace tarn::engine {
namespace {

// The name that the format's other client has for it.
constexpr const char* kLogName = "DuckLakeMetadata";
constexpr auto kLogLevel = duckdb::LogLevel::LOG_DEBUG;

class WatchedConnection : public StoreConnection {
 public:
  WatchedConnection(const QueryLog& log, std::unique_ptr<StoreConnection> connection)
      : log_(log), connection_(std::move(connection)) {
    connection_->SetInterruptCheck([this] { return Interrupted(); });
  }

  const Dialect& dialect() const override { return connection_->dialect(); }

  void Begin(TransactionMode mode) override {
    const auto timer = log_.Time("BEGIN");
    connection_->Begin(mode);
  }

  CommitOutcome Commit() override {
    const auto timer = log_.Time("COMMIT");
    return connection_->Commit();
  }

  void Rollback() noexcept override { connection_->Rollback(); }
  bool in_transaction() const override { return connection_->in_transaction(); }

  std::unique_ptr<Rows> Query(const Statement& statement) override {
    const auto timer = log_.Time(statement.text);
    return connection_->Query(statement);
  }

  std::unique_ptr<Rows> Stream(const Statement& statement) override {
    const auto timer = log_.Time(statement.text);
    return connection_->Stream(statement);
  }

  int64_t Execute(const Statement& statement) override {
    const auto timer = log_.Time(statement.text);
    return connection_->Execute(statement);
  }

  void Send(const Statement& statement) override {
    const auto timer = log_.Time(statement.text);
    connection_->Send(statement);
  }

  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override {
    const auto timer = log_.TimeRows(table);
    connection_->InsertRows(table, columns, rows);
  }

  void InsertTypedRows(std::string_view table, std::span<const std::string_view> columns,
                       std::span<const std::string> types,
                       std::span<const std::vector<Value>> rows) override {
    const auto timer = log_.TimeRows(table);
    connection_->InsertTypedRows(table, columns, types, rows);
  }

  bool TableExists(std::string_view table) override { return connection_->TableExists(table); }
  std::vector<std::string> ListTables() override { return connection_->ListTables(); }

  bool commits_whole() const override { return connection_->commits_whole(); }
  WholeCommit CommitWhole(std::span<const Statement> statements) override {
    std::string texts;
    for (const Statement& statement : statements) texts += statement.text + "; ";
    const auto timer = log_.Time(texts + "COMMIT");
    return connection_->CommitWhole(statements);
  }
  void AwaitDurable() override { connection_->AwaitDurable(); }

 private:
  const QueryLog& log_;
  const std::unique_ptr<StoreConnection> connection_;
};

}  // namespace

void RegisterQueryLog(duckdb::DatabaseInstance& db) {
  const auto type = duckdb::LogicalType::STRUCT({{"catalog", duckdb::LogicalType::VARCHAR},
                                                 {"query", duckdb::LogicalType::VARCHAR},
                                                 {"elapsed_ms", duckdb::LogicalType::BIGINT}});
  db.GetLogManager().RegisterLogType(duckdb::make_uniq<duckdb::LogType>(kLogName, kLogLevel, type));
}

QueryLog::QueryLog(duckdb::DatabaseInstance& db, std::string lake_name)
    : db_(db.shared_from_this()), lake_name_(std::move(lake_name)) {}

bool QueryLog::IsOn() const {
  const auto db = db_.lock();
  return db && duckdb::Logger::Get(*db).ShouldLog(kLogName, kLogLevel);
}

std::unique_ptr<QueryLog::Timer> QueryLog::Time(std::string_view query) const {
  return IsOn() ? std::make_unique<Timer>(*this, std::string(query)) : nullptr;
}

std::unique_ptr<QueryLog::Timer> QueryLog::TimeRows(std::string_view table) const {
  return Time("INSERT INTO " + std::string(table));
}

std::unique_ptr<StoreConnection> QueryLog::Watch(
    std::unique_ptr<StoreConnection> connection) const {
  return std::make_unique<WatchedConnection>(*this, std::move(connection));
}

QueryLog::Timer::Timer(const QueryLog& log, std::string query)
    : log_(log), query_(std::move(query)) {}

QueryLog::Timer::~Timer() {
  try {
    const auto db = log_.db_.lock();
    if (!db) return;
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    duckdb::child_list_t<duckdb::Value> entry;
    entry.emplace_back("catalog", duckdb::Value(log_.lake_name_));
    entry.emplace_back("query", duckdb::Value(query_));
    entry.emplace_back("elapsed_ms",
                       duckdb::Value::BIGINT(
                           std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count()));
    duckdb::Logger::Get(*db).WriteLog(kLogName, kLogLevel,
                                      duckdb::Value::STRUCT(std::move(entry)).ToString());
  } catch (...) {  // a log that cannot be written fails nothing
  }
}

}  // namespace tarn::engine
