// See the header.
#include "catalog/column_history.h"

#include <algorithm>
#include <set>

#include "catalog/catalog_sql.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {

ColumnHistory ColumnHistory::Load(StoreConnection& connection, TableId table,
                                  const std::vector<FieldId>& fields) {
  using T = tables::Column;
  static constexpr CatalogColumn kColumns[] = {
      T::kColumnId,     T::kBeginSnapshot,    T::kEndSnapshot,         T::kColumnOrder,
      T::kColumnName,   T::kColumnType,       T::kNullsAllowed,        T::kInitialDefault,
      T::kDefaultValue, T::kDefaultValueType, T::kDefaultValueDialect, T::kParentColumn};
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ")
      .Text(ColumnList(kColumns, connection.dialect()))
      .Text(" FROM ")
      .Table(T::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table);
  if (!fields.empty()) sql.Text(" AND column_id IN (").BindList(fields).Text(")");
  std::vector<Entry> entries;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    Entry entry;
    Column& column = entry.column;
    column.id = FieldId(rows->Int64(0));
    column.begin_snapshot = SnapshotId(rows->Int64(1));
    if (auto end = rows->OptInt64(2)) entry.end_snapshot = SnapshotId(*end);
    column.order = rows->OptInt64(3).value_or(column.id.value);
    column.name = rows->Text(4);
    column.type = rows->Text(5);
    column.nulls_allowed = rows->OptBool(6).value_or(true);
    column.initial_default = rows->OptText(7);
    column.default_value = rows->OptText(8);
    column.default_value_type = rows->OptText(9);
    column.default_value_dialect = rows->OptText(10);
    if (auto parent = rows->OptInt64(11)) entry.parent = FieldId(*parent);
    entries.push_back(std::move(entry));
  }
  return ColumnHistory(std::move(entries));
}

ColumnHistory::ColumnHistory(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.column.order, a.column.id, a.column.begin_snapshot) <
           std::tie(b.column.order, b.column.id, b.column.begin_snapshot);
  });
  for (size_t i = 0; i < entries_.size(); ++i) by_field_[entries_[i].column.id].push_back(i);
}

std::vector<Column> ColumnHistory::ColumnsAt(SnapshotId snapshot) const {
  std::map<std::optional<FieldId>, std::vector<const Entry*>> by_parent;
  for (const Entry& entry : entries_) {
    bool is_alive = entry.column.begin_snapshot <= snapshot &&
                    (!entry.end_snapshot || snapshot < *entry.end_snapshot);
    if (is_alive) by_parent[entry.parent].push_back(&entry);
  }
  // A parent's children are taken out of the map as they are used, so rows that name each other as
  // parents cannot go round.
  auto take = [&by_parent](auto&& self, std::optional<FieldId> parent) -> std::vector<Column> {
    auto node = by_parent.extract(parent);
    std::vector<Column> columns;
    if (node.empty()) return columns;
    for (const Entry* entry : node.mapped()) {
      columns.push_back(entry->column);
      columns.back().children = self(self, entry->column.id);
    }
    return columns;
  };
  return take(take, std::nullopt);
}

std::vector<SnapshotId> ColumnHistory::Changes() const {
  std::set<SnapshotId> changes;
  for (const Entry& entry : entries_) {
    changes.insert(entry.column.begin_snapshot);
    if (entry.end_snapshot) changes.insert(*entry.end_snapshot);
  }
  return {changes.begin(), changes.end()};
}

std::optional<SnapshotId> ColumnHistory::FirstSnapshot(FieldId field) const {
  auto found = by_field_.find(field);
  if (found == by_field_.end()) return std::nullopt;
  SnapshotId first = entries_[found->second.front()].column.begin_snapshot;
  for (size_t i : found->second) first = std::min(first, entries_[i].column.begin_snapshot);
  return first;
}

bool ColumnHistory::HadType(FieldId field, const std::string& type, SnapshotId first,
                            SnapshotId last) const {
  auto found = by_field_.find(field);
  if (found == by_field_.end()) return false;
  bool covers_first = false;
  for (size_t i : found->second) {
    const Entry& entry = entries_[i];
    // A row that ends at `first` counts too: the file may have been written earlier in the
    // transaction that ended it.
    bool touches = entry.column.begin_snapshot <= last &&
                   (!entry.end_snapshot || first <= *entry.end_snapshot);
    if (!touches) continue;
    if (entry.column.type != type) return false;
    covers_first = covers_first || entry.column.begin_snapshot <= first;
  }
  return covers_first;
}

std::vector<LostField> ColumnHistory::Latest() const {
  std::vector<LostField> latest;
  for (const auto& [field, rows] : by_field_) {
    const size_t last = *std::max_element(rows.begin(), rows.end(), [this](size_t a, size_t b) {
      return entries_[a].column.begin_snapshot < entries_[b].column.begin_snapshot;
    });
    latest.push_back({entries_[last].column, entries_[last].parent});
  }
  return latest;
}

FieldId FirstUnusedField(StoreConnection& connection, TableId table, FieldId at_least) {
  ReadScope scope(connection);
  {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT count(*), max(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    const bool is_whole = rows->Next() && !rows->IsNull(1) && rows->Int64(0) == rows->Int64(1) + 1;
    if (is_whole) return at_least;
  }
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT max(column_id) FROM ").Table(tables::FileColumnStats::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" AND column_id >= ").Bind(at_least);
  sql.Text(" UNION ALL SELECT max(target_field_id) FROM ").Table(tables::NameMapping::kTable.name);
  sql.Text(" WHERE target_field_id >= ")
      .Bind(at_least)
      .Text(" AND mapping_id IN (SELECT mapping_id");
  sql.Text(" FROM ").Table(tables::ColumnMapping::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(")");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    if (!rows->IsNull(0)) at_least = std::max(at_least, FieldId(rows->Int64(0) + 1));
  }
  return at_least;
}

}  // namespace tarn
