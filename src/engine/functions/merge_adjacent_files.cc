// ducklake_merge_adjacent_files(lake): small data files become larger ones; nothing changes for a
// reader of any snapshot.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/functions/compaction.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

std::optional<int64_t> ReadCount(const LakeCall& call, const char* name) {
  const auto found = call.named.find(name);
  if (found == call.named.end()) return std::nullopt;
  if (found->second.IsNull()) {
    throw duckdb::BinderException("The %s option must be a non-null integer.", name);
  }
  const auto value = found->second.GetValue<uint64_t>();
  return static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX));
}

void RequirePositive(const std::optional<int64_t>& value, const char* name) {
  if (value && *value == 0) {
    throw duckdb::BinderException("The %s option must be greater than zero.", name);
  }
}

BoundLakeFunction Bind(const LakeCall& call) {
  const auto least = ReadCount(call, "min_file_size");
  const auto most = ReadCount(call, "max_file_size");
  const auto outputs = ReadCount(call, "max_compacted_files");
  RequirePositive(outputs, "max_compacted_files");
  RequirePositive(most, "max_file_size");
  if (least && most && *least >= *most) {
    throw duckdb::BinderException("The min_file_size must be less than max_file_size.");
  }
  return BindCompaction(call, CompactionKind::kMerge,
                        [least, most, outputs](const OptionSet&, CompactionRequest& request) {
                          request.min_file_size = least.value_or(0);
                          request.max_file_size = most;
                          request.max_outputs = outputs;
                        });
}

}  // namespace

LakeFunction MergeAdjacentFilesFunction() {
  return {.name = "merge_adjacent_files",
          .writes = true,
          .optional = {LogicalType::VARCHAR},
          .named = {{"schema", LogicalType::VARCHAR},
                    {"dry_run", LogicalType::BOOLEAN},
                    {"min_file_size", LogicalType::UBIGINT},
                    {"max_file_size", LogicalType::UBIGINT},
                    {"max_compacted_files", LogicalType::UBIGINT}},
          .bind = Bind};
}

}  // namespace tarn::engine
