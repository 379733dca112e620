// One query per kind of row; rows of parts (columns, tags, keys) find their table or view through
// maps.
#include "catalog/view_loader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog_reader.h"
#include "catalog/logical_types.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

class Loader {
 public:
  Loader(StoreConnection& connection, SnapshotId at, const std::optional<CatalogIds>& only,
         CatalogViewBuilder& builder)
      : connection_(connection), at_(at), only_(only), builder_(builder) {}

  void Load() {
    LoadSchemas();
    LoadTables();
    LoadColumns();
    LoadNextFieldIds();
    LoadColumnTags();
    LoadPartitions();
    LoadSorts();
    LoadViews();
    LoadMacros();
    LoadMacroParameters();
    LoadTags();
    for (auto& [id, table] : tables_) ReadLogicalTypes(*table);
    for (auto& [id, table] : tables_) builder_.Put(std::shared_ptr<const Table>(std::move(table)));
    for (auto& [id, view] : views_) builder_.Put(std::shared_ptr<const View>(std::move(view)));
    for (auto& [id, macro] : macros_) builder_.Put(std::shared_ptr<const Macro>(std::move(macro)));
  }

 private:
  /// `SELECT <columns> FROM <table> WHERE <id is one of only_>`, to be continued with AND or ORDER
  /// BY.
  StatementBuilder Select(const CatalogTable& table, const CatalogColumn& id_column,
                          bool alive = true) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT ")
        .Text(ColumnList(table.columns, connection_.dialect()))
        .Text(" FROM ")
        .Table(table.name);
    AppendIds(sql.Text(" WHERE "), id_column.name);
    if (alive) AppendAliveAt(sql, at_);
    return sql;
  }

  void AppendIds(StatementBuilder& sql, std::string_view column, std::string_view alias = {}) {
    if (!only_) {
      sql.Text("1 = 1");
      return;
    }
    if (!alias.empty()) sql.Text(alias).Text(".");
    sql.Name(column).Text(" IN (").BindList(*only_).Text(")");
  }

  template <class Read>
  void ForEach(StatementBuilder& sql, Read read) {
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) read(*rows);
  }

  static int At(const CatalogTable& table, const CatalogColumn& column) {
    return table.Position(column.name);
  }

  template <class Object>
  static Object* Find(const std::map<int64_t, std::shared_ptr<Object>>& objects, int64_t id) {
    auto found = objects.find(id);
    return found == objects.end() ? nullptr : found->second.get();
  }

  void LoadSchemas() {
    using T = tables::Schema;
    StatementBuilder sql = Select(T::kTable, T::kSchemaId);
    ForEach(sql, [&](Rows& row) {
      auto schema = std::make_shared<Schema>();
      schema->ref = SchemaId(row.Int64(At(T::kTable, T::kSchemaId)));
      schema->uuid = row.Text(At(T::kTable, T::kSchemaUuid));
      schema->begin_snapshot = SnapshotId(row.Int64(At(T::kTable, T::kBeginSnapshot)));
      schema->name = row.Text(At(T::kTable, T::kSchemaName));
      schema->path = row.OptText(At(T::kTable, T::kPath)).value_or("");
      schema->path_is_relative = row.OptBool(At(T::kTable, T::kPathIsRelative)).value_or(true);
      builder_.Put(std::shared_ptr<const Schema>(std::move(schema)));
    });
  }

  void LoadTables() {
    using T = tables::Table;
    StatementBuilder sql = Select(T::kTable, T::kTableId);
    ForEach(sql, [&](Rows& row) {
      auto table = std::make_shared<Table>();
      int64_t id = row.Int64(At(T::kTable, T::kTableId));
      table->ref = TableId(id);
      table->uuid = row.OptText(At(T::kTable, T::kTableUuid)).value_or("");
      table->begin_snapshot = SnapshotId(row.Int64(At(T::kTable, T::kBeginSnapshot)));
      table->schema = SchemaId(row.Int64(At(T::kTable, T::kSchemaId)));
      table->name = row.Text(At(T::kTable, T::kTableName));
      table->path = row.OptText(At(T::kTable, T::kPath)).value_or("");
      table->path_is_relative = row.OptBool(At(T::kTable, T::kPathIsRelative)).value_or(true);
      table->next_field_id = FieldId(1);
      std::shared_ptr<Table>& place = tables_[id];
      if (place == nullptr || place->begin_snapshot < table->begin_snapshot)
        place = std::move(table);
    });
  }

  void LoadColumns() {
    using T = tables::Column;
    struct Row {
      Column column;
      std::optional<int64_t> parent;
    };
    std::map<int64_t, std::vector<Row>> by_table;
    StatementBuilder sql = Select(T::kTable, T::kTableId);
    sql.Text(" ORDER BY ")
        .Name(T::kTableId.name)
        .Text(", ")
        .Name(T::kColumnOrder.name)
        .Text(", ")
        .Name(T::kColumnId.name);
    ForEach(sql, [&](Rows& row) {
      int64_t table_id = row.Int64(At(T::kTable, T::kTableId));
      if (Find(tables_, table_id) == nullptr) return;
      Row item;
      Column& column = item.column;
      column.id = FieldId(row.Int64(At(T::kTable, T::kColumnId)));
      column.begin_snapshot = SnapshotId(row.Int64(At(T::kTable, T::kBeginSnapshot)));
      column.order = row.OptInt64(At(T::kTable, T::kColumnOrder)).value_or(column.id.value);
      column.name = row.Text(At(T::kTable, T::kColumnName));
      column.type = row.Text(At(T::kTable, T::kColumnType));
      column.initial_default = row.OptText(At(T::kTable, T::kInitialDefault));
      column.default_value = row.OptText(At(T::kTable, T::kDefaultValue));
      column.nulls_allowed = row.OptBool(At(T::kTable, T::kNullsAllowed)).value_or(true);
      column.default_value_type = row.OptText(At(T::kTable, T::kDefaultValueType));
      column.default_value_dialect = row.OptText(At(T::kTable, T::kDefaultValueDialect));
      item.parent = row.OptInt64(At(T::kTable, T::kParentColumn));
      by_table[table_id].push_back(std::move(item));
    });
    for (auto& [table_id, rows] : by_table) {
      std::multimap<int64_t, size_t> children;  // parent (-1 at top level) to rows, in order
      for (size_t i = 0; i < rows.size(); ++i) children.emplace(rows[i].parent.value_or(-1), i);
      auto build = [&](auto& self, int64_t parent, std::vector<Column>& out) -> void {
        auto [first, last] = children.equal_range(parent);
        std::vector<size_t> own;
        for (auto child = first; child != last; ++child) own.push_back(child->second);
        children.erase(first, last);  // each row is used once: a circle of parents ends here
        for (size_t i : own) {
          out.push_back(std::move(rows[i].column));
          self(self, out.back().id.value, out.back().children);
        }
      };
      build(build, -1, tables_.at(table_id)->columns);
    }
  }

  /// Over all of a table's history: a column id is never used again.
  void LoadNextFieldIds() {
    using T = tables::Column;
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT ")
        .Name(T::kTableId.name)
        .Text(", max(")
        .Name(T::kColumnId.name)
        .Text(") FROM ")
        .Table(T::kTable.name);
    AppendIds(sql.Text(" WHERE "), T::kTableId.name);
    sql.Text(" GROUP BY ").Name(T::kTableId.name);
    ForEach(sql, [&](Rows& row) {
      if (Table* table = Find(tables_, row.Int64(0)))
        table->next_field_id = FieldId(row.Int64(1) + 1);
    });
  }

  void LoadColumnTags() {
    using T = tables::ColumnTag;
    StatementBuilder sql = Select(T::kTable, T::kTableId);
    ForEach(sql, [&](Rows& row) {
      Table* table = Find(tables_, row.Int64(At(T::kTable, T::kTableId)));
      std::optional<std::string> value = row.OptText(At(T::kTable, T::kValue));
      if (table == nullptr || !value) return;
      FieldId field(row.Int64(At(T::kTable, T::kColumnId)));
      table->column_tags[field].insert_or_assign(std::string(row.Text(At(T::kTable, T::kKey))),
                                                 *value);
    });
  }

  void LoadPartitions() {
    using I = tables::PartitionInfo;
    using C = tables::PartitionColumn;
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT i.")
        .Name(I::kPartitionId.name)
        .Text(", i.")
        .Name(I::kTableId.name)
        .Text(", c.")
        .Name(C::kColumnId.name)
        .Text(", c.")
        .Name(C::kTransform.name)
        .Text(" FROM ")
        .Table(I::kTable.name)
        .Text(" i JOIN ")
        .Table(C::kTable.name)
        .Text(" c ON c.")
        .Name(C::kPartitionId.name)
        .Text(" = i.")
        .Name(I::kPartitionId.name)
        .Text(" AND c.")
        .Name(C::kTableId.name)
        .Text(" = i.")
        .Name(I::kTableId.name)
        .Text(" WHERE ");
    AppendIds(sql, I::kTableId.name, "i");
    AppendAliveAt(sql, at_, "i");
    sql.Text(" ORDER BY i.")
        .Name(I::kPartitionId.name)
        .Text(", c.")
        .Name(C::kPartitionKeyIndex.name);
    ForEach(sql, [&](Rows& row) {
      Table* table = Find(tables_, row.Int64(1));
      if (table == nullptr) return;
      PartitionId id(row.Int64(0));
      if (!table->partition || table->partition->ref != PartitionRef(id))
        table->partition = PartitionSpec{id, {}};
      table->partition->keys.push_back({FieldId(row.Int64(2)), std::string(row.Text(3))});
    });
  }

  void LoadSorts() {
    using I = tables::SortInfo;
    using E = tables::SortExpression;
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT i.")
        .Name(I::kSortId.name)
        .Text(", i.")
        .Name(I::kTableId.name)
        .Text(", e.")
        .Name(E::kExpression.name)
        .Text(", e.")
        .Name(E::kDialect.name)
        .Text(", e.")
        .Name(E::kSortDirection.name)
        .Text(", e.")
        .Name(E::kNullOrder.name)
        .Text(" FROM ")
        .Table(I::kTable.name)
        .Text(" i JOIN ")
        .Table(E::kTable.name)
        .Text(" e ON e.")
        .Name(E::kSortId.name)
        .Text(" = i.")
        .Name(I::kSortId.name)
        .Text(" AND e.")
        .Name(E::kTableId.name)
        .Text(" = i.")
        .Name(I::kTableId.name)
        .Text(" WHERE ");
    AppendIds(sql, I::kTableId.name, "i");
    AppendAliveAt(sql, at_, "i");
    sql.Text(" ORDER BY i.").Name(I::kSortId.name).Text(", e.").Name(E::kSortKeyIndex.name);
    ForEach(sql, [&](Rows& row) {
      Table* table = Find(tables_, row.Int64(1));
      if (table == nullptr) return;
      SortId id(row.Int64(0));
      if (!table->sort || table->sort->ref != SortRef(id)) table->sort = SortOrder{id, {}};
      table->sort->keys.push_back({std::string(row.Text(2)), row.OptText(3).value_or("duckdb"),
                                   row.OptText(4) == "DESC", row.OptText(5) == "NULLS_FIRST"});
    });
  }

  void LoadViews() {
    using T = tables::View;
    StatementBuilder sql = Select(T::kTable, T::kViewId);
    ForEach(sql, [&](Rows& row) {
      auto view = std::make_shared<View>();
      int64_t id = row.Int64(At(T::kTable, T::kViewId));
      view->ref = ViewId(id);
      view->uuid = row.OptText(At(T::kTable, T::kViewUuid)).value_or("");
      view->begin_snapshot = SnapshotId(row.Int64(At(T::kTable, T::kBeginSnapshot)));
      view->schema = SchemaId(row.Int64(At(T::kTable, T::kSchemaId)));
      view->name = row.Text(At(T::kTable, T::kViewName));
      view->dialect = row.OptText(At(T::kTable, T::kDialect)).value_or("duckdb");
      view->sql = row.Text(At(T::kTable, T::kSql));
      view->column_aliases = row.OptText(At(T::kTable, T::kColumnAliases)).value_or("");
      views_[id] = std::move(view);
    });
  }

  /// Macros with their implementations: both are small, one join reads them.
  void LoadMacros() {
    using M = tables::Macro;
    using I = tables::MacroImpl;
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT m.")
        .Name(M::kMacroId.name)
        .Text(", m.")
        .Name(M::kSchemaId.name)
        .Text(", m.")
        .Name(M::kMacroName.name)
        .Text(", m.")
        .Name(M::kBeginSnapshot.name)
        .Text(", i.")
        .Name(I::kDialect.name)
        .Text(", i.")
        .Name(I::kSql.name)
        .Text(", i.")
        .Name(I::kType.name)
        .Text(" FROM ")
        .Table(M::kTable.name)
        .Text(" m JOIN ")
        .Table(I::kTable.name)
        .Text(" i ON i.")
        .Name(I::kMacroId.name)
        .Text(" = m.")
        .Name(M::kMacroId.name)
        .Text(" WHERE ");
    AppendIds(sql, M::kMacroId.name, "m");
    AppendAliveAt(sql, at_, "m");
    sql.Text(" ORDER BY m.").Name(M::kMacroId.name).Text(", i.").Name(I::kImplId.name);
    ForEach(sql, [&](Rows& row) {
      std::shared_ptr<Macro>& macro = macros_[row.Int64(0)];
      if (macro == nullptr) {
        macro = std::make_shared<Macro>();
        macro->ref = MacroId(row.Int64(0));
        macro->schema = SchemaId(row.Int64(1));
        macro->name = row.Text(2);
        macro->begin_snapshot = SnapshotId(row.Int64(3));
      }
      macro->implementations.push_back({row.OptText(4).value_or("duckdb"),
                                        std::string(row.Text(5)),
                                        std::string(row.Text(6)),
                                        {}});
    });
  }

  void LoadMacroParameters() {
    if (macros_.empty()) return;
    using P = tables::MacroParameters;
    StatementBuilder sql = Select(P::kTable, P::kMacroId, /*alive=*/false);
    sql.Text(" ORDER BY ")
        .Name(P::kMacroId.name)
        .Text(", ")
        .Name(P::kImplId.name)
        .Text(", ")
        .Name(P::kColumnId.name);
    ForEach(sql, [&](Rows& row) {
      Macro* macro = Find(macros_, row.Int64(At(P::kTable, P::kMacroId)));
      auto impl = static_cast<size_t>(row.Int64(At(P::kTable, P::kImplId)));
      if (macro == nullptr || impl >= macro->implementations.size()) return;
      MacroParameter parameter;
      parameter.name = row.Text(At(P::kTable, P::kParameterName));
      parameter.type = row.OptText(At(P::kTable, P::kParameterType)).value_or("unknown");
      parameter.default_value = row.OptText(At(P::kTable, P::kDefaultValue));
      parameter.default_value_type =
          row.OptText(At(P::kTable, P::kDefaultValueType)).value_or("unknown");
      macro->implementations[impl].parameters.push_back(std::move(parameter));
    });
  }

  void LoadTags() {
    using T = tables::Tag;
    StatementBuilder sql = Select(T::kTable, T::kObjectId);
    ForEach(sql, [&](Rows& row) {
      int64_t id = row.Int64(At(T::kTable, T::kObjectId));
      std::optional<std::string> value = row.OptText(At(T::kTable, T::kValue));
      if (!value) return;  // a cleared comment
      std::string key(row.Text(At(T::kTable, T::kKey)));
      if (Table* table = Find(tables_, id))
        table->tags.insert_or_assign(std::move(key), *value);
      else if (View* view = Find(views_, id))
        view->tags.insert_or_assign(std::move(key), *value);
      else if (Macro* macro = Find(macros_, id))
        macro->tags.insert_or_assign(std::move(key), *value);
    });
  }

  StoreConnection& connection_;
  const SnapshotId at_;
  const std::optional<CatalogIds>& only_;
  CatalogViewBuilder& builder_;
  std::map<int64_t, std::shared_ptr<Table>> tables_;
  std::map<int64_t, std::shared_ptr<View>> views_;
  std::map<int64_t, std::shared_ptr<Macro>> macros_;
};

}  // namespace

