// See delete_positions.h.
#include "engine/operators/delete_positions.h"

#include "engine/bridge/values.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_columns.h"
#include "tarn/error.h"

namespace tarn::engine {

void ReadDeletePositions(
    duckdb::ClientContext& context, const ScanDelete& deletion, int64_t row_count,
    bool with_snapshots,
    const std::function<void(int64_t position, std::optional<int64_t> snapshot)>& visit) {
  ParquetFile file;
  file.path = deletion.path;
  file.size_bytes = deletion.file.file_size_bytes;
  file.footer_size = deletion.file.footer_size;
  file.encryption_key = FileKey(deletion.file.encryption_key, file.path);
  duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
  columns.push_back(EmbeddedColumn("pos", kDeletePositionField));
  if (with_snapshots) {
    columns.push_back(EmbeddedColumn(kSnapshotIdName, kSnapshotIdField));
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
      if (positions[row] < 0 || positions[row] >= row_count) {
        throw Error(ErrorCode::kCorrupt, "The delete file \"" + deletion.path + "\" deletes row " +
                                             std::to_string(positions[row]) +
                                             " of a data file that has " +
                                             std::to_string(row_count) + " rows.");
      }
      std::optional<int64_t> snapshot;
      if (with_snapshots && duckdb::FlatVector::Validity(chunk.data[1]).RowIsValid(row)) {
        snapshot = duckdb::FlatVector::GetData<int64_t>(chunk.data[1])[row];
      }
      visit(positions[row], snapshot);
    }
  });
}

}  // namespace tarn::engine
