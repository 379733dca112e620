// See the header.
#include "store/postgres/session.h"

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "store/postgres/postgres_error.h"

namespace tarn::postgres {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a wait lasts before the interrupt check is asked again.
constexpr int kPollMs = 20;
/// How long a cancelled statement may take to end before its connection is given up.
constexpr std::chrono::seconds kCancelPatience{2};
/// When a cancellation that had no effect is sent again.
constexpr std::chrono::milliseconds kCancelAgain{250};
constexpr std::chrono::milliseconds kCancelPoll{1};
/// How long a commit that the user no longer wants to wait for may take to answer.
constexpr std::chrono::seconds kCommitPatience{5};
/// Bytes of queued statements after which the socket is waited for.
constexpr size_t kMaxUnflushed = 1 << 20;

std::atomic<int64_t> round_trips = 0;

void IgnoreNotice(void*, const PGresult*) {}

/// What each connection is set to, with its first batch: the forms of values that PostgresRows
/// reads, and a search path on which nobody can put functions of his own.
constexpr const char* kSetUp =
    "SELECT set_config('search_path', 'pg_catalog', false), set_config('timezone', 'UTC', false), "
    "set_config('datestyle', 'ISO', false), set_config('intervalstyle', 'postgres', false), "
    "set_config('bytea_output', 'hex', false), set_config('jit', 'off', false), "
    "set_config('extra_float_digits', '1', false), "
    "set_config('lock_timeout', $1, false), coalesce((SELECT "
    "bool_and(has_function_privilege(oid, 'EXECUTE')) FROM pg_proc WHERE proname = "
    "'pg_logical_emit_message' AND pronamespace = 'pg_catalog'::regnamespace), false)";
/// The last of its columns.
constexpr int kMayMarkLog = 8;

struct Keywords {
  std::vector<const char*> names;
  std::vector<const char*> values;
  void Add(const char* name, const char* value) {
    names.push_back(name);
    values.push_back(value);
  }
};

/// Waits until the socket is ready, at most kPollMs. A negative socket is ready.
void PollSocket(int socket, short events) {
  pollfd entry{socket, events, 0};
  if (socket >= 0) ::poll(&entry, 1, kPollMs);
}

std::chrono::seconds ConnectTimeout(PGconn* connection) {
  int seconds = 0;
  PQconninfoOption* const options = PQconninfo(connection);
  for (const PQconninfoOption* option = options; option && option->keyword; ++option) {
    if (std::string_view(option->keyword) == "connect_timeout" && option->val)
      seconds = std::atoi(option->val);
  }
  PQconninfoFree(options);
  return std::chrono::seconds(seconds);
}

/// Connects without blocking; false when it failed, and the connection knows why.
bool Connect(PGconn* connection, const std::function<bool()>& interrupted, bool& timed_out) {
  if (PQstatus(connection) == CONNECTION_BAD) return false;
  const auto timeout = ConnectTimeout(connection);
  const auto began = Clock::now();
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (state != PGRES_POLLING_OK) {
    if (state == PGRES_POLLING_FAILED) return false;
    pollfd entry{PQsocket(connection),
                 static_cast<short>(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
    const int ready = ::poll(&entry, 1, kPollMs);
    if (interrupted && interrupted())
      throw Error(ErrorCode::kInterrupted, "Interrupted while connecting to the catalog database.");
    timed_out = timeout.count() > 0 && Clock::now() - began > timeout;
    if (timed_out) return false;
    if (ready > 0) state = PQconnectPoll(connection);
  }
  return true;
}

}  // namespace

int64_t RoundTrips() { return round_trips; }

std::unique_ptr<Session> Session::Open(std::shared_ptr<const Target> target,
                                       const std::function<bool()>& interrupted) {
  Keywords words;
  words.Add("fallback_application_name", "tarn");
  words.Add("keepalives_idle", "60");
  words.Add("keepalives_interval", "15");
  words.Add("keepalives_count", "4");
  for (const auto& [key, value] : target->defaults) words.Add(key.c_str(), value.c_str());
  words.Add("dbname", target->connection_string.c_str());
  if (!target->database.empty()) words.Add("dbname", target->database.c_str());
  words.Add("client_encoding", "UTF8");
  words.Add(nullptr, nullptr);
  // The string may be pairs or an address: it is expanded where it stands and wins over what comes
  // before it.
  PGconn* const connection = PQconnectStartParams(words.names.data(), words.values.data(), 1);
  if (connection == nullptr)
    throw Error(ErrorCode::kUnavailable, "No memory is left for a connection to PostgreSQL.");
  auto session = std::make_unique<Session>(connection, target, interrupted);
  bool timed_out = false;
  if (!Connect(connection, interrupted, timed_out)) {
    if (!timed_out) throw ConnectError(connection, *target);
    throw Error(ErrorCode::kUnavailable,
                "The PostgreSQL server of \"postgres:" + target->shown +
                    "\" did not answer within connect_timeout: try again later.");
  }
  constexpr int kOldestServer = 120000;
  if (const int version = PQserverVersion(connection); version < kOldestServer) {
    throw Error(ErrorCode::kUnsupported, "The server of \"postgres:" + target->shown +
                                             "\" is PostgreSQL " + std::to_string(version / 10000) +
                                             ": a catalog needs version 12 or later.");
  }
  PQsetnonblocking(connection, 1);
  if (PQenterPipelineMode(connection) != 1) session->Break(PQerrorMessage(connection));
  Parameters set_up;
  // Zero would mean to wait for ever.
  set_up.Add(std::to_string(std::max<int64_t>(target->busy_timeout.count(), 1)));
  session->QueueAs(Item::kSetUp, kSetUp, set_up);
  // A batch of its own: what rolls back later must not take the settings with it.
  session->End();
  return session;
}

Session::Session(PGconn* connection, std::shared_ptr<const Target> target,
                 const std::function<bool()>& interrupted)
    : connection_(connection), target_(std::move(target)), interrupted_(interrupted) {
  PQsetNoticeReceiver(connection_, IgnoreNotice, nullptr);
}

Session::~Session() { PQfinish(connection_); }

void Session::Break(const std::string& detail) {
  broken_ = true;
  expected_.clear();
  throw ConnectionLost(*target_, detail);
}

void Session::QueueAs(Item item, const std::string& sql, const Parameters& parameters) {
  if (parameters.Send(connection_, sql) != 1) Break(PQerrorMessage(connection_));
  expected_.push_back({item, sql, {}});
}

void Session::Queue(const std::string& sql, const Parameters& parameters) {
  const PreparedStatements::Use use = prepared_.For(sql, parameters.types());
  for (const std::string& name : use.dropped) QueueAs(Item::kDeallocate, "DEALLOCATE " + name);
  if (use.name.empty()) {
    QueueAs(Item::kStatement, sql, parameters);
  } else {
    if (use.is_new) {
      if (parameters.Prepare(connection_, use.name, sql) != 1) Break(PQerrorMessage(connection_));
      expected_.push_back({Item::kPrepare, sql, use.name});
    }
    if (parameters.SendPrepared(connection_, use.name) != 1) Break(PQerrorMessage(connection_));
    expected_.push_back({Item::kStatement, sql, {}});
  }
  unflushed_bytes_ += sql.size() + parameters.size_bytes();
  Flush(unflushed_bytes_ > kMaxUnflushed);
}

void Session::End() {
  if (PQpipelineSync(connection_) != 1) Break(PQerrorMessage(connection_));
  expected_.push_back({Item::kEnd, {}, {}});
}

/// Without `wait` only what the socket takes at once.
void Session::Flush(bool wait) {
  for (;;) {
    const int left = PQflush(connection_);
    if (left < 0) Break(PQerrorMessage(connection_));
    if (left == 0) unflushed_bytes_ = 0;
    if (left == 0 || !wait) return;
    Poll(true);
  }
}

/// The server may have to get rid of answers before it reads on, so both ways are watched.
void Session::Poll(bool for_writing) {
  PollSocket(PQsocket(connection_), static_cast<short>(for_writing ? POLLIN | POLLOUT : POLLIN));
  if (PQconsumeInput(connection_) != 1) Break(PQerrorMessage(connection_));
  AskInterrupt();
}

void Session::AskInterrupt() {
  if (was_interrupted_) {
    if (Clock::now() > give_up_) {
      broken_ = true;
      if (urgency_ == Urgency::kCommit) Break("no answer to COMMIT");
      expected_.clear();
      throw Error(ErrorCode::kInterrupted, "Interrupted while working on the catalog database.");
    }
    if (urgency_ != Urgency::kCommit && Clock::now() > cancel_again_) StartCancel();
    return;
  }
  if (!interrupted_ || !interrupted_()) return;
  was_interrupted_ = true;
  const bool commits = urgency_ == Urgency::kCommit;
  give_up_ = Clock::now() + (commits ? kCommitPatience : kCancelPatience);
  if (!commits) StartCancel();
}

/// Libpq cancels by a connection of its own and blocks for it; that is a thread's to wait for. The
/// server forgets a cancellation that comes before the statement has begun, which would then run on
/// for nobody, so it is said again until the answer comes.
void Session::StartCancel() {
  cancel_again_ = Clock::now() + kCancelAgain;
  PGcancel* const cancel = PQgetCancel(connection_);
  if (cancel == nullptr) return;
  ++*cancels_;
  try {
    std::thread([cancel, under_way = cancels_] {
      char ignored[256];
      PQcancel(cancel, ignored, sizeof(ignored));
      PQfreeCancel(cancel);
      --*under_way;
    }).detach();
  } catch (const std::exception&) {
    PQfreeCancel(cancel);  // no thread to be had: the wait ends with its patience
    --*cancels_;
  }
}

/// A cancellation names a connection, not a statement, and the server signals twice for each: what
/// is still on its way when the statement ends would hit the next one. Libpq returns when the
/// server has signalled.
void Session::AwaitCancels() {
  while (*cancels_ > 0 && Clock::now() < give_up_) std::this_thread::sleep_for(kCancelPoll);
  if (*cancels_ > 0) broken_ = true;
}

Result Session::NextResult() {
  while (PQisBusy(connection_)) Poll(PQflush(connection_) == 1);
  return Result(PQgetResult(connection_));
}

/// Reads one statement's answer, or the end of a batch.
void Session::Collect(const Expected& expected, std::vector<Result>& results) {
  const Item item = expected.item;
  bool is_done = false;
  if (item == Item::kEnd) {
    const Result end = NextResult();
    if (PQresultStatus(end.get()) != PGRES_PIPELINE_SYNC) Break(PQerrorMessage(connection_));
    return;
  }
  while (Result result = NextResult()) {
    const ExecStatusType status = PQresultStatus(result.get());
    is_done = status == PGRES_COMMAND_OK;
    const bool failed = status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
    if (failed) {
      const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
      if (state == nullptr || EndsConnection(state) || PQstatus(connection_) == CONNECTION_BAD) {
        const Error lost = StatementError(result.get(), *target_, expected.sql);
        broken_ = true;
        expected_.clear();
        throw lost;
      }
      if (ForgetsStatements(state)) {
        prepared_.Clear();
        lost_statements_ = true;
      }
      if (!error_ && !expected.is_forgotten) {
        error_ = std::make_unique<Error>(StatementError(result.get(), *target_, expected.sql));
      }
    }
    if (item == Item::kSetUp && status == PGRES_TUPLES_OK)
      may_mark_log_ = PQgetvalue(result.get(), 0, kMayMarkLog)[0] == 't';
    if (item == Item::kStatement && !expected.is_forgotten) results.push_back(std::move(result));
  }
  // An error before it had the server skip it.
  if (item == Item::kPrepare && !is_done) prepared_.Forget(expected.name);
}

std::vector<Result> Session::Wait(Urgency urgency) {
  urgency_ = urgency;
  was_interrupted_ = false;
  lost_statements_ = false;
  error_.reset();
  End();
  ++round_trips;
  std::vector<Result> results;
  Flush(true);
  while (!expected_.empty()) {
    const Expected expected = std::move(expected_.front());
    expected_.pop_front();
    Collect(expected, results);
  }
  ++batches_;
  urgency_ = Urgency::kStatement;
  AwaitCancels();
  return results;
}

std::vector<Result> Session::Checked(std::vector<Result> results) {
  if (error_) throw Error(*std::exchange(error_, nullptr));
  return results;
}

namespace {

Error InterruptedWork() {
  return Error(ErrorCode::kInterrupted, "Interrupted while working on the catalog database.");
}

}  // namespace

std::vector<Result> Session::Finish() {
  std::vector<Result> results = Wait(Urgency::kStatement);
  if (was_interrupted_) throw InterruptedWork();
  return Checked(std::move(results));
}

std::vector<Result> Session::FinishCommit() { return Checked(Wait(Urgency::kCommit)); }

std::vector<Result> Session::FinishWhole(size_t commit_at) {
  std::vector<Result> results = Wait(Urgency::kStatement);
  PGresult* const commit = commit_at < results.size() ? results[commit_at].get() : nullptr;
  const bool committed = PQresultStatus(commit) == PGRES_COMMAND_OK;
  if (committed) {
    error_.reset();
    return results;
  }
  if (was_interrupted_) throw InterruptedWork();
  return Checked(std::move(results));
}

void Session::Forget(const char* sql) noexcept {
  if (broken_) return;
  try {
    // What was queued before and not yet waited for belongs to the transaction that this ends.
    for (Expected& expected : expected_) {
      expected.is_forgotten |= expected.item != Item::kSetUp;
    }
    if (!expected_.empty() && expected_.back().item != Item::kEnd) End();
    QueueAs(Item::kStatement, sql);
    expected_.back().is_forgotten = true;
    End();
    Flush(false);
  } catch (const std::exception&) {
    broken_ = true;
  }
}

bool Session::IsAlive() noexcept {
  if (broken_) return false;
  // The server's farewell comes before the end of the stream. Else there is little to be read here:
  // the answers to what nobody waited for.
  pollfd entry{PQsocket(connection_), POLLIN, 0};
  for (int i = 0; i < 8 && !broken_ && ::poll(&entry, 1, 0) > 0; ++i)
    broken_ = PQconsumeInput(connection_) != 1;
  if (PQstatus(connection_) == CONNECTION_BAD) broken_ = true;
  return !broken_;
}

}  // namespace tarn::postgres
