// See feed_reader.h.
#include "engine/operators/feed_reader.h"

#include <optional>
#include <utility>

#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "duckdb/planner/expression/bound_function_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/feed_deletions.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/scan_file_list.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;
using Side = FeedPart::Side;

// Rows that came, less those that went with the same snapshot.
class CameFilter : public duckdb::DeleteFilter {
 public:
  explicit CameFilter(DeleteMask stillborn) : stillborn_(std::move(stillborn)) {}

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count,
                       duckdb::SelectionVector& selection) override {
    selection.Initialize(STANDARD_VECTOR_SIZE);
    return static_cast<duckdb::idx_t>(
        stillborn_.SelectAlive(start, static_cast<int64_t>(count), selection.data()));
  }

 private:
  DeleteMask stillborn_;
};

// Rows that went.
class WentFilter : public duckdb::DeleteFilter {
 public:
  explicit WentFilter(std::shared_ptr<const DeletionHistory> history)
      : history_(std::move(history)) {}

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count,
                       duckdb::SelectionVector& selection) override {
    selection.Initialize(STANDARD_VECTOR_SIZE);
    return static_cast<duckdb::idx_t>(
        history_->SelectRemoved(start, static_cast<int64_t>(count), selection.data()));
  }
  const std::shared_ptr<const DeletionHistory>& history() const { return history_; }

 private:
  std::shared_ptr<const DeletionHistory> history_;
};

struct HistoryInfo : duckdb::FunctionData {
  explicit HistoryInfo(std::shared_ptr<const DeletionHistory> history)
      : history(std::move(history)) {}
  duckdb::unique_ptr<FunctionData> Copy() const override {
    return duckdb::make_uniq<HistoryInfo>(history);
  }
  bool Equals(const FunctionData& other) const override {
    return history == other.Cast<HistoryInfo>().history;
  }
  std::shared_ptr<const DeletionHistory> history;
};

void TellDeletionSnapshots(duckdb::DataChunk& input, duckdb::ExpressionState& state,
                           duckdb::Vector& result) {
  const auto& info =
      state.expr.Cast<duckdb::BoundFunctionExpression>().bind_info->Cast<HistoryInfo>();
  duckdb::UnaryExecutor::ExecuteWithNulls<int64_t, int64_t>(
      input.data[0], result, input.size(),
      [&](int64_t position, duckdb::ValidityMask& mask, duckdb::idx_t row) {
        const auto snapshot = info.history->At(position);
        if (!snapshot) {  // a row that is filtered away afterwards
          mask.SetInvalid(row);
          return int64_t{0};
        }
        return snapshot->value;
      });
}

// The snapshots that rows of one part of the feed can have, as far as the catalog tells.
SnapshotRange SnapshotsOf(const ScanFileInfo& info) {
  if (info.inlined != nullptr) {
    return info.inlined->feed->range;
  }
  const auto& file = info.file->file;
  const auto& part = *info.file->feed;
  if (part.side == Side::kInserted && !file.partial_max) {
    return {file.begin_snapshot, file.begin_snapshot};
  }
  return part.range;
}

const FeedPart& PartOf(const ScanFileInfo& info) {
  return info.inlined != nullptr ? *info.inlined->feed : *info.file->feed;
}

duckdb::MultiFileColumnDefinition LeadingColumn(const char* name, const LogicalType& type) {
  duckdb::MultiFileColumnDefinition result(name, type);
  result.identifier = Value::INTEGER(-1);  // never looked for in a file
  result.default_expression = duckdb::make_uniq<duckdb::ConstantExpression>(Value(type));
  return result;
}

}  // namespace

std::shared_ptr<const RowsBySnapshot> FeedUpdates::Get(duckdb::ClientContext& context,
                                                       ScanSource& source) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (!updates_) {
    const auto plan = source.Plan(Predicate::True());
    updates_ = std::make_shared<const RowsBySnapshot>(FindUpdates(context, source, *plan));
  }
  return updates_;
}

FeedReader::FeedReader(std::shared_ptr<ScanSource> source, std::shared_ptr<FeedUpdates> updates)
    : ScanReader(std::move(source)), updates_(std::move(updates)) {}

