// Statistics of files come from their footers; those of tables become wide enough for what their
// files say. An absent bound says nothing, and so is always right.
#include <algorithm>

#include <fmt/format.h>

#include "catalog/repair.h"
#include "catalog/stats_merge.h"
#include "format/stats_text.h"
#include "format/tables.h"
#include "format/type_names.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn::check {
namespace {

const std::string kFileStatsTable(tables::FileColumnStats::kTable.name);
const std::string kTableStatsTable(tables::TableStats::kTable.name);
const std::string kTableColumnsTable(tables::TableColumnStats::kTable.name);

Cells FileStatsCells(int64_t file, int64_t table, const ColumnStats& stats) {
  return {{"data_file_id", file},
          {"table_id", table},
          {"column_id", stats.field.value},
          {"column_size_bytes", StatementBuilder::ToValue(stats.column_size_bytes)},
          {"value_count", StatementBuilder::ToValue(stats.value_count)},
          {"null_count", StatementBuilder::ToValue(stats.null_count)},
          {"min_value", StatementBuilder::ToValue(stats.min_value)},
          {"max_value", StatementBuilder::ToValue(stats.max_value)},
          {"contains_nan", StatementBuilder::ToValue(stats.contains_nan)},
          {"extra_stats", StatementBuilder::ToValue(stats.extra_stats)}};
}

std::optional<bool> OrUnknown(std::optional<bool> a, std::optional<bool> b) {
  if (a == true || b == true) return true;
  return a && b ? std::optional(false) : std::nullopt;
}

}  // namespace

void RepairPlanner::PlanFileStats(int64_t file, int64_t column) {
  const FileRow* row = FindFile(file);
  if (row == nullptr) {
    return ForgetFile(
        file, fmt::format("Removes the statistics of data file {}, which does not exist.", file),
        kFileStatsTable);
  }
  const std::string name =
      fmt::format("the statistics of column {} in {}", column, model_.FileName(*row));
  const Cells where = {{"data_file_id", file}, {"column_id", column}};
  if (!model_.HasColumn(row->table, column)) {
    return Forget(fmt::format("Removes {}, which the table never had.", name), kFileStatsTable,
                  where);
  }
  const std::string path = places_.Of(*row).value_or("");
  const DataFile described = Described(*row);
  int64_t count = 0;
  std::optional<ColumnStats> known;
  for (const ColumnStats& stats : described.stats) {
    if (stats.field.value != column) continue;
    known = stats;
    ++count;
  }
  ColumnStats fresh;
  try {
    if (row->file.encryption_key) throw Error(ErrorCode::kUnsupported, "It is encrypted.");
    const StoredFacts facts =
        ReadStoredFacts(place_.file_system, path, described, model_.EveryColumnOf(row->table));
    const auto stored =
        std::find_if(facts.stats.begin(), facts.stats.end(),
                     [&](const ColumnStats& stats) { return stats.field.value == column; });
    if (stored == facts.stats.end() || !stored->null_count)
      throw Error(ErrorCode::kUnsupported, "It keeps no statistics of the column.");
    fresh = *stored;
  } catch (const Error& error) {
    return Refuse(fmt::format(
        "What {} should be cannot be read from the file: {} Writing the rows of the file anew "
        "(UPDATE) makes new ones.",
        name, error.message()));
  }
  const auto type = ParseTypeName(model_.NewestColumn(row->table, column)->column.type);
  // Footers do not tell of NaN.
  fresh.contains_nan = type && HasNan(type->kind) ? std::optional(true) : std::nullopt;
  if (known) {
    fresh.extra_stats = known->extra_stats;
    if (!fresh.column_size_bytes) fresh.column_size_bytes = known->column_size_bytes;
  }
  steps.push_back(
      {fmt::format("Takes {} from its footer.", name),
       {{RowChange::Kind::kDelete, kFileStatsTable, {}, where, count},
        {RowChange::Kind::kInsert, kFileStatsTable, FileStatsCells(file, row->table, fresh)}}});
  std::erase_if(model_.file_stats, [&](const FileStatsRow& stats) {
    return stats.file == file && stats.stats.field.value == column;
  });
  model_.file_stats.push_back({file, row->table, std::move(fresh)});
  changed_stats_.emplace(row->table, column);
}

