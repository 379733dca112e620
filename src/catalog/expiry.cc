// Rows are found by ranges: snapshots that are gone lie in gaps between remaining ones, and a row
// that lives only inside a gap is seen by nobody. So one DELETE per table does it, whatever the
// number of snapshots.
//
//   snapshots   3 . . . 7 8        the gap (3, 7)
//   rows          [4---6)          lost:  begin > 3 and end <= 7
//             [2-------6)          seen by 3
#include "catalog/expiry.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "catalog/catalog_reader.h"
#include "catalog/inlined_tables.h"
#include "catalog/table_folders.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

/// With the inlined tables that one statement counts, below the least number of parameters that a
/// supported database takes.
constexpr size_t kGapsPerStatement = 20;
constexpr size_t kIdsPerStatement = 500;

/// Snapshots that are gone, between two that remain.
struct Gap {
  int64_t after;   ///< the last one before; -1 when there is none
  int64_t before;  ///< the first one after
};

std::vector<Gap> FindGaps(StoreConnection& connection, const std::vector<SnapshotId>& expired) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT snapshot_id FROM ").Table(tables::Snapshot::kTable.name);
  sql.Text(" ORDER BY snapshot_id");
  std::vector<int64_t> all;
  {
    const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) all.push_back(rows->Int64(0));
  }
  std::vector<Gap> gaps;
  int64_t kept = -1;
  bool is_open = false;
  for (int64_t id : all) {
    const bool goes =
        id != all.back() && std::binary_search(expired.begin(), expired.end(), SnapshotId(id));
    if (goes) {
      is_open = true;
      continue;
    }
    if (std::exchange(is_open, false)) gaps.push_back({kept, id});
    kept = id;
  }
  return gaps;
}

/// All the holes that there are.
std::vector<Gap> FindHoles(StoreConnection& connection) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT snapshot_id FROM ").Table(tables::Snapshot::kTable.name);
  const std::unique_ptr<Rows> rows = connection.Query(sql.Text(" ORDER BY snapshot_id").Build());
  std::vector<Gap> holes;
  int64_t last = -1;
  while (rows->Next()) {
    const int64_t id = rows->Int64(0);
    if (id > last + 1) holes.push_back({last, id});
    last = id;
  }
  return holes;
}

/// Appends ` ((begin_snapshot > a AND end_snapshot <= b) OR …)`.
void AppendLost(StatementBuilder& sql, std::span<const Gap> gaps) {
  sql.Text(" (");
  const char* separator = "";
  for (const Gap& gap : gaps) {
    sql.Text(std::exchange(separator, " OR ")).Text("(begin_snapshot > ").Bind(gap.after);
    sql.Text(" AND end_snapshot <= ").Bind(gap.before).Text(")");
  }
  sql.Text(")");
}

class Expirer {
 public:
  Expirer(StoreConnection& connection, const Expiry& expiry, Timestamp now)
      : connection_(connection), expiry_(expiry), now_(now) {}

  void Run() { Run(FindGaps(connection_, expiry_.snapshots)); }

  void Run(std::vector<Gap> gaps) {
    gaps_ = std::move(gaps);
    if (gaps_.empty()) return;
    folders_ = TableFolders::Load(connection_);
    for (const Gap& gap : gaps_) {
      for (const CatalogTable* table :
           {&tables::Snapshot::kTable, &tables::SnapshotChanges::kTable}) {
        StatementBuilder sql = Delete(*table);
        sql.Text("snapshot_id > ").Bind(gap.after).Text(" AND snapshot_id < ").Bind(gap.before);
        connection_.Execute(sql.Build());
      }
    }
    gone_ = FindGoneTables();
    DeleteGone();
    RemoveFiles();
    ScheduleFiles();
    RemoveObjects();
    RemoveSpecs();
    if (!gone_.empty()) RemoveWithTables();
    RemoveInlinedRows();
  }

 private:
  StatementBuilder Sql() { return StatementBuilder(connection_.dialect()); }
  StatementBuilder Delete(const CatalogTable& table) {
    StatementBuilder sql = Sql();
    sql.Text("DELETE FROM ").Table(table.name).Text(" WHERE ");
    return sql;
  }

