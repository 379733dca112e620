// A row came with the snapshot of its file (or the one embedded beside it), and went with the first
// delete that names its position, or with its file. So a file matters to a range when the snapshots
// of its rows reach into it, when a delete of it does, or when the file ended there. What a rewrite
// began and ended is the same rows in another file and no change; merges and flushes keep each
// row's own snapshot, so they need no special case.
#include "catalog/change_feed.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/inlined_tables.h"
#include "catalog/name_maps.h"
#include "catalog/prune_files.h"
#include "catalog/scan_planner.h"
#include "format/change_list.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

using Side = FeedPart::Side;

SnapshotId LastOf(const DataFile& file) {
  return std::max(file.begin_snapshot, file.partial_max.value_or(file.begin_snapshot));
}

void AppendRange(StatementBuilder& sql, std::string_view column, SnapshotRange range) {
  sql.Text(column).Text(" >= ").Bind(range.first);
  sql.Text(" AND ").Text(column).Text(" <= ").Bind(range.last);
}

// What is known of the range before any file is.
class FeedPlanner {
 public:
  FeedPlanner(StoreConnection& connection, const ChangeScan& scan, std::string table_path)
      : connection_(connection),
        scan_(scan),
        table_(scan.table->ref.id()),
        range_(scan.range),
        table_path_(std::move(table_path)),
        has_inlined_deletes_(connection.TableExists(InlinedDeleteTableName(table_))) {}

  ScanPlan Plan() {
    LoadRewrites();
    LoadFiles();
    if (!files_.empty()) {
      LoadDeleteFiles();
      if (has_inlined_deletes_) LoadInlinedDeletes();
    }
    ScanPlan plan;
    for (ScanFile& file : files_) AddParts(file, plan);
    for (size_t i = 0; i < plan.files.size(); ++i) plan.files[i].ordinal = static_cast<int64_t>(i);
    plan.total_files = static_cast<int64_t>(plan.files.size());
    AddInlinedTables(plan);
    return plan;
  }

