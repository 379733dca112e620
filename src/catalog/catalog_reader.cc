// Queries of the catalog.
#include "catalog/catalog_reader.h"

#include <string>

#include "base/time.h"
#include "catalog/stats_merge.h"
#include "catalog/view_loader.h"
#include "format/tables.h"
#include "tarn/error.h"

namespace tarn {

namespace {

using SnapshotTable = tables::Snapshot;
using ChangesTable = tables::SnapshotChanges;

/// More changed objects than this are loaded faster by reading everything.
constexpr size_t kMaxRefreshedObjects = 500;

Snapshot ReadSnapshot(Rows& row) {
  Snapshot snapshot;
  snapshot.id = SnapshotId(row.Int64(0));
  snapshot.time = row.Time(1);
  snapshot.schema_version = row.Int64(2);
  snapshot.next_catalog_id = row.Int64(3);
  snapshot.next_file_id = row.Int64(4);
  return snapshot;
}

StatementBuilder SelectSnapshots(const Dialect& dialect) {
  StatementBuilder sql(dialect);
  sql.Text("SELECT ")
      .Text(ColumnList(SnapshotTable::kTable.columns, dialect))
      .Text(" FROM ")
      .Table(SnapshotTable::kTable.name);
  return sql;
}

StatementBuilder SelectSnapshotInfos(const Dialect& dialect) {
  StatementBuilder sql(dialect);
  sql.Text("SELECT ").Text(ColumnList(SnapshotTable::kTable.columns, dialect, "s"));
  for (const CatalogColumn& column : ChangesTable::kTable.columns.subspan(1))
    sql.Text(", c.").Name(column.name);
  sql.Text(" FROM ")
      .Table(SnapshotTable::kTable.name)
      .Text(" s LEFT JOIN ")
      .Table(ChangesTable::kTable.name);
  sql.Text(" c ON c.")
      .Name(ChangesTable::kSnapshotId.name)
      .Text(" = s.")
      .Name(SnapshotTable::kSnapshotId.name);
  return sql;
}

/// "3 of 2026-01-31 12:00:00+00": the first snapshot in an order.
std::string DescribeFirst(StoreConnection& connection, std::string_view order) {
  StatementBuilder sql = SelectSnapshots(connection.dialect());
  sql.Text(" ORDER BY ").Name(SnapshotTable::kSnapshotId.name).Text(order).Text(" LIMIT 1");
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  if (!rows->Next()) return "none";
  const Snapshot snapshot = ReadSnapshot(*rows);
  return std::to_string(snapshot.id.value) + " of " + FormatTimestampTz(snapshot.time);
}

std::vector<SnapshotInfo> ReadSnapshotInfos(StoreConnection& connection, StatementBuilder& sql,
                                            std::optional<size_t> limit = {}) {
  sql.Text(" ORDER BY s.").Name(SnapshotTable::kSnapshotId.name);
  if (limit) sql.Text(" LIMIT ").Bind(static_cast<int64_t>(*limit));
  std::vector<SnapshotInfo> infos;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    SnapshotInfo info;
    info.snapshot = ReadSnapshot(*rows);
    info.changes_made = rows->OptText(5).value_or("");
    info.commit = {rows->OptText(6), rows->OptText(7), rows->OptText(8)};
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace

Error NoSuchSnapshot(const SnapshotSelector& selector, StoreConnection& connection) {
  const std::string wanted = selector.version ? "version " + std::to_string(selector.version->value)
                                              : "timestamp " + FormatTimestampTz(*selector.time);
  return Error(ErrorCode::kNotFound, "No snapshot found at " + wanted +
                                         ": the oldest that is kept is " +
                                         DescribeFirst(connection, "") + ", the newest " +
                                         DescribeFirst(connection, " DESC") + ".");
}

void AppendAliveAt(StatementBuilder& sql, SnapshotId snapshot, std::string_view alias) {
  std::string prefix = alias.empty() ? "" : std::string(alias) + ".";
  sql.Text(" AND ").Text(prefix).Text("begin_snapshot <= ").Bind(snapshot);
  sql.Text(" AND (")
      .Text(prefix)
      .Text("end_snapshot IS NULL OR ")
      .Text(prefix)
      .Text("end_snapshot > ")
      .Bind(snapshot)
      .Text(")");
}

CatalogReader::Head CatalogReader::ReadHead() {
  using M = tables::Metadata;
  const Dialect& dialect = connection_.dialect();
  StatementBuilder sql(dialect);
  sql.Text("SELECT ").Text(ColumnList(SnapshotTable::kTable.columns, dialect, "s")).Text(", ");
  sql.Text(ColumnList(M::kTable.columns, dialect, "m"))
      .Text(" FROM ")
      .Table(SnapshotTable::kTable.name);
  sql.Text(" s LEFT JOIN ")
      .Table(M::kTable.name)
      .Text(" m ON 1 = 1 WHERE s.")
      .Name(SnapshotTable::kSnapshotId.name);
  sql.Text(" = (SELECT max(")
      .Name(SnapshotTable::kSnapshotId.name)
      .Text(") FROM ")
      .Table(SnapshotTable::kTable.name)
      .Text(")");
  Head head;
  std::vector<OptionEntry> entries;
  std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
  while (rows->Next()) {
    if (!head.snapshot.id.valid()) head.snapshot = ReadSnapshot(*rows);
    if (rows->IsNull(5)) continue;
    OptionEntry entry;
    entry.key = rows->Text(5);
    entry.value = rows->Text(6);
    entry.scope = rows->OptText(7).value_or("");
    entry.scope_id = rows->OptInt64(8).value_or(0);
    entries.push_back(std::move(entry));
  }
  if (!head.snapshot.id.valid()) {
    throw Error(
        ErrorCode::kCorrupt,
        "The lake's catalog has no snapshot in ducklake_snapshot; restore it from a backup");
  }
  head.options = OptionSet(std::move(entries));
  return head;
}

std::optional<Snapshot> CatalogReader::FindSnapshot(const SnapshotSelector& selector) {
  StatementBuilder sql = SelectSnapshots(connection_.dialect());
  if (selector.version) {
    sql.Text(" WHERE ").Name(SnapshotTable::kSnapshotId.name).Text(" = ").Bind(*selector.version);
  } else {
    // Times only grow with ids, so the last one at or before a time is the highest id. Times are
    // texts in some databases, and other clients write them with and without a fraction: compare
    // them here, newest first, instead of there.
    sql.Text(" ORDER BY ").Name(SnapshotTable::kSnapshotId.name).Text(" DESC");
    if (!selector.time) sql.Text(" LIMIT 1");
  }
  std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
  while (rows->Next()) {
    Snapshot snapshot = ReadSnapshot(*rows);
    if (!selector.time || snapshot.time <= *selector.time) return snapshot;
  }
  return std::nullopt;
}

std::optional<Snapshot> CatalogReader::FirstSnapshotFrom(Timestamp time) {
  StatementBuilder sql = SelectSnapshots(connection_.dialect());
  // Newest first, as above: who asks for changes since a time asks for the last few.
  sql.Text(" ORDER BY ").Name(SnapshotTable::kSnapshotId.name).Text(" DESC");
  std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
  std::optional<Snapshot> first;
  while (rows->Next()) {
    Snapshot snapshot = ReadSnapshot(*rows);
    if (snapshot.time < time) break;
    first = snapshot;
  }
  return first;
}

std::vector<SnapshotInfo> CatalogReader::ListSnapshots() {
  StatementBuilder sql = SelectSnapshotInfos(connection_.dialect());
  return ReadSnapshotInfos(connection_, sql);
}

std::vector<SnapshotInfo> CatalogReader::SnapshotsBetween(SnapshotId after, SnapshotId upto) {
  StatementBuilder sql = SelectSnapshotInfos(connection_.dialect());
  sql.Text(" WHERE s.").Name(SnapshotTable::kSnapshotId.name).Text(" > ").Bind(after);
  sql.Text(" AND s.").Name(SnapshotTable::kSnapshotId.name).Text(" <= ").Bind(upto);
  return ReadSnapshotInfos(connection_, sql);
}

std::vector<SnapshotInfo> CatalogReader::SnapshotsFrom(SnapshotId first, size_t limit) {
  StatementBuilder sql = SelectSnapshotInfos(connection_.dialect());
  sql.Text(" WHERE s.").Name(SnapshotTable::kSnapshotId.name).Text(" >= ").Bind(first);
  return ReadSnapshotInfos(connection_, sql, limit);
}

std::shared_ptr<const CatalogView> CatalogReader::LoadView(SnapshotId at) {
  CatalogViewBuilder builder;
  LoadObjects(connection_, at, std::nullopt, builder);
  return builder.Build();
}

std::optional<std::shared_ptr<const CatalogView>> CatalogReader::RefreshView(
    const CatalogView& view, const Snapshot& from, SnapshotId to) {
  // While `from` is there, rows that its readers see have not been removed, so what ended since
  // then can be found.
  std::optional<Snapshot> found = FindSnapshot({.version = from.id, .time = {}});
  if (!found || found->time != from.time || found->schema_version != from.schema_version)
    return std::nullopt;
  CatalogIds changed = FindChangedObjects(connection_, from.id, to);
  if (changed.size() > kMaxRefreshedObjects) return std::nullopt;
  CatalogViewBuilder builder(view);
  for (int64_t id : changed) {
    builder.Remove(TableRef(TableId(id)));
    builder.Remove(ViewRef(ViewId(id)));
    builder.Remove(MacroRef(MacroId(id)));
  }
  if (!changed.empty()) LoadObjects(connection_, to, changed, builder);
  for (int64_t id : changed) {
    // A schema that lives on has been loaded again, as a new object with its old entries; one that
    // has not is gone.
    SchemaRef ref = SchemaId(id);
    const Schema* before = view.FindSchema(ref);
    if (before != nullptr && builder.view().FindSchema(ref) == before) builder.Remove(ref);
  }
  return builder.Build();
}

std::map<TableId, TableStats> CatalogReader::LoadTableStats(std::span<const TableId> tables) {
  std::map<TableId, TableStats> stats;
  if (tables.empty()) return stats;
  const Dialect& dialect = connection_.dialect();
  {
    using T = tables::TableStats;
    StatementBuilder sql(dialect);
    sql.Text("SELECT ")
        .Text(ColumnList(T::kTable.columns, dialect))
        .Text(" FROM ")
        .Table(T::kTable.name);
    sql.Text(" WHERE ").Name(T::kTableId.name).Text(" IN (").BindList(tables).Text(")");
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) {
      TableStats& entry = stats[TableId(rows->Int64(0))];
      entry.record_count = rows->OptInt64(1).value_or(0);
      entry.next_row_id = rows->OptInt64(2).value_or(0);
      entry.file_size_bytes = rows->OptInt64(3).value_or(0);
    }
  }
  using T = tables::TableColumnStats;
  StatementBuilder sql(dialect);
  sql.Text("SELECT ")
      .Text(ColumnList(T::kTable.columns, dialect))
      .Text(" FROM ")
      .Table(T::kTable.name);
  sql.Text(" WHERE ")
      .Name(T::kTableId.name)
      .Text(" IN (")
      .BindList(tables)
      .Text(") ORDER BY ")
      .Name(T::kTableId.name);
  sql.Text(", ").Name(T::kColumnId.name);
  std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
  while (rows->Next()) {
    auto entry = stats.find(TableId(rows->Int64(0)));
    if (entry == stats.end()) continue;
    TableStats::Column column;
    column.field = FieldId(rows->Int64(1));
    column.contains_null = rows->OptBool(2);
    column.contains_nan = rows->OptBool(3);
    column.min_value = rows->OptText(4);
    column.max_value = rows->OptText(5);
    column.extra_stats = rows->OptText(6);
    entry->second.columns.push_back(std::move(column));
  }
  return stats;
}

std::set<FieldId> CatalogReader::FindAllNullColumns(TableId table,
                                                    std::span<const FieldId> fields) {
  std::set<FieldId> all_null;
  if (fields.empty()) return all_null;
  const Dialect& dialect = connection_.dialect();
  {
    // Inlined rows would have to be looked at one by one; a table that ever had any keeps its
    // unknown bounds.
    using T = tables::InlinedDataTables;
    StatementBuilder sql(dialect);
    sql.Text("SELECT ")
        .Name(T::kTableName.name)
        .Text(" FROM ")
        .Table(T::kTable.name)
        .Text(" WHERE ")
        .Name(T::kTableId.name);
    sql.Text(" = ").Bind(table);
    std::vector<std::string> names;
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) names.emplace_back(rows->Text(0));
    rows.reset();
    for (const std::string& name : names) {
      StatementBuilder probe(dialect);
      probe.Text("SELECT 1 FROM ").Table(name).Text(" LIMIT 1");
      std::unique_ptr<Rows> found = connection_.Query(probe.Build());
      if (found->Next()) return all_null;
    }
  }
  using S = tables::FileColumnStats;
  using F = tables::DataFile;
  StatementBuilder sql(dialect);
  sql.Text("SELECT s.")
      .Name(S::kColumnId.name)
      .Text(" FROM ")
      .Table(S::kTable.name)
      .Text(" s JOIN ")
      .Table(F::kTable.name);
  sql.Text(" f ON f.")
      .Name(F::kDataFileId.name)
      .Text(" = s.")
      .Name(S::kDataFileId.name)
      .Text(" WHERE f.");
  sql.Name(F::kTableId.name)
      .Text(" = ")
      .Bind(table)
      .Text(" AND f.")
      .Name(F::kEndSnapshot.name)
      .Text(" IS NULL AND s.");
  sql.Name(S::kColumnId.name)
      .Text(" IN (")
      .BindList(fields)
      .Text(") GROUP BY s.")
      .Name(S::kColumnId.name);
  sql.Text(" HAVING min(CASE WHEN ");
  AppendHoldsOnlyNulls(sql, "s");
  sql.Text(" THEN 1 ELSE 0 END) = 1 AND count(*) = (SELECT count(*) FROM ")
      .Table(F::kTable.name)
      .Text(" WHERE ");
  sql.Name(F::kTableId.name)
      .Text(" = ")
      .Bind(table)
      .Text(" AND ")
      .Name(F::kEndSnapshot.name)
      .Text(" IS NULL)");
  std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
  while (rows->Next()) all_null.insert(FieldId(rows->Int64(0)));
  return all_null;
}

}  // namespace tarn
