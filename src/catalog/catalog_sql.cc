// Rows of the file tables are read by position: their columns are the format's own, in the format's
// order, so that select list and reader cannot drift apart (kColumns of both).
#include "catalog/catalog_sql.h"

#include <fmt/format.h>

namespace tarn {
namespace {

void AppendColumn(StatementBuilder& sql, std::string_view alias, std::string_view column) {
  if (!alias.empty()) sql.Text(alias).Text(".");
  sql.Name(column);
}

template <class IdType>
std::optional<IdType> OptId(Rows& rows, int column) {
  std::optional<int64_t> value = rows.OptInt64(column);
  return value ? std::optional<IdType>(IdType(*value)) : std::nullopt;
}

/// A flag that other writers may leave NULL: relative is what the format's own writers store.
bool IsRelative(Rows& rows, int column) { return rows.OptBool(column).value_or(true); }

}  // namespace

void AppendAlive(StatementBuilder& sql, SnapshotId snapshot, std::string_view alias) {
  sql.Text(" (");
  AppendColumn(sql, alias, "begin_snapshot");
  sql.Text(" <= ").Bind(snapshot).Text(" AND (");
  AppendColumn(sql, alias, "end_snapshot");
  sql.Text(" IS NULL OR ");
  AppendColumn(sql, alias, "end_snapshot");
  sql.Text(" > ").Bind(snapshot).Text("))");
}

Error ExpiredSnapshot(SnapshotId snapshot) {
  return Error(ErrorCode::kNotFound,
               fmt::format("Snapshot {} is being read, but it has been expired, and with it the "
                           "rows that only it saw. Begin a new transaction to read a snapshot that "
                           "the lake has.",
                           snapshot.value));
}

void RequireKept(StoreConnection& connection, SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT 1 FROM ").Table(tables::Snapshot::kTable.name);
  sql.Text(" WHERE snapshot_id = ").Bind(snapshot);
  if (!connection.Query(sql.Build())->Next()) throw ExpiredSnapshot(snapshot);
}

std::optional<Timestamp> ReadTime(Rows& rows, int column) {
  if (rows.IsNull(column)) return std::nullopt;
  try {
    return rows.Time(column);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    return std::nullopt;
  }
}

std::span<const CatalogColumn> DataFileColumns() {
  using T = tables::DataFile;
  static constexpr CatalogColumn kColumns[] = {
      T::kDataFileId,  T::kBeginSnapshot, T::kEndSnapshot,   T::kPath,       T::kPathIsRelative,
      T::kFileFormat,  T::kRecordCount,   T::kFileSizeBytes, T::kFooterSize, T::kRowIdStart,
      T::kPartitionId, T::kEncryptionKey, T::kMappingId,     T::kPartialMax};
  return kColumns;
}

DataFile ReadDataFile(Rows& rows, int first_column) {
  int c = first_column;
  DataFile file;
  file.id = DataFileId(rows.Int64(c));
  file.begin_snapshot = SnapshotId(rows.Int64(c + 1));
  file.end_snapshot = OptId<SnapshotId>(rows, c + 2);
  file.path = rows.Text(c + 3);
  file.path_is_relative = IsRelative(rows, c + 4);
  file.format = rows.OptText(c + 5).value_or("parquet");
  file.record_count = rows.OptInt64(c + 6).value_or(0);
  file.file_size_bytes = rows.OptInt64(c + 7).value_or(0);
  file.footer_size = rows.OptInt64(c + 8);
  file.row_id_start = rows.OptInt64(c + 9);
  file.partition_id = OptId<PartitionId>(rows, c + 10);
  file.encryption_key = rows.OptText(c + 11);
  file.mapping_id = OptId<MappingId>(rows, c + 12);
  file.partial_max = OptId<SnapshotId>(rows, c + 13);
  return file;
}

std::span<const CatalogColumn> DeleteFileColumns() {
  using T = tables::DeleteFile;
  static constexpr CatalogColumn kColumns[] = {
      T::kDeleteFileId,  T::kBeginSnapshot,  T::kEndSnapshot,   T::kDataFileId,
      T::kPath,          T::kPathIsRelative, T::kFormat,        T::kDeleteCount,
      T::kFileSizeBytes, T::kFooterSize,     T::kEncryptionKey, T::kPartialMax};
  return kColumns;
}

DeleteFile ReadDeleteFile(Rows& rows, int first_column) {
  int c = first_column;
  DeleteFile file;
  file.id = DeleteFileId(rows.Int64(c));
  file.begin_snapshot = SnapshotId(rows.Int64(c + 1));
  file.end_snapshot = OptId<SnapshotId>(rows, c + 2);
  file.data_file = DataFileId(rows.Int64(c + 3));
  file.path = rows.Text(c + 4);
  file.path_is_relative = IsRelative(rows, c + 5);
  file.format = rows.OptText(c + 6).value_or("parquet");
  file.delete_count = rows.OptInt64(c + 7).value_or(0);
  file.file_size_bytes = rows.OptInt64(c + 8).value_or(0);
  file.footer_size = rows.OptInt64(c + 9);
  file.encryption_key = rows.OptText(c + 10);
  file.partial_max = OptId<SnapshotId>(rows, c + 11);
  return file;
}

bool MayHideSnapshots(const DeleteFile& deletion, std::optional<SnapshotId> partial_max) {
  return !deletion.partial_max && deletion.format == "parquet" && partial_max;
}

}  // namespace tarn
