// See prune_files.h.
#include "catalog/prune_files.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>

#include "catalog/column_history.h"
#include "catalog/predicate_pruner.h"
#include "format/tables.h"
#include "format/transform.h"
#include "store/statement.h"

namespace tarn {
namespace {

using StatsByFile = std::unordered_map<DataFileId, std::vector<ColumnStats>>;

// Of a few files the statistics are asked for by name, so that a query of few files does not fetch
// those of all that the table ever had.
constexpr size_t kMaxNamedFiles = 100;

StatsByFile LoadStats(StoreConnection& connection, TableId table,
                      std::span<const PrunableField> fields, bool all,
                      const std::vector<ScanFile>& files) {
  using T = tables::FileColumnStats;
  static constexpr CatalogColumn kColumns[] = {T::kDataFileId, T::kColumnId,    T::kColumnSizeBytes,
                                               T::kValueCount, T::kNullCount,   T::kMinValue,
                                               T::kMaxValue,   T::kContainsNan, T::kExtraStats};
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ")
      .Text(ColumnList(kColumns, connection.dialect()))
      .Text(" FROM ")
      .Table(T::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table);
  if (!all) {
    std::vector<FieldId> ids;
    for (const PrunableField& field : fields) ids.push_back(field.id);
    sql.Text(" AND column_id IN (").BindList(ids).Text(")");
  }
  if (files.size() <= kMaxNamedFiles) {
    std::set<DataFileId> ids;
    for (const ScanFile& file : files) {
      if (!file.is_staged) ids.insert(file.file.id);
    }
    if (ids.empty()) return {};
    sql.Text(" AND data_file_id IN (").BindList(ids).Text(")");
  }
  StatsByFile stats;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    ColumnStats column;
    column.field = FieldId(rows->Int64(1));
    column.column_size_bytes = rows->OptInt64(2);
    column.value_count = rows->OptInt64(3);
    column.null_count = rows->OptInt64(4);
    column.min_value = rows->OptText(5);
    column.max_value = rows->OptText(6);
    column.contains_nan = rows->OptBool(7);
    column.extra_stats = rows->OptText(8);
    stats[DataFileId(rows->Int64(0))].push_back(std::move(column));
  }
  return stats;
}

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Whether an option of any scope makes row groups of fewer rows than usual, or of unknown ones.
bool HasSmallRowGroups(StoreConnection& connection) {
  using T = tables::Metadata;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT key, value FROM ").Table(T::kTable.name).Text(" WHERE key IN (");
  sql.Bind("parquet_row_group_size").Text(", ").Bind("parquet_row_group_size_bytes").Text(")");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    if (rows->Text(0) != "parquet_row_group_size") return true;
    const auto size = ParseNumber(rows->OptText(1).value_or(""));
    if (!size || *size < kLeastRowGroup) return true;
  }
  return false;
}

// What a table's files say of the fields of one predicate.
class FileFacts {
 public:
  FileFacts(StoreConnection& connection, const Table& table, const PredicatePruner& pruner,
            const StatsByFile& stats, const std::vector<ScanFile>& files)
      : fields_(pruner.fields()), stats_(stats) {
    if (table.ref.is_new()) return;
    bool needs_history = false, has_partitions = false;
    for (const ScanFile& file : files) {
      if (file.is_staged) continue;
      has_partitions = has_partitions || file.file.partition_id.has_value();
      for (const PrunableField& field : fields_) {
        needs_history = needs_history || !IsYounger(file.file, field);
      }
    }
    if (needs_history) {
      history_ = ColumnHistory::Load(connection, table.ref.id(), FieldIds());
      LoadOldestSnapshot(connection);
    }
    if (has_partitions) LoadPartitionValues(connection, table.ref.id());
    const bool has_floats = std::any_of(fields_.begin(), fields_.end(),
                                        [](const auto& field) { return HasNan(field.type.kind); });
    const bool options_matter =
        has_floats && std::any_of(files.begin(), files.end(), [](const auto& f) {
          return ProvesAbsentNans(f.file, false) != ProvesAbsentNans(f.file, true);
        });
    if (options_matter) has_small_row_groups_ = HasSmallRowGroups(connection);
  }

