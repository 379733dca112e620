// Session settings of Tarn. See settings.h.
#include "engine/functions/settings.h"

#include "duckdb/common/types/hugeint.hpp"
#include "duckdb/main/config.hpp"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

constexpr const char* kMaxRetryCount = "ducklake_max_retry_count";
constexpr const char* kRetryWaitMs = "ducklake_retry_wait_ms";
constexpr const char* kRetryBackoff = "ducklake_retry_backoff";
constexpr const char* kInliningLimit = "ducklake_default_data_inlining_row_limit";
constexpr const char* kTargetFileSize = "ducklake_target_file_size";
constexpr const char* kDeletionVectors = "ducklake_write_deletion_vectors";
constexpr const char* kIsolation = "tarn_isolation";
constexpr const char* kMetadataCacheSize = "tarn_metadata_cache_size";
constexpr const char* kMetadataAnswers = "tarn_metadata_answers";
constexpr const char* kSnapshotIsolation = "snapshot";
constexpr const char* kSerializable = "serializable";

/// Absent when it is NULL.
std::optional<Value> Read(duckdb::ClientContext& context, const char* name) {
  Value value;
  if (!context.TryGetCurrentSetting(name, value) || value.IsNull()) return std::nullopt;
  return value;
}

/// Counts are taken as wider numbers, so that it is we who refuse: DuckDB's cast to an unsigned one
/// does not say of which setting.
template <const char* const& kName>
void CheckCount(duckdb::ClientContext&, duckdb::SetScope, Value& value) {
  if (value.IsNull()) return;
  const auto count = value.GetValue<duckdb::hugeint_t>();
  if (count < duckdb::hugeint_t(0) || count > duckdb::Hugeint::Convert(UINT64_MAX)) {
    throw duckdb::InvalidInputException("%s must be a whole number from 0 to %llu, not %s.", kName,
                                        UINT64_MAX, value.ToString());
  }
  value = Value::UBIGINT(duckdb::Hugeint::Cast<uint64_t>(count));
}

void CheckBackoff(duckdb::ClientContext&, duckdb::SetScope, Value& value) {
  if (!value.IsNull() && !(value.GetValue<double>() >= 1)) {
    throw duckdb::InvalidInputException(
        "%s must be 1 or more: it is what each wait is multiplied by.", kRetryBackoff);
  }
}

void CheckIsolation(duckdb::ClientContext&, duckdb::SetScope, Value& value) {
  const std::string level = value.IsNull() ? "" : duckdb::StringUtil::Lower(value.ToString());
  if (level != kSnapshotIsolation && level != kSerializable) {
    throw duckdb::InvalidInputException("%s must be '%s' or '%s'.", kIsolation, kSnapshotIsolation,
                                        kSerializable);
  }
  value = Value(level);
}

void CheckTargetFileSize(duckdb::ClientContext&, duckdb::SetScope, Value& value) {
  if (!value.IsNull()) duckdb::DBConfig::ParseMemoryLimit(value.ToString());
}

void CheckCacheSize(duckdb::ClientContext&, duckdb::SetScope, Value& value) {
  try {
    if (!value.IsNull() && value.ToString() == "0") return;
    if (!value.IsNull() && duckdb::DBConfig::ParseMemoryLimit(value.ToString()) > 0) return;
  } catch (const duckdb::Exception&) {
    // It does not name the setting.
  }
  throw duckdb::InvalidInputException(
      "%s must be a size such as '512MB', or '0' for no cache, not %s.", kMetadataCacheSize,
      value.ToString());
}

}  // namespace

