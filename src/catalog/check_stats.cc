// Statistics of whole tables, and rows that lie in the catalog database.
#include <algorithm>

#include <fmt/format.h>

#include "catalog/catalog_sql.h"
#include "catalog/check.h"
#include "format/stats_text.h"
#include "format/stats_value.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn::check {
namespace {

/// A table's bound must not lie inside a file's. Where a text can mean two values the one that
/// excuses it counts.
void CheckBound(const Model& model, const FileRow& file, const TableStats::Column& table,
                const ColumnStats& stats, const ScalarType& type, BoundSide side,
                Findings& findings) {
  const std::optional<std::string>& wide =
      side == BoundSide::kMin ? table.min_value : table.max_value;
  const std::optional<std::string>& narrow =
      side == BoundSide::kMin ? stats.min_value : stats.max_value;
  if (!wide || !narrow) return;
  BoundSide other = side == BoundSide::kMin ? BoundSide::kMax : BoundSide::kMin;
  std::optional<StatsValue> table_bound = ParseBound(type, *wide, side);
  std::optional<StatsValue> file_bound = ParseBound(type, *narrow, other);
  if (!table_bound || !file_bound) return;
  // Bounds of rows that lay in the catalog are whole, those of files are cut and thereby wider.
  if (std::optional<std::string> cut = EncodeBound(type, *table_bound, side)) {
    if (std::optional<StatsValue> bound = ParseBound(type, *cut, side)) table_bound = bound;
  }
  auto order = Compare(*table_bound, *file_bound);
  if (side == BoundSide::kMin ? order > 0 : order < 0) {
    findings.Error(
        fmt::format(
            "The {} of column {} in the statistics of {} (\"{}\") does not cover {} (\"{}\").",
            side == BoundSide::kMin ? "minimum" : "maximum", table.field.value,
            model.TableName(file.table), *wide, model.FileName(file), *narrow),
        {RepairKind::kTableColumnStats, file.table, table.field.value});
  }
}

struct InlinedSums {
  int64_t rows = 0;
  int64_t live = 0;
  int64_t least_row_id = 0, greatest_row_id = -1;
  int64_t greatest_snapshot = -1;
  int64_t ended_before_begun = 0;
  int64_t without_row_id = 0, without_begin = 0;
};

constexpr std::string_view kOwnColumns[] = {"row_id", "begin_snapshot", "end_snapshot"};

std::set<std::string> ColumnsOf(StoreConnection& connection, const std::string& table) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT * FROM ").Table(table).Text(" WHERE 1 = 0");
  std::set<std::string> present;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  for (int i = 0; i < rows->column_count(); ++i) present.insert(rows->column_name(i));
  return present;
}

/// False when it lacks what tells which rows it has.
bool HasRows(StoreConnection& connection, const std::string& table) {
  const std::set<std::string> present = ColumnsOf(connection, table);
  return std::all_of(std::begin(kOwnColumns), std::end(kOwnColumns), [&](std::string_view column) {
    return present.contains(std::string(column));
  });
}

InlinedSums SumInlined(StoreConnection& connection, const std::string& table) {
  StatementBuilder sql(connection.dialect());
  sql.Text(
         "SELECT count(*), count(*) - count(end_snapshot), min(row_id), max(row_id), "
         "max(begin_snapshot), max(end_snapshot),"
         " sum(CASE WHEN end_snapshot <= begin_snapshot THEN 1 ELSE 0 END),"
         " count(*) - count(row_id), count(*) - count(begin_snapshot) FROM ")
      .Table(table);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  InlinedSums sums;
  if (!rows->Next()) return sums;
  sums.rows = rows->Int64(0);
  sums.live = rows->Int64(1);
  sums.least_row_id = rows->OptInt64(2).value_or(0);
  sums.greatest_row_id = rows->OptInt64(3).value_or(-1);
  sums.greatest_snapshot = std::max(rows->OptInt64(4).value_or(-1), rows->OptInt64(5).value_or(-1));
  sums.ended_before_begun = rows->OptInt64(6).value_or(0);
  sums.without_row_id = rows->Int64(7);
  sums.without_begin = rows->Int64(8);
  return sums;
}

