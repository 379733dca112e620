// Looks, plans, and writes all in one transaction whose snapshot is the next one: its key says that
// nobody else has committed since the look. What makes no snapshot (an expiry, a clean-up) is found
// out by each statement, which must hit what was there.
#include "catalog/repair.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/environment.h"
#include "base/retry.h"
#include "catalog/catalog_reader.h"
#include "catalog/expiry.h"
#include "format/change_list.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr const char* kMessage = "tarn check --repair";

/// Delete files that were written for an attempt; removed when no commit will name them.
class WrittenDeletes {
 public:
  explicit WrittenDeletes(DeleteFileWriter* writer) : writer_(writer) {}
  ~WrittenDeletes() {
    for (const auto& [pending, file] : files_) writer_->Discard(*pending, file);
  }
  const DeleteFile& Write(const PendingDelete& pending, SnapshotId snapshot) {
    files_.emplace_back(&pending, writer_->Write(pending, snapshot));
    return files_.back().second;
  }
  void Keep() { files_.clear(); }

 private:
  DeleteFileWriter* writer_;
  std::vector<std::pair<const PendingDelete*, DeleteFile>> files_;
};

void AppendCells(StatementBuilder& sql, const check::Cells& cells, const char* separator,
                 bool is_condition) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto& [column, value] = cells[i];
    sql.Text(i == 0 ? "" : separator).Name(column);
    if (is_condition && std::holds_alternative<std::monostate>(value))
      sql.Text(" IS NULL");
    else
      sql.Text(" = ").Bind(value);
  }
}

/// False when the rows are not what they were.
bool Apply(StoreConnection& connection, const check::RowChange& change) {
  using Kind = check::RowChange::Kind;
  if (change.kind == Kind::kInsert) {
    std::vector<std::string_view> columns;
    std::vector<Value> row;
    for (const auto& [column, value] : change.set) {
      columns.push_back(column);
      row.push_back(value);
    }
    connection.InsertRows(change.table, columns, {&row, 1});
    return true;
  }
  StatementBuilder sql(connection.dialect());
  if (change.kind == Kind::kUpdate) {
    AppendCells(sql.Text("UPDATE ").Table(change.table).Text(" SET "), change.set, ", ", false);
  } else {
    sql.Text("DELETE FROM ").Table(change.table);
  }
  AppendCells(sql.Text(" WHERE "), change.where, " AND ", true);
  const int64_t rows = connection.Execute(sql.Build());
  return !change.rows || rows == *change.rows;
}

check::RowChange NewDeleteFile(const check::DeleteMerge& merge, const DeleteFile& file) {
  auto cell = [](const auto& value) { return StatementBuilder::ToValue(value); };
  return {check::RowChange::Kind::kInsert,
          std::string(tables::DeleteFile::kTable.name),
          {{"delete_file_id", merge.new_id},
           {"table_id", merge.table},
           {"begin_snapshot", cell(file.begin_snapshot)},
           {"end_snapshot", cell(merge.end)},
           {"data_file_id", merge.data_file},
           {"path", file.path},
           {"path_is_relative", file.path_is_relative},
           {"format", file.format},
           {"delete_count", file.delete_count},
           {"file_size_bytes", file.file_size_bytes},
           {"footer_size", cell(file.footer_size)},
           {"encryption_key", cell(file.encryption_key)},
           {"partial_max",
            file.partial_max == file.begin_snapshot ? Value() : cell(file.partial_max)}}};
}

class Repairer {
 public:
  Repairer(const RepairPlace& place, const RepairOptions& options)
      : place_(place), options_(options) {}

  RepairReport Run() {
    if (!options_.dry_run && !place_.store.writable()) {
      throw Error(ErrorCode::kInvalid,
                  "The lake cannot be repaired, because it cannot be written; --dry-run tells what "
                  "would be done.");
    }
    Retry retry(RetryOptions{}, place_.environment);
    for (;;) {
      RepairReport report;
      if (Try(report)) return report;
      if (!retry.WaitBeforeNext(options_.interrupted)) {
        throw Error(ErrorCode::kConflict,
                    "Nothing was repaired: each time others changed the lake before it was done. "
                    "Try again when fewer write.");
      }
    }
  }