  /// Calls `run(gaps)` for as many gaps at a time as go into one statement.
  template <class Run>
  void ForGaps(Run run) {
    for (size_t first = 0; first < gaps_.size(); first += kGapsPerStatement) {
      run(std::span<const Gap>(gaps_).subspan(first,
                                              std::min(kGapsPerStatement, gaps_.size() - first)));
    }
  }

  /// Whether there were any.
  bool DeleteLost(const CatalogTable& table) {
    int64_t count = 0;
    ForGaps([&](std::span<const Gap> gaps) {
      StatementBuilder sql = Delete(table);
      AppendLost(sql, gaps);
      count += connection_.Execute(sql.Build());
    });
    return count > 0;
  }

  /// `DELETE FROM <table> WHERE <column> NOT IN (SELECT <column> FROM <parent>)`.
  void DeleteWithout(const CatalogTable& table, const CatalogTable& parent,
                     std::string_view column) {
    StatementBuilder sql = Delete(table);
    AppendWithout(sql, parent, column);
    connection_.Execute(sql.Build());
  }

  static void AppendWithout(StatementBuilder& sql, const CatalogTable& parent,
                            std::string_view column) {
    sql.Name(column).Text(" NOT IN (SELECT ").Name(column).Text(" FROM ").Table(parent.name);
    sql.Text(" WHERE ").Name(column).Text(" IS NOT NULL)");
  }

  // --- tables ---

  bool IsLost(int64_t begin, int64_t end) const {
    const auto next = std::partition_point(gaps_.begin(), gaps_.end(),
                                           [&](const Gap& gap) { return gap.after < begin; });
    return next != gaps_.begin() && end <= std::prev(next)->before;
  }

  /// Tables that no remaining snapshot sees. Of a table that lives on, all rows stay, those of its
  /// former names, too: its columns and files may be older than its last name.
  std::vector<TableId> FindGoneTables() {
    StatementBuilder sql = Sql();
    sql.Text("SELECT table_id, begin_snapshot, end_snapshot FROM ");
    std::set<TableId> lost, kept;
    const std::unique_ptr<Rows> rows =
        connection_.Query(sql.Table(tables::Table::kTable.name).Build());
    while (rows->Next()) {
      const bool is_lost = !rows->IsNull(2) && IsLost(rows->Int64(1), rows->Int64(2));
      (is_lost ? lost : kept).emplace(rows->Int64(0));
    }
    std::vector<TableId> gone;
    std::set_difference(lost.begin(), lost.end(), kept.begin(), kept.end(),
                        std::back_inserter(gone));
    return gone;
  }

  void DeleteGone() {
    for (size_t first = 0; first < gone_.size(); first += kIdsPerStatement) {
      StatementBuilder sql = Delete(tables::Table::kTable);
      sql.Text("table_id IN (");
      sql.BindList(std::span<const TableId>(gone_).subspan(
          first, std::min(kIdsPerStatement, gone_.size() - first)));
      connection_.Execute(sql.Text(")").Build());
    }
  }

  // --- files ---

  using Condition = std::function<void(StatementBuilder&)>;

  void RemoveFiles() {
    ForGaps([&](std::span<const Gap> gaps) {
      RemoveDataFiles([&](StatementBuilder& sql) { AppendLost(sql, gaps); });
    });
    // Of tables that are gone; normally these files ended with them.
    if (!gone_.empty()) {
      RemoveDataFiles([](StatementBuilder& sql) {
        AppendWithout(sql, tables::Table::kTable, tables::Table::kTableId.name);
      });
    }
    const bool data_files_went = !lost_.empty();
    ForGaps([&](std::span<const Gap> gaps) {
      RemoveDeleteFiles([&](StatementBuilder& sql) { AppendLost(sql, gaps); });
    });
    // Deletes of a file that is gone are of no use, even when they never ended.
    if (data_files_went) {
      RemoveDeleteFiles([](StatementBuilder& sql) {
        AppendWithout(sql, tables::DataFile::kTable, tables::DataFile::kDataFileId.name);
      });
    }
  }