void RepairPlanner::PlanFileBounds(int64_t file, int64_t column) {
  const FileRow* row = FindFile(file);
  const Cells none = {{"min_value", Value()}, {"max_value", Value()}};
  steps.push_back({fmt::format("Removes the bounds of column {} in the statistics of {} and of its "
                               "table: neither the catalog nor the footer has them right.",
                               column, model_.FileName(*row)),
                   {{RowChange::Kind::kUpdate,
                     kFileStatsTable,
                     none,
                     {{"data_file_id", file}, {"column_id", column}}},
                    {RowChange::Kind::kUpdate,
                     kTableColumnsTable,
                     none,
                     {{"table_id", row->table}, {"column_id", column}}}}});
  for (FileStatsRow& stats : model_.file_stats) {
    if (stats.file == file && stats.stats.field.value == column)
      stats.stats.min_value = stats.stats.max_value = std::nullopt;
  }
  auto [first, last] = model_.table_stats.equal_range(row->table);
  for (auto stats = first; stats != last; ++stats) {
    for (TableStats::Column& of_table : stats->second.columns) {
      if (of_table.field.value == column) of_table.min_value = of_table.max_value = std::nullopt;
    }
  }
}

void RepairPlanner::PlanVariantStats(int64_t file, int64_t column) {
  const std::string table(tables::FileVariantStats::kTable.name);
  const FileRow* row = FindFile(file);
  if (row == nullptr) {
    return ForgetFile(
        file,
        fmt::format("Removes the statistics of fields in data file {}, which does not exist.",
                    file),
        table);
  }
  if (!model_.HasColumn(row->table, column)) {
    return Forget(fmt::format("Removes the statistics of fields of column {} in {}, which the "
                              "table never had.",
                              column, model_.FileName(*row)),
                  table, {{"data_file_id", file}, {"column_id", column}});
  }
  steps.push_back(
      {fmt::format("Names its own table in the statistics of fields of column {} in {}.", column,
                   model_.FileName(*row)),
       {{RowChange::Kind::kUpdate,
         table,
         {{"table_id", row->table}},
         {{"data_file_id", file}, {"column_id", column}}}}});
}

void RepairPlanner::PlanTableStats(int64_t table) {
  if (!model_.LifeOf(ObjectKind::kTable, table)) {
    Forget(fmt::format("Removes the statistics of table {}, which does not exist.", table),
           kTableStatsTable, {{"table_id", table}});
    steps.back().changes.push_back(
        {RowChange::Kind::kDelete, kTableColumnsTable, {}, {{"table_id", table}}});
    return;
  }
  const std::string name = model_.TableName(table);
  auto [first, last] = model_.table_stats.equal_range(table);
  TableStats whole;
  RepairStep step;
  if (first == last) {
    const std::optional<int64_t> next = FirstFreeRowId(table);
    if (!next) {
      return Refuse(
          fmt::format("The statistics of {} are gone, and which row ids it has given out "
                      "cannot be told: a file that carries its own cannot be read.",
                      name));
    }
    whole.next_row_id = *next;
    for (const FileRow& row : model_.files) {
      if (row.table != table || !row.life.IsAliveAt(model_.head)) continue;
      whole.record_count += row.file.record_count;
      whole.file_size_bytes += row.file.file_size_bytes;
    }
    whole.record_count += CountInlinedRows(table);
    step.what = fmt::format("Makes statistics of {} anew from its files and inlined rows.", name);
  } else {
    for (auto stats = first; stats != last; ++stats) {
      whole.record_count = std::max(whole.record_count, stats->second.record_count);
      whole.next_row_id = std::max(whole.next_row_id, stats->second.next_row_id);
      whole.file_size_bytes = std::max(whole.file_size_bytes, stats->second.file_size_bytes);
    }
    whole.columns = first->second.columns;
    step.what = fmt::format("Makes one row of the {} rows of statistics of {}.",
                            std::distance(first, last), name);
    step.changes.push_back({RowChange::Kind::kDelete,
                            kTableStatsTable,
                            {},
                            {{"table_id", table}},
                            std::distance(first, last)});
  }
  step.changes.push_back({RowChange::Kind::kInsert,
                          kTableStatsTable,
                          {{"table_id", table},
                           {"record_count", whole.record_count},
                           {"next_row_id", whole.next_row_id},
                           {"file_size_bytes", whole.file_size_bytes}}});
  model_.table_stats.erase(table);
  model_.table_stats.emplace(table, std::move(whole));
  steps.push_back(std::move(step));
}

