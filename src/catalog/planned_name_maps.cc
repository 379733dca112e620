// See the header.
#include "catalog/planned_name_maps.h"

#include <string>

#include "format/name_map_key.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

PlanValue Bound(auto&& value) {
  return StatementBuilder::ToValue(std::forward<decltype(value)>(value));
}

}  // namespace

void PlannedNameMaps::Add(TableRef table, const PlanValue& table_id, const RowChanges& rows,
                          int64_t& file_ids, const InsertRow& insert) {
  std::map<std::string, PlanValue> by_key;
  if (const auto known = known_.find(table); known != known_.end()) {
    for (const auto& [key, id] : known->second) by_key.emplace(key, Bound(id));
  }
  for (const DataFile& file : rows.data_files) {
    if (!file.names) continue;
    const NameMap& names = *file.names;
    if (ids_.contains(&names)) continue;
    const auto [mapping, is_new] = by_key.emplace(NameMapKey(names), PlanValue());
    if (is_new) {
      mapping->second = HeadRelative{HeadRelative::From::kFileId, file_ids++};
      insert(tables::ColumnMapping::kTable, {mapping->second, table_id, Bound("map_by_name")});
      for (const NameMapEntry& entry : names.entries) {
        insert(tables::NameMapping::kTable,
               {mapping->second, Bound(entry.id), Bound(entry.source_name), Bound(entry.target),
                Bound(entry.parent), Bound(entry.is_partition)});
      }
    }
    ids_.emplace(&names, mapping->second);
  }
}

PlanValue PlannedNameMaps::Of(const DataFile& file) const {
  return file.names ? ids_.at(file.names.get()) : Bound(file.mapping_id);
}

}  // namespace tarn
