// See staged_row_source.h.
#include "engine/operators/staged_row_source.h"

#include <algorithm>
#include <utility>

namespace tarn::engine {

StagedRowSource::StagedRowSource(const StagedScan& scan, std::vector<size_t> wanted)
    : scan_(scan),
      rows_(dynamic_cast<const CollectedRows&>(*scan.rows)),
      wanted_(std::move(wanted)) {
  rows_.rows().InitializeScan(state_);
  rows_.rows().InitializeScanChunk(from_);
}

void StagedRowSource::Read(duckdb::DataChunk& chunk) {
  duckdb::SelectionVector alive(STANDARD_VECTOR_SIZE);
  duckdb::idx_t count = 0;
  int64_t first = 0;
  do {
    from_.Reset();
    if (!rows_.rows().Scan(state_, from_)) {
      chunk.SetCardinality(0);
      return;
    }
    first = std::exchange(position_, position_ + static_cast<int64_t>(from_.size()));
    count = 0;
    for (duckdb::idx_t row = 0; row < from_.size(); ++row) {
      const auto position = first + static_cast<int64_t>(row);
      if (!std::binary_search(scan_.removed.begin(), scan_.removed.end(), position)) {
        alive.set_index(count++, row);
      }
    }
  } while (count == 0);

  const auto number = [&](duckdb::Vector& to, int64_t start) {
    to.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    for (duckdb::idx_t row = 0; row < count; ++row) {
      duckdb::FlatVector::GetData<int64_t>(to)[row] =
          start + static_cast<int64_t>(alive.get_index(row));
    }
  };
  for (size_t i = 0; i < wanted_.size(); ++i) {
    auto& to = chunk.data[i];
    if (wanted_[i] == kSnapshot) {
      to.Reference(duckdb::Value(duckdb::LogicalType::BIGINT));
    } else if (wanted_[i] == kPlace) {
      number(to, first);
    } else if (wanted_[i] == kRowId && !rows_.keeps_row_ids()) {
      number(to, scan_.first_row_id + first);
    } else {
      auto& from = wanted_[i] == kRowId ? from_.data.back() : from_.data[wanted_[i]];
      to.Slice(from, alive, count);
    }
  }
  chunk.SetCardinality(count);
}

}  // namespace tarn::engine