bool FeedReader::Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
                      duckdb::vector<LogicalType>& types, duckdb::vector<std::string>& names,
                      duckdb::MultiFileReaderBindData& bind_data) {
  if (source()->leading_columns() > 0) {
    bind_data.schema.push_back(LeadingColumn("snapshot_id", LogicalType::BIGINT));
    bind_data.schema.push_back(LeadingColumn("rowid", LogicalType::BIGINT));
    bind_data.schema.push_back(LeadingColumn("change_type", LogicalType::VARCHAR));
    for (const auto& column : bind_data.schema) {
      types.push_back(column.type);
      names.push_back(column.name);
    }
  }
  return ScanReader::Bind(options, files, types, names, bind_data);
}

void FeedReader::PrepareRows(duckdb::ClientContext& context, const ScanFileInfo& info,
                             duckdb::BaseFileReader& reader) {
  if (info.file == nullptr) {
    return;
  }
  auto& file_system = source()->entry().lake_catalog().lake().file_system();
  if (info.file->feed->side == Side::kDeleted) {
    reader.deletion_filter =
        duckdb::make_uniq<WentFilter>(ReadDeletionHistory(context, file_system, *info.file));
    return;
  }
  auto stillborn = ReadStillborn(context, file_system, *info.file);
  if (!stillborn.empty()) {
    reader.deletion_filter = duckdb::make_uniq<CameFilter>(std::move(stillborn));
  }
}

// Rows of several snapshots: those of the range that are no rewrite's.
void FeedReader::LimitRows(duckdb::ClientContext&, const ScanFileInfo& info,
                           duckdb::BaseFileReader& reader) {
  if (info.file == nullptr || info.file->feed->side == Side::kDeleted ||
      !info.file->file.partial_max) {
    return;
  }
  using duckdb::ExpressionType;
  const auto& file = info.file->file;
  const auto& part = *info.file->feed;
  auto filter = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
  const auto add = [&](ExpressionType comparison, SnapshotId snapshot) {
    filter->child_filters.push_back(CompareSnapshot(comparison, snapshot));
  };
  if (file.begin_snapshot < part.range.first) {
    add(ExpressionType::COMPARE_GREATERTHANOREQUALTO, part.range.first);
  }
  if (part.range.last < *file.partial_max) {
    add(ExpressionType::COMPARE_LESSTHANOREQUALTO, part.range.last);
  }
  for (const auto snapshot : part.rewritten) {
    if (file.begin_snapshot <= snapshot && snapshot <= *file.partial_max) {
      add(ExpressionType::COMPARE_NOTEQUAL, snapshot);
    }
  }
  if (!filter->child_filters.empty()) {
    FilterSnapshots(std::move(filter), info.file->path, reader);
  }
}

