// See compaction.h.
#include "catalog/compaction.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "catalog/catalog_sql.h"
#include "catalog/column_history.h"
#include "catalog/compaction_groups.h"
#include "catalog/inlined_tables.h"
#include "catalog/partition_values.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

// Which tables may have something to do, so that a lake of thousands is not planned one by one.
class TablesToPlan {
 public:
  TablesToPlan(StoreConnection& connection, SnapshotId snapshot)
      : connection_(connection), snapshot_(snapshot) {}

  bool Contains(const CompactionRequest& request) {
    const TableId table = request.table->ref.id();
    if (request.kind == CompactionKind::kMerge) {
      if (!several_files_) several_files_ = Load(tables::DataFile::kTable, 2);
      return several_files_->contains(table);
    }
    if (!delete_files_) {
      delete_files_ = Load(tables::DeleteFile::kTable, 1);
      const std::vector<std::string> names = connection_.ListTables();
      names_.insert(names.begin(), names.end());
    }
    return delete_files_->contains(table) || names_.contains(InlinedDeleteTableName(table));
  }

 private:
  // Tables with at least so many live rows there.
  std::set<TableId> Load(const CatalogTable& of, int64_t least) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT table_id FROM ").Table(of.name).Text(" WHERE");
    AppendAlive(sql, snapshot_);
    sql.Text(" GROUP BY table_id HAVING count(*) >= ").Bind(least);
    std::set<TableId> tables;
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) tables.insert(TableId(rows->Int64(0)));
    return tables;
  }

  StoreConnection& connection_;
  const SnapshotId snapshot_;
  std::optional<std::set<TableId>> several_files_;
  std::optional<std::set<TableId>> delete_files_;
  std::set<std::string> names_;
};

// The columns that files were written with, numbered from the oldest on.
class Shapes {
 public:
  Shapes(StoreConnection& connection, const Table& table)
      : table_(table),
        history_(ColumnHistory::Load(connection, table.ref.id())),
        changes_(history_.Changes()) {}

  /// Absent for files of several shapes, or of none that is known.
  std::optional<int64_t> Of(const DataFile& file) {
    const int64_t first = At(file.begin_snapshot);
    if (file.partial_max && At(*file.partial_max) != first) return std::nullopt;
    return shapes_[static_cast<size_t>(first)]->columns.empty() ? std::nullopt
                                                                : std::optional(first);
  }

  std::shared_ptr<const Table> Get(int64_t shape) const {
    return shapes_[static_cast<size_t>(shape)];
  }

 private:
  int64_t At(SnapshotId snapshot) {
    const auto change = std::upper_bound(changes_.begin(), changes_.end(), snapshot);
    auto [place, is_new] = by_change_.emplace(change - changes_.begin(), 0);
    if (!is_new) return place->second;
    std::vector<Column> columns = history_.ColumnsAt(snapshot);
    auto [shape, is_other] =
        by_key_.emplace(ShapeKey(columns), static_cast<int64_t>(shapes_.size()));
    if (is_other) {
      auto table = std::make_shared<Table>(table_);
      table->columns = std::move(columns);
      shapes_.push_back(std::move(table));
    }
    return place->second = shape->second;
  }

  const Table& table_;
  const ColumnHistory history_;
  const std::vector<SnapshotId> changes_;
  std::map<std::ptrdiff_t, int64_t> by_change_;
  std::map<std::string, int64_t> by_key_;
  std::vector<std::shared_ptr<const Table>> shapes_;
};

int64_t CountDeleted(const ScanFile& file) {
  int64_t deleted = static_cast<int64_t>(file.deleted_positions.size());
  for (const ScanDelete& entry : file.deletes) deleted += entry.file.delete_count;
  return std::min(deleted, file.file.record_count);
}

// Nothing in it is of later snapshots, as far as the catalog says.
bool IsOfThePast(const ScanFile& file) {
  return !file.row_snapshot_limit &&
         std::none_of(file.deletes.begin(), file.deletes.end(), [](const ScanDelete& entry) {
           return entry.snapshot_limit && entry.file.partial_max;
         });
}

// Two deletes may name one row, and one may hide some of later snapshots: then it has to be read.
bool IsSurelyEmpty(const ScanFile& file) {
  const size_t kinds = file.deletes.size() + (file.deleted_positions.empty() ? 0 : 1);
  return kinds <= 1 && CountDeleted(file) >= file.file.record_count &&
         (file.deletes.empty() || !file.deletes.front().snapshot_limit);
}

class TablePlanner {
 public:
  TablePlanner(StoreConnection& connection, const CompactionRequest& request,
               const PlanInput& input)
      : connection_(connection), request_(request), input_(input) {}