/// A row id has one live row at most, over all shapes of a table.
void CheckLiveRowIds(StoreConnection& connection, const Model& model, int64_t table,
                     const std::vector<std::string>& names, Findings& findings) {
  constexpr size_t kTablesPerStatement = 200;
  if (names.empty() || names.size() > kTablesPerStatement) return;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT row_id FROM (");
  for (size_t i = 0; i < names.size(); ++i) {
    sql.Text(i == 0 ? "SELECT" : " UNION ALL SELECT")
        .Text(" row_id FROM ")
        .Table(names[i])
        .Text(" WHERE end_snapshot IS NULL AND row_id IS NOT NULL");
  }
  sql.Text(") AS r GROUP BY row_id HAVING count(*) > 1 ORDER BY row_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    findings.Error(fmt::format("The row {} of {} is alive twice among its inlined rows.",
                               rows->Int64(0), model.TableName(table)));
  }
}

/// Columns that a shape should have and the inlined table lacks.
void CheckShape(StoreConnection& connection, const Model& model, const InlinedTableRow& inlined,
                Findings& findings) {
  auto versions = model.shapes.find(inlined.table);
  auto columns = model.columns.find(inlined.table);
  if (versions == model.shapes.end() || columns == model.columns.end()) return;
  auto version = versions->second.find(inlined.schema_version);
  if (version == versions->second.end()) return;
  const std::set<std::string> present = ColumnsOf(connection, inlined.name);
  for (const Column& column :
       ColumnHistory(columns->second).ColumnsAt(SnapshotId(version->second))) {
    if (!present.contains(column.name)) {
      findings.Error(fmt::format("The inlined rows in \"{}\" of {} lack the column \"{}\".",
                                 inlined.name, model.TableName(inlined.table), column.name));
    }
  }
}

void CheckInlinedTable(StoreConnection& connection, const Model& model,
                       const InlinedTableRow& inlined, Findings& findings) {
  std::string name =
      fmt::format("Inlined rows in \"{}\" of {}", inlined.name, model.TableName(inlined.table));
  InlinedSums sums = SumInlined(connection, inlined.name);
  if (sums.greatest_snapshot > model.head) {
    findings.Error(fmt::format("{} begin or end at snapshot {}, but the newest is {}.", name,
                               sums.greatest_snapshot, model.head));
  }
  if (sums.ended_before_begun > 0)
    findings.Error(
        fmt::format("{} end before they begin ({} of them).", name, sums.ended_before_begun));
  if (sums.without_row_id > 0)
    findings.Error(fmt::format("{} have no row id ({} of them).", name, sums.without_row_id));
  if (sums.without_begin > 0) {
    findings.Error(fmt::format("{} do not say since when they are there ({} of them).", name,
                               sums.without_begin));
  }
  if (sums.least_row_id < 0)
    findings.Error(fmt::format("{} have the row id {}.", name, sums.least_row_id));
  auto stats = model.table_stats.find(inlined.table);
  if (sums.rows > 0 && stats == model.table_stats.end()) {
    findings.Error(
        fmt::format("{} has inlined rows but no statistics.", model.TableName(inlined.table)),
        {RepairKind::kTableStats, inlined.table});
  } else if (sums.rows > 0 && sums.greatest_row_id >= stats->second.next_row_id) {
    findings.Error(fmt::format("{} have row ids up to {}, but the table would give out {} next.",
                               name, sums.greatest_row_id, stats->second.next_row_id),
                   {RepairKind::kNextRowId, inlined.table});
  }
  CheckShape(connection, model, inlined, findings);
}