// A feed that tells changes has three columns before the table's: they are mapped as the virtual
// columns of a scan, and the type of the change is made of the other two.
duckdb::ReaderInitializeType FeedReader::InitializeReader(
    duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
    duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
    duckdb::MultiFileGlobalState& state) {
  const auto leading = source()->leading_columns();
  if (leading == 0) {
    return ScanReader::InitializeReader(reader_data, bind_data, columns, column_ids, filters,
                                        context, state);
  }
  const duckdb::vector<duckdb::MultiFileColumnDefinition> table_columns(
      columns.begin() + static_cast<int64_t>(leading), columns.end());
  duckdb::vector<duckdb::ColumnIndex> ids;
  duckdb::optional_idx row_id;
  duckdb::optional_idx snapshot;
  bool tells_type = false;
  for (const auto& column : column_ids) {
    const auto id = column.GetPrimaryIndex();
    if (column.IsVirtualColumn()) {
      ids.push_back(column);
    } else if (id == kFeedSnapshotColumn) {
      snapshot = ids.size();
      ids.emplace_back(kSnapshotIdColumn);
    } else if (id == kFeedRowIdColumn) {
      row_id = ids.size();
      ids.emplace_back(duckdb::COLUMN_IDENTIFIER_ROW_ID);
    } else if (id == kFeedChangeTypeColumn) {
      tells_type = true;
      ids.emplace_back(duckdb::COLUMN_IDENTIFIER_EMPTY);  // replaced below
    } else {
      ids.emplace_back(id - leading, column.GetChildIndexes());
    }
  }
  const auto require = [&](duckdb::optional_idx& place, duckdb::idx_t id) {
    if (tells_type && !place.IsValid()) {
      place = ids.size();
      ids.emplace_back(id);
    }
  };
  require(snapshot, kSnapshotIdColumn);
  require(row_id, duckdb::COLUMN_IDENTIFIER_ROW_ID);

  // Filters of the change's type are applied to what the scan puts out (feed_scan).
  duckdb::TableFilterSet remaining;
  if (filters) {
    for (const auto& [index, filter] : filters->filters) {
      const auto& column = column_ids[index];
      if (column.IsVirtualColumn() || column.GetPrimaryIndex() != kFeedChangeTypeColumn) {
        remaining.filters[index] = filter->Copy();
      }
    }
  }
  const auto result = ScanReader::InitializeReader(
      reader_data, bind_data, table_columns, ids,
      remaining.filters.empty() ? nullptr : duckdb::optional_ptr<duckdb::TableFilterSet>(remaining),
      context, state);
  if (result == duckdb::ReaderInitializeType::SKIP_READING_FILE || !tells_type) {
    return result;
  }
  auto& expressions = reader_data.expressions;
  for (size_t i = 0; i < column_ids.size(); ++i) {
    if (column_ids[i].GetPrimaryIndex() == kFeedChangeTypeColumn) {
      expressions[i] = ChangeType(context, InfoOf(reader_data.reader->file),
                                  expressions[row_id.GetIndex()]->Copy(),
                                  expressions[snapshot.GetIndex()]->Copy());
    }
  }
  expressions.resize(column_ids.size());
  return result;
}

duckdb::unique_ptr<duckdb::Expression> FeedReader::ChangeType(
    duckdb::ClientContext& context, const ScanFileInfo& info,
    duckdb::unique_ptr<duckdb::Expression> row_id,
    duckdb::unique_ptr<duckdb::Expression> snapshot) {
  return Guard([&] {
    return ChangeTypeExpression(updates_->Get(context, *source()), PartOf(info).side,
                                SnapshotsOf(info), std::move(row_id), std::move(snapshot));
  });
}

duckdb::unique_ptr<duckdb::Expression> FeedReader::GetVirtualColumnExpression(
    duckdb::ClientContext& context, duckdb::MultiFileReaderData& reader_data,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns, duckdb::idx_t& column_id,
    const LogicalType& type, duckdb::MultiFileLocalIndex local_index,
    duckdb::optional_ptr<duckdb::MultiFileColumnDefinition>& embedded) {
  const auto* went = dynamic_cast<WentFilter*>(reader_data.reader->deletion_filter.get());
  if (column_id != kSnapshotIdColumn || went == nullptr) {
    return ScanReader::GetVirtualColumnExpression(context, reader_data, file_columns, column_id,
                                                  type, local_index, embedded);
  }
  if (const auto only = went->history()->only_snapshot()) {
    return duckdb::make_uniq<duckdb::BoundConstantExpression>(Value::BIGINT(only->value));
  }
  column_id = COLUMN_IDENTIFIER_FILE_ROW_NUMBER;
  duckdb::ScalarFunction function("tarn_deleted_by", {LogicalType::BIGINT}, LogicalType::BIGINT,
                                  TellDeletionSnapshots);
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> children;
  children.push_back(duckdb::make_uniq<duckdb::BoundReferenceExpression>(LogicalType::BIGINT,
                                                                         local_index.GetIndex()));
  return duckdb::make_uniq<duckdb::BoundFunctionExpression>(
      LogicalType::BIGINT, std::move(function), std::move(children),
      duckdb::make_uniq<HistoryInfo>(went->history()));
}

duckdb::unique_ptr<duckdb::MultiFileReader> FeedReader::Copy() const {
  return duckdb::make_uniq<FeedReader>(source(), updates_);
}

}  // namespace tarn::engine
