// Loads each catalog table whole, with one query: check reads everything anyway.
#include "catalog/check_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "catalog/catalog_sql.h"
#include "catalog/name_maps.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn::check {
namespace {

/// Runs `SELECT columns FROM table` and hands out each row. A NULL where a number belongs reads as
/// -1, for the checks to find.
class Loader {
 public:
  explicit Loader(StoreConnection& connection) : connection_(connection) {}

  template <class Visit>
  void Each(std::string_view table, std::span<const CatalogColumn> columns, Visit visit) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT ")
        .Text(ColumnList(columns, connection_.dialect()))
        .Text(" FROM ")
        .Table(table);
    std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    while (rows->Next()) visit(*rows);
  }
  template <class Visit>
  void Each(const CatalogTable& table, Visit visit) {
    Each(table.name, table.columns, visit);
  }

 private:
  StoreConnection& connection_;
};

int64_t Number(Rows& rows, int column) { return rows.OptInt64(column).value_or(-1); }
std::string Text(Rows& rows, int column) { return rows.OptText(column).value_or(""); }
Life ReadLife(Rows& rows, int begin) { return {Number(rows, begin), rows.OptInt64(begin + 1)}; }

void LoadObjects(Loader& loader, Model& model) {
  loader.Each(tables::Schema::kTable, [&](Rows& rows) {
    model.objects.push_back({ObjectKind::kSchema, Number(rows, 0), ReadLife(rows, 2), -1,
                             Text(rows, 4), Text(rows, 5), rows.OptBool(6).value_or(true)});
  });
  loader.Each(tables::Table::kTable, [&](Rows& rows) {
    model.objects.push_back({ObjectKind::kTable, Number(rows, 0), ReadLife(rows, 2),
                             Number(rows, 4), Text(rows, 5), Text(rows, 6),
                             rows.OptBool(7).value_or(true)});
  });
  loader.Each(tables::View::kTable, [&](Rows& rows) {
    model.objects.push_back({ObjectKind::kView, Number(rows, 0), ReadLife(rows, 2), Number(rows, 4),
                             Text(rows, 5), "", true});
  });
  loader.Each(tables::Macro::kTable, [&](Rows& rows) {
    model.objects.push_back({ObjectKind::kMacro, Number(rows, 1), ReadLife(rows, 3),
                             Number(rows, 0), Text(rows, 2), "", true});
  });
  loader.Each(tables::PartitionInfo::kTable, [&](Rows& rows) {
    model.objects.push_back({ObjectKind::kPartitionSpec, Number(rows, 0), ReadLife(rows, 2),
                             Number(rows, 1), "", "", true});
  });
  loader.Each(tables::SortInfo::kTable, [&](Rows& rows) {
    model.objects.push_back({ObjectKind::kSortOrder, Number(rows, 0), ReadLife(rows, 2),
                             Number(rows, 1), "", "", true});
  });
  loader.Each(tables::MacroImpl::kTable,
              [&](Rows& rows) { model.macro_types[Number(rows, 0)].push_back(Text(rows, 4)); });
  loader.Each(tables::PartitionColumn::kTable, [&](Rows& rows) {
    model.partition_keys.push_back(
        {Number(rows, 0), Number(rows, 1), Number(rows, 2), Number(rows, 3), Text(rows, 4)});
  });
  loader.Each(tables::SortExpression::kTable,
              [&](Rows& rows) { ++model.sort_key_counts[Number(rows, 0)]; });
  loader.Each(tables::Tag::kTable, [&](Rows& rows) {
    model.tags.push_back({Number(rows, 0), -1, ReadLife(rows, 1), Text(rows, 3)});
  });
  loader.Each(tables::ColumnTag::kTable, [&](Rows& rows) {
    model.column_tags.push_back(
        {Number(rows, 0), Number(rows, 1), ReadLife(rows, 2), Text(rows, 4)});
  });
}

void LoadColumns(Loader& loader, Model& model) {
  using T = tables::Column;
  static constexpr CatalogColumn kColumns[] = {T::kTableId,     T::kColumnId,    T::kBeginSnapshot,
                                               T::kEndSnapshot, T::kColumnOrder, T::kColumnName,
                                               T::kColumnType,  T::kParentColumn};
  loader.Each(T::kTable.name, kColumns, [&](Rows& rows) {
    ColumnHistory::Entry entry;
    entry.column.id = FieldId(Number(rows, 1));
    entry.column.begin_snapshot = SnapshotId(Number(rows, 2));
    if (auto end = rows.OptInt64(3)) entry.end_snapshot = SnapshotId(*end);
    entry.column.order = Number(rows, 4);
    entry.column.name = Text(rows, 5);
    entry.column.type = Text(rows, 6);
    if (auto parent = rows.OptInt64(7)) entry.parent = FieldId(*parent);
    model.columns[Number(rows, 0)].push_back(std::move(entry));
  });
}

