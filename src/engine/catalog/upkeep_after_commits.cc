// See upkeep_after_commits.h.
#include "engine/catalog/upkeep_after_commits.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "duckdb/logging/log_manager.hpp"
#include "duckdb/logging/log_type.hpp"
#include "duckdb/logging/logger.hpp"
#include "duckdb/main/client_context_state.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/interrupt_relay.h"
#include "engine/operators/write_job.h"
#include "tarn/error.h"
#include "tarn/maintenance.h"
#include "tarn/transaction.h"

namespace tarn::engine {
namespace {

using duckdb::Value;
using Clock = std::chrono::steady_clock;

constexpr const char* kStateName = "tarn_upkeep_after_commits";
constexpr const char* kFlushOption = "tarn_flush_after_rows";
constexpr const char* kMergeOption = "tarn_merge_after_files";
constexpr const char* kBudgetOption = "tarn_upkeep_budget";
constexpr std::chrono::microseconds kDefaultBudget = std::chrono::seconds(10);
constexpr const char* kMessage = "upkeep after a commit";

constexpr const char* kLogName = "TarnUpkeep";
constexpr auto kLogLevel = duckdb::LogLevel::LOG_INFO;

/// A snapshot that a connection has committed. Keeps nothing from being detached.
struct Commit {
  std::weak_ptr<Lake> lake;
  UpkeepTurn turn;
  std::string lake_name;
  SnapshotId snapshot;
};

int64_t Number(const OptionSet& options, const char* name, const Table& table) {
  const auto text = options.Find(name, table.schema, table.ref);
  int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

std::chrono::microseconds Budget(const OptionSet& options) {
  const auto text = options.Find(kBudgetOption);
  Value interval;
  std::string error;
  if (!text || !Value(*text).DefaultTryCastAs(duckdb::LogicalType::INTERVAL, interval, &error)) {
    return kDefaultBudget;
  }
  // Clocks do not count as far as an interval may reach.
  const duckdb::interval_t longest{/*months=*/12, 0, 0};
  const auto budget = interval.GetValue<duckdb::interval_t>();
  return std::chrono::microseconds(duckdb::Interval::GetMicro(
      duckdb::Interval::GreaterThan(budget, longest) ? longest : budget));
}

bool IsKeptOut(const OptionSet& options, const Table& table) {
  const auto value = options.Find("auto_compact", table.schema, table.ref);
  return value && EqualsIgnoreCase(*value, "false");
}

class Upkeep {
 public:
  Upkeep(duckdb::ClientContext& context, const Commit& commit, Lake& lake)
      : context_(context), commit_(commit), lake_(lake), connection_(*context.db) {}

  /// A connection whose own commits are followed by nothing.
  duckdb::ClientContext& own_context() { return *connection_.context; }

  void Run() {
    const auto tables = TablesWithChangedRows(lake_, commit_.snapshot);
    if (tables.empty()) return;
    const auto kernel = lake_.Begin();
    const auto& options = kernel->options();
    deadline_ = Clock::now() + Budget(options);
    const auto view = kernel->view();
    for (const auto id : tables) {
      const auto table = view->FindTable(TableRef(id));
      if (!table || IsKeptOut(options, *table)) continue;
      UpkeepLimits limits;
      limits.flush_after_rows = Number(options, kFlushOption, *table);
      limits.merge_after_files = Number(options, kMergeOption, *table);
      limits.target_file_size = StoredTargetFileSize(options, &*table);
      KeepUp({view->FindSchema(table->schema)->name, table->name, id}, limits);
    }
  }

 private:
  struct Target {
    std::string schema, table;
    TableId id;
  };

  bool MayBegin() const { return !context_.interrupted && Clock::now() < deadline_; }

  void KeepUp(const Target& target, const UpkeepLimits& limits) {
    auto due = FindDueUpkeep(lake_, target.id, limits, commit_.snapshot);
    if (due.flush && MayBegin()) {
      const bool done =
          Do(target, "flush_inlined_data", ", schema_name => $2, table_name => $3", {});
      // Its file counts, too.
      if (done) AddMerges(target, limits, due.merges);
    }
    for (size_t i = 0; i < due.merges.size() && MayBegin(); ++i) {
      const auto sizes = due.merges[i];
      const bool done = Do(target, "merge_adjacent_files",
                           ", $3, schema => $2, min_file_size => CAST($4 AS UBIGINT), "
                           "max_file_size => CAST($5 AS UBIGINT)",
                           {Value::BIGINT(sizes.least), Value::BIGINT(sizes.below)});
      // What comes out may be one too many of the next size.
      if (done) AddMerges(target, limits, due.merges);
    }
  }

  /// Only of larger files than those that have been merged: each size once.
  void AddMerges(const Target& target, const UpkeepLimits& limits, std::vector<FileSizes>& merges) {
    const int64_t least = merges.empty() ? 0 : merges.back().below;
    for (const auto& sizes : FindDueUpkeep(lake_, target.id, limits, std::nullopt).merges) {
      if (sizes.least >= least) merges.push_back(sizes);
    }
  }

  /// One step in one transaction. False when it did nothing; why is in the log.
  bool Do(const Target& target, const std::string& step, const std::string& arguments,
          const duckdb::vector<Value>& more) {
    const auto start = Clock::now();
    std::string done;
    bool is_done = false;
    try {
      connection_.BeginTransaction();
      Call("set_commit_message", ", NULL, $2", {Value(kMessage)});
      duckdb::vector<Value> values{Value(target.schema), Value(target.table)};
      values.insert(values.end(), more.begin(), more.end());
      const auto result = Call(step, arguments, values);
      connection_.Commit();
      done = Describe(*result);
      is_done = !done.empty();
    } catch (const std::exception& error) {
      done = "failed: " + duckdb::ErrorData(error).RawMessage();
      if (connection_.HasActiveTransaction()) connection_.Rollback();
    }
    if (!done.empty()) Log(target, step, done, start);
    return is_done;
  }

  duckdb::unique_ptr<duckdb::MaterializedQueryResult> Call(const std::string& function,
                                                           const std::string& arguments,
                                                           const duckdb::vector<Value>& more) {
    // Not beyond the step: its commit is short, and told from a failed one.
    const InterruptRelay relay(context_, own_context());
    auto prepared = connection_.Prepare("FROM tarn_" + function + "($1" + arguments + ")");
    if (prepared->HasError()) prepared->error.Throw();
    duckdb::vector<Value> values{Value(commit_.lake_name)};
    values.insert(values.end(), more.begin(), more.end());
    auto result = prepared->Execute(values, /*allow_stream_result=*/false);
    if (result->HasError()) result->ThrowError();
    return duckdb::unique_ptr_cast<duckdb::QueryResult, duckdb::MaterializedQueryResult>(
        std::move(result));
  }

  /// "12 rows", "10 files into 1"; empty for nothing.
  static std::string Describe(duckdb::MaterializedQueryResult& result) {
    if (result.RowCount() == 0) return {};
    int64_t first = 0, second = 0;
    const bool is_merge = result.ColumnCount() > 3;
    for (duckdb::idx_t row = 0; row < result.RowCount(); ++row) {
      first += result.GetValue(2, row).GetValue<int64_t>();
      if (is_merge) second += result.GetValue(3, row).GetValue<int64_t>();
    }
    return is_merge ? std::to_string(first) + " files into " + std::to_string(second)
                    : std::to_string(first) + (first == 1 ? " row" : " rows");
  }

  void Log(const Target& target, const std::string& step, const std::string& done,
           Clock::time_point start) {
    auto& logger = duckdb::Logger::Get(*context_.db);
    if (!logger.ShouldLog(kLogName, kLogLevel)) return;
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    duckdb::child_list_t<Value> entry;
    entry.emplace_back("catalog", Value(commit_.lake_name));
    entry.emplace_back("schema_name", Value(target.schema));
    entry.emplace_back("table_name", Value(target.table));
    entry.emplace_back("step", Value(step));
    entry.emplace_back("done", Value(done));
    entry.emplace_back("elapsed_ms", Value::BIGINT(elapsed.count()));
    logger.WriteLog(kLogName, kLogLevel, Value::STRUCT(std::move(entry)).ToString());
  }

  duckdb::ClientContext& context_;
  const Commit& commit_;
  Lake& lake_;
  duckdb::Connection connection_;
  Clock::time_point deadline_;
};

/// What a connection has committed and not followed yet.
struct CommitsToFollow : duckdb::ClientContextState {
  std::vector<Commit> commits;
  bool is_upkeep = false;  ///< the connection of upkeep itself

  void QueryEnd(duckdb::ClientContext& context) override {
    // Never beside a transaction of the user's, whose changes upkeep might come in the way of.
    if (commits.empty() || context.transaction.HasActiveTransaction()) return;
    for (const auto& commit : std::exchange(commits, {})) {
      try {
        Follow(context, commit);
      } catch (...) {  // the commit has happened: nothing may fail it any more
      }
    }
  }

 private:
  static void Follow(duckdb::ClientContext& context, const Commit& commit) {
    const auto lake = commit.lake.lock();
    const std::unique_lock turn(*commit.turn, std::try_to_lock);
    if (!lake || !turn) return;
    Upkeep upkeep(context, commit, *lake);
    upkeep.own_context().registered_state->GetOrCreate<CommitsToFollow>(kStateName)->is_upkeep =
        true;
    upkeep.Run();
  }
};

bool AsksForUpkeep(const OptionSet& options) {
  return std::any_of(options.entries().begin(), options.entries().end(), [](const auto& entry) {
    return (entry.key == kFlushOption || entry.key == kMergeOption) && entry.value != "0";
  });
}

}  // namespace

void FollowCommit(duckdb::ClientContext& context, TarnCatalog& catalog, SnapshotId commit,
                  const OptionSet& options) noexcept {
  if (!AsksForUpkeep(options)) return;
  try {
    const auto state = context.registered_state->GetOrCreate<CommitsToFollow>(kStateName);
    if (state->is_upkeep) return;
    state->commits.push_back(
        {catalog.shared_lake(), catalog.upkeep_turn(), catalog.GetName(), commit});
  } catch (...) {  // the commit has happened: nothing may fail it any more
  }
}

void RegisterUpkeepLog(duckdb::DatabaseInstance& db) {
  using duckdb::LogicalType;
  const auto type = LogicalType::STRUCT({{"catalog", LogicalType::VARCHAR},
                                         {"schema_name", LogicalType::VARCHAR},
                                         {"table_name", LogicalType::VARCHAR},
                                         {"step", LogicalType::VARCHAR},
                                         {"done", LogicalType::VARCHAR},
                                         {"elapsed_ms", LogicalType::BIGINT}});
  db.GetLogManager().RegisterLogType(duckdb::make_uniq<duckdb::LogType>(kLogName, kLogLevel, type));
}

}  // namespace tarn::engine