  std::vector<FieldFacts> Of(const ScanFile& scan_file) const {
    std::vector<FieldFacts> facts;
    const DataFile& file = scan_file.file;
    const std::vector<ColumnStats>* stats = &file.stats;
    if (!scan_file.is_staged) {
      auto found = stats_.find(file.id);
      stats = found == stats_.end() ? nullptr : &found->second;
    }
    for (const PrunableField& field : fields_) {
      const ColumnStats* column = stats == nullptr ? nullptr : FindStats(*stats, field.id);
      FieldFacts known;
      if (column != nullptr) {
        bool same_type = scan_file.is_staged ? field.column->begin_snapshot.valid()
                                             : HadPresentType(file, field);
        known = FactsFromStats(field, *column, file.record_count, !same_type,
                               ProvesAbsentNans(file, has_small_row_groups_));
      } else if (!scan_file.is_staged && IsOlderThan(file, field)) {
        known = FactsOfConstant(field, field.column->initial_default);
        // Inside a struct the default shows only where the struct itself is not NULL.
        if (!field.is_top_level) known.may_be_null = true;
      }
      facts.push_back(WithPartitionValue(file, field, std::move(known)));
    }
    return facts;
  }

 private:
  struct PartitionKeyValue {
    FieldId field;
    std::string transform;
    std::optional<std::string> value;
  };

  static const ColumnStats* FindStats(const std::vector<ColumnStats>& stats, FieldId field) {
    for (const ColumnStats& column : stats) {
      if (column.field == field) return &column;
    }
    return nullptr;
  }

  // A file's rows come from the snapshots from its first to its last (of merged files).
  static SnapshotId LastSnapshot(const DataFile& file) {
    return std::max(file.begin_snapshot, file.partial_max.value_or(file.begin_snapshot));
  }

  std::vector<FieldId> FieldIds() const {
    std::vector<FieldId> ids;
    for (const PrunableField& field : fields_) ids.push_back(field.id);
    return ids;
  }

  // The usual case, which needs no history: all of the file is from after the column's present row
  // began. (Of a merged file, later snapshots may have changed the column again.)
  static bool IsYounger(const DataFile& file, const PrunableField& field) {
    return field.column->begin_snapshot.valid() &&
           field.column->begin_snapshot < file.begin_snapshot && !file.partial_max;
  }

  bool HadPresentType(const DataFile& file, const PrunableField& field) const {
    if (IsYounger(file, field)) return true;
    return history_ &&
           history_->HadType(field.id, field.column->type, file.begin_snapshot, LastSnapshot(file));
  }

  // True when all rows of the file were surely written before the field existed. Rows of the
  // column's history that are gone with expired snapshots could make it look younger than it is, so
  // files from before the oldest snapshot never count.
  bool IsOlderThan(const DataFile& file, const PrunableField& field) const {
    if (!history_ || !field.column->begin_snapshot.valid()) return false;
    std::optional<SnapshotId> first = history_->FirstSnapshot(field.id);
    return first && LastSnapshot(file) < *first && oldest_snapshot_ <= file.begin_snapshot;
  }

  void LoadOldestSnapshot(StoreConnection& connection) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT min(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    if (rows->Next() && !rows->IsNull(0)) oldest_snapshot_ = SnapshotId(rows->Int64(0));
  }

