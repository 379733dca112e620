// Transactions on a SQLite file. Reads are `BEGIN` and one read at once, since a deferred
// transaction fixes its state of the database only at its first read. Writes are `BEGIN IMMEDIATE`
// from the head of the writers' queue: a transaction that reads first and writes later could find
// that another was faster, and would have to start again.
#include "store/sqlite/sqlite_connection.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "store/catalog_file.h"
#include "store/sqlite/sqlite_dialect.h"
#include "store/sqlite/sqlite_error.h"
#include "store/sqlite/sqlite_rows.h"
#include "store/statement.h"

namespace tarn::sqlite {
namespace {

// Rows between two looks at the interrupt check while many are inserted.
constexpr size_t kRowsBetweenChecks = 1024;

bool FileExists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

}  // namespace

const Dialect& SqliteConnection::dialect() const { return SqliteDialect::Instance(); }

/// Any exception ends the transaction, as the other databases do it on their own.
template <class Work>
auto SqliteConnection::RollingBackOnError(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    Rollback();
    throw;
  }
}

/// A crash left half of a change in the file, and in the journal how to undo it. Reading the file
/// as it is would show that half.
Error SqliteConnection::UnfinishedWrite() const {
  return Error(
      ErrorCode::kUnavailable,
      fmt::format("The catalog database \"{0}\" was left in the midst of a change, and what "
                  "undoes it cannot be done here: copy it together with \"{0}-journal\" to "
                  "a folder that can be written, and open it there.",
                  state_->path),
      {{"path", state_->path}});
}

std::unique_ptr<Handle> SqliteConnection::OpenForReading() {
  const auto open = [this](Access access) {
    return std::make_unique<Handle>(state_->path, access, state_->busy_timeout, interrupt_check_);
  };
  if (!FileExists(state_->path)) {
    if (!state_->may_create) {
      throw Error(ErrorCode::kNotFound,
                  fmt::format("The catalog database \"{}\" is gone.", state_->path),
                  {{"path", state_->path}});
    }
    return open(Access::kEmpty);
  }
  if (state_->writable) return open(Access::kWrite);

  // Read only, by wish or by need. Where the folder cannot be written either, a database in WAL
  // mode cannot be opened the ordinary way.
  try {
    auto handle = open(Access::kRead);
    ReadHead(*handle);
    return handle;
  } catch (const Error& error) {
    const int code = ResultCodeOf(error) & 0xff;
    const bool wants_to_write =
        code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_IOERR;
    if (!wants_to_write || CanWrite(FolderOf(state_->path))) throw;
    if (ResultCodeOf(error) == SQLITE_READONLY_ROLLBACK) throw UnfinishedWrite();
  }
  return open(Access::kFrozen);
}

Handle& SqliteConnection::Ready(bool for_write) {
  if (for_write && !state_->writable) {
    throw Error(ErrorCode::kInvalid,
                fmt::format("The catalog database \"{}\" cannot be written: it is open read-only.",
                            state_->path),
                {{"path", state_->path}});
  }
  if (handle_ && !mode_) {
    const bool stale = handle_->access() == Access::kEmpty ? for_write || FileExists(state_->path)
                                                           : handle_->Moved();
    if (stale) handle_.reset();
  }
  if (!handle_) {
    journal_mode_chosen_ = false;
    if (for_write) {
      handle_ = std::make_shared<Handle>(state_->path,
                                         state_->may_create ? Access::kCreate : Access::kWrite,
                                         state_->busy_timeout, interrupt_check_);
    } else {
      handle_ = OpenForReading();
    }
  }
  if (for_write) ChooseJournalMode(*handle_);
  return *handle_;
}

void SqliteConnection::ChooseJournalMode(Handle& handle) {
  if (journal_mode_chosen_) return;
  if (state_->journal_mode) {
    handle.SetJournalMode(*state_->journal_mode);
  } else if (handle.QueryInt64("PRAGMA page_count") == 0) {
    handle.SetJournalMode("wal");
  }
  journal_mode_chosen_ = true;
}

void SqliteConnection::ReadHead(Handle& handle) {
  handle.QueryInt64("SELECT count(*) FROM (SELECT 1 FROM sqlite_master LIMIT 1)");
}

void SqliteConnection::Begin(TransactionMode mode) {
  TARN_ASSERT(!mode_);
  if (mode == TransactionMode::kWrite) return BeginWrite();
  Handle& handle = Ready(false);
  handle.Run("BEGIN");
  mode_ = mode;
  RollingBackOnError([&] { ReadHead(handle); });
}

void SqliteConnection::BeginWrite() {
  bool interrupted = false;
  const auto deadline = WriterQueue::Clock::now() + state_->busy_timeout;
  auto turn = state_->queue->Wait(deadline, [&] { return interrupted = Interrupted(); });
  if (!turn) {
    if (interrupted)
      throw Error(ErrorCode::kInterrupted,
                  "Interrupted while waiting for other writers of the catalog database.");
    throw Error(ErrorCode::kUnavailable,
                fmt::format("The catalog database \"{}\" stayed locked by other writers for {} "
                            "ms: try again, or wait longer with BUSY_TIMEOUT.",
                            state_->path, state_->busy_timeout.count()),
                {{"path", state_->path}});
  }
  for (bool again = true; again;) {
    Handle& handle = Ready(true);
    handle.RunUntil(deadline, "BEGIN IMMEDIATE");
    // Someone may have replaced the file while we waited for its lock: writing to the old one would
    // write to nowhere.
    again = handle.Moved();
    if (again) handle_.reset();
  }
  mode_ = TransactionMode::kWrite;
  turn_ = std::move(turn);
}