void LoadFiles(Loader& loader, Model& model) {
  auto with_table = [](std::span<const CatalogColumn> columns, CatalogColumn table_id) {
    std::vector<CatalogColumn> all{table_id};
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
  };
  auto life_of = [](const auto& file) {
    Life life{file.begin_snapshot.value, {}};
    if (file.end_snapshot) life.end = file.end_snapshot->value;
    return life;
  };
  loader.Each(tables::DataFile::kTable.name,
              with_table(DataFileColumns(), tables::DataFile::kTableId), [&](Rows& rows) {
                FileRow row{ReadDataFile(rows, 1), Number(rows, 0), {}};
                row.life = life_of(row.file);
                model.files.push_back(std::move(row));
              });
  loader.Each(tables::DeleteFile::kTable.name,
              with_table(DeleteFileColumns(), tables::DeleteFile::kTableId), [&](Rows& rows) {
                DeleteRow row{ReadDeleteFile(rows, 1), Number(rows, 0), {}};
                row.life = life_of(row.file);
                model.deletes.push_back(std::move(row));
              });
  loader.Each(tables::FileColumnStats::kTable, [&](Rows& rows) {
    FileStatsRow row{Number(rows, 0), Number(rows, 1), {}};
    row.stats.field = FieldId(Number(rows, 2));
    row.stats.column_size_bytes = rows.OptInt64(3);
    row.stats.value_count = rows.OptInt64(4);
    row.stats.null_count = rows.OptInt64(5);
    row.stats.min_value = rows.OptText(6);
    row.stats.max_value = rows.OptText(7);
    row.stats.contains_nan = rows.OptBool(8);
    model.file_stats.push_back(std::move(row));
  });
  loader.Each(tables::FileVariantStats::kTable, [&](Rows& rows) {
    model.variant_stats.push_back(
        {Number(rows, 0), Number(rows, 1), Number(rows, 2), Text(rows, 3)});
  });
  loader.Each(tables::FilePartitionValue::kTable, [&](Rows& rows) {
    model.partition_values[Number(rows, 0)].push_back(Number(rows, 2));
  });
  loader.Each(tables::ColumnMapping::kTable,
              [&](Rows& rows) { model.mappings[Number(rows, 0)] = Number(rows, 1); });
  loader.Each(tables::NameMapping::kTable, [&](Rows& rows) {
    model.name_maps[Number(rows, 0)].entries.push_back(ReadNameMapEntry(rows));
  });
  loader.Each(tables::FilesScheduledForDeletion::kTable, [&](Rows& rows) {
    ScheduledRow row{Number(rows, 0), {}, ReadTime(rows, 3).has_value()};
    if (!rows.IsNull(1)) row.path = LakePath{Text(rows, 1), rows.OptBool(2).value_or(true)};
    model.scheduled.push_back(std::move(row));
  });
}

void LoadStats(Loader& loader, Model& model) {
  std::map<int64_t, std::vector<TableStats::Column>> columns;
  loader.Each(tables::TableColumnStats::kTable, [&](Rows& rows) {
    columns[Number(rows, 0)].push_back({FieldId(Number(rows, 1)), rows.OptBool(2), rows.OptBool(3),
                                        rows.OptText(4), rows.OptText(5), rows.OptText(6)});
  });
  loader.Each(tables::TableStats::kTable, [&](Rows& rows) {
    TableStats stats;
    stats.record_count = Number(rows, 1);
    stats.next_row_id = Number(rows, 2);
    stats.file_size_bytes = Number(rows, 3);
    auto found = columns.find(Number(rows, 0));
    if (found != columns.end()) stats.columns = found->second;
    model.table_stats.emplace(Number(rows, 0), std::move(stats));
  });
}

}  // namespace

void Life::Extend(const Life& other) {
  begin = std::min(begin, other.begin);
  end = !end || !other.end ? std::nullopt : std::optional(std::max(*end, *other.end));
}

const char* KindName(ObjectKind kind) {
  static constexpr const char* kNames[] = {"schema", "table",          "view",
                                           "macro",  "partition spec", "sort order"};
  return kNames[static_cast<size_t>(kind)];
}

