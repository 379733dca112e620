// See the header.
#include "catalog/name_maps.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "format/name_map_key.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// Entries of all mappings of a table, by mapping and position.
void VisitEntries(StoreConnection& connection, TableId table,
                  const std::function<void(MappingId, NameMapEntry)>& visit) {
  using T = tables::NameMapping;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ")
      .Text(ColumnList(T::kTable.columns, connection.dialect()))
      .Text(" FROM ")
      .Table(T::kTable.name);
  sql.Text(" WHERE mapping_id IN (SELECT mapping_id FROM ")
      .Table(tables::ColumnMapping::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(") ORDER BY mapping_id, column_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    visit(MappingId(rows->Int64(0)), ReadNameMapEntry(*rows));
  }
}

}  // namespace

NameMapEntry ReadNameMapEntry(Rows& rows) {
  return {rows.OptInt64(1).value_or(-1), rows.OptText(2).value_or(""),
          FieldId(rows.OptInt64(3).value_or(-1)), rows.OptInt64(4),
          rows.OptBool(5).value_or(false)};
}

std::map<MappingId, std::shared_ptr<const NameMap>> LoadNameMaps(
    StoreConnection& connection, TableId table, const std::vector<ScanFile>& files) {
  std::map<MappingId, std::shared_ptr<NameMap>> maps;
  for (const ScanFile& file : files) {
    if (file.file.mapping_id) maps[*file.file.mapping_id] = nullptr;
  }
  if (maps.empty()) return {};
  for (auto& [id, map] : maps) {
    map = std::make_shared<NameMap>();
    map->id = id;
  }
  VisitEntries(connection, table, [&](MappingId id, NameMapEntry entry) {
    auto map = maps.find(id);
    if (map != maps.end()) map->second->entries.push_back(std::move(entry));
  });
  std::map<MappingId, std::shared_ptr<const NameMap>> result;
  for (auto& [id, map] : maps) {
    if (map->entries.empty()) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("The name mapping {} that files of table {} are read by is missing.",
                              id.value, table.value));
    }
    result.emplace(id, std::move(map));
  }
  return result;
}

KnownNameMaps LoadKnownNameMaps(StoreConnection& connection, const ChangeSet& changes) {
  KnownNameMaps known;
  for (const auto& [ref, rows] : changes.rows) {
    const bool registers = std::any_of(rows.data_files.begin(), rows.data_files.end(),
                                       [](const DataFile& file) { return file.names != nullptr; });
    if (!registers || ref.is_new()) continue;
    std::map<MappingId, NameMap> maps;
    VisitEntries(connection, ref.id(), [&](MappingId id, NameMapEntry entry) {
      maps[id].entries.push_back(std::move(entry));
    });
    for (const auto& [id, map] : maps) known[ref].emplace(NameMapKey(map), id);
  }
  return known;
}

}  // namespace tarn