void CheckInlinedDeletes(StoreConnection& connection, const Model& model, int64_t table,
                         std::map<int64_t, int64_t>& counts, Findings& findings) {
  std::string physical = InlinedDeleteTableName(TableId(table));
  std::map<int64_t, const FileRow*> files;
  for (const FileRow& row : model.files) {
    if (row.table == table) files[row.file.id.value] = &row;
  }
  StatementBuilder sql(connection.dialect());
  sql.Text(
      "SELECT file_id, count(*), count(DISTINCT row_id), min(row_id), max(row_id), "
      "min(begin_snapshot), max(begin_snapshot), count(row_id), count(begin_snapshot) FROM ");
  sql.Table(physical).Text(" GROUP BY file_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    int64_t id = rows->Int64(0);
    counts[id] = rows->Int64(2);
    auto file = files.find(id);
    if (file == files.end()) {
      // The reference's expiry forgets the deletes of the files that it removes, and no id is given
      // twice, so nothing reads them.
      if (id >= 0 && id < model.head_snapshot()->next_file_id) {
        findings.Note(
            fmt::format("Inlined deletes of {} are left of a data file that is gone ({}).",
                        model.TableName(table), id),
            {RepairKind::kInlinedDeletes, table});
        continue;
      }
      findings.Error(fmt::format("Inlined deletes of {} name a data file that does not exist ({}).",
                                 model.TableName(table), id),
                     {RepairKind::kInlinedDeletes, table});
      continue;
    }
    std::string name = model.FileName(*file->second);
    if (rows->Int64(7) > rows->Int64(2))
      findings.Error(fmt::format("A row of {} is deleted twice by inlined deletes.", name),
                     {RepairKind::kInlinedDeletes, table});
    if (std::min(rows->Int64(7), rows->Int64(8)) < rows->Int64(1)) {
      findings.Error(
          fmt::format("Inlined deletes of {} do not say of which row, or since when.", name));
    }
    if (rows->IsNull(3) || rows->IsNull(5)) continue;
    if (rows->Int64(3) < 0 || rows->Int64(4) >= file->second->file.record_count) {
      findings.Error(fmt::format("Inlined deletes name row {} of {}, which has {} rows.",
                                 rows->Int64(3) < 0 ? rows->Int64(3) : rows->Int64(4), name,
                                 file->second->file.record_count));
    }
    if (rows->Int64(5) < file->second->life.begin || rows->Int64(6) > model.head) {
      findings.Error(
          fmt::format("Inlined deletes of {} begin at snapshots {} to {}, outside of its life.",
                      name, rows->Int64(5), rows->Int64(6)));
    }
  }
}

}  // namespace

void CheckTableStats(const Model& model, Findings& findings) {
  std::map<int64_t, int> counts;
  for (const auto& [table, stats] : model.table_stats) {
    if (++counts[table] == 2)
      findings.Error(fmt::format("{} has two rows of statistics.", model.TableName(table)),
                     {RepairKind::kTableStats, table});
    if (!model.LifeOf(ObjectKind::kTable, table)) {
      findings.Error(
          fmt::format("There are statistics of a table that does not exist ({}).", table),
          {RepairKind::kTableStats, table});
    }
    std::set<int64_t> columns;
    for (const TableStats::Column& column : stats.columns) {
      if (!columns.insert(column.field.value).second) {
        findings.Error(fmt::format("{} has two rows of statistics of column {}.",
                                   model.TableName(table), column.field.value),
                       {RepairKind::kTableColumnStats, table, column.field.value});
      }
      if (!model.HasColumn(table, column.field.value)) {
        findings.Error(fmt::format("{} has statistics of column {}, which it never had.",
                                   model.TableName(table), column.field.value),
                       {RepairKind::kTableColumnStats, table, column.field.value});
      }
    }
  }
  std::map<int64_t, const FileRow*> live;
  for (const FileRow& row : model.files) {
    if (!counts.contains(row.table)) {
      findings.Error(
          fmt::format("{} has data files but no statistics.", model.TableName(row.table)),
          {RepairKind::kTableStats, row.table});
      counts[row.table] = 1;
    }
    if (row.life.IsAliveAt(model.head)) live[row.file.id.value] = &row;
  }
  for (const FileStatsRow& row : model.file_stats) {
    auto file = live.find(row.file);
    if (file == live.end()) continue;
    auto stats = model.table_stats.find(file->second->table);
    const ColumnHistory::Entry* column =
        model.NewestColumn(file->second->table, row.stats.field.value);
    if (stats == model.table_stats.end() || column == nullptr) continue;
    std::optional<ScalarType> type = ParseTypeName(column->column.type);
    if (!type || !TableBoundsMayPrune(type->kind)) continue;
    for (const TableStats::Column& of_table : stats->second.columns) {
      if (of_table.field != row.stats.field) continue;
      CheckBound(model, *file->second, of_table, row.stats, *type, BoundSide::kMin, findings);
      CheckBound(model, *file->second, of_table, row.stats, *type, BoundSide::kMax, findings);
      const RepairTarget repair{RepairKind::kTableColumnStats, file->second->table,
                                row.stats.field.value};
      if (of_table.contains_null == false && row.stats.null_count.value_or(0) > 0 &&
          HasFileBounds(type->kind)) {
        findings.Error(
            fmt::format("The statistics of {} say that column {} has no NULLs, but {} has some.",
                        model.TableName(file->second->table), row.stats.field.value,
                        model.FileName(*file->second)),
            repair);
      }
      if (of_table.contains_nan == false && row.stats.contains_nan == true) {
        findings.Error(
            fmt::format("The statistics of {} say that column {} has no NaN, but {} has some.",
                        model.TableName(file->second->table), row.stats.field.value,
                        model.FileName(*file->second)),
            repair);
      }
    }
  }
}