  /// Remembers the files of such rows; false when there are none.
  bool Collect(const CatalogTable& table, const Condition& condition) {
    StatementBuilder sql = Sql();
    sql.Text("SELECT ").Name(table.columns[0].name).Text(", table_id, path, path_is_relative");
    sql.Text(" FROM ").Table(table.name).Text(" WHERE ");
    condition(sql);
    bool any = false;
    const std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) {
      any = true;
      const TableId of(rows->OptInt64(1).value_or(-1));
      if (&table == &tables::DataFile::kTable) tables_with_lost_files_.insert(of);
      auto path = folders_.Resolve(of, std::string(rows->Text(2)), rows->OptBool(3).value_or(true));
      if (path) lost_.push_back({rows->Int64(0), std::move(*path)});
    }
    return any;
  }

  void RemoveDataFiles(const Condition& condition) {
    using File = tables::DataFile;
    if (!Collect(File::kTable, condition)) return;
    for (const CatalogTable* table :
         {&tables::FileColumnStats::kTable, &tables::FileVariantStats::kTable,
          &tables::FilePartitionValue::kTable}) {
      StatementBuilder sql = Delete(*table);
      sql.Text("data_file_id IN (SELECT data_file_id FROM ").Table(File::kTable.name);
      sql.Text(" WHERE ");
      condition(sql);
      connection_.Execute(sql.Text(")").Build());
    }
    StatementBuilder sql = Delete(File::kTable);
    condition(sql);
    connection_.Execute(sql.Build());
  }

  void RemoveDeleteFiles(const Condition& condition) {
    if (!Collect(tables::DeleteFile::kTable, condition)) return;
    StatementBuilder sql = Delete(tables::DeleteFile::kTable);
    condition(sql);
    connection_.Execute(sql.Build());
  }

  /// A merge, or a file that was registered twice, leaves several rows of one file: it stays as
  /// long as one of them does.
  void ScheduleFiles() {
    if (lost_.empty()) return;
    FileSearch search(expiry_.data_path);
    for (const LostFile& file : lost_) search.Add(file.path);
    search.FindNamed(connection_, folders_);
    std::set<LakePath> seen;
    std::vector<std::vector<Value>> rows;
    for (size_t i = 0; i < lost_.size(); ++i) {
      if (search.IsNamed(i) || !seen.insert(lost_[i].path).second) continue;
      const LostFile& file = lost_[i];
      rows.push_back(
          {Value(file.id), Value(file.path.path), Value(file.path.is_relative), Value(now_)});
    }
    using T = tables::FilesScheduledForDeletion;
    if (!rows.empty()) connection_.InsertRows(T::kTable.name, T::kTable.ColumnNames(), rows);
  }

  // --- objects ---

  void RemoveObjects() {
    DeleteLost(tables::Schema::kTable);
    DeleteLost(tables::View::kTable);
    DeleteLost(tables::Tag::kTable);
    DeleteLost(tables::ColumnTag::kTable);
    if (DeleteLost(tables::Macro::kTable)) {
      const std::string_view id = tables::Macro::kMacroId.name;
      DeleteWithout(tables::MacroImpl::kTable, tables::Macro::kTable, id);
      DeleteWithout(tables::MacroParameters::kTable, tables::Macro::kTable, id);
    }
  }

  void RemoveSpecs() {
    if (DeleteLost(tables::SortInfo::kTable)) {
      DeleteWithout(tables::SortExpression::kTable, tables::SortInfo::kTable,
                    tables::SortInfo::kSortId.name);
    }
    int64_t count = 0;
    ForGaps([&](std::span<const Gap> gaps) {
      StatementBuilder sql = Delete(tables::PartitionInfo::kTable);
      // Files keep the spec that they were written under.
      AppendWithout(sql, tables::DataFile::kTable, tables::PartitionInfo::kPartitionId.name);
      sql.Text(" AND ");
      AppendLost(sql, gaps);
      count += connection_.Execute(sql.Build());
    });
    if (count > 0) {
      DeleteWithout(tables::PartitionColumn::kTable, tables::PartitionInfo::kTable,
                    tables::PartitionInfo::kPartitionId.name);
    }
  }

  void RemoveWithTables() {
    const std::string_view id = tables::Table::kTableId.name;
    DropInlinedTables();
    for (const CatalogTable* table :
         {&tables::Column::kTable, &tables::ColumnTag::kTable, &tables::TableStats::kTable,
          &tables::TableColumnStats::kTable, &tables::PartitionInfo::kTable,
          &tables::PartitionColumn::kTable, &tables::SortInfo::kTable,
          &tables::SortExpression::kTable, &tables::SchemaVersions::kTable,
          &tables::InlinedDataTables::kTable, &tables::ColumnMapping::kTable}) {
      DeleteWithout(*table, tables::Table::kTable, id);
    }
    DeleteWithout(tables::NameMapping::kTable, tables::ColumnMapping::kTable,
                  tables::ColumnMapping::kMappingId.name);
  }

  // --- rows that the catalog keeps ---

  void Drop(const std::string& table) {
    StatementBuilder sql = Sql();
    connection_.Execute(sql.Text("DROP TABLE ").Table(table).Build());
  }

  std::vector<std::string> ListTexts(StatementBuilder& sql) {
    std::vector<std::string> texts;
    const std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) texts.emplace_back(rows->Text(0));
    return texts;
  }

  void DropInlinedTables() {
    std::vector<std::string> existing = connection_.ListTables();
    const std::set<std::string> names(existing.begin(), existing.end());
    StatementBuilder registered = Sql();
    registered.Text("SELECT table_name FROM ").Table(tables::InlinedDataTables::kTable.name);
    AppendWithout(registered.Text(" WHERE "), tables::Table::kTable, "table_id");
    const std::vector<std::string> data = ListTexts(registered);
    for (const std::string& name : std::set<std::string>(data.begin(), data.end())) {
      if (names.contains(name)) Drop(name);
    }
    for (TableId id : gone_) {
      const std::string deletes = InlinedDeleteTableName(id);
      if (names.contains(deletes)) Drop(deletes);
      tables_with_lost_files_.erase(id);
    }
  }

  void RemoveInlinedRows() {
    ForGaps([&](std::span<const Gap> gaps) {
      auto lost = [&](StatementBuilder& sql) { AppendLost(sql, gaps); };
      for (const InlinedTable& table : LoadInlinedTablesWith(connection_, lost)) {
        StatementBuilder sql = Sql();
        lost(sql.Text("DELETE FROM ").Table(table.table_name).Text(" WHERE"));
        connection_.Execute(sql.Build());
      }
    });
    for (TableId table : tables_with_lost_files_) {
      const std::string name = InlinedDeleteTableName(table);
      if (!connection_.TableExists(name)) continue;
      StatementBuilder sql = Sql();
      sql.Text("DELETE FROM ").Table(name).Text(" WHERE file_id NOT IN (SELECT data_file_id FROM ");
      sql.Table(tables::DataFile::kTable.name).Text(" WHERE table_id = ").Bind(table).Text(")");
      connection_.Execute(sql.Build());
    }
  }

  struct LostFile {
    int64_t id;
    LakePath path;
  };

  StoreConnection& connection_;
  const Expiry& expiry_;
  const Timestamp now_;
  std::vector<Gap> gaps_;
  std::vector<TableId> gone_;
  TableFolders folders_;
  std::vector<LostFile> lost_;
  std::set<TableId> tables_with_lost_files_;
};

}  // namespace

std::vector<SnapshotInfo> FindExpired(StoreConnection& connection, const ExpiryRequest& request) {
  std::vector<SnapshotInfo> snapshots = CatalogReader(connection).ListSnapshots();
  if (!snapshots.empty()) snapshots.pop_back();
  const std::set<SnapshotId> versions(request.versions.begin(), request.versions.end());
  std::erase_if(snapshots, [&](const SnapshotInfo& info) {
    const bool goes = versions.contains(info.snapshot.id) ||
                      (request.older_than && info.snapshot.time < *request.older_than);
    return !goes;
  });
  return snapshots;
}

void ExpireSnapshots(StoreConnection& connection, const Expiry& expiry, Timestamp now) {
  Expirer(connection, expiry, now).Run();
}

void ForgetUnseen(StoreConnection& connection, const std::string& data_path, Timestamp now) {
  const Expiry nothing{{}, data_path};
  Expirer(connection, nothing, now).Run(FindHoles(connection));
}

}  // namespace tarn
