// A StoreConnection on a PostgreSQL database.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/postgres/postgres_dialect.h"
#include "store/postgres/session.h"
#include "store/postgres/target.h"
#include "tarn/catalog_store.h"

namespace tarn::postgres {

/// Connects at the first use, and again when the server has ended the connection. BEGIN travels
/// with the first statement and writes travel with what is asked next, so a read transaction of one
/// query is one round trip, and so are all writes of a commit together with COMMIT.
class PostgresConnection : public StoreConnection {
 public:
  PostgresConnection(std::shared_ptr<const Target> target,
                     std::shared_ptr<const PostgresDialect> dialect)
      : target_(std::move(target)), dialect_(std::move(dialect)) {}
  ~PostgresConnection() override { Rollback(); }

  const Dialect& dialect() const override { return *dialect_; }
  void Begin(TransactionMode mode) override;
  CommitOutcome Commit() override;
  void Rollback() noexcept override;
  bool in_transaction() const override { return mode_.has_value(); }
  std::unique_ptr<Rows> Query(const Statement& statement) override;
  std::unique_ptr<Rows> Stream(const Statement& statement) override;
  int64_t Execute(const Statement& statement) override;
  void Send(const Statement& statement) override;
  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override;
  void InsertTypedRows(std::string_view table, std::span<const std::string_view> columns,
                       std::span<const std::string> types,
                       std::span<const std::vector<Value>> rows) override;
  bool TableExists(std::string_view table) override;
  std::vector<std::string> ListTables() override;
  bool commits_whole() const override { return true; }
  WholeCommit CommitWhole(std::span<const Statement> statements) override;
  void AwaitDurable() override;

 private:
  /// A write transaction as its server knows it, to ask for after a broken COMMIT.
  struct Attempt {
    std::string transaction_id;
    std::string server_started;
  };

  template <class Work>
  auto RollingBackOnError(Work work) -> decltype(work());
  Session& Ready();
  void QueueBegin();
  std::vector<Result> Finish();
  void NoteAttempt(std::vector<Result>& results);
  Result Run(const Statement& statement);
  CommitOutcome OutcomeOf(const Attempt& attempt);
  bool EndBackend(int id, std::chrono::steady_clock::time_point sent);
  void QueueStatement(const Statement& statement);

  const std::shared_ptr<const Target> target_;
  const std::shared_ptr<const PostgresDialect> dialect_;
  const std::function<bool()> interrupt_check_ = [this] { return Interrupted(); };
  std::unique_ptr<Session> session_;
  std::optional<TransactionMode> mode_;
  bool begun_ = false;  ///< BEGIN has been queued
  /// Where in the answers of the batch the attempt's description is; absent when it has been read.
  std::optional<size_t> attempt_at_;
  std::optional<Attempt> attempt_;
};

}  // namespace tarn::postgres
