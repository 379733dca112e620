// Each statement but the first writes only if `tarn.snapshot` says that the first one has made the
// snapshot; what it settled travels from one to the next in settings of the session.
#include "catalog/server_bound_plan.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "catalog/bound_order.h"
#include "catalog/inlining.h"
#include "format/change_list.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

using From = HeadRelative::From;

/// Values of all rows: more take longer to write than to wait for, and other writers wait for them.
constexpr size_t kMaxValues = 4000;

constexpr const char* kIsMade = "nullif(current_setting('tarn.snapshot', true), '') IS NOT NULL";
constexpr const char* kSnapshot = "current_setting('tarn.snapshot')::bigint";

std::string RowIdSetting(size_t table) { return "tarn.row_id_" + std::to_string(table); }

/// Takes what would be inserted.
class Inserts final : public StoreConnection {
 public:
  explicit Inserts(const Dialect& dialect) : dialect_(dialect) {}

  std::vector<std::string> columns, types;
  std::vector<std::vector<Value>> rows;

  const Dialect& dialect() const override { return dialect_; }
  void InsertTypedRows(std::string_view, std::span<const std::string_view> names,
                       std::span<const std::string> its_types,
                       std::span<const std::vector<Value>> its_rows) override {
    columns.assign(names.begin(), names.end());
    types.assign(its_types.begin(), its_types.end());
    rows.assign(its_rows.begin(), its_rows.end());
  }
  void InsertRows(std::string_view table, std::span<const std::string_view> names,
                  std::span<const std::vector<Value>> its_rows) override {
    InsertTypedRows(table, names, {}, its_rows);
  }

  void Begin(TransactionMode) override { Refuse(); }
  CommitOutcome Commit() override { Refuse(); }
  void Rollback() noexcept override {}
  bool in_transaction() const override { return true; }
  std::unique_ptr<Rows> Query(const Statement&) override { Refuse(); }
  int64_t Execute(const Statement&) override { Refuse(); }
  bool TableExists(std::string_view) override { Refuse(); }
  std::vector<std::string> ListTables() override { Refuse(); }

 private:
  [[noreturn]] static void Refuse() {
    throw Error(ErrorCode::kInternal, "Staged rows do more than insert.");
  }
  const Dialect& dialect_;
};

class Binder {
 public:
  Binder(const CommitPlan& plan, const Snapshot& base, Timestamp now, const Dialect& dialect)
      : plan_(plan), base_(base), now_(now), dialect_(dialect) {}

  std::optional<std::vector<Statement>> Bind() {
    if (!IsPlainInsert() || !CollectColumns() || !CollectInlined()) return std::nullopt;
    MakeSnapshot();
    for (size_t i = 0; i < plan_.stats.size(); ++i) GrowTable(i);
    for (const PlanInsert& insert : plan_.inserts) Insert(insert);
    for (size_t i = 0; i < inlined_.size(); ++i) InsertInlined(i);
    WidenColumns();
    return std::move(statements_);
  }

 private:
  struct AddedColumn {
    int64_t table;
    const ColumnSummary* summary;
    BoundOrder order;
  };

  bool IsPlainInsert() const {
    const bool inserts_only = plan_.makes_snapshot && !plan_.changes_schema &&
                              plan_.catalog_ids == 0 && plan_.ends.empty() &&
                              plan_.removals.empty() && plan_.inlined_ends.empty() &&
                              plan_.inlined_tables.empty() && plan_.inlined_deletes.empty() &&
                              plan_.flushes.empty() && plan_.options.empty();
    if (!inserts_only) return false;
    for (const PlanWord& word : plan_.words) {
      if (IsByName(word.kind) || !std::holds_alternative<Value>(word.id)) return false;
    }
    size_t values = 0;
    for (const PlanInsert& insert : plan_.inserts)
      values += insert.rows.size() * insert.table->columns.size();
    return values <= kMaxValues;
  }

  bool CollectColumns() {
    for (const PlanStats& stats : plan_.stats) {
      const Value* id = std::get_if<Value>(&stats.table_id);
      if (id == nullptr) return false;
      for (const ColumnSummary& summary : stats.columns) {
        const std::optional<BoundOrder> order = OrderOf(summary);
        if (!order) return false;
        columns_.push_back({std::get<int64_t>(*id), &summary, *order});
      }
    }
    return !plan_.stats.empty() && columns_.size() <= kMaxValues;
  }

