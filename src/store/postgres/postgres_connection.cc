// Transactions on PostgreSQL; docs/adr/0006 says why they are as they are.
//
//   read:   BEGIN REPEATABLE READ READ ONLY          one state for all queries, fixed by the first
//   write:  BEGIN READ COMMITTED                     each query sees what is committed by then
//           pg_advisory_xact_lock(lake)              Tarn's writers queue up here
//           txid_current()                           to ask for, should COMMIT get no answer
//   whole:  the same in one batch with its statements and COMMIT (docs/adr/0021); should that get
//           no answer, its backend is ended, and then what is there is there. The lock is given
//           away before the log is flushed, and a second transaction waits for that
//           (docs/adr/0023)
#include "store/postgres/postgres_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "base/assert.h"
#include "store/postgres/bulk_insert.h"
#include "store/postgres/postgres_error.h"
#include "store/statement.h"

namespace tarn::postgres {
namespace {

/// How long a server may take to notice that a client is gone, before its transaction counts as
/// unresolved.
constexpr std::chrono::seconds kResolvePatience{5};

/// The key of a lake's writers. It must be the same in all versions of Tarn: FNV-1a over the
/// schema's name; the lock itself belongs to the database.
int64_t LakeLockKey(std::string_view schema) {
  uint64_t hash = 14695981039346656037ULL;
  for (const std::string_view part : {std::string_view("tarn lake "), schema}) {
    for (const char c : part) {
      hash ^= static_cast<unsigned char>(c);
      hash *= 1099511628211ULL;
    }
  }
  return static_cast<int64_t>(hash);
}

/// `INSERT 0 5`, `UPDATE 5`; 0 for what changes no rows.
int64_t AffectedRows(PGresult* result) {
  const std::string_view status = PQcmdStatus(result);
  if (status.starts_with("SELECT")) return 0;
  const std::string_view count = PQcmdTuples(result);
  int64_t affected = 0;
  std::from_chars(count.data(), count.data() + count.size(), affected);
  return affected;
}

}  // namespace

/// Any exception ends the transaction.
template <class Work>
auto PostgresConnection::RollingBackOnError(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    Rollback();
    throw;
  }
}

Session& PostgresConnection::Ready() {
  if (session_ && !begun_ && !session_->IsAlive()) session_.reset();
  if (!session_) session_ = Session::Open(target_, interrupt_check_);
  return *session_;
}

void PostgresConnection::Begin(TransactionMode mode) {
  TARN_ASSERT(!mode_);
  if (mode == TransactionMode::kWrite && target_->read_only) {
    throw Error(ErrorCode::kInvalid,
                fmt::format("The catalog database \"postgres:{}\" cannot be written: it is open "
                            "read-only.",
                            target_->shown));
  }
  mode_ = mode;
  begun_ = false;
  attempt_at_.reset();
  attempt_.reset();
}

