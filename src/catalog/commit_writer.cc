// A rebased plan as statements: the snapshot first, since its key is what commits race for, then
// ends, then new rows in bulk.
#include "catalog/commit_writer.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/inlining.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// Rows settled and handed over at a time, so that thousands of files do not exist twice in memory.
constexpr size_t kRowsAtOnce = 4096;
/// Below the least number of parameters that a supported database takes in one statement.
constexpr size_t kMaxIdsAtOnce = 500;
constexpr size_t kMaxStatsAtOnce = 100;

constexpr std::string_view kInlinedDeleteColumns[] = {"file_id", "row_id", "begin_snapshot"};

class Writer {
 public:
  Writer(StoreConnection& connection, const RebasedPlan& rebased)
      : connection_(connection), rebased_(rebased) {}

  std::optional<LostRows> Write() {
    const CommitPlan& plan = rebased_.plan();
    if (plan.makes_snapshot) WriteSnapshot();
    for (const PlanEnd& end : plan.ends) {
      if (!WriteEnd(end)) return LostRows{*end.checked};
    }
    for (const PlanRemoval& removal : plan.removals) {
      if (!WriteRemoval(removal)) return LostRows{removal.of};
    }
    for (const PlanInlinedEnd& end : plan.inlined_ends) {
      if (!WriteInlinedEnd(end)) return LostRows{end.of};
    }
    for (const PlanFlush& flush : plan.flushes) {
      if (!RemoveFlushed(flush)) return LostRows{flush.of, true};
    }
    for (const PlanInlinedTable& table : plan.inlined_tables) WriteInlinedTable(table);
    for (const PlanInsert& insert : plan.inserts) WriteInsert(insert);
    for (const PlanInlinedInsert& insert : plan.inlined_inserts) WriteInlinedInsert(insert);
    WriteInlinedDeletes();
    WriteStats();
    for (const PlanOption& option : plan.options) WriteOption(option);
    return std::nullopt;
  }

 private:
  StatementBuilder Sql() { return StatementBuilder(connection_.dialect()); }

  template <class... Values>
  static std::vector<Value> Row(Values&&... values) {
    return {StatementBuilder::ToValue(std::forward<Values>(values))...};
  }

  void InsertRows(const CatalogTable& table, std::span<const std::vector<Value>> rows) {
    if (!rows.empty()) connection_.InsertRows(table.name, table.ColumnNames(), rows);
  }

  void WriteSnapshot() {
    const Snapshot& snapshot = rebased_.snapshot();
    const std::vector<Value> row = Row(snapshot.id, Value(snapshot.time), snapshot.schema_version,
                                       snapshot.next_catalog_id, snapshot.next_file_id);
    InsertRows(tables::Snapshot::kTable, {&row, 1});
    const CommitMessage& message = rebased_.plan().message;
    const std::vector<Value> changes = Row(snapshot.id, rebased_.changes_made(), message.author,
                                           message.message, message.extra_info);
    InsertRows(tables::SnapshotChanges::kTable, {&changes, 1});
  }

  /// Calls `write(ids)` for so many ids at a time as a statement takes; sums what it returns.
  template <class T, class Write>
  static int64_t InPieces(const std::vector<T>& ids, Write write) {
    int64_t sum = 0;
    for (size_t first = 0; first < ids.size(); first += kMaxIdsAtOnce) {
      sum += write(
          std::span<const T>(ids.data() + first, std::min(kMaxIdsAtOnce, ids.size() - first)));
    }
    return sum;
  }

  bool WriteRemoval(const PlanRemoval& removal) {
    const int64_t removed = InPieces(removal.ids, [&](std::span<const Value> ids) {
      StatementBuilder sql = Sql();
      sql.Text("DELETE FROM ").Table(removal.table->name).Text(" WHERE ");
      sql.Name(removal.id_column).Text(" IN (").BindList(ids).Text(")");
      return connection_.Execute(sql.Build());
    });
    return !removal.checked || removed == static_cast<int64_t>(removal.ids.size());
  }

  /// Rows that began after the base are not ours: an update of a row by another transaction leaves
  /// one with the same row id.
  bool WriteInlinedEnd(const PlanInlinedEnd& end) {
    auto update = [&](std::span<const int64_t> ids) {
      StatementBuilder sql = Sql();
      sql.Text("UPDATE ").Table(end.table_name).Text(" SET end_snapshot = ");
      sql.Bind(rebased_.snapshot().id).Text(" WHERE end_snapshot IS NULL AND begin_snapshot <= ");
      sql.Bind(end.base);
      if (!end.all) sql.Text(" AND row_id IN (").BindList(ids).Text(")");
      return connection_.Execute(sql.Build());
    };
    try {
      return (end.all ? update({}) : InPieces(end.row_ids, update)) == end.count;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
      return false;  // there were rows in it, so a flush has dropped it since
    }
  }

