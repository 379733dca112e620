// See progress.h.
#include "engine/progress.h"

#include <utility>

#include "duckdb/main/client_context.hpp"

namespace tarn::engine {
namespace {

constexpr const char* kStateName = "tarn_statement_progress";

}  // namespace

StatementProgress::StatementProgress(std::chrono::milliseconds after,
                                     std::function<void(double)> update,
                                     std::function<void()> finish)
    : after_(after), update_(std::move(update)), finish_(std::move(finish)) {}

void StatementProgress::QueryBegin(duckdb::ClientContext&) {
  begin_ = std::chrono::steady_clock::now();
}

void StatementProgress::QueryEnd() {
  if (is_shown_) {
    finish_();
  }
  is_shown_ = false;
}

void StatementProgress::Update(double fraction) {
  if (std::chrono::steady_clock::now() - begin_ < after_) {
    return;
  }
  is_shown_ = true;
  update_(fraction);
}

void WatchStatements(duckdb::ClientContext& context,
                     duckdb::shared_ptr<StatementProgress> progress) {
  context.registered_state->Insert(kStateName, std::move(progress));
}

void ReportProgress(duckdb::ClientContext& context, double fraction) {
  if (const auto progress = context.registered_state->Get<StatementProgress>(kStateName)) {
    progress->Update(fraction);
  }
}

}  // namespace tarn::engine