  void Plan(const std::function<bool(DataFileId)>& is_taken, std::vector<CompactionUnit>& units) {
    TableScan scan;
    scan.table = request_.table;
    plan_ = PlanTableScan(connection_, scan, input_);
    std::erase_if(plan_.files, [&](const ScanFile& file) {
      return is_taken(file.file.id) || !IsOfThePast(file) || !IsWanted(file);
    });
    if (plan_.files.size() < LeastFiles()) return;
    std::sort(plan_.files.begin(), plan_.files.end(), [](const ScanFile& a, const ScanFile& b) {
      return std::pair(a.file.begin_snapshot, a.file.id) <
             std::pair(b.file.begin_snapshot, b.file.id);
    });
    LoadPartitionValues(connection_, request_.table->ref.id(), plan_.files);
    std::optional<Shapes> shapes;
    if (request_.kind == CompactionKind::kMerge) shapes.emplace(connection_, *request_.table);
    std::vector<CompactionCandidate> candidates;
    std::vector<size_t> places;  // of candidates among the files
    for (size_t i = 0; i < plan_.files.size(); ++i) {
      const ScanFile& file = plan_.files[i];
      const std::optional<int64_t> shape =
          shapes ? shapes->Of(file.file) : std::optional<int64_t>(0);
      if (!shape) continue;
      candidates.push_back(
          {BytesOf(file), *shape, file.file.partition_id, file.file.partition_values});
      places.push_back(i);
    }
    const GroupingRules rules{request_.target_file_size, LeastFiles(), request_.max_outputs};
    for (const std::vector<size_t>& group : GroupCandidates(candidates, rules)) {
      CompactionUnit& unit = units.emplace_back();
      unit.kind = request_.kind;
      unit.table = request_.table;
      unit.shape = shapes ? shapes->Get(candidates[group.front()].shape) : request_.table;
      for (size_t candidate : group)
        unit.sources.push_back(std::move(plan_.files[places[candidate]]));
      Describe(unit);
    }
  }

 private:
  size_t LeastFiles() const { return request_.kind == CompactionKind::kMerge ? 2 : 1; }

  bool IsWanted(const ScanFile& file) const {
    const int64_t deleted = CountDeleted(file);
    if (request_.kind == CompactionKind::kRewrite) {
      return deleted > 0 &&
             static_cast<double>(deleted) >=
                 request_.delete_threshold * static_cast<double>(file.file.record_count);
    }
    const int64_t bytes = file.file.file_size_bytes;
    return file.deletes.empty() && file.deleted_positions.empty() &&
           bytes >= request_.min_file_size &&
           bytes < request_.max_file_size.value_or(request_.target_file_size);
  }

  int64_t BytesOf(const ScanFile& file) const {
    const double total = static_cast<double>(std::max<int64_t>(1, file.file.record_count));
    const double left = 1 - static_cast<double>(CountDeleted(file)) / total;
    return static_cast<int64_t>(left * static_cast<double>(file.file.file_size_bytes));
  }

  void Describe(CompactionUnit& unit) const {
    int64_t row_count = 0;
    const ScanFile& first = unit.sources.front();
    std::optional<int64_t> next_row_id = first.file.row_id_start;
    for (const ScanFile& source : unit.sources) {
      unit.needs_snapshots = unit.needs_snapshots || source.file.partial_max ||
                             source.file.begin_snapshot != first.file.begin_snapshot;
      const bool follows = next_row_id && source.file.row_id_start == next_row_id;
      next_row_id = follows ? std::optional(*next_row_id + source.file.record_count) : std::nullopt;
      row_count += source.file.record_count;
      if (source.file.mapping_id) {
        const auto map = plan_.name_maps.find(*source.file.mapping_id);
        if (map != plan_.name_maps.end()) unit.plan.name_maps.insert(*map);
      }
      if (IsSurelyEmpty(source)) continue;
      unit.plan.files.push_back(source);
      unit.plan.files.back().ordinal = static_cast<int64_t>(unit.plan.files.size()) - 1;
    }
    unit.plan.total_files = static_cast<int64_t>(unit.plan.files.size());
    unit.plan.max_row_count = row_count;
    if (unit.kind == CompactionKind::kRewrite) {
      unit.needs_snapshots = false;
      return;
    }
    unit.row_count = row_count;
    if (next_row_id) unit.first_row_id = first.file.row_id_start;
  }

  StoreConnection& connection_;
  const CompactionRequest& request_;
  const PlanInput& input_;
  ScanPlan plan_;
};

}  // namespace

std::vector<CompactionUnit> PlanCompactions(StoreConnection& connection,
                                            const std::vector<CompactionRequest>& requests,
                                            const PlanInput& input,
                                            const std::function<bool(DataFileId)>& is_taken) {
  ReadScope scope(connection);
  TablesToPlan tables(connection, input.snapshot.id);
  std::vector<CompactionUnit> units;
  for (const CompactionRequest& request : requests) {
    if (request.table->ref.is_new() || !tables.Contains(request)) continue;
    TablePlanner(connection, request, input).Plan(is_taken, units);
  }
  return units;
}

}  // namespace tarn
