// ducklake_rewrite_data_files(lake): data files of which much is deleted are written again without
// it; older snapshots keep the files as they were.
#include <optional>
#include <string>

#include "engine/functions/compaction.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

constexpr double kDefaultThreshold = 0.95;

double StoredThreshold(const OptionSet& options, const Table& table) {
  const auto stored = options.Find("rewrite_delete_threshold", table.schema, table.ref);
  if (!stored) return kDefaultThreshold;
  Value value(*stored);
  if (!value.DefaultTryCastAs(LogicalType::DOUBLE)) {
    throw Error(ErrorCode::kCorrupt, "The lake's option rewrite_delete_threshold is \"" + *stored +
                                         "\", which is no number. Set it again with set_option.");
  }
  return value.GetValue<double>();
}

BoundLakeFunction Bind(const LakeCall& call) {
  std::optional<double> threshold;
  if (const auto given = call.named.find("delete_threshold"); given != call.named.end()) {
    if (given->second.IsNull()) {
      throw duckdb::BinderException("The delete_threshold option must be a non-null number.");
    }
    threshold = given->second.GetValue<double>();
    if (!(*threshold >= 0 && *threshold <= 1)) {
      throw duckdb::BinderException("The delete_threshold option must be between 0 and 1");
    }
  }
  return BindCompaction(call, CompactionKind::kRewrite,
                        [threshold](const OptionSet& options, CompactionRequest& request) {
                          request.delete_threshold =
                              threshold ? *threshold : StoredThreshold(options, *request.table);
                        });
}

}  // namespace

LakeFunction RewriteDataFilesFunction() {
  return {.name = "rewrite_data_files",
          .writes = true,
          .optional = {LogicalType::VARCHAR},
          .named = {{"schema", LogicalType::VARCHAR},
                    {"dry_run", LogicalType::BOOLEAN},
                    {"delete_threshold", LogicalType::DOUBLE}},
          .bind = Bind};
}

}  // namespace tarn::engine