 private:
  // The words are searched for in the range only, whose snapshots are found by their key.
  void LoadRewrites() {
    using T = tables::SnapshotChanges;
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT snapshot_id, changes_made FROM ").Table(T::kTable.name).Text(" WHERE ");
    AppendRange(sql, "snapshot_id", range_);
    sql.Text(" AND (changes_made LIKE ").Bind("%rewrite_delete:%");
    sql.Text(" OR changes_made LIKE ").Bind("%compacted_table:%");
    sql.Text(") ORDER BY snapshot_id");
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) {
      for (const Change& change : ParseChanges(rows->Text(1))) {
        const bool is_rewrite =
            change.kind == ChangeKind::kRewriteDelete || change.kind == ChangeKind::kCompactedTable;
        if (!is_rewrite || change.id != table_.value) continue;
        rewritten_.push_back(SnapshotId(rows->Int64(0)));
        break;
      }
    }
  }

  bool IsRewritten(SnapshotId snapshot) const {
    return std::binary_search(rewritten_.begin(), rewritten_.end(), snapshot);
  }

  // Files that brought rows in the range, or lost some. Row by row `begin_snapshot <= partial_max`.
  void LoadFiles() {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT ").Text(ColumnList(DataFileColumns(), connection_.dialect()));
    sql.Text(" FROM ").Table(tables::DataFile::kTable.name).Text(" WHERE table_id = ");
    sql.Bind(table_).Text(" AND begin_snapshot <= ").Bind(range_.last).Text(" AND (");
    sql.Text("begin_snapshot >= ").Bind(range_.first);
    sql.Text(" OR partial_max >= ").Bind(range_.first);
    if (scan_.deleted) {
      sql.Text(" OR (");
      AppendRange(sql, "end_snapshot", range_);
      sql.Text(") OR data_file_id IN (SELECT data_file_id FROM ");
      sql.Table(tables::DeleteFile::kTable.name).Text(" WHERE table_id = ").Bind(table_);
      sql.Text(" AND begin_snapshot <= ").Bind(range_.last);
      sql.Text(" AND (begin_snapshot >= ").Bind(range_.first);
      sql.Text(" OR partial_max >= ").Bind(range_.first).Text("))");
      // MayHideSnapshots
      sql.Text(" OR (partial_max IS NOT NULL AND data_file_id IN (SELECT data_file_id FROM ");
      sql.Table(tables::DeleteFile::kTable.name).Text(" WHERE table_id = ").Bind(table_);
      sql.Text(" AND begin_snapshot <= ").Bind(range_.last);
      sql.Text(" AND partial_max IS NULL AND format = ").Bind("parquet").Text("))");
      if (has_inlined_deletes_) {
        sql.Text(" OR data_file_id IN (SELECT file_id FROM ");
        sql.Table(InlinedDeleteTableName(table_)).Text(" WHERE ");
        AppendRange(sql, "begin_snapshot", range_);
        sql.Text(")");
      }
    }
    sql.Text(") ORDER BY data_file_id");
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) {
      ScanFile file;
      file.file = ReadDataFile(*rows);
      files_.push_back(std::move(file));
    }
  }

  ScanFile* FindFile(DataFileId id) {
    auto at = std::lower_bound(
        files_.begin(), files_.end(), id,
        [](const ScanFile& file, DataFileId wanted) { return file.file.id < wanted; });
    return at != files_.end() && at->file.id == id ? &*at : nullptr;
  }

  std::vector<DataFileId> FileIds() const {
    std::vector<DataFileId> ids;
    for (const ScanFile& file : files_) ids.push_back(file.file.id);
    return ids;
  }

  // Of the files that matter, also those from before the range that were alive when it began: what
  // they removed cannot go again.
  void LoadDeleteFiles() {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT ").Text(ColumnList(DeleteFileColumns(), connection_.dialect()));
    sql.Text(" FROM ").Table(tables::DeleteFile::kTable.name).Text(" WHERE table_id = ");
    sql.Bind(table_).Text(" AND begin_snapshot <= ").Bind(range_.last);
    sql.Text(" AND (end_snapshot IS NULL OR end_snapshot >= ").Bind(range_.first).Text(")");
    if (files_.size() <= kMaxNamedFiles)
      sql.Text(" AND data_file_id IN (").BindList(FileIds()).Text(")");
    sql.Text(" ORDER BY delete_file_id");
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) {
      ScanDelete entry;
      entry.file = ReadDeleteFile(*rows);
      ScanFile* file = FindFile(entry.file.data_file);
      if (file == nullptr) continue;
      entry.path = ResolveFilePath(table_path_, entry.file.path, entry.file.path_is_relative);
      file->deletes.push_back(std::move(entry));
    }
  }

  void LoadInlinedDeletes() {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT file_id, row_id, begin_snapshot FROM ");
    sql.Table(InlinedDeleteTableName(table_));
    sql.Text(" WHERE begin_snapshot <= ").Bind(range_.last);
    if (files_.size() <= kMaxNamedFiles)
      sql.Text(" AND file_id IN (").BindList(FileIds()).Text(")");
    sql.Text(" ORDER BY file_id, row_id, begin_snapshot");
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) {
      const DataFileId id(rows->Int64(0));
      if (FindFile(id) != nullptr)
        inlined_deletes_[id].push_back({rows->Int64(1), SnapshotId(rows->Int64(2))});
    }
  }

  FeedPart MakePart(Side side) const {
    FeedPart part;
    part.side = side;
    part.range = range_;
    part.rewritten = rewritten_;
    return part;
  }

  bool BroughtRows(const DataFile& file) const {
    if (LastOf(file) < range_.first) return false;
    if (file.end_snapshot && *file.end_snapshot <= file.begin_snapshot) return false;
    return file.partial_max || !IsRewritten(file.begin_snapshot);
  }

  bool LostRows(const ScanFile& file, const std::vector<FeedPart::PositionDelete>& inlined) const {
    if (file.file.end_snapshot && range_.Contains(*file.file.end_snapshot) &&
        !IsRewritten(*file.file.end_snapshot))
      return true;
    for (const ScanDelete& deletion : file.deletes) {
      if (deletion.file.partial_max.value_or(deletion.file.begin_snapshot) >= range_.first ||
          MayHideSnapshots(deletion.file, file.file.partial_max))
        return true;
    }
    return std::any_of(inlined.begin(), inlined.end(),
                       [this](const auto& deletion) { return range_.Contains(deletion.snapshot); });
  }

  void AddParts(ScanFile& file, ScanPlan& plan) {
    file.path = ResolveFilePath(table_path_, file.file.path, file.file.path_is_relative);
    auto& inlined = inlined_deletes_[file.file.id];
    const bool lost_rows = scan_.deleted && LostRows(file, inlined);
    if (scan_.inserted && BroughtRows(file.file)) {
      ScanFile part = file;
      part.feed = MakePart(Side::kInserted);
      part.feed->inlined_deletes = inlined;
      plan.max_row_count += file.file.record_count;
      plan.files.push_back(std::move(part));
    }
    if (!lost_rows) return;
    file.feed = MakePart(Side::kDeleted);
    file.feed->inlined_deletes = std::move(inlined);
    plan.max_row_count += file.file.record_count;
    plan.files.push_back(std::move(file));
  }

  void AddInlinedTables(ScanPlan& plan) {
    for (const Side side : {Side::kInserted, Side::kDeleted}) {
      if (!(side == Side::kInserted ? scan_.inserted : scan_.deleted)) continue;
      std::vector<InlinedTable> changed =
          LoadChangedInlinedTables(connection_, table_, side, range_);
      for (InlinedScan& inlined :
           DescribeInlinedTables(connection_, scan_.table, changed, scan_.at.id)) {
        inlined.feed = MakePart(side);
        plan.max_row_count += inlined.row_count;
        plan.inlined.push_back(std::move(inlined));
      }
    }
  }

  StoreConnection& connection_;
  const ChangeScan& scan_;
  const TableId table_;
  const SnapshotRange range_;
  const std::string table_path_;
  const bool has_inlined_deletes_;
  std::vector<SnapshotId> rewritten_;
  std::vector<ScanFile> files_;
  std::map<DataFileId, std::vector<FeedPart::PositionDelete>> inlined_deletes_;
};

}  // namespace

ScanPlan PlanChangeFeed(StoreConnection& connection, const ChangeScan& scan,
                        const CatalogView& view, std::string_view data_path) {
  ScanPlan plan;
  if (scan.range.last < scan.range.first) return plan;
  ReadScope scope(connection);
  RequireKept(connection, scan.at.id);
  plan = FeedPlanner(connection, scan, ResolveTablePath(data_path, view, *scan.table)).Plan();
  PruneFiles(connection, *scan.table, scan.predicate, plan.files);
  plan.name_maps = LoadNameMaps(connection, scan.table->ref.id(), plan.files);
  return plan;
}

}  // namespace tarn
