// See chunk_facts.h.
#include "catalog/chunk_facts.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog_sql.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

// A column that the transaction has changed has no row yet that could name its facts.
bool IsShared(const PrunableField& field) { return field.column->begin_snapshot.valid(); }

FactsKey KeyOf(const PrunableField& field) { return {field.id, field.column->begin_snapshot}; }

}  // namespace

ChunkFacts::ChunkFacts(StoreConnection& connection, const TableFiles& files, const Table& table,
                       std::span<const PrunableField> fields)
    : files_(files), fields_(fields), columns_(fields.size()) {
  for (size_t f = 0; f < fields.size(); ++f) {
    columns_[f].resize(files.chunks().size());
    for (size_t c = 0; c < files.chunks().size(); ++c) Find(f, c);
  }
  if (!open_.empty()) Load(connection, table);
}

void ChunkFacts::Find(size_t field, size_t chunk) {
  const FileChunk& packed = *files_.chunks()[chunk].files;
  std::shared_ptr<const FactsColumn> known =
      IsShared(fields_[field]) ? packed.FindFacts(KeyOf(fields_[field])) : nullptr;
  if (known && known->size() == packed.size()) {
    columns_[field][chunk] = std::move(known);
    return;
  }
  const size_t first = known ? known->size() : 0;
  auto open = known ? std::make_shared<FactsColumn>(*known, packed.size())
                    : std::make_shared<FactsColumn>(packed.size());
  columns_[field][chunk] = open;
  open_[chunk].push_back({field, first, std::move(open)});
}

// Fills in what is open.
void ChunkFacts::Load(StoreConnection& connection, const Table& table) {
  std::set<size_t> open_fields;
  std::vector<DataFileId> some_ids;
  FileFacts::Needs needs;
  std::optional<DataFileId> first_file;
  for (const auto& [chunk, columns] : open_) {
    const FileChunk& packed = *files_.chunks()[chunk].files;
    size_t first = packed.size();
    for (const Open& open : columns) {
      open_fields.insert(open.field);
      first = std::min(first, open.first);
    }
    for (size_t place = first; place < packed.size(); ++place) {
      if (some_ids.size() <= kMaxNamedFiles) some_ids.push_back(packed.id(place));
      needs.Add(Get(packed, place), fields_);
    }
    if (!first_file) first_file = packed.id(first);
  }
  needs.first_file = *first_file;
  const FileFacts facts(connection, table, fields_, needs);
  LoadStats(connection, table.ref.id(), open_fields, some_ids, facts);
  for (auto& [chunk, columns] : open_) {
    const FileChunk& packed = *files_.chunks()[chunk].files;
    for (Open& open : columns) {
      for (size_t place = open.first; place < packed.size(); ++place) {
        if (open.facts->is_set(place)) continue;
        open.facts->Set(place, facts.Of(fields_[open.field], Get(packed, place),
                                        packed.has_lake_name(place), false, nullptr));
      }
      open.facts->Finish();
      if (IsShared(fields_[open.field])) packed.KeepFacts(KeyOf(fields_[open.field]), open.facts);
    }
  }
}

void ChunkFacts::LoadStats(StoreConnection& connection, TableId table,
                           const std::set<size_t>& open_fields,
                           const std::vector<DataFileId>& some_ids, const FileFacts& facts) {
  std::map<FieldId, size_t> slots;
  std::vector<FieldId> ids;
  for (const size_t field : open_fields) {
    slots.emplace(fields_[field].id, field);
    ids.push_back(fields_[field].id);
  }
  using T = tables::FileColumnStats;
  StatementBuilder sql(connection.dialect());
  // Only what facts are made of: the rows are many.
  sql.Text(
      "SELECT data_file_id, column_id, value_count, null_count, min_value, max_value, contains_nan "
      "FROM ");
  sql.Table(T::kTable.name).Text(" WHERE table_id = ").Bind(table);
  sql.Text(" AND column_id IN (").BindList(ids).Text(")");
  if (some_ids.size() <= kMaxNamedFiles) {
    sql.Text(" AND data_file_id IN (").BindList(some_ids).Text(")");
  } else {
    sql.Text(" AND data_file_id >= ").Bind(some_ids.front());
  }
  std::unique_ptr<Rows> rows = connection.Stream(sql.Build());
  while (rows->Next()) {
    const DataFileId id(rows->Int64(0));
    const auto found = FindPlace(files_.chunks(), id);
    if (!found) continue;
    const auto columns = open_.find(found->chunk);
    if (columns == open_.end()) continue;
    const FileChunk& packed = *files_.chunks()[found->chunk].files;
    const size_t place = found->place;
    ColumnStats stats;
    stats.field = FieldId(rows->Int64(1));
    stats.value_count = rows->OptInt64(2);
    stats.null_count = rows->OptInt64(3);
    stats.min_value = rows->OptText(4);
    stats.max_value = rows->OptText(5);
    stats.contains_nan = rows->OptBool(6);
    const size_t slot = slots.at(stats.field);
    for (Open& open : columns->second) {
      if (open.field != slot || place < open.first || open.facts->is_set(place)) continue;
      open.facts->Set(place, facts.Of(fields_[slot], Get(packed, place),
                                      packed.has_lake_name(place), false, &stats));
    }
  }
}

// Only of floats the path tells something: who wrote them.
DataFile ChunkFacts::Get(const FileChunk& packed, size_t place) const {
  const bool has_floats = std::any_of(fields_.begin(), fields_.end(),
                                      [](const auto& field) { return HasNan(field.type.kind); });
  return packed.Get(place, has_floats);
}

}  // namespace tarn
