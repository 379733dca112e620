// See restore.h.
#include "catalog/restore.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "catalog/catalog_sql.h"
#include "catalog/column_history.h"
#include "catalog/inlined_tables.h"
#include "catalog/partition_values.h"
#include "catalog/scan_planner.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

bool IsWhole(const ScanFile& file) {
  return !file.row_snapshot_limit &&
         std::none_of(file.deletes.begin(), file.deletes.end(),
                      [](const ScanDelete& entry) { return entry.snapshot_limit.has_value(); });
}

/// Nothing has been deleted in between, nor written into the file.
bool HoldsTheSame(const ScanFile& then, const ScanFile& now) {
  return IsWhole(then) && then.deleted_positions == now.deleted_positions &&
         std::equal(
             then.deletes.begin(), then.deletes.end(), now.deletes.begin(), now.deletes.end(),
             [](const ScanDelete& a, const ScanDelete& b) { return a.file.id == b.file.id; });
}

int64_t CountAlive(const ScanFile& file) {
  int64_t deleted = static_cast<int64_t>(file.deleted_positions.size());
  for (const ScanDelete& entry : file.deletes) deleted += entry.file.delete_count;
  return std::max<int64_t>(0, file.file.record_count - deleted);
}

class TablePlanner {
 public:
  TablePlanner(StoreConnection& connection, TableRef old, TableRef restored,
               const RestoreInput& input)
      : connection_(connection),
        id_(old.id()),
        input_(input),
        old_(input.old_view.FindTable(old)),
        present_(input.base_view.FindTable(old)) {
    restored_.table = input.new_view.FindTable(restored);
    restored_.schema = input.new_view.FindSchema(restored_.table->schema)->name;
    restored_.change =
        present_ == nullptr ? RestoredTable::Change::kBroughtBack : RestoredTable::Change::kChanged;
  }

  RestoredTable Plan() {
    PlanFiles();
    PlanInlined();
    if (is_new()) TakeOver();
    return std::move(restored_);
  }

 private:
  bool is_new() const { return restored_.table->ref.is_new(); }

  void PlanFiles() {
    ScanPlan then = PlanAt(old_, input_.version, input_.old_view, /*with_stats=*/true);
    std::map<DataFileId, ScanFile> now;
    if (present_ != nullptr) {
      for (ScanFile& file : PlanAt(present_, input_.base, input_.base_view, false).files)
        now.emplace(file.file.id, std::move(file));
    }
    std::erase_if(then.files, [&](const ScanFile& file) {
      const auto found = now.find(file.file.id);
      if (found == now.end() || !HoldsTheSame(file, found->second)) return false;
      now.erase(found);
      return true;
    });
    for (const auto& [id, file] : now) restored_.ended_files.emplace(id, CountAlive(file));
    if (then.files.empty()) return;
    LoadPartitionValues(connection_, id_, then.files);
    history_ = ColumnHistory::Load(connection_, id_);
    for (ScanFile& file : then.files) {
      ForgetOldTypes(file.file);
      UseNewSpec(file.file);
      if (is_new() && file.file.mapping_id)
        file.file.names = then.name_maps.at(*file.file.mapping_id);
      restored_.files.push_back({std::move(file), {}, {}});
    }
  }

  ScanPlan PlanAt(const std::shared_ptr<const Table>& table, const Snapshot& snapshot,
                  const CatalogView& view, bool with_stats) {
    TableScan scan;
    scan.table = table;
    scan.with_stats = with_stats;
    return PlanTableScan(connection_, scan, {snapshot, view, input_.data_path, nullptr});
  }

  /// The file begins anew, so what is said of it is taken for what the columns are now: bounds and
  /// partition values in an older type must not be.
  void ForgetOldTypes(DataFile& file) const {
    const auto had_type = [&](FieldId field) {
      const Column* column = old_->FindField(field);
      return column == nullptr ||
             history_.HadType(field, column->type, file.begin_snapshot, input_.version.id);
    };
    for (ColumnStats& stats : file.stats) {
      if (had_type(stats.field)) continue;
      stats.min_value.reset();
      stats.max_value.reset();
      stats.contains_nan.reset();
      stats.extra_stats.reset();
    }
    if (!file.partition_id) return;
    const bool all_had =
        std::all_of(old_->columns.begin(), old_->columns.end(), [&](const Column& column) {
          return history_.FirstSnapshot(column.id) > std::optional(file.begin_snapshot) ||
                 had_type(column.id);
        });
    if (all_had) return;
    file.partition_id.reset();
    file.partition_values.clear();
  }

  /// A new table has none of the former specs.
  void UseNewSpec(DataFile& file) const {
    const bool is_old_spec =
        file.partition_id && old_->partition && *file.partition_id == old_->partition->ref;
    if (is_old_spec && restored_.table->partition) {
      file.partition_id = restored_.table->partition->ref;
    } else if (is_new()) {
      file.partition_id.reset();
      file.partition_values.clear();
    }
  }

