// Dead rows come from positional delete files, deletion vectors and inlined deletes: one mask takes
// them all. See delete_filter.h.
#include "engine/operators/delete_filter.h"

#include <utility>

#include "data/delete_mask.h"
#include "engine/bridge/values.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_columns.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

class MaskFilter : public duckdb::DeleteFilter {
 public:
  explicit MaskFilter(DeleteMask mask) : mask_(std::move(mask)) {}

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count,
                       duckdb::SelectionVector& alive) override {
    // The reader hands over a selection without memory, meaning "all".
    alive.Initialize(STANDARD_VECTOR_SIZE);
    return static_cast<duckdb::idx_t>(
        mask_.SelectAlive(start, static_cast<int64_t>(count), alive.data()));
  }

 private:
  DeleteMask mask_;
};

void ReadPositions(duckdb::ClientContext& context, const ScanDelete& deletion, DeleteMask& mask) {
  ParquetFile file;
  file.path = deletion.path;
  file.size_bytes = deletion.file.file_size_bytes;
  file.footer_size = deletion.file.footer_size;
  if (deletion.file.encryption_key && !deletion.file.encryption_key->empty()) {
    file.encryption_key = DecodeKey(*deletion.file.encryption_key);
  }
  duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
  columns.push_back(EmbeddedColumn("pos", kDeletePositionField));
  if (deletion.snapshot_limit) {
    columns.push_back(EmbeddedColumn("_ducklake_internal_snapshot_id", kSnapshotIdField));
  }
  ReadParquetFile(context, file, columns, [&](duckdb::DataChunk& chunk) {
    chunk.Flatten();
    const auto* positions = duckdb::FlatVector::GetData<int64_t>(chunk.data[0]);
    const auto& valid = duckdb::FlatVector::Validity(chunk.data[0]);
    for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
      if (!valid.RowIsValid(row)) {
        throw Error(ErrorCode::kCorrupt,
                    "The delete file \"" + deletion.path +
                        "\" has a row without a position, so it cannot be told what it deletes.");
      }
      if (deletion.snapshot_limit) {
        auto& snapshots = chunk.data[1];
        if (duckdb::FlatVector::Validity(snapshots).RowIsValid(row) &&
            duckdb::FlatVector::GetData<int64_t>(snapshots)[row] > deletion.snapshot_limit->value) {
          continue;
        }
      }
      mask.Add(positions[row]);
    }
  });
}

}  // namespace

duckdb::unique_ptr<duckdb::DeleteFilter> MakeDeleteFilter(duckdb::ClientContext& context,
                                                          FileSystem& file_system,
                                                          const ScanFile& file) {
  DeleteMask mask;
  for (const auto& deletion : file.deletes) {
    if (deletion.file.format == "puffin") {
      ReadDeletionVector(file_system, deletion.path, file.file.record_count, mask);
    } else {
      ReadPositions(context, deletion, mask);
    }
  }
  mask.Add(file.deleted_positions);
  return mask.empty() ? nullptr : duckdb::make_uniq<MaskFilter>(std::move(mask));
}

}  // namespace tarn::engine
