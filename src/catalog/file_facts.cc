// See file_facts.h.
#include "catalog/file_facts.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "catalog/exact_facts.h"
#include "format/paths.h"
#include "format/tables.h"
#include "format/transform.h"
#include "store/statement.h"

namespace tarn {
namespace {

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

// A file's rows come from the snapshots from its first to its last (of merged files).
SnapshotId LastSnapshot(const DataFile& file) {
  return std::max(file.begin_snapshot, file.partial_max.value_or(file.begin_snapshot));
}

// Calendar parts of infinite dates are NULL, too.
bool MakesNullOfNullOnly(const Transform& transform, const ScalarType& type) {
  return transform.kind == Transform::Kind::kIdentity ||
         transform.kind == Transform::Kind::kBucket ||
         (type.kind != TypeKind::kDate && !IsTimestamp(type.kind));
}

}  // namespace

void FileFacts::Needs::Add(const DataFile& file, std::span<const PrunableField> fields) {
  partitions = partitions || file.partition_id.has_value();
  for (const PrunableField& field : fields) {
    history = history || !IsYounger(file, field);
    if (!row_groups && HasNan(field.type.kind))
      row_groups = ProvesAbsentNans(file, false) != ProvesAbsentNans(file, true);
  }
}

FileFacts::FileFacts(StoreConnection& connection, const Table& table,
                     std::span<const PrunableField> fields, const Needs& needs)
    : fields_(fields) {
  if (table.ref.is_new()) return;
  if (needs.history) {
    history_ = ColumnHistory::Load(connection, table.ref.id(), FieldIds());
    LoadOldestSnapshot(connection);
  }
  if (needs.partitions) LoadPartitionValues(connection, table.ref.id(), needs.first_file);
  if (needs.row_groups) has_small_row_groups_ = HasSmallRowGroups(connection);
}

FieldFacts FileFacts::Of(const PrunableField& field, const DataFile& file, bool has_lake_name,
                         bool is_staged, const ColumnStats* stats) const {
  FieldFacts known;
  if (stats != nullptr) {
    const bool same_type =
        is_staged ? field.column->begin_snapshot.valid() : HadPresentType(file, field);
    // Names of files are looked at for this, so it is asked only where it matters.
    const bool proves_absent_nans =
        !HasNan(field.type.kind) || ProvesAbsentNans(file, has_small_row_groups_);
    known = FactsFromStats(field, *stats, file.record_count, !same_type, proves_absent_nans);
    MarkExact(field, *stats, file, has_lake_name, same_type, known);
  } else if (!is_staged && IsOlderThan(file, field)) {
    known = FactsOfConstant(field, field.column->initial_default);
    // Inside a struct the default shows only where the struct itself is not NULL.
    if (!field.is_top_level) known.may_be_null = true;
  }
  return WithPartitionValue(file, field, std::move(known));
}

std::vector<FieldFacts> FileFacts::Of(const DataFile& file, bool is_staged,
                                      const std::vector<ColumnStats>* stats) const {
  const bool has_lake_name = IsLakeFileName(file.path);
  std::vector<FieldFacts> facts;
  for (const PrunableField& field : fields_) {
    const ColumnStats* column = nullptr;
    if (stats != nullptr) {
      const auto found = std::find_if(stats->begin(), stats->end(),
                                      [&](const auto& known) { return known.field == field.id; });
      if (found != stats->end()) column = &*found;
    }
    facts.push_back(Of(field, file, has_lake_name, is_staged, column));
  }
  return facts;
}

bool FileFacts::IsYounger(const DataFile& file, const PrunableField& field) {
  return field.column->begin_snapshot.valid() &&
         field.column->begin_snapshot < file.begin_snapshot && !file.partial_max;
}

std::vector<FieldId> FileFacts::FieldIds() const {
  std::vector<FieldId> ids;
  for (const PrunableField& field : fields_) ids.push_back(field.id);
  return ids;
}

bool FileFacts::HadPresentType(const DataFile& file, const PrunableField& field) const {
  if (IsYounger(file, field)) return true;
  return history_ &&
         history_->HadType(field.id, field.column->type, file.begin_snapshot, LastSnapshot(file));
}

// True when all rows of the file were surely written before the field existed. Rows of the column's
// history that are gone with expired snapshots could make it look younger than it is, so files from
// before the oldest snapshot never count.
bool FileFacts::IsOlderThan(const DataFile& file, const PrunableField& field) const {
  if (!history_ || !field.column->begin_snapshot.valid()) return false;
  std::optional<SnapshotId> first = history_->FirstSnapshot(field.id);
  return first && LastSnapshot(file) < *first && oldest_snapshot_ <= file.begin_snapshot;
}

void FileFacts::LoadOldestSnapshot(StoreConnection& connection) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT min(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  if (rows->Next() && !rows->IsNull(0)) oldest_snapshot_ = SnapshotId(rows->Int64(0));
}

// The values of files whose partition keys are fields asked about, by the spec that each file was
// written under.
void FileFacts::LoadPartitionValues(StoreConnection& connection, TableId table, DataFileId first) {
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
  if (first.value > 0) {
    sql.Text(" AND v.data_file_id >= ").Bind(first).Text(" AND f.data_file_id >= ").Bind(first);
  }
  sql.Text(" AND c.table_id = ").Bind(table).Text(" AND c.column_id IN (").BindList(FieldIds());
  sql.Text(") ORDER BY v.data_file_id, v.partition_key_index");
  std::map<std::vector<std::pair<int64_t, std::string>>, uint32_t> known;
  std::vector<KeyValue> values;
  DataFileId current;
  const auto finish = [&] {
    if (values.empty()) return;
    std::vector<std::pair<int64_t, std::string>> key;
    for (const KeyValue& value : values)
      key.emplace_back(value.field.value,
                       value.transform + (value.value ? "=" + *value.value : "!"));
    const auto [place, is_new] =
        known.emplace(std::move(key), static_cast<uint32_t>(partitions_.size()));
    if (is_new) partitions_.push_back(values);
    partition_of_[current] = place->second;
    values.clear();
  };
  std::unique_ptr<Rows> rows = connection.Stream(sql.Build());
  while (rows->Next()) {
    const DataFileId file(rows->Int64(0));
    if (file != current) finish();
    current = file;
    values.push_back({FieldId(rows->Int64(1)), std::string(rows->Text(2)), rows->OptText(3)});
  }
  finish();
}

FieldFacts FileFacts::WithPartitionValue(const DataFile& file, const PrunableField& field,
                                         FieldFacts known) const {
  auto found = partition_of_.find(file.id);
  if (found == partition_of_.end()) return known;
  std::vector<PartFact> parts;
  for (const KeyValue& key : partitions_[found->second]) {
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
bool FileFacts::Holds(const Transform& transform, const DataFile& file,
                      const PrunableField& field) const {
  if (!HadPresentType(file, field)) return false;
  if (transform.kind == Transform::Kind::kIdentity) return true;
  // The value of a registered file is what its folder says, and nobody has looked at its rows.
  if (file.mapping_id) return false;
  // The reference takes parts of times with a zone in the zone of the session that writes.
  return transform.kind == Transform::Kind::kBucket || field.type.kind != TypeKind::kTimestampTz;
}

}  // namespace tarn