 private:
  bool Try(RepairReport& report) {
    const std::unique_ptr<StoreConnection> connection = place_.store.Connect();
    connection->SetInterruptCheck(options_.interrupted);
    check::Model model;
    report.found =
        CheckCatalog(*connection, place_.data_path, place_.file_system, options_.check, model);
    if (model.head_snapshot() == nullptr) return true;
    check::RepairPlanner planner(model, *connection, place_, options_);
    planner.Plan(report.found.findings);
    for (const check::RepairStep& step : planner.steps) report.steps.push_back(step.what);
    report.refusals = planner.refusals;
    if (options_.dry_run || planner.steps.empty()) return true;
    try {
      return Write(*connection, model, planner, report);
    } catch (const Error& error) {
      // The next snapshot's key is taken, or a row has been changed.
      if (error.code() != ErrorCode::kConflict && error.code() != ErrorCode::kAlreadyExists) throw;
      return false;
    }
  }

  bool Write(StoreConnection& connection, const check::Model& model,
             const check::RepairPlanner& planner, RepairReport& report) {
    const Snapshot& head = *model.head_snapshot();
    const SnapshotId next(head.id.value + 1);
    WrittenDeletes written(options_.writer);
    std::vector<check::RowChange> new_files;
    std::set<int64_t> rewritten;
    for (const check::RepairStep& step : planner.steps) {
      if (!step.merge) continue;
      new_files.push_back(NewDeleteFile(*step.merge, written.Write(step.merge->pending, next)));
      rewritten.insert(step.merge->table);
    }
    connection.Begin(TransactionMode::kWrite);
    const Snapshot now_head = CatalogReader(connection).ReadHead().snapshot;
    const bool same = now_head.id == head.id && now_head.time == head.time &&
                      WriteAll(connection, head, planner, new_files);
    if (!same) {
      connection.Rollback();
      return false;
    }
    WriteWords(connection, next, rewritten);
    switch (connection.Commit()) {
      case CommitOutcome::kCommitted:
        break;
      case CommitOutcome::kLostRace:
        return false;
      case CommitOutcome::kUnknown:
        written.Keep();
        throw Error(ErrorCode::kUnknownOutcome,
                    "The connection to the catalog broke while the repairs were committed. Check "
                    "the lake again; repairing twice does no harm.");
    }
    written.Keep();
    report.snapshot = next;
    return true;
  }

  bool WriteAll(StoreConnection& connection, const Snapshot& head,
                const check::RepairPlanner& planner,
                const std::vector<check::RowChange>& new_files) {
    // The snapshot first, since its key is what commits race for.
    const Timestamp time =
        std::max(Now(place_.environment), head.time + std::chrono::microseconds(1));
    const std::vector<Value> snapshot = {Value(head.id.value + 1), Value(time),
                                         Value(head.schema_version), Value(planner.next_catalog_id),
                                         Value(planner.next_file_id)};
    connection.InsertRows(tables::Snapshot::kTable.name, tables::Snapshot::kTable.ColumnNames(),
                          {&snapshot, 1});
    return WriteSteps(connection, planner, new_files);
  }

  /// Last: a row of its number may have been left behind, and goes with the repairs.
  void WriteWords(StoreConnection& connection, SnapshotId next,
                  const std::set<int64_t>& rewritten) {
    // Whoever deletes rows by the old delete files must not commit after us.
    std::vector<Change> words;
    for (int64_t table : rewritten)
      words.push_back(Change::ById(ChangeKind::kRewriteDelete, table));
    const std::vector<Value> changes = {Value(next.value), Value(FormatChanges(words)), Value(),
                                        Value(std::string(kMessage)), Value()};
    connection.InsertRows(tables::SnapshotChanges::kTable.name,
                          tables::SnapshotChanges::kTable.ColumnNames(), {&changes, 1});
  }

  bool WriteSteps(StoreConnection& connection, const check::RepairPlanner& planner,
                  const std::vector<check::RowChange>& new_files) {
    for (const check::RepairStep& step : planner.steps) {
      for (const check::RowChange& change : step.changes) {
        if (!Apply(connection, change)) return false;
      }
      if (step.forgets_unseen) ForgetUnseen(connection, place_.data_path, Now(place_.environment));
    }
    return std::all_of(new_files.begin(), new_files.end(),
                       [&](const check::RowChange& change) { return Apply(connection, change); });
  }

  const RepairPlace& place_;
  const RepairOptions& options_;
};

}  // namespace

RepairReport RepairCatalog(const RepairPlace& place, const RepairOptions& options) {
  return Repairer(place, options).Run();
}

RepairReport RepairLake(Lake& lake, const RepairOptions& options) {
  if (lake.read_only() && !options.dry_run) {
    throw Error(ErrorCode::kInvalid,
                "The lake cannot be repaired: it is opened in read-only mode. --dry-run tells what "
                "would be done.");
  }
  return RepairCatalog({lake.store(), lake.data_path(), lake.file_system(), lake.environment()},
                       options);
}

}  // namespace tarn
