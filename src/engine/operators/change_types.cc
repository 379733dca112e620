// Updates are found before the feed is read, without its filters: a filter may leave only one of an
// update's two rows. First the ids of rows that went, by snapshot, then which of them came again;
// both are bitmaps, so a feed of any length is read in little memory. See change_types.h.
#include "engine/operators/change_types.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "duckdb/planner/expression/bound_function_expression.hpp"
#include "engine/bridge/values.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/feed_deletions.h"
#include "engine/operators/flushed_rows.h"
#include "engine/operators/inlined_rows.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/scan_file_list.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using Side = FeedPart::Side;
using Visitor = std::function<void(int64_t row_id, SnapshotId snapshot)>;

// A set of snapshots, as ranges.
class SnapshotSet {
 public:
  void Add(SnapshotRange range) {
    if (range.first <= range.last) {
      ranges_.push_back(range);
    }
  }
  /// After the last Add.
  void Settle() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<SnapshotRange> merged;
    for (const auto& range : ranges_) {
      if (!merged.empty() && range.first <= merged.back().last) {
        merged.back().last = std::max(merged.back().last, range.last);
      } else {
        merged.push_back(range);
      }
    }
    ranges_ = std::move(merged);
  }
  bool Touches(SnapshotRange wanted) const {
    const auto found =
        std::lower_bound(ranges_.begin(), ranges_.end(), wanted.first,
                         [](const auto& range, SnapshotId first) { return range.last < first; });
    return found != ranges_.end() && found->first <= wanted.last;
  }
  bool Contains(SnapshotId snapshot) const { return Touches({snapshot, snapshot}); }

 private:
  std::vector<SnapshotRange> ranges_;
};

std::optional<int64_t> ValueAt(const duckdb::UnifiedVectorFormat& values, duckdb::idx_t row) {
  const auto index = values.sel->get_index(row);
  if (!values.validity.RowIsValid(index)) {
    return std::nullopt;
  }
  return duckdb::UnifiedVectorFormat::GetData<int64_t>(values)[index];
}

SnapshotRange Within(SnapshotRange range, SnapshotId first, SnapshotId last) {
  return {std::max(range.first, first), std::min(range.last, last)};
}

// Snapshots with which rows of this part may have come or gone.
std::vector<SnapshotRange> SnapshotsOf(const ScanFile& file) {
  const auto& part = *file.feed;
  const auto begin = file.file.begin_snapshot;
  if (part.side == Side::kInserted) {
    return {Within(part.range, begin, file.file.partial_max.value_or(begin))};
  }
  std::vector<SnapshotRange> ranges;
  if (file.file.end_snapshot) {
    ranges.push_back(Within(part.range, *file.file.end_snapshot, *file.file.end_snapshot));
  }
  for (const auto& deletion : file.deletes) {
    // Some writers do not say that a delete file is of several snapshots; at most it is of all.
    const auto first = deletion.file.begin_snapshot;
    const auto last = file.file.partial_max ? part.range.last : first;
    ranges.push_back(Within(part.range, first, deletion.file.partial_max.value_or(last)));
  }
  for (const auto& deletion : part.inlined_deletes) {
    ranges.push_back(Within(part.range, deletion.snapshot, deletion.snapshot));
  }
  return ranges;
}

class UpdateFinder {
 public:
  UpdateFinder(duckdb::ClientContext& context, ScanSource& source, const ScanPlan& plan)
      : context_(context),
        source_(source),
        lake_(source.entry().lake_catalog().lake()),
        file_system_(source.entry().lake_catalog().lake().file_system()),
        plan_(plan) {}

  RowsBySnapshot Find() {
    const auto came = SnapshotsOfSide(Side::kInserted);
    RowsBySnapshot went;
    VisitSide(
        Side::kDeleted, [&came](SnapshotRange range) { return came.Touches(range); },
        [&](int64_t row_id, SnapshotId snapshot) {
          if (came.Contains(snapshot)) {
            went.Add(snapshot, row_id);
          }
        });
    RowsBySnapshot updates;
    if (went.empty()) {
      return updates;
    }
    VisitSide(
        Side::kInserted, [&went](SnapshotRange range) { return went.Touches(range); },
        [&](int64_t row_id, SnapshotId snapshot) {
          if (went.Contains(snapshot, row_id)) {
            updates.Add(snapshot, row_id);
          }
        });
    return updates;
  }

