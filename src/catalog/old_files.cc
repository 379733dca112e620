// Clean-up of files that are scheduled for deletion. See include/tarn/maintenance.h.
#include "catalog/old_files.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/environment.h"
#include "base/parallel.h"
#include "base/retry.h"
#include "catalog/catalog_sql.h"
#include "catalog/table_folders.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/data_folder.h"
#include "tarn/error.h"
#include "tarn/lake.h"
#include "tarn/maintenance.h"
#include "tarn/waiting_files.h"

namespace tarn {
namespace {

using Scheduled = tables::FilesScheduledForDeletion;

/// Rows that go with one transaction; below the least number of parameters that a supported
/// database takes in one statement.
constexpr size_t kRowsAtOnce = 10000;
/// Removing a file is mostly waiting: for a server, or for the disk that frees its blocks.
constexpr size_t kThreads = 4;

std::vector<LakePath> LoadScheduled(StoreConnection& connection,
                                    std::optional<Timestamp> older_than) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT path, path_is_relative, schedule_start FROM ").Table(Scheduled::kTable.name);
  sql.Text(" ORDER BY schedule_start, data_file_id");
  std::vector<LakePath> files;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    // Times are texts in some databases, and other clients write them with and without a fraction:
    // they are compared here. A file of unknown age is not old.
    const std::optional<Timestamp> since = ReadTime(*rows, 2);
    if (rows->IsNull(0) || (older_than && (!since || *since >= *older_than))) continue;
    files.push_back({std::string(rows->Text(0)), rows->OptBool(1).value_or(true)});
  }
  return files;
}

void Unschedule(StoreConnection& connection, std::span<const std::string> paths,
                const Environment& environment, const std::function<bool()>& interrupted) {
  StatementBuilder sql(connection.dialect());
  sql.Text("DELETE FROM ").Table(Scheduled::kTable.name).Text(" WHERE path IN (");
  const Statement statement = sql.BindList(paths).Text(")").Build();
  Retry retry(RetryOptions{}, environment);
  for (;;) {
    std::string reason = "the connection broke";
    try {
      connection.Begin(TransactionMode::kWrite);
      connection.Execute(statement);
      if (connection.Commit() == CommitOutcome::kCommitted) return;
    } catch (const Error& error) {
      if (connection.in_transaction()) connection.Rollback();
      if (error.code() != ErrorCode::kConflict) throw;
      reason = error.message();
    }
    if (!retry.WaitBeforeNext(interrupted)) {
      throw Error(
          ErrorCode::kUnavailable,
          "The files are removed, but the catalog still lists some of them as scheduled for "
          "deletion. Clean up again; that does no harm.",
          {{"reason", reason}});
    }
  }
}

}  // namespace

std::vector<char> FileRemover::Remove(const std::vector<std::string>& paths) {
  std::vector<char> is_gone(paths.size());
  std::vector<std::string> reasons(paths.size());
  ForEachInParallel(paths.size(), kThreads, [&](size_t at, const std::stop_token&) {
    if (interrupted_ && interrupted_())
      throw Error(ErrorCode::kInterrupted, "Interrupted while removing files; the others stay.");
    try {
      file_system_.Remove(paths[at]);
      is_gone[at] = 1;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInterrupted) throw;
      reasons[at] = error.message();
    }
  });
  for (size_t at = 0; at < paths.size(); ++at) {
    if (is_gone[at] == 0) Refuse(reasons[at]);
  }
  return is_gone;
}

void FileRemover::Refuse(const std::string& reason) {
  if (failures_++ == 0) first_failure_ = reason;
}

void FileRemover::Finish() const {
  if (failures_ == 0) return;
  throw Error(ErrorCode::kUnavailable,
              fmt::format("{} of the files could not be removed; the others are. Run it again when "
                          "the reason is gone: {}",
                          failures_, first_failure_));
}

WaitingFiles FindWaitingFiles(Lake& lake) {
  const std::unique_ptr<StoreConnection> connection = lake.store().Connect();
  StatementBuilder sql(connection->dialect(), "SELECT schedule_start FROM ");
  const std::unique_ptr<Rows> rows = connection->Query(sql.Table(Scheduled::kTable.name).Build());
  WaitingFiles waiting;
  while (rows->Next()) {
    ++waiting.count;
    waiting.newest = std::max(waiting.newest, ReadTime(*rows, 0));
  }
  return waiting;
}

std::vector<std::string> CleanUpOldFiles(Lake& lake, const FileRemoval& removal) {
  RequireFolder(lake);  // a file that is elsewhere would count as removed
  const std::unique_ptr<StoreConnection> connection = lake.store().Connect();
  connection->SetInterruptCheck(removal.interrupted);
  FileSearch search(lake.data_path());
  std::vector<LakePath> files;
  {
    ReadScope scope(*connection);
    files = LoadScheduled(*connection, removal.older_than);
    for (const LakePath& file : files) search.Add(file);
    search.FindNamed(*connection, TableFolders::Load(*connection));
  }
  std::vector<std::string> removed;
  FileRemover remover(lake.file_system(), removal.interrupted);
  for (size_t first = 0; first < files.size(); first += kRowsAtOnce) {
    std::vector<std::string> unscheduled, paths;
    std::vector<std::string> listed;  ///< as the catalog has these paths
    for (size_t i = first; i < std::min(files.size(), first + kRowsAtOnce); ++i) {
      const std::string path = search.Resolved(files[i]);
      if (LeadsOut(files[i], lake.data_path())) {
        remover.Refuse(
            fmt::format("the path \"{}\", which waits for its deletion, leads out of the "
                        "data path. tarn check --repair takes it off the list.",
                        files[i].path));
        continue;
      }
      if (search.IsNamed(i)) {
        unscheduled.push_back(files[i].path);
      } else {
        paths.push_back(path);
        listed.push_back(files[i].path);
      }
    }
    const std::vector<char> is_gone =
        removal.dry_run ? std::vector<char>(paths.size(), 1) : remover.Remove(paths);
    for (size_t i = 0; i < paths.size(); ++i) {
      if (is_gone[i] == 0) continue;
      removed.push_back(std::move(paths[i]));
      unscheduled.push_back(std::move(listed[i]));
    }
    if (!removal.dry_run && !unscheduled.empty())
      Unschedule(*connection, unscheduled, lake.environment(), removal.interrupted);
  }
  if (!removal.dry_run) remover.Finish();
  return removed;
}

}  // namespace tarn