  /// Rows of batches, numbered from 0.
  bool CollectInlined() {
    size_t values = 0;
    for (const PlanInlinedInsert& insert : plan_.inlined_inserts) {
      const Value* table = std::get_if<Value>(&insert.table_id);
      const Value* version = std::get_if<Value>(&insert.schema_version);
      if (table == nullptr || version == nullptr || insert.batch.rows->keeps_row_ids())
        return false;
      const std::string name =
          InlinedDataTableName(TableId(std::get<int64_t>(*table)), std::get<int64_t>(*version));
      if (static_cast<size_t>(insert.batch.live()) > kMaxValues) return false;
      Inserts taken(dialect_);
      insert.batch.rows->Insert(taken, {name, *insert.table, SnapshotId(0), 0},
                                insert.batch.removed.positions);
      if (taken.types.empty()) {
        taken.types = {"BIGINT", "BIGINT", "BIGINT"};
        for (const Column& column : insert.table->columns)
          taken.types.push_back(InlinedColumnType(dialect_, column));
      }
      values += taken.rows.size() * taken.columns.size();
      inlined_.push_back({name, std::move(taken)});
    }
    return values <= kMaxValues;
  }

  StatementBuilder Sql(std::string_view text) const { return StatementBuilder(dialect_, text); }
  void Add(StatementBuilder& sql) { statements_.push_back(sql.Build()); }

  // --- the snapshot ---

  void MakeSnapshot() {
    using S = tables::Snapshot;
    const std::string columns = ColumnList(S::kTable.columns, dialect_);
    StatementBuilder sql = Sql("WITH head AS (SELECT ");
    sql.Text(columns).Text(" FROM ").Table(S::kTable.name);
    sql.Text(" ORDER BY snapshot_id DESC LIMIT 1), new AS (INSERT INTO ").Table(S::kTable.name);
    sql.Text(" (").Text(columns).Text(") SELECT snapshot_id + 1, greatest(");
    sql.Bind(Value(now_)).Text(", snapshot_time + interval '1 microsecond'), schema_version, ");
    sql.Text("next_catalog_id, next_file_id + ").Bind(plan_.file_ids);
    sql.Text(" FROM head WHERE schema_version = ").Bind(base_.schema_version);
    // The base is there, and each snapshot since.
    sql.Text(" AND EXISTS (SELECT 1 FROM ").Table(S::kTable.name).Text(" WHERE snapshot_id = ");
    sql.Bind(base_.id).Text(" AND snapshot_time = ").Bind(Value(base_.time));
    sql.Text(") AND snapshot_id - ").Bind(base_.id).Text(" = (SELECT count(*) FROM ");
    sql.Table(S::kTable.name).Text(" WHERE snapshot_id > ").Bind(base_.id).Text(")");
    RequireTables(sql);
    RequireTargets(sql);
    RequireBounds(sql);
    sql.Text(" RETURNING ").Text(columns).Text("), words AS (INSERT INTO ");
    const CatalogTable& changes = tables::SnapshotChanges::kTable;
    sql.Table(changes.name).Text(" (").Text(ColumnList(changes.columns, dialect_));
    sql.Text(") SELECT snapshot_id, ").Bind(Words());
    for (const auto& text : {plan_.message.author, plan_.message.message, plan_.message.extra_info})
      sql.Text(", CAST(").Bind(text).Text(" AS VARCHAR)");
    sql.Text(
        " FROM new) SELECT new.*, set_config('tarn.snapshot', coalesce(snapshot_id::text, ''),"
        " false), set_config('tarn.file_id', coalesce((next_file_id - ");
    sql.Bind(plan_.file_ids)
        .Text(
            ")::text, ''), false) FROM (VALUES (1)) one (x) LEFT JOIN new "
            "ON true");
    Add(sql);
  }

  std::string Words() const {
    std::vector<Change> words;
    for (const PlanWord& word : plan_.words)
      words.push_back(Change::ById(word.kind, std::get<int64_t>(std::get<Value>(word.id))));
    return FormatChanges(words);
  }

  /// A first insert brings its row of statistics; its table has none to widen.
  void RequireTables(StatementBuilder& sql) const {
    std::vector<Value> ids;
    for (const PlanStats& stats : plan_.stats) ids.push_back(std::get<Value>(stats.table_id));
    sql.Text(" AND ").Bind(static_cast<int64_t>(ids.size())).Text(" = (SELECT count(*) FROM ");
    sql.Table(tables::TableStats::kTable.name).Text(" WHERE table_id IN (").BindList(ids);
    sql.Text(
        ") AND next_row_id IS NOT NULL AND record_count IS NOT NULL AND file_size_bytes IS "
        "NOT NULL)");
  }