CommitOutcome SqliteConnection::Commit() {
  TARN_ASSERT(mode_);
  Handle& handle = *handle_;
  const StatementLoan commit = handle.Prepare("COMMIT");
  const int result = sqlite3_step(commit.get());
  if (result == SQLITE_DONE) {
    mode_.reset();
    turn_.reset();
    return CommitOutcome::kCommitted;
  }
  // With its transaction still open, SQLite has surely not committed. When it is closed although
  // writing failed, the commit record may have reached the log, and whoever opens the file next may
  // find it there.
  const bool surely_not =
      sqlite3_get_autocommit(handle.db()) == 0 || (result & 0xff) != SQLITE_IOERR;
  Error error = handle.ToError(result, "COMMIT");
  if (error.code() == ErrorCode::kUnavailable && (result & 0xff) == SQLITE_BUSY) {
    error = Error(ErrorCode::kUnavailable,
                  fmt::format("Readers kept the catalog database \"{}\" from committing: end their "
                              "transactions and try again, or let both work "
                              "side by side with META_JOURNAL_MODE 'wal'.",
                              state_->path),
                  error.context());
  }
  Rollback();
  if (!surely_not) {
    handle_.reset();  // reads the file afresh
    return CommitOutcome::kUnknown;
  }
  throw error;
}

void SqliteConnection::Rollback() noexcept {
  if (mode_ && handle_ && sqlite3_get_autocommit(handle_->db()) == 0 &&
      !handle_->TryRun("ROLLBACK")) {
    handle_.reset();  // closing the file rolls back as well
  }
  mode_.reset();
  turn_.reset();
}

std::unique_ptr<Rows> SqliteConnection::Query(const Statement& statement) {
  return RollingBackOnError([&] {
    Handle& handle = Ready(false);
    StatementLoan loan = handle.Prepare(statement.text);
    TARN_ASSERT(sqlite3_stmt_readonly(loan.get()) || mode_ == TransactionMode::kWrite);
    BindValues(handle, loan.get(), statement.parameters, true);
    return MakeRows(handle_, std::move(loan), statement.text, [this] { Rollback(); });
  });
}

int64_t SqliteConnection::Execute(const Statement& statement) {
  if (!mode_) {
    // On its own a statement is a transaction too, and takes its turn like any other.
    Begin(TransactionMode::kWrite);
    const int64_t affected = Execute(statement);
    if (Commit() != CommitOutcome::kCommitted) {
      throw Error(
          ErrorCode::kUnknownOutcome,
          fmt::format("Whether a change of \"{}\" was stored is not known: its medium failed.",
                      state_->path),
          {{"sql", statement.text}});
    }
    return affected;
  }
  return RollingBackOnError([&] {
    Handle& handle = *handle_;
    const bool worth_keeping = !statement.parameters.empty();  // DDL runs once
    const StatementLoan loan = handle.Prepare(statement.text, worth_keeping);
    TARN_ASSERT(sqlite3_stmt_readonly(loan.get()) || mode_ == TransactionMode::kWrite);
    BindValues(handle, loan.get(), statement.parameters, false);
    const int64_t before = sqlite3_total_changes64(handle.db());
    int result = SQLITE_ROW;
    while (result == SQLITE_ROW) result = sqlite3_step(loan.get());
    if (result != SQLITE_DONE) handle.Throw(result, statement.text);
    return sqlite3_total_changes64(handle.db()) - before;
  });
}

void SqliteConnection::InsertRows(std::string_view table, std::span<const std::string_view> columns,
                                  std::span<const std::vector<Value>> rows) {
  if (rows.empty()) return;
  if (!mode_) {
    Begin(TransactionMode::kWrite);
    InsertRows(table, columns, rows);
    if (Commit() != CommitOutcome::kCommitted) {
      throw Error(ErrorCode::kUnknownOutcome,
                  fmt::format("Whether rows of \"{}\" were stored is not known: the medium failed.",
                              table));
    }
    return;
  }
  TARN_ASSERT(mode_ == TransactionMode::kWrite);
  StatementBuilder sql(dialect(), "INSERT INTO ");
  sql.Table(table)
      .Text(" (")
      .Names(columns)
      .Text(") VALUES (")
      .BindList(std::vector<Value>(columns.size()))
      .Text(")");
  const std::string text = sql.Build().text;
  RollingBackOnError([&] {
    Handle& handle = *handle_;
    const StatementLoan loan = handle.Prepare(text);
    for (size_t i = 0; i < rows.size(); ++i) {
      TARN_ASSERT(rows[i].size() == columns.size());
      if (i % kRowsBetweenChecks == kRowsBetweenChecks - 1 && handle.Interrupted())
        handle.Throw(SQLITE_INTERRUPT, text);
      BindValues(handle, loan.get(), rows[i], false);
      if (const int result = sqlite3_step(loan.get()); result != SQLITE_DONE)
        handle.Throw(result, text);
      sqlite3_reset(loan.get());
    }
  });
}

bool SqliteConnection::TableExists(std::string_view table) {
  StatementBuilder sql(dialect(),
                       "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ");
  sql.Bind(table).Text(" COLLATE NOCASE");
  return Query(sql.Build())->Next();
}

std::vector<std::string> SqliteConnection::ListTables() {
  const auto rows =
      Query({"SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> "
             "'sqlite_' ORDER BY name",
             {}});
  std::vector<std::string> names;
  while (rows->Next()) names.emplace_back(rows->Text(0));
  return names;
}

}  // namespace tarn::sqlite