 private:
  SnapshotSet SnapshotsOfSide(Side side) const {
    SnapshotSet result;
    for (const auto& file : plan_.files) {
      if (file.feed->side != side) {
        continue;
      }
      for (const auto& range : SnapshotsOf(file)) {
        result.Add(range);
      }
    }
    for (const auto& inlined : plan_.inlined) {
      if (inlined.feed->side == side) {
        result.Add(inlined.feed->range);
      }
    }
    result.Settle();
    return result;
  }

  void VisitSide(Side side, const std::function<bool(SnapshotRange)>& matters,
                 const Visitor& visit) {
    for (const auto& file : plan_.files) {
      if (file.feed->side != side) {
        continue;
      }
      const auto ranges = SnapshotsOf(file);
      if (std::any_of(ranges.begin(), ranges.end(), matters)) {
        side == Side::kInserted ? VisitInserted(file, visit) : VisitDeleted(file, visit);
      }
    }
    for (const auto& inlined : plan_.inlined) {
      if (inlined.feed->side == side && matters(inlined.feed->range)) {
        VisitInlined(inlined, visit);
      }
    }
  }

  void VisitInserted(const ScanFile& file, const Visitor& visit) {
    const auto& part = *file.feed;
    const auto stillborn = ReadStillborn(context_, file_system_, file);
    VisitRows(file, [&](int64_t position, int64_t row_id, std::optional<int64_t> embedded) {
      const auto snapshot = embedded ? SnapshotId(*embedded) : file.file.begin_snapshot;
      if (part.range.Contains(snapshot) && !stillborn.Contains(position)) {
        visit(row_id, snapshot);
      }
    });
  }

  void VisitDeleted(const ScanFile& file, const Visitor& visit) {
    const auto history = ReadDeletionHistory(context_, file_system_, file);
    if (history->empty()) {
      return;
    }
    VisitRows(file, [&](int64_t position, int64_t row_id, std::optional<int64_t>) {
      if (const auto snapshot = history->At(position)) {
        visit(row_id, *snapshot);
      }
    });
  }

  // Row ids and embedded snapshots in file order.
  template <class Visit>
  void VisitRows(const ScanFile& scan_file, Visit visit) {
    duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
    columns.push_back(EmbeddedColumn(kRowIdName, kRowIdField));
    columns.push_back(EmbeddedColumn(kSnapshotIdName, kSnapshotIdField));
    int64_t position = 0;
    ReadParquetFile(context_, ToParquetFile(scan_file), columns, [&](duckdb::DataChunk& chunk) {
      duckdb::UnifiedVectorFormat row_ids;
      duckdb::UnifiedVectorFormat snapshots;
      chunk.data[0].ToUnifiedFormat(chunk.size(), row_ids);
      chunk.data[1].ToUnifiedFormat(chunk.size(), snapshots);
      for (duckdb::idx_t row = 0; row < chunk.size(); ++row, ++position) {
        const auto row_id = ValueAt(row_ids, row);
        const auto start = scan_file.file.row_id_start;
        if (row_id || start) {
          // Without a partial_max all rows are of the file's own snapshot, whatever they embed.
          visit(position, row_id ? *row_id : *start + position,
                scan_file.file.partial_max ? ValueAt(snapshots, row) : std::nullopt);
        }
      }
    });
  }

  void VisitInlined(const InlinedScan& inlined, const Visitor& visit) {
    const std::vector<size_t> wanted = {RowSource::kRowId, RowSource::kSnapshot};
    auto kept = std::make_unique<InlinedRowSource>(lake_, inlined, wanted);
    std::unique_ptr<RowSource> flushed;
    duckdb::DataChunk chunk;
    chunk.Initialize(duckdb::Allocator::Get(context_), {LogicalType::BIGINT, LogicalType::BIGINT});
    while (true) {
      chunk.Reset();
      kept ? kept->Read(chunk) : flushed->Read(chunk);
      if (chunk.size() == 0) {
        const auto missing = kept ? kept->missing() : 0;
        if (missing == 0) return;
        kept.reset();
        flushed = std::make_unique<FlushedRowSource>(context_, InfoOf(inlined), wanted, missing);
        continue;
      }
      chunk.Flatten();
      const auto* row_ids = duckdb::FlatVector::GetData<int64_t>(chunk.data[0]);
      const auto* snapshots = duckdb::FlatVector::GetData<int64_t>(chunk.data[1]);
      for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
        visit(row_ids[row], SnapshotId(snapshots[row]));
      }
    }
  }

  // Both outlive the search.
  ScanFileInfo InfoOf(const InlinedScan& inlined) const {
    ScanFileInfo info;
    info.source = std::shared_ptr<ScanSource>(std::shared_ptr<ScanSource>(), &source_);
    info.plan = std::shared_ptr<const ScanPlan>(std::shared_ptr<const ScanPlan>(), &plan_);
    info.inlined = &inlined;
    return info;
  }

  duckdb::ClientContext& context_;
  ScanSource& source_;
  Lake& lake_;
  FileSystem& file_system_;
  const ScanPlan& plan_;
};