  /// Rows are kept where other clients put them, too: in the newest of the table's tables.
  void RequireTargets(StatementBuilder& sql) const {
    for (const PlanInlinedInsert& insert : plan_.inlined_inserts) {
      sql.Text(" AND ").Bind(std::get<Value>(insert.schema_version));
      sql.Text(" = (SELECT max(schema_version) FROM ");
      sql.Table(tables::InlinedDataTables::kTable.name).Text(" WHERE table_id = ");
      sql.Bind(std::get<Value>(insert.table_id)).Text(")");
    }
  }

  /// Nothing stored is in a form that SQL does not compare, nor may stand for NULLs only.
  void RequireBounds(StatementBuilder& sql) const {
    const char* separator = " AND NOT EXISTS (SELECT 1 FROM ";
    bool any = false;
    for (const AddedColumn& column : columns_) {
      const ColumnSummary& added = *column.summary;
      if (!added.min_value && !added.max_value) continue;
      if (!std::exchange(any, true)) {
        sql.Text(separator).Table(tables::TableColumnStats::kTable.name).Text(" WHERE (");
      } else {
        sql.Text(" OR ");
      }
      sql.Text("table_id = ").Bind(column.table).Text(" AND column_id = ").Bind(added.field);
      sql.Text(" AND (min_value IS NULL AND max_value IS NULL AND contains_null");
      if (!column.order.pattern.empty()) {
        for (const char* bound : {"min_value", "max_value"})
          sql.Text(" OR ").Text(bound).Text(" !~ ").Bind(column.order.pattern);
      }
      sql.Text(")");
    }
    if (any) sql.Text("))");
  }

  // --- rows ---

  void GrowTable(size_t i) {
    const PlanStats& stats = plan_.stats[i];
    StatementBuilder sql = Sql("WITH grown AS (UPDATE ");
    sql.Table(tables::TableStats::kTable.name).Text(" SET record_count = record_count + ");
    sql.Bind(stats.rows).Text(", next_row_id = next_row_id + ").Bind(stats.row_ids);
    sql.Text(", file_size_bytes = file_size_bytes + ").Bind(stats.bytes);
    sql.Text(" WHERE table_id = ").Bind(std::get<Value>(stats.table_id)).Text(" AND ");
    sql.Text(kIsMade).Text(" RETURNING next_row_id) SELECT set_config(").Bind(RowIdSetting(i));
    sql.Text(", (next_row_id - ").Bind(stats.row_ids).Text(")::text, false) FROM grown");
    Add(sql);
  }

  void Settle(StatementBuilder& sql, const PlanValue& value, std::string_view type) const {
    if (const Value* settled = std::get_if<Value>(&value)) {
      sql.Text("CAST(").Bind(*settled).Text(" AS ").Text(type).Text(")");
      return;
    }
    const HeadRelative& relative = std::get<HeadRelative>(value);
    switch (relative.from) {
      case From::kSnapshotId:
        sql.Text(kSnapshot);
        break;
      case From::kSchemaVersion:  // no object changed since
        sql.Bind(base_.schema_version + relative.offset);
        return;
      case From::kFileId:
        sql.Text("current_setting('tarn.file_id')::bigint");
        break;
      case From::kRowId:
        sql.Text("current_setting(").Bind(RowIdSetting(relative.table)).Text(")::bigint");
        break;
      default:
        throw Error(ErrorCode::kInternal, "A plain insert settles no such number.");
    }
    sql.Text(" + ").Bind(relative.offset);
  }

  /// `INSERT INTO t (…) SELECT … WHERE made UNION ALL …`; `write(row, column)` appends a value.
  template <class Names, class Write>
  void InsertSelected(std::string_view table, const Names& names, size_t rows, size_t columns,
                      Write write) {
    if (rows == 0) return;
    StatementBuilder sql = Sql("INSERT INTO ");
    sql.Table(table).Text(" (").Names(names).Text(")");
    for (size_t row = 0; row < rows; ++row) {
      sql.Text(row == 0 ? " SELECT " : " UNION ALL SELECT ");
      for (size_t column = 0; column < columns; ++column) {
        if (column > 0) sql.Text(", ");
        write(sql, row, column);
      }
      sql.Text(" WHERE ").Text(kIsMade);
    }
    Add(sql);
  }

  void Insert(const PlanInsert& insert) {
    InsertSelected(insert.table->name, insert.table->ColumnNames(), insert.rows.size(),
                   insert.table->columns.size(),
                   [&](StatementBuilder& sql, size_t row, size_t column) {
                     Settle(sql, insert.rows[row][column],
                            dialect_.TypeName(insert.table->columns[column].type));
                   });
  }