  /// SQLite empties a table and its indexes at once when it is told no condition.
  bool TakesAllRows(const PlanFlush& flush) {
    if (connection_.dialect().name() != "sqlite") return false;
    StatementBuilder sql = Sql();
    sql.Text("SELECT 1 FROM ").Table(flush.table_name).Text(" WHERE begin_snapshot > ");
    sql.Bind(flush.base).Text(" OR begin_snapshot IS NULL LIMIT 1");
    return !connection_.Query(sql.Build())->Next();
  }

  bool RemoveFlushed(const PlanFlush& flush) {
    if (flush.files.empty()) {
      try {
        StatementBuilder sql = Sql();
        sql.Text("DELETE FROM ").Table(flush.table_name);
        if (!TakesAllRows(flush)) sql.Text(" WHERE begin_snapshot <= ").Bind(flush.base);
        return connection_.Execute(sql.Build()) == flush.count;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kNotFound) throw;
        return false;  // another flush has dropped it since
      }
    }
    const int64_t removed = InPieces(flush.files, [&](std::span<const Value> files) {
      StatementBuilder sql = Sql();
      sql.Text("DELETE FROM ").Table(flush.table_name).Text(" WHERE file_id IN (");
      sql.BindList(files).Text(")");
      return connection_.Execute(sql.Build());
    });
    return removed == flush.count;
  }

  bool WriteEnd(const PlanEnd& end) {
    int64_t ended = 0;
    for (size_t first = 0; first < end.ids.size(); first += kMaxIdsAtOnce) {
      std::span<const Value> ids(end.ids.data() + first,
                                 std::min(kMaxIdsAtOnce, end.ids.size() - first));
      StatementBuilder sql = Sql();
      sql.Text("UPDATE ")
          .Table(end.table->name)
          .Text(" SET end_snapshot = ")
          .Bind(rebased_.snapshot().id);
      sql.Text(" WHERE end_snapshot IS NULL");
      for (const auto& [column, value] : end.fixed)
        sql.Text(" AND ").Name(column).Text(" = ").Bind(value);
      sql.Text(" AND ").Name(end.id_column).Text(" IN (").BindList(ids).Text(")");
      if (end.checked) {
        ended += connection_.Execute(sql.Build());
      } else {
        connection_.Send(sql.Build());
      }
    }
    return !end.checked || ended == static_cast<int64_t>(end.ids.size());
  }

  void WriteInsert(const PlanInsert& insert) {
    std::vector<std::vector<Value>> rows;
    for (size_t first = 0; first < insert.rows.size(); first += kRowsAtOnce) {
      size_t count = std::min(kRowsAtOnce, insert.rows.size() - first);
      rows.clear();
      rows.reserve(count);
      for (size_t i = first; i < first + count; ++i) {
        std::vector<Value>& row = rows.emplace_back();
        row.reserve(insert.rows[i].size());
        for (const PlanValue& value : insert.rows[i]) row.push_back(rebased_.Settle(value));
      }
      InsertRows(*insert.table, rows);
    }
  }

  // --- rows that the catalog keeps ---

  std::string InlinedName(const PlanValue& table, const PlanValue& schema_version) const {
    return InlinedDataTableName(TableId(std::get<int64_t>(rebased_.Settle(table))),
                                std::get<int64_t>(rebased_.Settle(schema_version)));
  }

  void WriteInlinedTable(const PlanInlinedTable& table) {
    const std::string name = InlinedName(table.table_id, table.schema_version);
    CreateInlinedTable(connection_, name, *table.table);
    const std::vector<Value> row =
        Row(rebased_.Settle(table.table_id), name, rebased_.Settle(table.schema_version));
    InsertRows(tables::InlinedDataTables::kTable, {&row, 1});
  }

  void WriteInlinedInsert(const PlanInlinedInsert& insert) {
    const std::string name = InlinedName(insert.table_id, insert.schema_version);
    const StagedRows::Target target{name, *insert.table, rebased_.snapshot().id,
                                    std::get<int64_t>(rebased_.Settle(insert.first_row_id))};
    insert.batch.rows->Insert(connection_, target, insert.batch.removed.positions);
  }

  /// By table; each with its own table of deletes.
  void WriteInlinedDeletes() {
    const std::vector<PlanInlinedDelete>& deletes = rebased_.plan().inlined_deletes;
    for (size_t first = 0; first < deletes.size();) {
      const TableId table = deletes[first].table;
      std::vector<std::vector<Value>> rows;
      for (; first < deletes.size() && deletes[first].table == table; ++first) {
        for (int64_t position : deletes[first].positions)
          rows.push_back(Row(deletes[first].file, position, rebased_.snapshot().id));
      }
      CreateInlinedDeleteTable(connection_, table);
      connection_.InsertRows(InlinedDeleteTableName(table), kInlinedDeleteColumns, rows);
    }
  }

  // --- statistics ---

  void WriteStats() {
    std::vector<std::vector<Value>> new_tables, new_columns, changed_columns;
    for (const RebasedPlan::MergedStats& merged : rebased_.stats()) {
      const TableStats& stats = merged.stats;
      if (merged.is_first) {
        new_tables.push_back(
            Row(merged.table, stats.record_count, stats.next_row_id, stats.file_size_bytes));
      } else {
        UpdateTableStats(merged);
      }
      std::vector<std::vector<Value>>& columns = merged.is_first ? new_columns : changed_columns;
      for (const TableStats::Column& column : stats.columns) {
        columns.push_back(Row(merged.table, column.field, column.contains_null, column.contains_nan,
                              column.min_value, column.max_value, column.extra_stats));
      }
    }
    InsertRows(tables::TableStats::kTable, new_tables);
    InsertRows(tables::TableColumnStats::kTable, new_columns);
    for (size_t first = 0; first < changed_columns.size(); first += kMaxStatsAtOnce) {
      size_t count = std::min(kMaxStatsAtOnce, changed_columns.size() - first);
      UpdateColumnStats(std::span(changed_columns).subspan(first, count));
    }
  }

  void UpdateTableStats(const RebasedPlan::MergedStats& merged) {
    using T = tables::TableStats;
    StatementBuilder sql = Sql();
    sql.Text("UPDATE ").Table(T::kTable.name).Text(" SET ");
    sql.Name(T::kRecordCount.name).Text(" = ").Bind(merged.stats.record_count).Text(", ");
    sql.Name(T::kNextRowId.name).Text(" = ").Bind(merged.stats.next_row_id).Text(", ");
    sql.Name(T::kFileSizeBytes.name).Text(" = ").Bind(merged.stats.file_size_bytes);
    sql.Text(" WHERE ").Name(T::kTableId.name).Text(" = ").Bind(merged.table);
    connection_.Send(sql.Build());
  }

  /// One UPDATE for many rows: a wide table's statistics are not updated column by column.
  void UpdateColumnStats(std::span<const std::vector<Value>> rows) {
    using T = tables::TableColumnStats;
    const Dialect& dialect = connection_.dialect();
    StatementBuilder sql = Sql();
    sql.Text("WITH new_stats (").Text(ColumnList(T::kTable.columns, dialect)).Text(") AS (VALUES ");
    const char* separator = "";
    for (const std::vector<Value>& row : rows) {
      sql.Text(std::exchange(separator, ", ")).Text("(");
      for (size_t i = 0; i < row.size(); ++i) {
        // The type must be said where a column may hold nothing but NULLs.
        sql.Text(i == 0 ? "CAST(" : ", CAST(")
            .Bind(row[i])
            .Text(" AS ")
            .Text(dialect.TypeName(T::kTable.columns[i].type))
            .Text(")");
      }
      sql.Text(")");
    }
    sql.Text(") UPDATE ").Table(T::kTable.name).Text(" SET ");
    separator = "";
    for (const CatalogColumn& column : T::kTable.columns.subspan(2)) {
      sql.Text(std::exchange(separator, ", "))
          .Name(column.name)
          .Text(" = new_stats.")
          .Name(column.name);
    }
    sql.Text(" FROM new_stats WHERE ")
        .Table(T::kTable.name)
        .Text(".")
        .Name(T::kTableId.name)
        .Text(" = new_stats.");
    sql.Name(T::kTableId.name)
        .Text(" AND ")
        .Table(T::kTable.name)
        .Text(".")
        .Name(T::kColumnId.name)
        .Text(" = new_stats.");
    sql.Name(T::kColumnId.name);
    connection_.Send(sql.Build());
  }

  // --- options ---

  void WriteOption(const PlanOption& option) {
    using T = tables::Metadata;
    Value scope_id = rebased_.Settle(option.scope_id);
    StatementBuilder sql = Sql();
    sql.Text("UPDATE ")
        .Table(T::kTable.name)
        .Text(" SET ")
        .Name(T::kValue.name)
        .Text(" = ")
        .Bind(option.value);
    sql.Text(" WHERE ")
        .Name(T::kKey.name)
        .Text(" = ")
        .Bind(option.key)
        .Text(" AND ")
        .Name(T::kScope.name);
    if (option.scope) {
      sql.Text(" = ")
          .Bind(*option.scope)
          .Text(" AND ")
          .Name(T::kScopeId.name)
          .Text(" = ")
          .Bind(scope_id);
    } else {
      sql.Text(" IS NULL");
    }
    if (connection_.Execute(sql.Build()) > 0) return;
    const std::vector<Value> row = Row(option.key, option.value, option.scope, scope_id);
    InsertRows(T::kTable, {&row, 1});
  }

  StoreConnection& connection_;
  const RebasedPlan& rebased_;
};

}  // namespace

std::optional<LostRows> WritePlan(StoreConnection& connection, const RebasedPlan& plan) {
  return Writer(connection, plan).Write();
}

}  // namespace tarn
