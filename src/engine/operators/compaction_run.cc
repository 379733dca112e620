// See compaction_run.h.
#include "engine/operators/compaction_run.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "duckdb/parallel/task_executor.hpp"
#include "duckdb/parallel/task_scheduler.hpp"
#include "engine/bridge/errors.h"
#include "engine/operators/compaction_writer.h"

namespace tarn::engine {
namespace {

// Below it the row groups of a unit are too few to keep all threads busy.
constexpr int64_t kSmallUnit = 32 * 1000 * 1000;

class CompactionRun {
 public:
  CompactionRun(duckdb::ClientContext& context, const std::vector<CompactionStep>& steps,
                const std::function<void(int64_t)>& report)
      : context_(context), steps_(steps), report_(report), files_(steps.size()) {}

  std::vector<std::optional<DataFile>> Write() {
    std::vector<size_t> large;
    for (size_t i = 0; i < steps_.size(); ++i) {
      (SizeOf(steps_[i].unit) < kSmallUnit ? small_ : large).push_back(i);
    }
    WriteSmall();
    for (const auto i : large) WriteOne(i);
    return std::move(files_);
  }

 private:
  class Task;

  void WriteSmall();

  void WriteOne(size_t i) {
    const auto& [entry, unit] = steps_[i];
    files_[i] = WriteCompactedFile(context_, entry, unit, preparing_);
    const std::lock_guard<std::mutex> lock(reporting_);
    report_(SizeOf(unit));
  }

  duckdb::ClientContext& context_;
  const std::vector<CompactionStep>& steps_;
  const std::function<void(int64_t)>& report_;
  std::vector<std::optional<DataFile>> files_;
  std::vector<size_t> small_;
  std::atomic<size_t> next_ = 0;
  std::mutex preparing_;
  std::mutex reporting_;
};

/// Takes one small unit after the other until there are no more.
class CompactionRun::Task : public duckdb::BaseExecutorTask {
 public:
  Task(duckdb::TaskExecutor& executor, CompactionRun& run)
      : BaseExecutorTask(executor), run_(run) {}

  void ExecuteTask() override {
    Guard([&] {
      while (!executor.HasError()) {
        const auto next = run_.next_++;
        if (next >= run_.small_.size()) return;
        run_.WriteOne(run_.small_[next]);
      }
    });
  }
  std::string TaskType() const override { return "TarnCompactionTask"; }

 private:
  CompactionRun& run_;
};

void CompactionRun::WriteSmall() {
  const auto threads =
      static_cast<size_t>(duckdb::TaskScheduler::GetScheduler(context_).NumberOfThreads());
  duckdb::TaskExecutor executor(context_);
  for (size_t i = 0; i < std::min(threads, small_.size()); ++i) {
    executor.ScheduleTask(duckdb::make_uniq<Task>(executor, *this));
  }
  executor.WorkOnTasks();
}

}  // namespace

int64_t SizeOf(const CompactionUnit& unit) {
  int64_t bytes = 0;
  for (const auto& source : unit.sources) {
    bytes += source.file.file_size_bytes;
  }
  return bytes;
}

std::vector<std::optional<DataFile>> WriteCompactedFiles(
    duckdb::ClientContext& context, const std::vector<CompactionStep>& steps,
    const std::function<void(int64_t)>& report) {
  return CompactionRun(context, steps, report).Write();
}

}  // namespace tarn::engine
