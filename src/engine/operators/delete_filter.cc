// Dead rows come from positional delete files, deletion vectors and inlined deletes: one mask takes
// them all. See delete_filter.h.
#include "engine/operators/delete_filter.h"

#include <utility>

#include "engine/operators/delete_positions.h"

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

void ReadPositions(duckdb::ClientContext& context, const ScanDelete& deletion, int64_t row_count,
                   DeleteMask& mask) {
  const auto& limit = deletion.snapshot_limit;
  ReadDeletePositions(context, deletion, row_count, limit.has_value(),
                      [&](int64_t position, std::optional<int64_t> snapshot) {
                        if (!limit || !snapshot || *snapshot <= limit->value) {
                          mask.Add(position);
                        }
                      });
}

}  // namespace

DeleteMask ReadDeletes(duckdb::ClientContext& context, FileSystem& file_system,
                       const ScanFile& file) {
  DeleteMask mask;
  for (const auto& deletion : file.deletes) {
    if (deletion.file.format == "puffin") {
      ReadDeletionVector(file_system, deletion.path, file.file.record_count, mask);
    } else {
      ReadPositions(context, deletion, file.file.record_count, mask);
    }
  }
  mask.Add(file.deleted_positions);
  return mask;
}

duckdb::unique_ptr<duckdb::DeleteFilter> MakeDeleteFilter(duckdb::ClientContext& context,
                                                          FileSystem& file_system,
                                                          const ScanFile& file) {
  auto mask = ReadDeletes(context, file_system, file);
  return mask.empty() ? nullptr : duckdb::make_uniq<MaskFilter>(std::move(mask));
}

}  // namespace tarn::engine