void LoadObjects(StoreConnection& connection, SnapshotId at, const std::optional<CatalogIds>& only,
                 CatalogViewBuilder& builder) {
  Loader(connection, at, only, builder).Load();
}

CatalogIds FindChangedObjects(StoreConnection& connection, SnapshotId from, SnapshotId to) {
  struct Kind {
    const CatalogTable& table;
    std::string_view id_column;
  };
  const Kind kinds[] = {
      {tables::Schema::kTable, tables::Schema::kSchemaId.name},
      {tables::Table::kTable, tables::Table::kTableId.name},
      {tables::Column::kTable, tables::Column::kTableId.name},
      {tables::View::kTable, tables::View::kViewId.name},
      {tables::Macro::kTable, tables::Macro::kMacroId.name},
      {tables::Tag::kTable, tables::Tag::kObjectId.name},
      {tables::ColumnTag::kTable, tables::ColumnTag::kTableId.name},
      {tables::PartitionInfo::kTable, tables::PartitionInfo::kTableId.name},
      {tables::SortInfo::kTable, tables::SortInfo::kTableId.name},
  };
  StatementBuilder sql(connection.dialect());
  const char* separator = "";
  for (const Kind& kind : kinds) {
    sql.Text(std::exchange(separator, " UNION "))
        .Text("SELECT ")
        .Name(kind.id_column)
        .Text(" FROM ")
        .Table(kind.table.name);
    sql.Text(" WHERE (begin_snapshot > ").Bind(from).Text(" AND begin_snapshot <= ").Bind(to);
    sql.Text(") OR (end_snapshot > ").Bind(from).Text(" AND end_snapshot <= ").Bind(to).Text(")");
  }
  CatalogIds ids;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) ids.insert(rows->Int64(0));
  return ids;
}

}  // namespace tarn
