// See the header. How SQLite locks, and why a WAL file in a read-only folder needs care, is told
// beside the code that deals with it.
#include "store/sqlite/sqlite_handle.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "base/assert.h"
#include "base/text.h"
#include "store/catalog_file.h"
#include "store/sqlite/sqlite_error.h"

namespace tarn::sqlite {
namespace {

constexpr size_t kCachedStatements = 128;
// Virtual machine steps between two looks at the interrupt check: well under a millisecond.
constexpr int kStepsBetweenChecks = 20'000;

/// Polling at random moments within a short, constant span: a growing pause would punish who waits
/// longest, a fixed one lets two waiters march in step. Few look often: those whose turn it is.
std::chrono::microseconds PollPause(int attempt, bool my_turn) {
  thread_local std::minstd_rand random(std::random_device{}());
  const int limit_us = attempt < 4 ? 500 : my_turn ? 1'000 : 5'000;
  return std::chrono::microseconds(std::uniform_int_distribution<int>(100, limit_us)(random));
}

std::string FileUri(const std::string& path, std::string_view parameters) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '/') {
      uri += c;
    } else {
      uri += UrlEscape(std::string_view(&c, 1));
    }
  }
  return uri.append(parameters);
}

bool NonEmptyFile(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && info.st_size > 0;
}

/// Changes whenever someone writes to the database or its log.
std::string StampOf(const std::string& path) {
  std::string stamp;
  for (const std::string& file : {path, path + "-wal"}) {
    struct stat info = {};
    ::stat(file.c_str(), &info);
    stamp += fmt::format("{}:{}:{}.{} ", info.st_ino, info.st_size, info.st_mtim.tv_sec,
                         info.st_mtim.tv_nsec);
  }
  return stamp;
}

}  // namespace

StatementLoan& StatementLoan::operator=(StatementLoan&& other) noexcept {
  std::swap(statement_, other.statement_);
  std::swap(in_use_, other.in_use_);
  return *this;
}

StatementLoan::~StatementLoan() {
  if (!statement_) return;
  if (!in_use_) {
    sqlite3_finalize(statement_);
    return;
  }
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  *in_use_ = false;
}

Handle::Handle(const std::string& path, Access access, std::chrono::milliseconds busy_timeout,
               const std::function<bool()>& interrupted)
    : path_(path), access_(access), busy_timeout_(busy_timeout), interrupted_(interrupted) {
  try {
    Open();
    Configure();
  } catch (...) {
    sqlite3_close_v2(db_);
    throw;
  }
}

Handle::~Handle() {
  for (auto& [sql, cached] : cache_) sqlite3_finalize(cached.statement);
  sqlite3_close_v2(db_);
}