void RegisterSettings(duckdb::DatabaseInstance& db) {
  auto& config = duckdb::DBConfig::GetConfig(db);
  config.AddExtensionOption(kMaxRetryCount,
                            "The maximum amount of retry attempts for a ducklake transaction",
                            LogicalType::HUGEINT, Value::UBIGINT(10), CheckCount<kMaxRetryCount>);
  config.AddExtensionOption(kRetryWaitMs, "Time between retries", LogicalType::HUGEINT,
                            Value::UBIGINT(100), CheckCount<kRetryWaitMs>);
  config.AddExtensionOption(kRetryBackoff,
                            "Backoff factor for exponentially increasing retry wait time",
                            LogicalType::DOUBLE, Value::DOUBLE(1.5), CheckBackoff);
  config.AddExtensionOption(kInliningLimit,
                            "Default row limit for data inlining (0 disables inlining)",
                            LogicalType::HUGEINT, Value::UBIGINT(10), CheckCount<kInliningLimit>);
  config.AddExtensionOption(kTargetFileSize, "Target file size for insertion and compaction",
                            LogicalType::VARCHAR, Value(LogicalType::VARCHAR), CheckTargetFileSize);
  config.AddExtensionOption(kDeletionVectors,
                            "Write deletes as deletion vectors (puffin) instead of Parquet files",
                            LogicalType::BOOLEAN, Value::BOOLEAN(false));
  config.AddExtensionOption(kIsolation,
                            "What transactions on lakes are isolated by: snapshot, or serializable "
                            "(rows that were read conflict as well)",
                            LogicalType::VARCHAR, Value(kSnapshotIsolation), CheckIsolation);
  config.AddExtensionOption(kMetadataCacheSize,
                            "Memory for what is known of the files of tables that were read, for "
                            "each lake ('0': nothing is kept)",
                            LogicalType::VARCHAR, Value("512MiB"), CheckCacheSize,
                            duckdb::SetScope::GLOBAL);
  config.AddExtensionOption(kMetadataAnswers,
                            "Answer COUNT, MIN and MAX without opening files whose statistics say "
                            "all that is asked",
                            LogicalType::BOOLEAN, Value::BOOLEAN(true));
}

RetryOptions ReadRetryOptions(duckdb::ClientContext& context) {
  RetryOptions options;
  const auto clamp = [](uint64_t value) {
    return static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX));
  };
  if (const auto count = Read(context, kMaxRetryCount))
    options.max_attempts = clamp(count->GetValue<uint64_t>());
  if (const auto wait = Read(context, kRetryWaitMs))
    options.wait_ms = clamp(wait->GetValue<uint64_t>());
  if (const auto backoff = Read(context, kRetryBackoff))
    options.backoff = backoff->GetValue<double>();
  return options;
}

bool ReadsAreSerializable(duckdb::ClientContext& context) {
  const auto level = Read(context, kIsolation);
  return level && level->ToString() == kSerializable;
}

bool AnswersFromCatalog(duckdb::ClientContext& context) {
  const auto value = Read(context, kMetadataAnswers);
  return !value || value->GetValue<bool>();
}

int64_t ReadDefaultInliningLimit(duckdb::ClientContext& context) {
  const auto limit = Read(context, kInliningLimit);
  return limit ? static_cast<int64_t>(std::min<uint64_t>(limit->GetValue<uint64_t>(), INT64_MAX))
               : 10;
}

bool ReadDeletionVectors(duckdb::ClientContext& context) {
  const auto value = Read(context, kDeletionVectors);
  return value && value->GetValue<bool>();
}

int64_t ReadMetadataCacheSize(duckdb::ClientContext& context) {
  const auto size = Read(context, kMetadataCacheSize);
  if (!size || size->ToString() == "0") return 0;
  const uint64_t bytes = duckdb::DBConfig::ParseMemoryLimit(size->ToString());
  return static_cast<int64_t>(std::min<uint64_t>(bytes, INT64_MAX));
}

std::optional<int64_t> ReadTargetFileSize(duckdb::ClientContext& context) {
  const auto size = Read(context, kTargetFileSize);
  if (!size) return std::nullopt;
  return static_cast<int64_t>(duckdb::DBConfig::ParseMemoryLimit(size->ToString()));
}

}  // namespace tarn::engine
