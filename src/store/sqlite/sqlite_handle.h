// An open SQLite file with its prepared statements and its waiting.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tarn/catalog_store.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tarn::sqlite {

/// A prepared statement on loan from a handle's cache. Destroying it resets the statement and gives
/// it back.
class StatementLoan {
 public:
  StatementLoan() = default;
  StatementLoan(sqlite3_stmt* statement, bool* in_use) : statement_(statement), in_use_(in_use) {}
  StatementLoan(StatementLoan&& other) noexcept { *this = std::move(other); }
  StatementLoan& operator=(StatementLoan&& other) noexcept;
  ~StatementLoan();

  sqlite3_stmt* get() const { return statement_; }

 private:
  sqlite3_stmt* statement_ = nullptr;
  bool* in_use_ = nullptr;  ///< null: not cached, finalised instead
};

/// How a file is opened.
enum class Access {
  kWrite,   ///< read and write, the file must exist
  kCreate,  ///< the same, made when absent
  kRead,    ///< read only; others may write meanwhile
  kFrozen,  ///< read only on a medium that nobody writes to
  kEmpty,   ///< no file at all: an empty database in memory stands in for one that is still to be
            ///< made
};

/// Used by one thread at a time. Waits for other processes' locks as long as `busy_timeout` says,
/// and asks `interrupted` meanwhile, as it does while statements run.
class Handle {
 public:
  Handle(const std::string& path, Access access, std::chrono::milliseconds busy_timeout,
         const std::function<bool()>& interrupted);
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  sqlite3* db() const { return db_; }
  Access access() const { return access_; }
  const std::string& path() const { return path_; }

  bool Interrupted() noexcept;

  /// Throws what a failed Prepare or step means; kInterrupted when the check said so.
  [[noreturn]] void Throw(int result_code, std::string_view sql);
  Error ToError(int result_code, std::string_view sql);

  /// `cached` keeps the statement for the next time; not for DDL, which nobody runs twice.
  StatementLoan Prepare(std::string_view sql, bool cached = true);
  /// Runs a statement without results; throws.
  void Run(std::string_view sql);
  /// The same for whoever's turn it is: looks often whether a lock is free, until `deadline` in
  /// place of the busy timeout.
  void RunUntil(std::chrono::steady_clock::time_point deadline, std::string_view sql);
  /// The same, for clean-up: never throws.
  bool TryRun(std::string_view sql) noexcept;
  /// First column of the first row of a statement, 0 when there is none.
  int64_t QueryInt64(std::string_view sql);
  std::string QueryText(std::string_view sql);
  /// True when the path now leads to another file, or to none; of a frozen file also when it was
  /// written to after all.
  bool Moved();
  /// The latter, and never of others.
  bool Thawed() const;
  void SetJournalMode(const std::string& mode);

 private:
  struct Cached {
    sqlite3_stmt* statement = nullptr;
    bool in_use = false;
    std::list<std::string>::iterator age;
  };

  void Open();
  void OpenFile(const std::string& name, int flags, const char* layer = nullptr);
  void Configure();
  void EvictOne();
  bool WaitForLock(int attempt);

  std::string path_;
  Access access_;
  std::chrono::milliseconds busy_timeout_;
  const std::function<bool()>& interrupted_;
  bool was_interrupted_ = false;
  std::chrono::steady_clock::time_point wait_began_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  ///< of RunUntil
  std::string stamp_;                                              ///< of a frozen file
  sqlite3* db_ = nullptr;
  std::unordered_map<std::string, Cached> cache_;
  std::list<std::string> ages_;  ///< least recently used first
};

}  // namespace tarn::sqlite
