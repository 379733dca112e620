// A connection to a PostgreSQL server in pipeline mode: statements are queued and go out together,
// answers are waited for once.
#pragma once

#include <libpq-fe.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/postgres/parameters.h"
#include "store/postgres/postgres_rows.h"
#include "store/postgres/prepared_statements.h"
#include "store/postgres/target.h"

namespace tarn::postgres {

/// Used by one thread at a time. Every wait looks at the socket and asks `interrupted` meanwhile.
class Session {
 public:
  /// Connects; throws what ConnectError says, or kInterrupted.
  static std::unique_ptr<Session> Open(std::shared_ptr<const Target> target,
                                       const std::function<bool()>& interrupted);

  explicit Session(PGconn* connection, std::shared_ptr<const Target> target,
                   const std::function<bool()>& interrupted);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Adds a statement to the batch and lets it go out as far as the socket takes it; never waits
  /// for an answer. The server runs the batch in order and stops at the first error.
  void Queue(const std::string& sql, const Parameters& parameters = {});
  /// Ends the batch, waits for its answers, and returns one per statement. Throws the first error;
  /// the rest of the batch was not run then. What an interrupt leaves behind has been read, or the
  /// session is broken.
  std::vector<Result> Finish();
  /// The same for a batch that ends in COMMIT: an interrupt only bounds how long it is waited for.
  std::vector<Result> FinishCommit();
  /// The same for a batch that is a whole transaction, whose COMMIT is statement `commit_at`. Until
  /// that has been done an interrupt cancels; afterwards the answers are returned, whatever became
  /// of the rest.
  std::vector<Result> FinishWhole(size_t commit_at);
  /// Runs a statement whose answer nobody wants, such as ROLLBACK. Never throws and never waits.
  void Forget(const char* sql) noexcept;

  /// Looks, without waiting, whether the server has ended the connection.
  bool IsAlive() noexcept;
  bool broken() const { return broken_; }
  /// The last batch failed because the server no longer has what was prepared, or cannot run it as
  /// it is; all is prepared anew from now on.
  bool lost_statements() const { return lost_statements_; }
  /// Batches that were finished: of a session that has none, an error cannot come from its age.
  int64_t batches() const { return batches_; }
  /// Whether this role may write a message into the server's log. Known when the first batch is
  /// finished, false before.
  bool may_mark_log() const { return may_mark_log_; }
  int backend_id() const { return PQbackendPID(connection_); }

 private:
  enum class Item { kStatement, kSetUp, kPrepare, kDeallocate, kEnd };
  /// An answer that is still to come.
  struct Expected {
    Item item;
    std::string sql;
    std::string name;           ///< of what is prepared
    bool is_forgotten = false;  ///< its answer and its error are nobody's
  };
  enum class Urgency { kStatement, kCommit };

  /// Answers of the batch; its first error is left in error_.
  std::vector<Result> Wait(Urgency urgency);
  std::vector<Result> Checked(std::vector<Result> results);
  void QueueAs(Item item, const std::string& sql, const Parameters& parameters = {});
  void Collect(const Expected& expected, std::vector<Result>& results);
  Result NextResult();
  void End();
  void Flush(bool wait);
  void Poll(bool for_writing);
  void AskInterrupt();
  void StartCancel();
  void AwaitCancels();
  [[noreturn]] void Break(const std::string& detail);

  PGconn* connection_;
  const std::shared_ptr<const Target> target_;
  const std::function<bool()>& interrupted_;
  bool broken_ = false;
  int64_t batches_ = 0;
  std::deque<Expected> expected_;
  PreparedStatements prepared_;
  bool lost_statements_ = false;
  bool may_mark_log_ = false;
  size_t unflushed_bytes_ = 0;
  std::unique_ptr<Error> error_;  ///< the first of the batch that is being waited for
  Urgency urgency_ = Urgency::kStatement;
  bool was_interrupted_ = false;
  std::chrono::steady_clock::time_point give_up_;  ///< after an interrupt
  std::chrono::steady_clock::time_point cancel_again_;
  /// Cancellations that the server may not have had yet; their threads may outlive the session.
  std::shared_ptr<std::atomic<int>> cancels_ = std::make_shared<std::atomic<int>>(0);
};

int64_t RoundTrips();

}  // namespace tarn::postgres