void PostgresConnection::QueueBegin() {
  if (!mode_ || begun_) return;
  Session& session = Ready();
  begun_ = true;
  if (*mode_ == TransactionMode::kRead) {
    session.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return;
  }
  session.Queue("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
  Parameters key;
  key.Add(LakeLockKey(dialect_->schema()));
  session.Queue("SELECT pg_advisory_xact_lock($1)", key);
  session.Queue("SELECT txid_current(), pg_postmaster_start_time()");
  attempt_at_ = 2;
}

void PostgresConnection::QueueStatement(const Statement& statement) {
  Parameters parameters;
  for (const Value& value : statement.parameters) parameters.Add(value);
  QueueBegin();
  Ready().Queue(statement.text, parameters);
}

std::vector<Result> PostgresConnection::Finish() {
  std::vector<Result> results = session_->Finish();
  NoteAttempt(results);
  return results;
}

void PostgresConnection::NoteAttempt(std::vector<Result>& results) {
  if (!attempt_at_) return;
  PGresult* const row = results.at(*attempt_at_).get();
  attempt_ = Attempt{PQgetvalue(row, 0, 0), PQgetvalue(row, 0, 1)};
  attempt_at_.reset();
}

/// A session that has lain in a pool may have lost its server without a sign. Nothing has happened
/// then, so a transaction's first statement is simply sent again on a new one.
Result PostgresConnection::Run(const Statement& statement) {
  const bool may_repeat = !begun_ && session_ && session_->batches() > 0;
  const auto run = [&] {
    QueueStatement(statement);
    std::vector<Result> results = Finish();
    return std::move(results.back());
  };
  if (!may_repeat) return run();
  try {
    return run();
  } catch (const Error& error) {
    if (!session_) throw;
    if (session_->broken()) {
      if (error.code() != ErrorCode::kUnavailable) throw;
      session_.reset();
    } else {
      if (!session_->lost_statements()) throw;
      if (begun_) session_->Forget("ROLLBACK");
    }
  }
  begun_ = false;
  return run();
}

std::unique_ptr<Rows> PostgresConnection::Query(const Statement& statement) {
  return RollingBackOnError([&] { return MakeRows(Run(statement), target_, statement.text); });
}

namespace {

/// An answer that is fetched piece by piece from a cursor of the transaction.
class FetchedRows : public Rows {
 public:
  /// `fetch` gives the next rows, none at the end; `close` ends the cursor.
  FetchedRows(std::function<std::unique_ptr<Rows>()> fetch, std::function<void()> close)
      : fetch_(std::move(fetch)), close_(std::move(close)), rows_(fetch_()) {}
  ~FetchedRows() override { close_(); }

  bool Next() override {
    if (at_end_) return false;
    if (rows_->Next()) return true;
    rows_ = fetch_();
    at_end_ = !rows_->Next();
    return !at_end_;
  }
  bool IsNull(int column) override { return rows_->IsNull(column); }
  int64_t Int64(int column) override { return rows_->Int64(column); }
  double Double(int column) override { return rows_->Double(column); }
  bool Bool(int column) override { return rows_->Bool(column); }
  std::string_view Text(int column) override { return rows_->Text(column); }
  Timestamp Time(int column) override { return rows_->Time(column); }
  int column_count() const override { return rows_->column_count(); }
  std::string column_name(int column) const override { return rows_->column_name(column); }

 private:
  const std::function<std::unique_ptr<Rows>()> fetch_;
  const std::function<void()> close_;
  std::unique_ptr<Rows> rows_;
  bool at_end_ = false;
};

}  // namespace

std::unique_ptr<Rows> PostgresConnection::Stream(const Statement& statement) {
  TARN_ASSERT(mode_);
  Send({"DECLARE tarn_rows NO SCROLL CURSOR FOR " + statement.text, statement.parameters});
  return std::make_unique<FetchedRows>(
      [this] {
        return Query({"FETCH 5000 FROM tarn_rows", {}});
      },
      [this] {
        if (mode_ && session_) session_->Forget("CLOSE tarn_rows");
      });
}

int64_t PostgresConnection::Execute(const Statement& statement) {
  return RollingBackOnError([&]() -> int64_t {
    QueueStatement(statement);
    const std::vector<Result> results = Finish();
    return AffectedRows(results.back().get());
  });
}

void PostgresConnection::Send(const Statement& statement) {
  RollingBackOnError([&] {
    QueueStatement(statement);
    if (!mode_) Finish();
  });
}

void PostgresConnection::InsertRows(std::string_view table,
                                    std::span<const std::string_view> columns,
                                    std::span<const std::vector<Value>> rows) {
  InsertTypedRows(table, columns, {}, rows);
}

void PostgresConnection::InsertTypedRows(std::string_view table,
                                         std::span<const std::string_view> columns,
                                         std::span<const std::string> types,
                                         std::span<const std::vector<Value>> rows) {
  if (rows.empty()) return;
  RollingBackOnError([&] {
    BulkInsert insert(*dialect_, table, columns, rows, types);
    QueueBegin();
    // Without an open transaction the batch is one by itself.
    while (insert.Next()) Ready().Queue(insert.sql(), insert.parameters());
    if (!mode_) Finish();
  });
}

CommitOutcome PostgresConnection::Commit() {
  TARN_ASSERT(mode_);
  if (!begun_) {
    mode_.reset();
    return CommitOutcome::kCommitted;
  }
  RollingBackOnError([&] {
    // Nothing was asked so far: what to look for after a broken COMMIT must be known before it.
    if (attempt_at_) Finish();
    session_->Queue("COMMIT");
  });
  const bool writes = *mode_ == TransactionMode::kWrite;
  bool committed = false;
  try {
    const std::vector<Result> results = session_->FinishCommit();
    committed = std::string_view(PQcmdStatus(results.back().get())) == "COMMIT";
  } catch (const Error&) {
    if (!session_->broken() || !writes) {
      Rollback();  // an error that the server sent: it has not committed
      throw;
    }
    session_.reset();
    mode_.reset();
    begun_ = false;
    return OutcomeOf(*attempt_);
  }
  mode_.reset();
  begun_ = false;
  return committed ? CommitOutcome::kCommitted : CommitOutcome::kLostRace;
}

/// Asks the server on a new connection. Only the same run of the same server can tell: one that was
/// restarted, or another that took its place, may have lost the transaction and given its id away.
CommitOutcome PostgresConnection::OutcomeOf(const Attempt& attempt) {
  const auto give_up = std::chrono::steady_clock::now() + kResolvePatience;
  const std::function<bool()> out_of_time = [&] {
    return std::chrono::steady_clock::now() > give_up;
  };
  while (!out_of_time()) {
    try {
      Parameters id;
      id.Add(Value(attempt.transaction_id));
      // The user may have stopped waiting; this wait has an end of its own.
      const std::unique_ptr<Session> session = Session::Open(target_, out_of_time);
      session->Queue("SELECT txid_status($1::bigint), pg_postmaster_start_time()", id);
      const std::vector<Result> results = session->Finish();
      PGresult* const row = results.back().get();
      if (attempt.server_started != PQgetvalue(row, 0, 1)) return CommitOutcome::kUnknown;
      const std::string_view status = PQgetvalue(row, 0, 0);
      if (status == "committed") return CommitOutcome::kCommitted;
      if (status == "aborted") return CommitOutcome::kLostRace;
      if (status != "in progress") return CommitOutcome::kUnknown;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnavailable) return CommitOutcome::kUnknown;
    }
    // The server has not noticed yet, or is not to be reached for the moment.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return CommitOutcome::kUnknown;
}

namespace {

/// Settings of the transaction and the lake's lock. The statements behind it are prepared: they
/// shall be planned once, and for tables that grow.
#define TARN_SETTINGS_OF_WHOLE                                  \
  "set_config('plan_cache_mode', 'force_generic_plan', true), " \
  "set_config('enable_seqscan', 'off', true), "
constexpr const char* kLockOfWhole = "SELECT " TARN_SETTINGS_OF_WHOLE "pg_advisory_xact_lock($1)";
/// For a transaction that does not wait for the log when it commits, and so holds the lock no
/// longer than it works.
constexpr const char* kLockUnflushed = "SELECT " TARN_SETTINGS_OF_WHOLE
                                       "set_config('synchronous_commit', 'off', true), "
                                       "pg_advisory_xact_lock($1)";
#undef TARN_SETTINGS_OF_WHOLE
/// A transaction by itself, under the session's own synchronous_commit. It must write to the log:
/// then it is acknowledged when all before it is as durable as this session wants it.
constexpr const char* kMarkLog = "SELECT pg_logical_emit_message(true, 'tarn', '')";

}  // namespace

WholeCommit PostgresConnection::CommitWhole(std::span<const Statement> statements) {
  TARN_ASSERT(!mode_);
  Session& session = Ready();
  const auto sent = std::chrono::steady_clock::now();
  const int backend = session.backend_id();
  constexpr size_t kFirst = 2;  // behind BEGIN and the lock
  WholeCommit commit;
  try {
    begun_ = true;
    mode_ = TransactionMode::kWrite;
    session.Queue("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
    Parameters key;
    key.Add(LakeLockKey(dialect_->schema()));
    const bool unflushed = session.may_mark_log();
    session.Queue(unflushed ? kLockUnflushed : kLockOfWhole, key);
    for (const Statement& statement : statements) QueueStatement(statement);
    session.Queue("COMMIT");
    if (unflushed) session.Queue(kMarkLog);
    const size_t commit_at = kFirst + statements.size();
    std::vector<Result> results = session.FinishWhole(commit_at);
    mode_.reset();
    begun_ = false;
    // An interrupt may have hit what came behind COMMIT: others see the commit already.
    const bool is_marked = results.size() > commit_at + 1 &&
                           PQresultStatus(results[commit_at + 1].get()) == PGRES_TUPLES_OK;
    if (unflushed && !is_marked) AwaitDurable();
    commit.outcome = CommitOutcome::kCommitted;
    commit.rows = MakeRows(std::move(results.at(kFirst)), target_, statements.front().text);
    return commit;
  } catch (const Error&) {
    if (mode_ && !session.broken()) {
      Rollback();  // an error that the server sent: it has not committed
      throw;
    }
  }
  session_.reset();
  mode_.reset();
  begun_ = false;
  commit.outcome = CommitOutcome::kUnknown;
  commit.is_over = EndBackend(backend, sent);
  return commit;
}

/// The server may not have noticed that its client is gone, and work on what it has got. Another
/// backend may have got the number since, but then it is younger. False when that cannot be had.
bool PostgresConnection::EndBackend(int id, std::chrono::steady_clock::time_point sent) {
  const auto give_up = std::chrono::steady_clock::now() + kResolvePatience;
  const std::function<bool()> out_of_time = [&] {
    return std::chrono::steady_clock::now() > give_up;
  };
  while (!out_of_time()) {
    try {
      const std::chrono::duration<double> age = std::chrono::steady_clock::now() - sent;
      Parameters which;
      which.Add(Value(int64_t{id}));
      which.Add(Value(age.count()));
      const std::unique_ptr<Session> session = Session::Open(target_, out_of_time);
      session->Queue(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = $1 AND "
          "usename = current_user AND backend_start < clock_timestamp() - make_interval(secs => "
          "$2)",
          which);
      const std::vector<Result> results = session->Finish();
      if (std::string_view(PQgetvalue(results.back().get(), 0, 0)) == "0") return true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnavailable) return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

/// On the session that has seen it, and on no new one: a server that was started anew meanwhile may
/// have lost what was seen, and would gladly flush the rest. A role that may not mark the log has
/// no commits that wait for it.
void PostgresConnection::AwaitDurable() {
  TARN_ASSERT(!mode_);
  if (!session_ || !session_->IsAlive()) {
    session_.reset();
    throw ConnectionLost(*target_, "the session is gone");
  }
  if (!session_->may_mark_log()) return;
  session_->Queue(kMarkLog);
  session_->FinishCommit();
}

void PostgresConnection::Rollback() noexcept {
  if (mode_ && begun_ && session_) session_->Forget("ROLLBACK");
  if (session_ && session_->broken()) session_.reset();
  mode_.reset();
  begun_ = false;
  attempt_at_.reset();
}

bool PostgresConnection::TableExists(std::string_view table) {
  // A name is stored up to 63 bytes of it; the cast cuts it as CREATE TABLE has cut it.
  StatementBuilder sql(*dialect_,
                       "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                       "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname = ");
  sql.Bind(dialect_->schema()).Text(" AND lower(c.relname) = lower(CAST(").Bind(table);
  return Query(sql.Text(" AS name)) LIMIT 1").Build())->Next();
}

std::vector<std::string> PostgresConnection::ListTables() {
  StatementBuilder sql(*dialect_,
                       "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = "
                       "c.relnamespace WHERE c.relkind IN ('r', 'p') AND n.nspname = ");
  const auto rows =
      Query(sql.Bind(dialect_->schema()).Text(" ORDER BY c.relname COLLATE \"C\"").Build());
  std::vector<std::string> names;
  while (rows->Next()) names.emplace_back(rows->Text(0));
  return names;
}

}  // namespace tarn::postgres
