// See delete_writer.h; format page, section 6.
#include "engine/operators/delete_writer.h"

#include <algorithm>
#include <utility>

#include "base/environment.h"
#include "base/uuid.h"
#include "crypto/random_bytes.h"
#include "data/delete_mask.h"
#include "data/deletion_vector.h"
#include "duckdb/common/file_system.hpp"
#include "duckdb/execution/execution_context.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "duckdb/parser/parsed_data/copy_info.hpp"
#include "engine/bridge/values.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/operators/delete_positions.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/write_job.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

// One Parquet file that is being written by one thread.
class ParquetOutput {
 public:
  ParquetOutput(duckdb::ClientContext& context, const duckdb::CopyInfo& info,
                const duckdb::vector<std::string>& names, const duckdb::vector<LogicalType>& types,
                const std::string& path)
      : context_(context),
        thread_(context),
        execution_(context, thread_, nullptr),
        writer_(ParquetWriter(context)) {
    duckdb::CopyFunctionBindInput input(info);
    bind_data_ = writer_.copy_to_bind(context_, input, names, types);
    global_ = writer_.copy_to_initialize_global(context_, *bind_data_, path);
    local_ = writer_.copy_to_initialize_local(execution_, *bind_data_);
    writer_.copy_to_get_written_statistics(context_, *bind_data_, *global_, statistics_);
  }

  void Write(duckdb::DataChunk& chunk) {
    writer_.copy_to_sink(execution_, *bind_data_, *global_, *local_, chunk);
  }

  const duckdb::CopyFunctionFileStatistics& Finish() {
    writer_.copy_to_combine(execution_, *bind_data_, *global_, *local_);
    writer_.copy_to_finalize(context_, *bind_data_, *global_);
    return statistics_;
  }

 private:
  duckdb::ClientContext& context_;
  duckdb::ThreadContext thread_;
  duckdb::ExecutionContext execution_;
  duckdb::CopyFunction writer_;
  duckdb::CopyFunctionFileStatistics statistics_;
  duckdb::unique_ptr<duckdb::FunctionData> bind_data_;
  duckdb::unique_ptr<duckdb::GlobalFunctionData> global_;
  duckdb::unique_ptr<duckdb::LocalFunctionData> local_;
};

}  // namespace

DeleteWriter::DeleteWriter(duckdb::DatabaseInstance& db, TarnCatalog& catalog,
                           const OptionSet& options, PendingFiles& files,
                           bool prefers_deletion_vectors)
    : db_(db),
      catalog_(catalog),
      options_(options),
      files_(files),
      prefers_deletion_vectors_(prefers_deletion_vectors) {}

DeleteWriter::~DeleteWriter() = default;

duckdb::ClientContext& DeleteWriter::Context() {
  if (!connection_) {
    connection_ = std::make_unique<duckdb::Connection>(db_);
    connection_->BeginTransaction();
  }
  return *connection_->context;
}

std::vector<DeleteWriter::DeletedRow> DeleteWriter::Rows(const PendingDelete& pending,
                                                         SnapshotId snapshot) {
  std::vector<DeletedRow> rows;
  for (const auto& deletion : pending.existing) {
    const auto begin = deletion.file.begin_snapshot.value;
    if (deletion.file.format == "puffin") {
      DeleteMask mask;
      ReadDeletionVector(catalog_.lake().file_system(), deletion.path, pending.data_file_rows,
                         mask);
      for (const auto position : mask.Positions()) {
        rows.push_back({position, begin});
      }
      continue;
    }
    ReadDeletePositions(Context(), deletion, pending.data_file_rows, pending.needs_snapshot_ids,
                        [&](int64_t position, std::optional<int64_t> deleted_in) {
                          rows.push_back({position, deleted_in.value_or(begin)});
                        });
  }
  for (const auto& deletion : pending.inlined_deletes) {
    rows.push_back({deletion.position, deletion.snapshot.value});
  }
  if (pending.flushed) {
    AddEndedRows(pending, rows);
  }
  for (const auto position : pending.positions) {
    rows.push_back({position, snapshot.value});
  }
  // Of a row that two name, the first deletion counts.
  std::sort(rows.begin(), rows.end(), [](const DeletedRow& a, const DeletedRow& b) {
    return std::pair(a.position, a.snapshot) < std::pair(b.position, b.snapshot);
  });
  const auto same = [](const DeletedRow& a, const DeletedRow& b) {
    return a.position == b.position;
  };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  return rows;
}

std::vector<int64_t> DeleteWriter::ReadPositions(const PendingDelete& pending) {
  auto existing = pending;
  existing.positions.clear();
  std::vector<int64_t> positions;
  for (const auto& row : Rows(existing, SnapshotId())) {
    positions.push_back(row.position);
  }
  return positions;
}

// Which of its inlined table's ended rows a flushed file holds, and where, it tells itself: rows
// may have been sorted, or spread over several files.
void DeleteWriter::AddEndedRows(const PendingDelete& pending, std::vector<DeletedRow>& rows) {
  ParquetFile file;
  file.path = pending.data_file_path;
  file.size_bytes = pending.flushed->file_size_bytes;
  file.footer_size = pending.flushed->footer_size;
  file.encryption_key = FileKey(pending.flushed->encryption_key, file.path);
  duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
  columns.push_back(EmbeddedColumn(kRowIdName, kRowIdField));
  columns.push_back(EmbeddedColumn(kSnapshotIdName, kSnapshotIdField));
  const auto& ended = pending.ended_rows;
  int64_t position = 0;
  ReadParquetFile(Context(), file, columns, [&](duckdb::DataChunk& chunk) {
    chunk.Flatten();
    const auto* row_ids = duckdb::FlatVector::GetData<int64_t>(chunk.data[0]);
    const auto* snapshots = duckdb::FlatVector::GetData<int64_t>(chunk.data[1]);
    for (duckdb::idx_t row = 0; row < chunk.size(); ++row, ++position) {
      const std::pair wanted(row_ids[row], SnapshotId(snapshots[row]));
      const auto found = std::lower_bound(
          ended.begin(), ended.end(), wanted, [](const EndedRow& entry, const auto& key) {
            return std::pair(entry.row_id, entry.begin_snapshot) < key;
          });
      if (found != ended.end() && found->row_id == wanted.first &&
          found->begin_snapshot == wanted.second) {
        rows.push_back({position, found->end_snapshot.value});
      }
    }
  });
}

