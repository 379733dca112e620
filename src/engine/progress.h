// How far a statement is that works inside of one function call, where the database's own progress
// bar learns nothing until the call returns.
#pragma once

#include <chrono>
#include <functional>

#include "duckdb/main/client_context_state.hpp"

namespace tarn::engine {

/// Belongs to a connection whose progress is watched. Used by the thread that runs the statement.
class StatementProgress final : public duckdb::ClientContextState {
 public:
  /// `update` is told the done part, from 0 to 1, once a statement has run for longer than `after`;
  /// `finish` is called at its end if it was told anything.
  StatementProgress(std::chrono::milliseconds after, std::function<void(double)> update,
                    std::function<void()> finish);

  void QueryBegin(duckdb::ClientContext& context) override;
  void QueryEnd() override;
  void Update(double fraction);

 private:
  const std::chrono::milliseconds after_;
  const std::function<void(double)> update_;
  const std::function<void()> finish_;
  std::chrono::steady_clock::time_point begin_;
  bool is_shown_ = false;
};

/// Makes a connection's progress known to `progress`.
void WatchStatements(duckdb::ClientContext& context,
                     duckdb::shared_ptr<StatementProgress> progress);

/// Tells whoever watches the connection, if anybody does.
void ReportProgress(duckdb::ClientContext& context, double fraction);

}  // namespace tarn::engine