void Handle::Open() {
  switch (access_) {
    case Access::kWrite:
      return OpenFile(path_, SQLITE_OPEN_READWRITE);
    case Access::kCreate:
      return OpenFile(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    case Access::kRead:
      if (!CanWrite(path_) || !CanWrite(FolderOf(path_)))
        return OpenFile(path_, SQLITE_OPEN_READONLY);
      // A read-only connection would leave the -wal and -shm files behind that it had to make; one
      // that may write and does not takes them away again. It keeps from folding in a log that
      // someone else left.
      OpenFile(path_, SQLITE_OPEN_READWRITE);
      sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, NonEmptyFile(path_ + "-wal") ? 1 : 0,
                        nullptr);
      return Run("PRAGMA query_only = ON");
    case Access::kFrozen:
      stamp_ = StampOf(path_);
      // A database in WAL mode wants to make its -shm file even for reading, which a read-only
      // folder forbids. `immutable` does without, but leaves out what lies in the -wal file. An
      // exclusive connection keeps the index of the log in memory and reads both; it gets no lock
      // on a file that it may not write, so it goes without locks, as `immutable` does.
      if (NonEmptyFile(path_ + "-wal")) {
        OpenFile(path_, SQLITE_OPEN_READONLY, "unix-none");
        return Run("PRAGMA locking_mode = EXCLUSIVE");
      }
      return OpenFile(FileUri(path_, "?immutable=1"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    case Access::kEmpty:
      return OpenFile(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY);
  }
}

void Handle::OpenFile(const std::string& name, int flags, const char* layer) {
  const int result = sqlite3_open_v2(
      name.c_str(), &db_,
      flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE, layer);
  if (result != SQLITE_OK) Throw(result, {});
}

void Handle::Configure() {
  sqlite3_busy_handler(
      db_,
      [](void* self, int attempt) {
        return static_cast<Handle*>(self)->WaitForLock(attempt) ? 1 : 0;
      },
      this);
  sqlite3_progress_handler(
      db_, kStepsBetweenChecks,
      [](void* self) { return static_cast<Handle*>(self)->Interrupted() ? 1 : 0; }, this);
  // A catalog file may come from a stranger: it must not run functions with side effects through
  // its schema.
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // Double quotes are for names only: a misspelt column must be an error and not a text.
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  Run("PRAGMA synchronous = FULL");
}

bool Handle::Interrupted() noexcept {
  try {
    if (interrupted_ && interrupted_()) was_interrupted_ = true;
  } catch (...) {
    was_interrupted_ = true;  // no exception may cross SQLite's frames
  }
  return was_interrupted_;
}

bool Handle::WaitForLock(int attempt) {
  const auto now = std::chrono::steady_clock::now();
  if (attempt == 0) wait_began_ = now;
  if (Interrupted() || now >= deadline_.value_or(wait_began_ + busy_timeout_)) return false;
  std::this_thread::sleep_for(PollPause(attempt, deadline_.has_value()));
  return true;
}

Error Handle::ToError(int result_code, std::string_view sql) {
  if (std::exchange(was_interrupted_, false)) result_code = SQLITE_INTERRUPT;
  if (Thawed()) {
    return Error(
        ErrorCode::kUnavailable,
        fmt::format("The catalog database \"{0}\" was written to while it was read without "
                    "locks, because its folder cannot be written here: run this again, or "
                    "let this user write to \"{0}-shm\".",
                    path_),
        {{"path", path_}, {"sql", std::string(sql)}});
  }
  return MakeError(result_code, db_, path_, sql);
}

void Handle::Throw(int result_code, std::string_view sql) { throw ToError(result_code, sql); }

void Handle::EvictOne() {
  for (const std::string& sql : ages_) {
    auto found = cache_.find(sql);
    if (found->second.in_use) continue;
    sqlite3_finalize(found->second.statement);
    ages_.erase(found->second.age);
    cache_.erase(found);
    return;
  }
}

StatementLoan Handle::Prepare(std::string_view sql, bool cached) {
  was_interrupted_ = false;
  std::string key(sql);
  auto found = cached ? cache_.find(key) : cache_.end();
  if (found != cache_.end() && !found->second.in_use) {
    ages_.splice(ages_.end(), ages_, found->second.age);
    found->second.in_use = true;
    return StatementLoan(found->second.statement, &found->second.in_use);
  }
  cached = cached && found == cache_.end();  // the same text is running: this one is on its own

  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  const int result = sqlite3_prepare_v3(db_, key.c_str(), static_cast<int>(key.size() + 1),
                                        cached ? SQLITE_PREPARE_PERSISTENT : 0, &statement, &rest);
  if (result != SQLITE_OK) Throw(result, sql);
  TARN_ASSERT(statement != nullptr);
  TARN_ASSERT(TrimSpace(rest).empty());  // one statement at a time
  if (!cached) return StatementLoan(statement, nullptr);

  if (cache_.size() >= kCachedStatements) EvictOne();
  Cached& entry = cache_[key];
  entry.statement = statement;
  entry.in_use = true;
  entry.age = ages_.insert(ages_.end(), std::move(key));
  return StatementLoan(statement, &entry.in_use);
}

void Handle::Run(std::string_view sql) {
  const StatementLoan statement = Prepare(sql);
  int result = SQLITE_ROW;
  while (result == SQLITE_ROW) result = sqlite3_step(statement.get());
  if (result != SQLITE_DONE) Throw(result, sql);
}

void Handle::RunUntil(std::chrono::steady_clock::time_point deadline, std::string_view sql) {
  deadline_ = deadline;
  try {
    Run(sql);
  } catch (...) {
    deadline_.reset();
    throw;
  }
  deadline_.reset();
}

bool Handle::TryRun(std::string_view sql) noexcept {
  try {
    Run(sql);
    return true;
  } catch (...) {
    return false;
  }
}

int64_t Handle::QueryInt64(std::string_view sql) {
  const StatementLoan statement = Prepare(sql);
  const int result = sqlite3_step(statement.get());
  if (result == SQLITE_DONE) return 0;
  if (result != SQLITE_ROW) Throw(result, sql);
  return sqlite3_column_int64(statement.get(), 0);
}

std::string Handle::QueryText(std::string_view sql) {
  const StatementLoan statement = Prepare(sql);
  const int result = sqlite3_step(statement.get());
  if (result == SQLITE_DONE) return {};
  if (result != SQLITE_ROW) Throw(result, sql);
  const auto* text = sqlite3_column_text(statement.get(), 0);
  return text ? reinterpret_cast<const char*>(text) : "";
}

bool Handle::Thawed() const { return access_ == Access::kFrozen && StampOf(path_) != stamp_; }

bool Handle::Moved() {
  if (access_ == Access::kFrozen) return Thawed();
  int moved = 0;
  if (sqlite3_file_control(db_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK) return false;
  return moved != 0;
}

void Handle::SetJournalMode(const std::string& mode) {
  if (QueryText("PRAGMA journal_mode") == mode) return;
  // Changing to or from WAL needs the file for itself, and SQLite does not call the busy handler
  // for it.
  wait_began_ = std::chrono::steady_clock::now();
  for (int attempt = 1;; ++attempt) {
    try {
      const std::string now = QueryText("PRAGMA journal_mode = " + mode);
      if (now == mode) return;
      throw Error(ErrorCode::kUnsupported,
                  "The catalog database \"" + path_ + "\" cannot change to journal mode \"" + mode +
                      "\": it stays in \"" + now + "\".",
                  {{"path", path_}});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnavailable || !WaitForLock(attempt)) throw;
    }
  }
}

}  // namespace tarn::sqlite