struct ChangeTypeInfo : duckdb::FunctionData {
  ChangeTypeInfo(std::shared_ptr<const RowsBySnapshot> updates, Side side)
      : updates(std::move(updates)), side(side) {}

  duckdb::unique_ptr<FunctionData> Copy() const override {
    return duckdb::make_uniq<ChangeTypeInfo>(updates, side);
  }
  bool Equals(const FunctionData& other) const override {
    const auto& info = other.Cast<ChangeTypeInfo>();
    return updates == info.updates && side == info.side;
  }

  std::shared_ptr<const RowsBySnapshot> updates;
  Side side;
};

const char* ChangeName(Side side, bool is_update) {
  if (side == Side::kInserted) {
    return is_update ? "update_postimage" : "insert";
  }
  return is_update ? "update_preimage" : "delete";
}

void TellChangeTypes(duckdb::DataChunk& input, duckdb::ExpressionState& state,
                     duckdb::Vector& result) {
  const auto& info =
      state.expr.Cast<duckdb::BoundFunctionExpression>().bind_info->Cast<ChangeTypeInfo>();
  // These texts live for ever, so no row needs a copy.
  const duckdb::string_t other(ChangeName(info.side, false));
  const duckdb::string_t update(ChangeName(info.side, true));
  duckdb::UnifiedVectorFormat row_ids;
  duckdb::UnifiedVectorFormat snapshots;
  input.data[0].ToUnifiedFormat(input.size(), row_ids);
  input.data[1].ToUnifiedFormat(input.size(), snapshots);
  auto* types = duckdb::FlatVector::GetData<duckdb::string_t>(result);
  for (duckdb::idx_t row = 0; row < input.size(); ++row) {
    const auto row_id = ValueAt(row_ids, row);
    const auto snapshot = ValueAt(snapshots, row);
    const bool is_update =
        row_id && snapshot && info.updates->Contains(SnapshotId(*snapshot), *row_id);
    types[row] = is_update ? update : other;
  }
}

}  // namespace

bool RowsBySnapshot::Contains(SnapshotId snapshot, int64_t row_id) const {
  const auto found = rows_.find(snapshot);
  return found != rows_.end() && found->second.Contains(row_id);
}

bool RowsBySnapshot::Touches(SnapshotRange range) const {
  const auto found = rows_.lower_bound(range.first);
  return found != rows_.end() && found->first <= range.last;
}

RowsBySnapshot FindUpdates(duckdb::ClientContext& context, ScanSource& source,
                           const ScanPlan& plan) {
  return UpdateFinder(context, source, plan).Find();
}

duckdb::unique_ptr<duckdb::Expression> ChangeTypeExpression(
    std::shared_ptr<const RowsBySnapshot> updates, FeedPart::Side side, SnapshotRange snapshots,
    duckdb::unique_ptr<duckdb::Expression> row_id,
    duckdb::unique_ptr<duckdb::Expression> snapshot) {
  if (!updates->Touches(snapshots)) {
    return duckdb::make_uniq<duckdb::BoundConstantExpression>(
        duckdb::Value(ChangeName(side, false)));
  }
  duckdb::ScalarFunction function("tarn_change_type", {LogicalType::BIGINT, LogicalType::BIGINT},
                                  LogicalType::VARCHAR, TellChangeTypes);
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> children;
  children.push_back(std::move(row_id));
  children.push_back(std::move(snapshot));
  return duckdb::make_uniq<duckdb::BoundFunctionExpression>(
      LogicalType::VARCHAR, std::move(function), std::move(children),
      duckdb::make_uniq<ChangeTypeInfo>(std::move(updates), side));
}

}  // namespace tarn::engine