void RepairPlanner::PlanTableColumnStats(int64_t table, int64_t column) {
  const std::string name =
      fmt::format("the statistics of column {} of {}", column, model_.TableName(table));
  const Cells where = {{"table_id", table}, {"column_id", column}};
  const ColumnHistory::Entry* entry = model_.NewestColumn(table, column);
  if (entry == nullptr)
    return Forget(fmt::format("Removes {}, which it never had.", name), kTableColumnsTable, where);
  auto stats = model_.table_stats.find(table);
  const std::optional<ScalarType> type = ParseTypeName(entry->column.type);
  if (stats == model_.table_stats.end() || !type || IsNested(type->kind)) return;
  std::vector<const TableStats::Column*> rows;
  for (const TableStats::Column& of_table : stats->second.columns) {
    if (of_table.field.value == column) rows.push_back(&of_table);
  }
  if (rows.empty()) return;  // no row says nothing, which is right
  TableStats::Column wide = *rows.front();
  for (const TableStats::Column* other : rows) {
    wide.contains_null = OrUnknown(wide.contains_null, other->contains_null);
    wide.contains_nan = OrUnknown(wide.contains_nan, other->contains_nan);
    wide.min_value = WidenBound(*type, wide.min_value, other->min_value, BoundSide::kMin);
    wide.max_value = WidenBound(*type, wide.max_value, other->max_value, BoundSide::kMax);
    if (wide.extra_stats != other->extra_stats) wide.extra_stats.reset();
  }
  Table shape;
  shape.columns = {entry->column};
  std::vector<DataFile> files;
  for (const FileStatsRow& row : model_.file_stats) {
    if (row.table != table || row.stats.field.value != column) continue;
    const FileRow* file = FindFile(row.file);
    if (file == nullptr || !file->life.IsAliveAt(model_.head)) continue;
    files.push_back(file->file);
    files.back().stats = {row.stats};
  }
  for (const ColumnSummary& summary : SummarizeFiles(shape, files))
    wide = WidenStats(wide, summary, false);
  if (rows.size() == 1 && SameStats(wide, *rows.front())) return;
  steps.push_back({fmt::format("Widens {} to what its files hold.", name),
                   {{RowChange::Kind::kDelete,
                     kTableColumnsTable,
                     {},
                     where,
                     static_cast<int64_t>(rows.size())},
                    {RowChange::Kind::kInsert,
                     kTableColumnsTable,
                     {{"table_id", table},
                      {"column_id", column},
                      {"contains_null", StatementBuilder::ToValue(wide.contains_null)},
                      {"contains_nan", StatementBuilder::ToValue(wide.contains_nan)},
                      {"min_value", StatementBuilder::ToValue(wide.min_value)},
                      {"max_value", StatementBuilder::ToValue(wide.max_value)},
                      {"extra_stats", StatementBuilder::ToValue(wide.extra_stats)}}}}});
}

std::vector<std::string> RepairPlanner::InlinedTablesOf(int64_t table) const {
  std::vector<std::string> names;
  for (const InlinedTableRow& inlined : model_.inlined_tables) {
    if (inlined.table == table && model_.physical_tables.contains(inlined.name))
      names.push_back(inlined.name);
  }
  return names;
}

std::optional<int64_t> RepairPlanner::FirstFreeRowId(int64_t table) {
  int64_t next = 0;
  for (const FileRow& row : model_.files) {
    if (row.table != table) continue;
    const auto path = places_.Of(row);
    StoredFacts facts;
    try {
      if (row.file.encryption_key || !path) throw Error(ErrorCode::kUnsupported, "");
      facts =
          ReadStoredFacts(place_.file_system, *path, Described(row), model_.EveryColumnOf(table));
    } catch (const Error&) {
      facts.embeds_row_ids = !row.file.row_id_start;
    }
    if (facts.embeds_row_ids) {
      if (!facts.last_row_id) return std::nullopt;
      next = std::max(next, *facts.last_row_id + 1);
    } else {
      next = std::max(next, row.file.row_id_start.value_or(0) + row.file.record_count);
    }
  }
  for (const std::string& inlined : InlinedTablesOf(table)) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT max(row_id) FROM ").Table(inlined);
    const auto rows = connection_.Query(sql.Build());
    if (rows->Next()) next = std::max(next, rows->OptInt64(0).value_or(-1) + 1);
  }
  return next;
}

int64_t RepairPlanner::CountInlinedRows(int64_t table) {
  int64_t count = 0;
  for (const std::string& inlined : InlinedTablesOf(table)) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT count(*) FROM ").Table(inlined).Text(" WHERE end_snapshot IS NULL");
    const auto rows = connection_.Query(sql.Build());
    if (rows->Next()) count += rows->Int64(0);
  }
  return count;
}

void RepairPlanner::PlanNextRowId(int64_t table) {
  auto stats = model_.table_stats.find(table);
  if (stats == model_.table_stats.end()) return;
  const std::optional<int64_t> least = FirstFreeRowId(table);
  if (!least) {
    return Refuse(
        fmt::format("Which row ids {} has given out cannot be told: a file that carries "
                    "its own cannot be read.",
                    model_.TableName(table)));
  }
  if (*least <= stats->second.next_row_id) return;
  steps.push_back({fmt::format("Raises the next row id of {} from {} to {}.",
                               model_.TableName(table), stats->second.next_row_id, *least),
                   {{RowChange::Kind::kUpdate,
                     kTableStatsTable,
                     {{"next_row_id", *least}},
                     {{"table_id", table}},
                     1}}});
  stats->second.next_row_id = *least;
}

}  // namespace tarn::check
