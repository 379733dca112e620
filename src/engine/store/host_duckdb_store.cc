// See the header. Every statement runs inside a transaction that was told first which database the
// catalog's name means, so a lake that was replaced under its name can never read its successor's
// rows.
#include "engine/store/host_duckdb_store.h"

#include <algorithm>

#include "base/assert.h"
#include "base/text.h"
#include "duckdb/catalog/catalog.hpp"
#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "duckdb/catalog/entry_lookup_info.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/main/appender.hpp"
#include "duckdb/transaction/meta_transaction.hpp"
#include "engine/store/host_error.h"
#include "engine/store/host_query.h"
#include "store/duckdb_commit_failure.h"
#include "store/duckdb_dialect.h"
#include "store/statement.h"

namespace tarn::engine {
namespace {

/// Rows between two looks at the interrupt check while many are inserted.
constexpr size_t kRowsBetweenChecks = 1024;

[[noreturn]] void ThrowTranslated(const std::exception& exception, const std::string& where) {
  if (const auto* error = dynamic_cast<const Error*>(&exception)) throw *error;
  throw ToStoreError(duckdb::ErrorData(exception), where);
}

}  // namespace

HostDuckDbStore::HostDuckDbStore(duckdb::DatabaseInstance& instance,
                                 const HostStoreOptions& options)
    : attachment_(std::make_shared<HostAttachment>(instance, options)),
      dialect_(std::make_shared<DuckDbDialect>(attachment_->name(), attachment_->schema(),
                                               attachment_->stores_variant())) {}

HostDuckDbStore::~HostDuckDbStore() = default;

std::unique_ptr<StoreConnection> HostDuckDbStore::Connect() {
  return std::make_unique<HostDuckDbConnection>(attachment_, dialect_);
}

const Dialect& HostDuckDbStore::dialect() const { return *dialect_; }

std::string HostDuckDbStore::location() const { return attachment_->options().path; }

bool HostDuckDbStore::writable() const { return !attachment_->read_only(); }

void HostDuckDbStore::CreateSchemaIfAbsent() {
  if (attachment_->schema() == DEFAULT_SCHEMA) return;
  StatementBuilder sql(*dialect_, "CREATE SCHEMA IF NOT EXISTS ");
  sql.Name(attachment_->name()).Text(".").Name(attachment_->schema());
  Connect()->Execute(sql.Build());
}

HostDuckDbConnection::HostDuckDbConnection(std::shared_ptr<HostAttachment> attachment,
                                           std::shared_ptr<const Dialect> dialect)
    : attachment_(std::move(attachment)), dialect_(std::move(dialect)) {}

HostDuckDbConnection::~HostDuckDbConnection() { Rollback(); }

std::unique_ptr<QueryLog::Timer> HostDuckDbConnection::Timed(std::string_view query) const {
  const auto& log = attachment_->options().log;
  return log ? log->Time(query) : nullptr;
}

std::shared_ptr<duckdb::Connection> HostDuckDbConnection::OpenConnection(TransactionMode mode) {
  if (mode == TransactionMode::kWrite && attachment_->read_only()) {
    throw Error(ErrorCode::kInvalid,
                duckdb::StringUtil::Format(
                    "The catalog database \"%s\" cannot be written: it is open read-only.",
                    attachment_->options().path));
  }
  const auto instance = attachment_->Instance();
  auto connection = std::make_shared<duckdb::Connection>(*instance);
  try {
    connection->BeginTransaction();
    connection->context->RunFunctionInTransaction([&] {
      if (mode == TransactionMode::kRead)
        duckdb::MetaTransaction::Get(*connection->context).SetReadOnly();
      attachment_->UseIn(*connection->context);
    });
  } catch (const std::exception& exception) {
    ThrowTranslated(exception, attachment_->name());
  }
  return connection;
}

void HostDuckDbConnection::Begin(TransactionMode mode) {
  const auto timer = Timed("BEGIN");
  TARN_ASSERT(!connection_);
  connection_ = OpenConnection(mode);
  mode_ = mode;
}

CommitOutcome HostDuckDbConnection::Commit() {
  const auto timer = Timed("COMMIT");
  TARN_ASSERT(connection_);
  const auto connection = std::exchange(connection_, nullptr);
  try {
    connection->Commit();
  } catch (const std::exception& exception) {
    const duckdb::ErrorData error(exception);
    switch (error.Type()) {
      case duckdb::ExceptionType::TRANSACTION:
        if (!TellsOfOtherTransaction(error.RawMessage())) {
          throw ToStoreError(duckdb::ErrorData(duckdb::ExceptionType::IO, error.RawMessage()),
                             attachment_->name(), "COMMIT");
        }
        return CommitOutcome::kLostRace;
      case duckdb::ExceptionType::CONSTRAINT:
        return CommitOutcome::kLostRace;
      case duckdb::ExceptionType::IO:
      case duckdb::ExceptionType::FATAL:
      case duckdb::ExceptionType::INTERNAL:
        return CommitOutcome::kUnknown;  // the log may have it
      default:
        throw ToStoreError(error, attachment_->name(), "COMMIT");
    }
  }
  if (mode_ == TransactionMode::kWrite) attachment_->MarkWritten();
  return CommitOutcome::kCommitted;
}

void HostDuckDbConnection::Rollback() noexcept {
  const auto connection = std::exchange(connection_, nullptr);
  if (!connection) return;
  try {
    connection->Rollback();
  } catch (...) {  // its destructor rolls back what is left
  }
}

/// Runs `work` in the open transaction, or in one of its own. An exception ends either.
template <class Work>
auto HostDuckDbConnection::InTransaction(TransactionMode mode, Work work)
    -> decltype(work(std::declval<duckdb::Connection&>())) {
  const bool is_own = !connection_;
  if (is_own) Begin(mode);
  TARN_ASSERT(mode == TransactionMode::kRead || mode_ == TransactionMode::kWrite);
  using Result = decltype(work(std::declval<duckdb::Connection&>()));
  const auto finish = [&] {
    if (!is_own) return;
    switch (Commit()) {
      case CommitOutcome::kCommitted:
        return;
      case CommitOutcome::kLostRace:
        throw Error(ErrorCode::kConflict,
                    duckdb::StringUtil::Format(
                        "Another writer changed \"%s\" at the same time: run it again.",
                        attachment_->name()));
      case CommitOutcome::kUnknown:
        throw Error(ErrorCode::kUnknownOutcome,
                    duckdb::StringUtil::Format(
                        "Whether a change of \"%s\" was stored is not known: its medium failed.",
                        attachment_->name()));
    }
  };
  try {
    if constexpr (std::is_void_v<Result>) {
      work(*connection_);
      finish();
    } else {
      Result result = work(*connection_);
      finish();
      return result;
    }
  } catch (const std::exception& exception) {
    Rollback();
    ThrowTranslated(exception, attachment_->name());
  }
}

std::unique_ptr<ChunkReader> HostDuckDbConnection::QueryChunks(const Statement& statement) {
  const auto timer = Timed(statement.text);
  QueryHooks hooks;
  hooks.interrupted = interrupt_check_;
  hooks.where = attachment_->name();
  if (connection_) {
    hooks.on_error = [this] { Rollback(); };
    return StartQuery(connection_, statement, std::move(hooks), true);
  }
  // On its own the query's transaction ends with the reader, which is the last to hold the
  // connection.
  hooks.on_error = [] {};
  return StartQuery(OpenConnection(TransactionMode::kRead), statement, std::move(hooks), true);
}

std::unique_ptr<Rows> HostDuckDbConnection::Query(const Statement& statement) {
  return MakeRows(QueryChunks(statement), attachment_->name());
}

int64_t HostDuckDbConnection::Execute(const Statement& statement) {
  const auto timer = Timed(statement.text);
  return InTransaction(TransactionMode::kWrite, [&](duckdb::Connection&) -> int64_t {
    QueryHooks hooks{interrupt_check_, [] {}, attachment_->name()};
    const auto rows =
        MakeRows(StartQuery(connection_, statement, std::move(hooks), false), attachment_->name());
    // DDL answers with no row or no column, changes with one number.
    if (rows->column_count() != 1 || !rows->Next() || rows->IsNull(0)) return 0;
    return rows->column_name(0) == "Count" ? rows->Int64(0) : 0;
  });
}

void HostDuckDbConnection::InsertRows(std::string_view table,
                                      std::span<const std::string_view> columns,
                                      std::span<const std::vector<Value>> rows) {
  if (rows.empty()) return;
  const auto timer = Timed("INSERT INTO " + std::string(table));
  InTransaction(TransactionMode::kWrite, [&](duckdb::Connection& connection) {
    RequireTable(table);
    duckdb::Appender appender(connection, attachment_->name(), attachment_->schema(),
                              std::string(table));
    for (const auto& column : columns) appender.AddColumn(std::string(column));
    for (size_t i = 0; i < rows.size(); ++i) {
      TARN_ASSERT(rows[i].size() == columns.size());
      if (i % kRowsBetweenChecks == kRowsBetweenChecks - 1 && Interrupted()) {
        throw Error(ErrorCode::kInterrupted, "Interrupted while writing to the catalog database.");
      }
      appender.BeginRow();
      for (const Value& value : rows[i]) appender.Append<duckdb::Value>(ToDuckDbValue(value));
      appender.EndRow();
    }
    appender.Close();
  });
}

void HostDuckDbConnection::AppendChunks(std::string_view table,
                                        const std::function<duckdb::DataChunk*()>& next) {
  const auto timer = Timed("INSERT INTO " + std::string(table));
  InTransaction(TransactionMode::kWrite, [&](duckdb::Connection& connection) {
    RequireTable(table);
    duckdb::Appender appender(connection, attachment_->name(), attachment_->schema(),
                              std::string(table));
    while (auto* chunk = next()) {
      if (Interrupted())
        throw Error(ErrorCode::kInterrupted, "Interrupted while writing to the catalog database.");
      appender.AppendDataChunk(*chunk);
    }
    appender.Close();
  });
}

void HostDuckDbConnection::RequireTable(std::string_view table) {
  if (TableExists(table)) return;
  throw Error(ErrorCode::kNotFound,
              duckdb::StringUtil::Format("The catalog database \"%s\" has no table \"%s\".",
                                         attachment_->name(), std::string(table)));
}

bool HostDuckDbConnection::TableExists(std::string_view table) {
  return InTransaction(TransactionMode::kRead, [&](duckdb::Connection& connection) {
    bool exists = false;
    connection.context->RunFunctionInTransaction([&] {
      const duckdb::string name(table);
      const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, name);
      exists =
          duckdb::Catalog::GetEntry(*connection.context, attachment_->name(), attachment_->schema(),
                                    lookup, duckdb::OnEntryNotFound::RETURN_NULL) != nullptr;
    });
    return exists;
  });
}

std::vector<std::string> HostDuckDbConnection::ListTables() {
  return InTransaction(TransactionMode::kRead, [&](duckdb::Connection& connection) {
    std::vector<std::string> names;
    connection.context->RunFunctionInTransaction([&] {
      auto& context = *connection.context;
      auto schema = duckdb::Catalog::GetSchema(context, attachment_->name(), attachment_->schema(),
                                               duckdb::OnEntryNotFound::RETURN_NULL);
      if (!schema) return;
      schema->Scan(context, duckdb::CatalogType::TABLE_ENTRY, [&](duckdb::CatalogEntry& entry) {
        if (entry.type == duckdb::CatalogType::TABLE_ENTRY) names.push_back(entry.name);
      });
    });
    std::sort(names.begin(), names.end());
    return names;
  });
}

}  // namespace tarn::engine