Model Model::Load(StoreConnection& connection) {
  Model model;
  Loader loader(connection);
  loader.Each(tables::Metadata::kTable, [&](Rows& rows) {
    model.options.push_back({Text(rows, 0), Text(rows, 1), Text(rows, 2), Number(rows, 3)});
  });
  loader.Each(tables::Snapshot::kTable, [&](Rows& rows) {
    Snapshot snapshot;
    snapshot.id = SnapshotId(Number(rows, 0));
    if (!rows.IsNull(1)) snapshot.time = rows.Time(1);
    snapshot.schema_version = Number(rows, 2);
    snapshot.next_catalog_id = Number(rows, 3);
    snapshot.next_file_id = Number(rows, 4);
    model.snapshots.push_back(snapshot);
  });
  std::sort(model.snapshots.begin(), model.snapshots.end(),
            [](const Snapshot& a, const Snapshot& b) { return a.id < b.id; });
  if (!model.snapshots.empty()) model.head = model.snapshots.back().id.value;
  loader.Each(tables::SnapshotChanges::kTable,
              [&](Rows& rows) { model.changes[Number(rows, 0)] = Text(rows, 1); });
  LoadObjects(loader, model);
  LoadColumns(loader, model);
  LoadFiles(loader, model);
  LoadStats(loader, model);
  loader.Each(tables::SchemaVersions::kTable, [&](Rows& rows) {
    model.schema_versions.emplace_back(Number(rows, 0), Number(rows, 1));
    auto [shape, is_new] = model.shapes[Number(rows, 2)].emplace(Number(rows, 1), Number(rows, 0));
    if (!is_new) shape->second = std::min(shape->second, Number(rows, 0));
  });
  loader.Each(tables::InlinedDataTables::kTable, [&](Rows& rows) {
    model.inlined_tables.push_back({Number(rows, 0), Text(rows, 1), Number(rows, 2)});
  });
  std::vector<std::string> physical = connection.ListTables();
  model.physical_tables.insert(physical.begin(), physical.end());

  for (size_t i = 0; i < model.objects.size(); ++i) {
    const ObjectRow& row = model.objects[i];
    std::pair key(row.kind, row.id);
    auto [life, is_new] = model.lives_.emplace(key, row.life);
    if (!is_new) life->second.Extend(row.life);
    auto [newest, is_first] = model.newest_.emplace(key, i);
    if (!is_first && model.objects[newest->second].life.begin < row.life.begin) newest->second = i;
  }
  for (const auto& [table, entries] : model.columns) {
    for (const ColumnHistory::Entry& entry : entries) {
      auto [newest, is_first] =
          model.newest_columns_.emplace(std::pair(table, entry.column.id.value), &entry);
      if (!is_first && newest->second->column.begin_snapshot < entry.column.begin_snapshot)
        newest->second = &entry;
    }
  }
  return model;
}

std::optional<Life> Model::LifeOf(ObjectKind kind, int64_t id) const {
  auto found = lives_.find({kind, id});
  return found == lives_.end() ? std::nullopt : std::optional(found->second);
}

const ColumnHistory::Entry* Model::NewestColumn(int64_t table, int64_t column) const {
  auto found = newest_columns_.find({table, column});
  return found == newest_columns_.end() ? nullptr : found->second;
}

bool Model::HasColumn(int64_t table, int64_t column) const {
  return NewestColumn(table, column) != nullptr;
}

Table Model::EveryColumnOf(int64_t id) const {
  Table table;
  table.ref = TableId(id);
  table.name = TableName(id);
  auto object = newest_.find({ObjectKind::kTable, id});
  if (object != newest_.end()) table.schema = SchemaId(objects[object->second].parent);
  auto found = columns.find(id);
  if (found == columns.end()) return table;
  std::vector<ColumnHistory::Entry> newest;
  for (const ColumnHistory::Entry& entry : found->second) {
    if (NewestColumn(id, entry.column.id.value) != &entry) continue;
    newest.push_back(entry);
    newest.back().column.begin_snapshot = SnapshotId(0);
    newest.back().end_snapshot.reset();
  }
  table.columns = ColumnHistory(std::move(newest)).ColumnsAt(SnapshotId(0));
  return table;
}

std::string Model::Name(ObjectKind kind, int64_t id) const {
  auto found = newest_.find({kind, id});
  if (found == newest_.end()) return fmt::format("{} {}", KindName(kind), id);
  const ObjectRow& row = objects[found->second];
  switch (kind) {
    case ObjectKind::kSchema:
      return fmt::format("schema {}", QuoteIdentifier(row.name));
    case ObjectKind::kPartitionSpec:
    case ObjectKind::kSortOrder:
      return fmt::format("{} {} of {}", KindName(kind), id, TableName(row.parent));
    default: {
      auto schema = newest_.find({ObjectKind::kSchema, row.parent});
      std::string prefix =
          schema == newest_.end() ? "" : QuoteIdentifier(objects[schema->second].name) + ".";
      return fmt::format("{} {}{}", KindName(kind), prefix, QuoteIdentifier(row.name));
    }
  }
}

std::string Model::FileName(const FileRow& row) const {
  return fmt::format("data file {} (\"{}\") of {}", row.file.id.value, row.file.path,
                     TableName(row.table));
}

std::string Model::DeleteName(const DeleteRow& row) const {
  return fmt::format("delete file {} (\"{}\") of {}", row.file.id.value, row.file.path,
                     TableName(row.table));
}

}  // namespace tarn::check
