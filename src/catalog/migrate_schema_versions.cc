// See the header.
#include "catalog/migrate_schema_versions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

std::vector<TableHistory::Version> LoadVersions(StoreConnection& connection) {
  using V = tables::SchemaVersions;
  StatementBuilder sql(connection.dialect(), "SELECT ");
  sql.Names({V::kBeginSnapshot.name, V::kSchemaVersion.name}).Text(" FROM ");
  std::vector<TableHistory::Version> versions;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Table(V::kTable.name).Build());
  while (rows->Next()) versions.push_back({rows->Int64(0), rows->Int64(1)});
  return versions;
}

std::vector<TableHistory::Life> LoadLives(StoreConnection& connection) {
  using T = tables::Table;
  StatementBuilder sql(connection.dialect(), "SELECT ");
  sql.Names({T::kTableId.name, T::kBeginSnapshot.name, T::kEndSnapshot.name}).Text(" FROM ");
  std::vector<TableHistory::Life> lives;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Table(T::kTable.name).Build());
  while (rows->Next()) lives.push_back({rows->Int64(0), rows->Int64(1), rows->OptInt64(2)});
  return lives;
}

std::vector<TableHistory::Change> LoadChanges(StoreConnection& connection) {
  StatementBuilder sql(connection.dialect());
  const char* separator = "";
  for (const CatalogTable& table :
       {tables::Table::kTable, tables::Column::kTable, tables::PartitionInfo::kTable}) {
    for (const CatalogColumn& moment :
         {tables::Table::kBeginSnapshot, tables::Table::kEndSnapshot}) {
      sql.Text(separator).Text("SELECT ").Name(tables::Table::kTableId.name).Text(", ");
      sql.Name(moment.name).Text(" FROM ").Table(table.name);
      sql.Text(" WHERE ").Name(moment.name).Text(" IS NOT NULL");
      separator = " UNION ";
    }
  }
  std::vector<TableHistory::Change> changes;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) changes.push_back({rows->Int64(0), rows->Int64(1)});
  return changes;
}

std::vector<TableHistory::InlinedTable> LoadInlined(StoreConnection& connection) {
  using I = tables::InlinedDataTables;
  StatementBuilder sql(connection.dialect(), "SELECT ");
  sql.Names({I::kTableId.name, I::kSchemaVersion.name}).Text(" FROM ");
  std::vector<TableHistory::InlinedTable> inlined;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Table(I::kTable.name).Build());
  while (rows->Next()) inlined.push_back({rows->Int64(0), rows->Int64(1)});
  return inlined;
}

}  // namespace

TableHistory LoadTableHistory(StoreConnection& connection) {
  return {LoadVersions(connection), LoadLives(connection), LoadChanges(connection),
          LoadInlined(connection)};
}

std::vector<TableVersion> VersionsOfTables(TableHistory history) {
  auto& versions = history.versions;
  if (versions.empty()) return {};
  std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin_snapshot, a.schema_version) <
           std::tie(b.begin_snapshot, b.schema_version);
  });
  std::multimap<int64_t, TableHistory::Life> lives;
  for (const TableHistory::Life& life : history.lives) lives.emplace(life.table_id, life);
  const auto is_alive = [&](const TableHistory::Change& change) {
    const auto [first, last] = lives.equal_range(change.table_id);
    return std::any_of(first, last, [&](const auto& entry) {
      const TableHistory::Life& life = entry.second;
      return life.begin_snapshot <= change.snapshot &&
             (!life.end_snapshot || *life.end_snapshot > change.snapshot);
    });
  };

  std::map<std::pair<int64_t, int64_t>, int64_t> last_changes;  // table and version -> snapshot
  for (const TableHistory::Change& change : history.changes) {
    if (!is_alive(change)) continue;  // what ends with its table
    auto version = std::lower_bound(
        versions.begin(), versions.end(), change.snapshot,
        [](const auto& row, int64_t snapshot) { return row.begin_snapshot < snapshot; });
    if (version == versions.end()) --version;
    int64_t& last =
        last_changes.try_emplace({change.table_id, version->schema_version}, change.snapshot)
            .first->second;
    last = std::max(last, change.snapshot);
  }

  std::map<int64_t, int64_t> begins;  // version -> snapshot
  for (const TableHistory::Version& row : versions)
    begins.try_emplace(row.schema_version, row.begin_snapshot);
  for (const TableHistory::InlinedTable& inlined : history.inlined) {
    if (last_changes.contains({inlined.table_id, inlined.schema_version})) continue;
    const auto version = begins.lower_bound(inlined.schema_version);
    if (version != begins.end())
      last_changes.try_emplace({inlined.table_id, version->first}, version->second);
  }

  std::vector<TableVersion> rows;
  rows.reserve(last_changes.size());
  for (const auto& [key, snapshot] : last_changes)
    rows.push_back({snapshot, key.second, key.first});
  std::sort(rows.begin(), rows.end(), [](const TableVersion& a, const TableVersion& b) {
    return std::tie(a.begin_snapshot, a.schema_version, a.table_id) <
           std::tie(b.begin_snapshot, b.schema_version, b.table_id);
  });
  return rows;
}

}  // namespace tarn