DeleteFile DeleteWriter::Write(const PendingDelete& pending, SnapshotId snapshot) {
  const auto rows = Rows(pending, snapshot);
  if (rows.empty()) {
    return {};
  }
  auto& lake = catalog_.lake();
  const auto random = [&lake] { return Random(lake.environment()); };
  DeleteFile file;
  file.format = pending.format;
  file.path = "ducklake-" + UuidV7(Now(lake.environment()), random) + "-delete." + pending.format;
  file.delete_count = static_cast<int64_t>(rows.size());
  if (pending.needs_snapshot_ids) {
    const auto [first, last] = std::minmax_element(
        rows.begin(), rows.end(),
        [](const DeletedRow& a, const DeletedRow& b) { return a.snapshot < b.snapshot; });
    file.begin_snapshot = SnapshotId(first->snapshot);
    file.partial_max = SnapshotId(last->snapshot);
  }
  lake.file_system().CreateDirectories(pending.folder);
  const auto path = pending.folder + file.path;
  files_.Add(path);
  if (pending.format == "puffin") {
    WriteVector(rows, path, file);
  } else {
    WriteParquet(pending, rows, path, file);
  }
  return file;
}

void DeleteWriter::WriteParquet(const PendingDelete& pending, const std::vector<DeletedRow>& rows,
                                const std::string& path, DeleteFile& file) {
  duckdb::vector<std::string> names{"file_path", "pos"};
  duckdb::vector<LogicalType> types{LogicalType::VARCHAR, LogicalType::BIGINT};
  duckdb::child_list_t<Value> field_ids;
  field_ids.emplace_back("file_path", Value::INTEGER(kDeletePathField));
  field_ids.emplace_back("pos", Value::INTEGER(kDeletePositionField));
  if (pending.needs_snapshot_ids) {
    names.emplace_back(kSnapshotIdName);
    types.push_back(LogicalType::BIGINT);
    field_ids.emplace_back(kSnapshotIdName, Value::INTEGER(kSnapshotIdField));
  }
  duckdb::CopyInfo info;
  info.format = "parquet";
  info.options = ReadParquetOptions(options_, pending.table.get());
  info.options.erase("row_group_size_bytes");  // as in WriteJob::Bind; positions are few bytes
  info.options["field_ids"] = {Value::STRUCT(std::move(field_ids))};
  if (catalog_.lake().encrypted()) {
    const auto key = NewFileKey();
    file.encryption_key = EncodeKey(key);
    info.options["encryption_config"] = {EncryptionConfig(key)};
  }

  auto& context = Context();
  ParquetOutput output(context, info, names, types, path);
  duckdb::DataChunk chunk;
  chunk.Initialize(context, types);
  for (size_t start = 0; start < rows.size(); start += STANDARD_VECTOR_SIZE) {
    const auto count = std::min<size_t>(STANDARD_VECTOR_SIZE, rows.size() - start);
    chunk.Reset();
    chunk.data[0].Reference(Value(pending.data_file_path));
    auto* positions = duckdb::FlatVector::GetData<int64_t>(chunk.data[1]);
    for (size_t i = 0; i < count; ++i) {
      positions[i] = rows[start + i].position;
    }
    if (pending.needs_snapshot_ids) {
      auto* snapshots = duckdb::FlatVector::GetData<int64_t>(chunk.data[2]);
      for (size_t i = 0; i < count; ++i) {
        snapshots[i] = rows[start + i].snapshot;
      }
    }
    chunk.SetCardinality(count);
    output.Write(chunk);
  }
  const auto& written = output.Finish();
  file.file_size_bytes = static_cast<int64_t>(written.file_size_bytes);
  if (!written.footer_size_bytes.IsNull()) {
    file.footer_size =
        written.footer_size_bytes.DefaultCastAs(LogicalType::BIGINT).GetValue<int64_t>();
  }
}

void DeleteWriter::WriteVector(const std::vector<DeletedRow>& rows, const std::string& path,
                               DeleteFile& file) {
  // A vector holds positions only and is never encrypted, but other clients refuse to read one
  // without a key in an encrypted lake.
  if (catalog_.lake().encrypted()) {
    file.encryption_key = EncodeKey(NewFileKey());
  }
  std::vector<int64_t> positions;
  positions.reserve(rows.size());
  for (const auto& row : rows) {
    positions.push_back(row.position);
  }
  const auto bytes = SerializeDeletionVector(positions);
  auto& file_system = duckdb::FileSystem::GetFileSystem(Context());
  auto handle = file_system.OpenFile(
      path, duckdb::FileFlags::FILE_FLAGS_WRITE | duckdb::FileFlags::FILE_FLAGS_FILE_CREATE_NEW);
  handle->Write(const_cast<char*>(bytes.data()), bytes.size());
  handle->Sync();
  handle->Close();
  file.file_size_bytes = static_cast<int64_t>(bytes.size());
  file.footer_size = 0;
}

void DeleteWriter::Discard(const PendingDelete& pending, const DeleteFile& file) noexcept {
  files_.Drop(pending.folder + file.path);
}

}  // namespace tarn::engine