  /// Rows of the catalog of a dropped table are alive as far as they themselves say: they are seen
  /// again as soon as the table is, unless it has become another.
  void PlanInlined() {
    const std::vector<InlinedTable> then = LoadInlinedTables(connection_, id_, input_.version.id);
    restored_.inlined = DescribeInlinedTables(connection_, old_, then, input_.version.id);
    if (is_new()) return;
    for (const InlinedTable& table : LoadInlinedTables(connection_, id_, input_.base.id)) {
      std::vector<int64_t> young = LoadRowIds(table.table_name, /*of_then=*/false);
      if (!young.empty()) restored_.ended_inlined.emplace(table.table_name, std::move(young));
    }
    for (InlinedScan& scan : restored_.inlined) {
      scan.removed_row_ids = LoadRowIds(scan.table_name, /*of_then=*/true);
      scan.row_count -= static_cast<int64_t>(scan.removed_row_ids.size());
    }
    std::erase_if(restored_.inlined, [](const InlinedScan& scan) { return scan.row_count <= 0; });
  }

  void TakeOver() {
    if (const auto stats = LoadTableStats(connection_, id_))
      restored_.first_row_id = stats->next_row_id;
    for (const LostField& field : history_.Latest()) {
      if (restored_.table->FindField(field.column.id) == nullptr)
        restored_.lost_fields.push_back(field);
    }
  }

  /// Of rows that are alive now: those that were there at the version, or those that were not.
  std::vector<int64_t> LoadRowIds(const std::string& table_name, bool of_then) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT row_id FROM ").Table(table_name).Text(" WHERE begin_snapshot ");
    sql.Text(of_then ? "<= " : "> ").Bind(input_.version.id).Text(" AND");
    AppendAlive(sql, input_.base.id);
    sql.Text(" ORDER BY row_id");
    std::vector<int64_t> ids;
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) ids.push_back(rows->Int64(0));
    return ids;
  }

  StoreConnection& connection_;
  const TableId id_;
  const RestoreInput& input_;
  const std::shared_ptr<const Table> old_;
  const std::shared_ptr<const Table> present_;  ///< null when it has been dropped
  ColumnHistory history_{{}};                   ///< loaded when files come back
  RestoredTable restored_;
};

/// The last row of ducklake_table that a table has left.
struct LastRow {
  int64_t schema = 0;
  std::string name;
  SnapshotId begin;
  std::optional<SnapshotId> end;
};

std::map<int64_t, LastRow> LoadLastRows(StoreConnection& connection, SnapshotId base) {
  using T = tables::Table;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id, schema_id, table_name, begin_snapshot, end_snapshot FROM ");
  sql.Table(T::kTable.name).Text(" WHERE begin_snapshot <= ").Bind(base);
  sql.Text(" ORDER BY begin_snapshot");
  std::map<int64_t, LastRow> last;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    LastRow& row = last[rows->Int64(0)];
    row.schema = rows->Int64(1);
    row.name = rows->Text(2);
    row.begin = SnapshotId(rows->Int64(3));
    const std::optional<int64_t> end = rows->OptInt64(4);
    row.end = end ? std::optional(SnapshotId(*end)) : std::nullopt;
  }
  return last;
}

std::set<int64_t> LoadSchemaIds(StoreConnection& connection, const std::string& name) {
  using T = tables::Schema;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT schema_id, schema_name FROM ").Table(T::kTable.name);
  std::set<int64_t> ids;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    if (SameName(rows->Text(1), name)) ids.insert(rows->Int64(0));
  }
  return ids;
}

/// The last snapshot of [first, before) that is kept.
std::optional<SnapshotId> LastSnapshotIn(StoreConnection& connection, SnapshotId first,
                                         SnapshotId before) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT max(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
  sql.Text(" WHERE snapshot_id >= ").Bind(first).Text(" AND snapshot_id < ").Bind(before);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  if (!rows->Next() || rows->IsNull(0)) return std::nullopt;
  return SnapshotId(rows->Int64(0));
}

}  // namespace

RestoredTable PlanRestoredRows(StoreConnection& connection, TableRef old, TableRef restored,
                               const RestoreInput& input) {
  return TablePlanner(connection, old, restored, input).Plan();
}

DroppedTable FindDroppedTable(StoreConnection& connection, const std::string& schema,
                              const std::string& table, SnapshotId base) {
  const std::set<int64_t> schemas = LoadSchemaIds(connection, schema);
  std::multimap<SnapshotId, std::pair<int64_t, SnapshotId>, std::greater<>> dropped;  // by end
  for (const auto& [id, row] : LoadLastRows(connection, base)) {
    if (row.end && *row.end <= base && schemas.contains(row.schema) && SameName(row.name, table))
      dropped.emplace(*row.end, std::pair(id, row.begin));
  }
  for (const auto& [end, which] : dropped) {
    if (const auto version = LastSnapshotIn(connection, which.second, end))
      return {TableId(which.first), *version};
  }
  throw Error(ErrorCode::kNotFound,
              dropped.empty()
                  ? "No table with name \"" + table + "\" has been dropped from schema \"" +
                        schema + "\", as far as the lake remembers; what expired is forgotten."
                  : "Table \"" + table +
                        "\" cannot come back: all snapshots that had it have "
                        "expired.");
}

}  // namespace tarn