int64_t CountInlinedRows(StoreConnection& connection, const Model& model) {
  int64_t rows = 0;
  for (const InlinedTableRow& inlined : model.inlined_tables) {
    std::optional<Life> life = model.LifeOf(ObjectKind::kTable, inlined.table);
    bool is_live =
        life && life->IsAliveAt(model.head) && model.physical_tables.contains(inlined.name);
    if (is_live && HasRows(connection, inlined.name))
      rows += SumInlined(connection, inlined.name).live;
  }
  return rows;
}

std::map<int64_t, int64_t> CheckInlinedRows(StoreConnection& connection, const Model& model,
                                            Findings& findings) {
  std::map<int64_t, std::vector<std::string>> by_table;
  std::set<std::string> registered;
  for (const InlinedTableRow& inlined : model.inlined_tables) {
    if (!registered.insert(inlined.name).second) {
      findings.Error(
          fmt::format("The table of inlined rows \"{}\" is registered twice.", inlined.name),
          {RepairKind::kInlinedTable, -1, -1, inlined.name});
      continue;
    }
    if (!model.physical_tables.contains(inlined.name)) {
      findings.Error(
          fmt::format("The inlined rows of {} should be in \"{}\", but there is no such table.",
                      model.TableName(inlined.table), inlined.name),
          std::string("Its rows are lost: restore the catalog from a backup."));
      continue;
    }
    if (!model.LifeOf(ObjectKind::kTable, inlined.table)) {
      findings.Error(
          fmt::format("The inlined rows in \"{}\" are of a table that does not exist ({}).",
                      inlined.name, inlined.table));
    }
    if (!HasRows(connection, inlined.name)) {
      findings.Error(fmt::format(
          "The table \"{}\" of {} cannot be read: it lacks a column of row_id, begin_snapshot and "
          "end_snapshot.",
          inlined.name, model.TableName(inlined.table)));
      continue;
    }
    CheckInlinedTable(connection, model, inlined, findings);
    by_table[inlined.table].push_back(inlined.name);
  }
  for (const auto& [table, names] : by_table)
    CheckLiveRowIds(connection, model, table, names, findings);
  for (const std::string& name : model.physical_tables) {
    constexpr std::string_view kPrefix = "ducklake_inlined_data_";
    if (name.starts_with(kPrefix) && name != tables::InlinedDataTables::kTable.name &&
        !registered.contains(name)) {
      findings.Note(fmt::format(
          "The table \"{}\" looks like inlined rows, but the catalog does not list it.", name));
    }
  }
  std::map<int64_t, int64_t> deletes;
  std::set<int64_t> tables;
  for (const ObjectRow& row : model.objects) {
    if (row.kind == ObjectKind::kTable) tables.insert(row.id);
  }
  for (int64_t table : tables) {
    if (model.physical_tables.contains(InlinedDeleteTableName(TableId(table)))) {
      CheckInlinedDeletes(connection, model, table, deletes, findings);
    }
  }
  return deletes;
}

}  // namespace tarn::check
