// See scan_file_list.h.
#include "engine/operators/scan_file_list.h"

#include <algorithm>
#include <utility>

#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "duckdb/planner/expression/bound_columnref_expression.hpp"
#include "duckdb/planner/table_filter.hpp"
#include "duckdb/storage/statistics/node_statistics.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/filters.h"
#include "engine/bridge/values.h"

namespace tarn::engine {
namespace {

/// What the virtual column filename says of them.
const std::string& StagedRowsName() {
  static const std::string name = "__ducklake_inlined_transaction_local_data";
  return name;
}

void Describe(const ScanFile& scan_file, ScanFileInfo& info) {
  DescribeParquetFile(ToParquetFile(scan_file), info);
  info.options["has_deletes"] = duckdb::Value::BOOLEAN(
      scan_file.feed || !scan_file.deletes.empty() || !scan_file.deleted_positions.empty());
}

// The table's column behind a column of the scan; null for virtual ones and those of a feed.
const Column* FindColumn(const ScanSource& source, duckdb::column_t column_id) {
  const auto& columns = source.table()->columns;
  const auto leading = source.leading_columns();
  return column_id >= leading && column_id - leading < columns.size()
             ? &columns[column_id - leading]
             : nullptr;
}

// The file index that all rows of a file have; other virtual columns say nothing about whole files.
bool FilePasses(const duckdb::OpenFileInfo& file,
                const duckdb::vector<duckdb::column_t>& column_ids,
                const duckdb::TableFilterSet& filters) {
  for (const auto& [index, filter] : filters.filters) {
    if (index >= column_ids.size()) {
      continue;
    }
    const auto column_id = column_ids[index];
    duckdb::Value constant;
    if (column_id == duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILE_INDEX) {
      constant = duckdb::Value::UBIGINT(static_cast<uint64_t>(InfoOf(file).ordinal));
    } else if (column_id == duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILENAME) {
      constant = duckdb::Value(file.path);
    } else {
      continue;
    }
    if (!MayPass(*filter, constant)) {
      return false;
    }
  }
  return true;
}

}  // namespace

ParquetFile ToParquetFile(const ScanFile& scan_file) {
  ParquetFile file;
  file.path = scan_file.path;
  file.size_bytes = scan_file.file.file_size_bytes;
  file.footer_size = scan_file.file.footer_size;
  file.encryption_key = FileKey(scan_file.file.encryption_key, file.path);
  return file;
}

const ScanFileInfo& InfoOf(const duckdb::OpenFileInfo& file) {
  return static_cast<const ScanFileInfo&>(*file.extended_info);
}

bool HasKey(const duckdb::OpenFileInfo& file) {
  const auto* scan_file = InfoOf(file).file;
  return scan_file != nullptr && scan_file->file.encryption_key.value_or("") != "";
}

ScanFileList::ScanFileList(std::shared_ptr<ScanSource> source, Predicate predicate)
    : ScanFileList(std::move(source), std::move(predicate), std::make_shared<Planned>()) {}

ScanFileList::ScanFileList(std::shared_ptr<ScanSource> source, Predicate predicate,
                           std::shared_ptr<Planned> planned)
    : source_(std::move(source)), predicate_(std::move(predicate)), planned_(std::move(planned)) {}

std::vector<duckdb::OpenFileInfo> ScanFileList::OpenInfos(
    const std::shared_ptr<const ScanPlan>& plan) const {
  std::vector<duckdb::OpenFileInfo> result;
  result.reserve(plan->files.size() + plan->inlined.size() + plan->staged_rows.size());
  for (const auto& file : plan->files) {
    auto info = duckdb::make_shared_ptr<ScanFileInfo>();
    info->source = source_;
    info->plan = plan;
    info->file = &file;
    info->ordinal = file.ordinal;
    Describe(file, *info);
    duckdb::OpenFileInfo open(file.path);
    open.extended_info = std::move(info);
    result.push_back(std::move(open));
  }
  for (size_t i = 0; i < plan->inlined.size(); ++i) {
    auto info = duckdb::make_shared_ptr<ScanFileInfo>();
    info->source = source_;
    info->plan = plan;
    info->inlined = &plan->inlined[i];
    info->ordinal = plan->total_files + static_cast<int64_t>(i);
    duckdb::OpenFileInfo open(plan->inlined[i].table_name);
    open.extended_info = std::move(info);
    result.push_back(std::move(open));
  }
  for (size_t i = 0; i < plan->staged_rows.size(); ++i) {
    auto info = duckdb::make_shared_ptr<ScanFileInfo>();
    info->source = source_;
    info->plan = plan;
    info->staged = &plan->staged_rows[i];
    info->ordinal = plan->total_files + static_cast<int64_t>(plan->inlined.size() + i);
    duckdb::OpenFileInfo open(StagedRowsName());
    open.extended_info = std::move(info);
    result.push_back(std::move(open));
  }
  return result;
}

const ScanFileList::Planned& ScanFileList::Get() const {
  std::lock_guard<std::mutex> guard(planned_->mutex);
  if (!planned_->plan) {
    Guard([&] {
      auto plan = source_->Plan(predicate_);
      planned_->files = OpenInfos(plan);
      planned_->data_files = plan->files.size();
      planned_->plan = std::move(plan);
    });
  }
  return *planned_;
}

bool ScanFileList::is_open() const {
  if (predicate_.kind != Predicate::Kind::kTrue) {
    return false;
  }
  std::lock_guard<std::mutex> guard(planned_->mutex);
  return !planned_->plan;
}

const std::shared_ptr<const ScanPlan>& ScanFileList::plan() const { return Get().plan; }

std::shared_ptr<const ScanPlan> ScanFileList::counts() const {
  return is_open() ? Guard([&] { return source_->Counts(); }) : Get().plan;
}

size_t ScanFileList::file_count() const {
  return is_open() ? static_cast<size_t>(counts()->total_files) : Get().data_files;
}

size_t ScanFileList::inlined_count() const {
  if (is_open()) {
    const auto plan = counts();
    return plan->inlined.size() + plan->staged_rows.size();
  }
  return Get().files.size() - Get().data_files;
}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::ComplexFilterPushdown(
    duckdb::ClientContext& context, const duckdb::MultiFileOptions&,
    duckdb::MultiFilePushdownInfo& info,
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& filters) const {
  const auto resolve = [&](const duckdb::Expression& expression) -> const Column* {
    const auto& binding = expression.Cast<duckdb::BoundColumnRefExpression>().binding;
    if (binding.table_index != info.table_index || binding.column_index >= info.column_ids.size()) {
      return nullptr;
    }
    return FindColumn(*source_, info.column_ids[binding.column_index]);
  };
  auto predicate = predicate_;
  Guard([&] {
    for (const auto& filter : filters) {
      predicate = And(std::move(predicate), ToPredicate(context, *filter, resolve));
    }
  });
  if (SamePredicate(predicate, predicate_)) {
    return nullptr;
  }
  return duckdb::make_uniq<ScanFileList>(source_, std::move(predicate));
}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::DynamicFilterPushdown(
    duckdb::ClientContext&, const duckdb::MultiFileOptions&, const duckdb::vector<std::string>&,
    const duckdb::vector<duckdb::LogicalType>&, const duckdb::vector<duckdb::column_t>& column_ids,
    duckdb::TableFilterSet& filters) const {
  // Where there is one file, its row groups tell more than the catalog does, for less.
  const auto& planned = Get();
  if (planned.files.size() <= 1) {
    return nullptr;
  }
  auto predicate = predicate_;
  Guard([&] {
    for (const auto& [index, filter] : filters.filters) {
      if (index >= column_ids.size()) {
        continue;
      }
      if (const auto* column = FindColumn(*source_, column_ids[index])) {
        predicate = And(std::move(predicate), ToPredicate(*filter, *column));
      }
    }
  });
  auto result = duckdb::unique_ptr<ScanFileList>(
      new ScanFileList(source_, predicate, std::make_shared<Planned>()));
  auto& narrowed = *result->planned_;
  if (SamePredicate(predicate, predicate_)) {
    narrowed.plan = planned.plan;
    narrowed.files = planned.files;
    narrowed.data_files = planned.data_files;
  } else {
    result->Get();
  }
  std::erase_if(narrowed.files, [&](const duckdb::OpenFileInfo& file) {
    return !FilePasses(file, column_ids, filters);
  });
  narrowed.data_files = static_cast<size_t>(
      std::count_if(narrowed.files.begin(), narrowed.files.end(),
                    [](const duckdb::OpenFileInfo& file) { return InfoOf(file).file != nullptr; }));
  if (narrowed.files.size() == planned.files.size()) {
    return nullptr;
  }
  return result;
}

duckdb::vector<duckdb::OpenFileInfo> ScanFileList::GetAllFiles() const {
  const auto& files = Get().files;
  return duckdb::vector<duckdb::OpenFileInfo>(files.begin(), files.end());
}

duckdb::FileExpandResult ScanFileList::GetExpandResult() const {
  // Never "single file": DuckDB would then size its threads by a reader that it opened while
  // binding, and there is none.
  return GetTotalFileCount() == 0 ? duckdb::FileExpandResult::NO_FILES
                                  : duckdb::FileExpandResult::MULTIPLE_FILES;
}

duckdb::idx_t ScanFileList::GetTotalFileCount() const { return file_count() + inlined_count(); }

duckdb::unique_ptr<duckdb::NodeStatistics> ScanFileList::GetCardinality(
    duckdb::ClientContext&) const {
  if (is_open()) {
    const auto rows = static_cast<duckdb::idx_t>(counts()->max_row_count);
    return duckdb::make_uniq<duckdb::NodeStatistics>(rows, rows);
  }
  const auto& planned = Get();
  if (source_->feed()) {
    // Which rows of a file belong to the range only its deletes tell.
    return duckdb::make_uniq<duckdb::NodeStatistics>(
        static_cast<duckdb::idx_t>(planned.plan->max_row_count));
  }
  int64_t rows = 0;
  for (const auto& file : planned.files) {
    const auto& info = InfoOf(file);
    if (info.file == nullptr) {
      rows += info.inlined != nullptr ? info.inlined->row_count : info.staged->row_count;
      continue;
    }
    int64_t deleted = static_cast<int64_t>(info.file->deleted_positions.size());
    for (const auto& deletion : info.file->deletes) {
      deleted += deletion.snapshot_limit ? 0 : deletion.file.delete_count;
    }
    rows += std::max<int64_t>(info.file->file.record_count - deleted, 0);
  }
  const auto estimate = static_cast<duckdb::idx_t>(std::min(rows, planned.plan->max_row_count));
  return duckdb::make_uniq<duckdb::NodeStatistics>(
      estimate, static_cast<duckdb::idx_t>(planned.plan->max_row_count));
}

duckdb::unique_ptr<duckdb::MultiFileList> ScanFileList::Copy() const {
  return duckdb::unique_ptr<ScanFileList>(new ScanFileList(source_, predicate_, planned_));
}

duckdb::OpenFileInfo ScanFileList::GetFile(duckdb::idx_t index) const {
  const auto& files = Get().files;
  return index < files.size() ? files[index] : duckdb::OpenFileInfo();
}

}  // namespace tarn::engine