  // The values of files whose partition keys are fields of the predicate, by the spec that each
  // file was written under.
  void LoadPartitionValues(StoreConnection& connection, TableId table) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT v.data_file_id, c.column_id, c.transform, v.partition_value FROM ");
    sql.Table(tables::FilePartitionValue::kTable.name)
        .Text(" v JOIN ")
        .Table(tables::DataFile::kTable.name);
    sql.Text(" f ON f.data_file_id = v.data_file_id JOIN ")
        .Table(tables::PartitionColumn::kTable.name);
    sql.Text(
        " c ON c.partition_id = f.partition_id AND c.partition_key_index = v.partition_key_index");
    sql.Text(" WHERE v.table_id = ").Bind(table).Text(" AND f.table_id = ").Bind(table);
    sql.Text(" AND c.table_id = ")
        .Bind(table)
        .Text(" AND c.column_id IN (")
        .BindList(FieldIds())
        .Text(")");
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) {
      partition_values_[DataFileId(rows->Int64(0))].push_back(
          {FieldId(rows->Int64(1)), std::string(rows->Text(2)), rows->OptText(3)});
    }
  }

  FieldFacts WithPartitionValue(const DataFile& file, const PrunableField& field,
                                FieldFacts known) const {
    auto found = partition_values_.find(file.id);
    if (found == partition_values_.end()) return known;
    std::vector<PartFact> parts;
    for (const PartitionKeyValue& key : found->second) {
      if (key.field != field.id) continue;
      std::optional<Transform> transform = ParseTransform(key.transform);
      if (!transform || !Holds(*transform, file, field)) continue;
      if (!key.value) {
        if (MakesNullOfNullOnly(*transform, field.type)) known.may_be_value = false;
      } else if (transform->kind == Transform::Kind::kIdentity) {
        known = Intersect(std::move(known), FactsOfConstant(field, key.value));
      } else if (const auto part = ParseNumber(*key.value)) {
        parts.push_back({*transform, *part});
      }
    }
    if (parts.empty()) return known;
    return Intersect(std::move(known), FactsOfParts(field, std::move(parts)));
  }

  // Whether a value of the catalog surely is what the transform makes of the field's values.
  bool Holds(const Transform& transform, const DataFile& file, const PrunableField& field) const {
    if (!HadPresentType(file, field)) return false;
    if (transform.kind == Transform::Kind::kIdentity) return true;
    // The value of a registered file is what its folder says, and nobody has looked at its rows.
    if (file.mapping_id) return false;
    // The reference takes parts of times with a zone in the zone of the session that writes.
    return transform.kind == Transform::Kind::kBucket || field.type.kind != TypeKind::kTimestampTz;
  }

  // Calendar parts of infinite dates are NULL, too.
  static bool MakesNullOfNullOnly(const Transform& transform, const ScalarType& type) {
    return transform.kind == Transform::Kind::kIdentity ||
           transform.kind == Transform::Kind::kBucket ||
           (type.kind != TypeKind::kDate && !IsTimestamp(type.kind));
  }

  std::span<const PrunableField> fields_;
  const StatsByFile& stats_;
  std::optional<ColumnHistory> history_;
  SnapshotId oldest_snapshot_{0};
  bool has_small_row_groups_ = false;
  std::unordered_map<DataFileId, std::vector<PartitionKeyValue>> partition_values_;
};

}  // namespace

void PruneFiles(StoreConnection& connection, const Table& table, const Predicate& predicate,
                bool with_stats, std::vector<ScanFile>& files) {
  PredicatePruner pruner(predicate, table);
  bool prunes = !pruner.fields().empty() && !files.empty();
  if (!prunes && !with_stats) return;
  StatsByFile stats;
  if (!table.ref.is_new()) {
    stats = LoadStats(connection, table.ref.id(), pruner.fields(), with_stats, files);
  }
  if (prunes) {
    FileFacts facts(connection, table, pruner, stats, files);
    std::erase_if(files, [&](const ScanFile& file) { return !pruner.CanMatch(facts.Of(file)); });
  }
  if (!with_stats) return;
  for (ScanFile& file : files) {
    auto found = stats.find(file.file.id);
    if (!file.is_staged && found != stats.end()) file.file.stats = std::move(found->second);
  }
}

}  // namespace tarn