  void InsertInlined(size_t i) {
    const auto& [name, taken] = inlined_[i];
    const HeadRelative& first = plan_.inlined_inserts[i].first_row_id;
    InsertSelected(
        name, taken.columns, taken.rows.size(), taken.columns.size(),
        [&](StatementBuilder& sql, size_t row, size_t column) {
          if (column == 0) {
            const int64_t number = std::get<int64_t>(taken.rows[row][0]);
            Settle(sql, HeadRelative{From::kRowId, first.offset + number, first.table}, {});
          } else if (column == 1) {
            sql.Text(kSnapshot);
          } else {
            Settle(sql, taken.rows[row][column], taken.types[column]);
          }
        });
  }

  // --- bounds ---

  /// One statement for the columns that compare in one way.
  void WidenColumns() {
    std::map<BoundOrder::Mode, std::vector<const AddedColumn*>> by_mode;
    for (const AddedColumn& column : columns_) by_mode[column.order.mode].push_back(&column);
    for (const auto& [mode, columns] : by_mode) Widen(mode, columns);
  }

  void Widen(BoundOrder::Mode mode, const std::vector<const AddedColumn*>& columns) {
    StatementBuilder sql =
        Sql("WITH a (table_id, column_id, has_values, has_null, knows_nan, has_nan, low, high) AS "
            "(VALUES ");
    const char* separator = "";
    for (const AddedColumn* column : columns) {
      const ColumnSummary& added = *column->summary;
      sql.Text(std::exchange(separator, ", ")).Text("(").Bind(column->table).Text(", ");
      sql.Bind(added.field).Text(", ").Bind(added.has_values).Text(", ").Bind(added.contains_null);
      sql.Text(", ").Bind(HasNan(added.type.kind)).Text(", CAST(").Bind(added.contains_nan);
      sql.Text(" AS BOOLEAN), CAST(").Bind(added.min_value).Text(" AS VARCHAR), CAST(");
      sql.Bind(added.max_value).Text(" AS VARCHAR))");
    }
    // Materialised, so that nothing is compared that the first statement has refused.
    sql.Text(
        "), widened AS MATERIALIZED (SELECT c.table_id, c.column_id, c.contains_null OR a.has_null "
        "AS has_null, "
        "CASE WHEN a.knows_nan THEN c.contains_nan OR a.has_nan ELSE c.contains_nan END AS "
        "has_nan, ");
    AppendBound(sql, mode, BoundSide::kMin, "c.min_value", "a.low");
    sql.Text(" AS low, ");
    AppendBound(sql, mode, BoundSide::kMax, "c.max_value", "a.high");
    sql.Text(
        " AS high, CASE WHEN a.has_values THEN NULL ELSE c.extra_stats END AS extra FROM a "
        "JOIN ");
    sql.Table(tables::TableColumnStats::kTable.name);
    sql.Text(" c ON c.table_id = a.table_id AND c.column_id = a.column_id WHERE ").Text(kIsMade);
    sql.Text(") UPDATE ").Table(tables::TableColumnStats::kTable.name);
    sql.Text(
        " s SET contains_null = w.has_null, contains_nan = w.has_nan, min_value = w.low, "
        "max_value = w.high, extra_stats = w.extra FROM widened w WHERE s.table_id = "
        "w.table_id AND s.column_id = w.column_id AND (s.contains_null, s.contains_nan, "
        "s.min_value, s.max_value, s.extra_stats) IS "
        "DISTINCT FROM (w.has_null, w.has_nan, w.low, w.high, w.extra)");
    Add(sql);
  }

  static void AppendBound(StatementBuilder& sql, BoundOrder::Mode mode, BoundSide side,
                          const std::string& stored, const std::string& added) {
    sql.Text("CASE WHEN NOT a.has_values THEN ").Text(stored).Text(" WHEN ").Text(stored);
    sql.Text(" IS NULL OR ").Text(added).Text(" IS NULL THEN NULL WHEN ");
    AppendIsWider(sql, mode, side, added, stored);
    sql.Text(" THEN ").Text(added).Text(" ELSE ").Text(stored).Text(" END");
  }

  const CommitPlan& plan_;
  const Snapshot& base_;
  const Timestamp now_;
  const Dialect& dialect_;
  std::vector<AddedColumn> columns_;
  std::vector<std::pair<std::string, Inserts>> inlined_;
  std::vector<Statement> statements_;
};

}  // namespace

std::optional<std::vector<Statement>> BindOnServer(const CommitPlan& plan, const Snapshot& base,
                                                   Timestamp now, const Dialect& dialect) {
  return Binder(plan, base, now, dialect).Bind();
}

}  // namespace tarn
