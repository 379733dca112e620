// The options of a lake. See option_rules.h.
#include "engine/functions/option_rules.h"

#include "duckdb/common/string_util.hpp"
#include "duckdb/main/config.hpp"
#include "format/age.h"
#include "tarn/error.h"
#include "tarn/schema.h"

namespace tarn::engine {
namespace {

constexpr OptionRule kRules[] = {
    {"auto_compact", OptionKind::kBoolean, false,
     "Whether maintenance of the whole lake includes this table"},
    {"created_by", OptionKind::kInternal, true, "Tool used to write the DuckLake"},
    {"data_inlining_row_limit", OptionKind::kCount, false,
     "Most rows of an insert that are kept in the catalog database instead of a file (0: none)"},
    {"data_path", OptionKind::kInternal, true, "Path to data files"},
    {"delete_older_than", OptionKind::kInterval, true,
     "How old unused files must be before clean-up removes them"},
    {"encrypted", OptionKind::kInternal, true,
     "Whether or not to encrypt Parquet files written to the data path"},
    {"expire_older_than", OptionKind::kInterval, true,
     "How old snapshots must be before expiry removes them"},
    {"hive_file_pattern", OptionKind::kBoolean, false,
     "If partitioned data should be written in a hive-like folder structure"},
    {"parquet_compression", OptionKind::kCodec, false,
     "Compression algorithm for Parquet files (uncompressed, snappy, gzip, zstd, brotli, lz4, "
     "lz4_raw)"},
    {"parquet_compression_level", OptionKind::kLevel, false, "Compression level for Parquet files"},
    {"parquet_row_group_size", OptionKind::kPositiveCount, false,
     "Number of rows per row group in Parquet files"},
    {"parquet_row_group_size_bytes", OptionKind::kSize, false,
     "Number of bytes per row group in Parquet files"},
    {"parquet_version", OptionKind::kParquetVersion, false, "Parquet format version (1 or 2)"},
    {"per_thread_output", OptionKind::kBoolean, false,
     "Whether to write a file per thread in parallel inserts"},
    {"require_commit_message", OptionKind::kBoolean, true,
     "If an explicit commit message is required for a snapshot commit"},
    {"rewrite_delete_threshold", OptionKind::kFraction, false,
     "Share of deleted rows, from 0 to 1, from which on a file is rewritten"},
    {"sort_on_insert", OptionKind::kBoolean, false, "Whether inserts apply the table's sort order"},
    {"target_file_size", OptionKind::kSize, false,
     "The target data file size for insertion and compaction operations"},
    {"tarn_flush_after_rows", OptionKind::kCount, false,
     "After how many rows in the catalog database the commit that brings them flushes the table "
     "(0: never)"},
    {"tarn_merge_after_files", OptionKind::kCount, false,
     "After how many small files of about one size the commit that brings them merges the table's "
     "(0: never)"},
    {"tarn_upkeep_budget", OptionKind::kInterval, true,
     "How long after a commit flushes and merges may still be begun"},
    {"version", OptionKind::kInternal, true, "DuckLake format version"},
    {"write_deletion_vectors", OptionKind::kBoolean, false,
     "Whether deletes are written as deletion vectors (puffin) instead of Parquet"},
};

constexpr std::string_view kCodecs[] = {"uncompressed", "snappy", "gzip",   "zstd",
                                        "brotli",       "lz4",    "lz4_raw"};

[[noreturn]] void Refuse(const std::string& sentence) {
  throw Error(ErrorCode::kInvalid, sentence);
}

duckdb::Value CastTo(duckdb::ClientContext& context, const OptionRule& rule,
                     const duckdb::Value& value, const duckdb::LogicalType& type,
                     const char* expected) {
  duckdb::Value result;
  std::string error;
  if (!value.TryCastAs(context, type, result, &error) || result.IsNull()) {
    Refuse("Failed to cast value: the option " + std::string(rule.name) + " takes " + expected +
           ", not '" + value.ToString() + "'.");
  }
  return result;
}

/// A number that fits into the format's BIGINT, as whoever reads the option expects.
duckdb::Value CountOf(duckdb::ClientContext& context, const OptionRule& rule,
                      const duckdb::Value& value, const char* expected) {
  const auto count = CastTo(context, rule, value, duckdb::LogicalType::UBIGINT, expected);
  if (count.GetValue<uint64_t>() > uint64_t{duckdb::NumericLimits<int64_t>::Maximum()})
    Refuse("The option " + std::string(rule.name) + " cannot be as large as " + count.ToString() +
           ".");
  return count;
}

std::string StoredCodec(const duckdb::Value& value) {
  const auto codec = duckdb::StringUtil::Lower(value.ToString());
  for (const auto known : kCodecs) {
    if (codec == known) return codec;
  }
  Refuse("Unsupported codec \"" + value.ToString() +
         "\" for parquet, supported options are uncompressed, snappy, gzip, zstd, brotli, lz4, "
         "lz4_raw");
}

std::string StoredSize(const OptionRule& rule, const duckdb::Value& value) {
  const auto text = value.ToString();
  // DuckDB reads these as "no limit", which no file has.
  const bool is_number =
      !text.empty() && (text[0] == ' ' || duckdb::StringUtil::CharacterIsDigit(text[0]));
  if (!is_number) {
    Refuse("The option " + std::string(rule.name) +
           " takes a size with a unit such as '512MB', not '" + text + "'.");
  }
  const auto size = duckdb::DBConfig::ParseMemoryLimit(text);
  if (size == 0) Refuse("The option " + std::string(rule.name) + " cannot be 0.");
  return std::to_string(size);
}

}  // namespace

const OptionRule* FindOptionRule(std::string_view name) {
  for (const auto& rule : kRules) {
    if (SameName(rule.name, name)) return &rule;
  }
  return nullptr;
}

std::string StoredOptionValue(duckdb::ClientContext& context, const OptionRule& rule,
                              const duckdb::Value& value) {
  using duckdb::LogicalType;
  const std::string name(rule.name);
  if (value.IsNull()) throw duckdb::BinderException("The %s option can't be null.", name);
  switch (rule.kind) {
    case OptionKind::kBoolean:
      return CastTo(context, rule, value, LogicalType::BOOLEAN, "true or false").GetValue<bool>()
                 ? "true"
                 : "false";
    case OptionKind::kCount:
      return CountOf(context, rule, value, "a number from 0").ToString();
    case OptionKind::kLevel: {
      const auto level = CountOf(context, rule, value, "a number from 0 to 22");
      if (level.GetValue<uint64_t>() > 22)
        Refuse("The " + name + " must be between 0 and 22, not " + level.ToString() + ".");
      return level.ToString();
    }
    case OptionKind::kPositiveCount: {
      const auto count = CountOf(context, rule, value, "a number from 1");
      if (count.GetValue<uint64_t>() == 0) Refuse("Row group size cannot be 0");
      return count.ToString();
    }
    case OptionKind::kFraction: {
      const auto fraction =
          CastTo(context, rule, value, LogicalType::DOUBLE, "a number from 0 to 1")
              .GetValue<double>();
      if (!(fraction >= 0 && fraction <= 1))
        throw duckdb::BinderException("The %s must be between 0 and 1", name);
      return std::to_string(fraction);
    }
    case OptionKind::kInterval: {
      const auto text = value.ToString();
      // The cast below would take it for seconds.
      if (IsBareNumber(text)) Refuse("\"" + text + "\" has no unit; write '" + text + " days'.");
      duckdb::Value interval;
      std::string error;
      if (!text.empty() && !value.TryCastAs(context, LogicalType::INTERVAL, interval, &error)) {
        throw duckdb::BinderException("%s is not a valid interval value.", name);
      }
      // What is younger than now would be old enough to go.
      if (!interval.IsNull() && duckdb::Interval::GreaterThan(
                                    duckdb::interval_t(), interval.GetValue<duckdb::interval_t>()))
        Refuse("The option " + name + " is an age, and cannot be negative like '" + text + "'.");
      return text;
    }
    case OptionKind::kSize:
      return StoredSize(rule, value);
    case OptionKind::kCodec:
      return StoredCodec(value);
    case OptionKind::kParquetVersion: {
      const auto version =
          CastTo(context, rule, value, LogicalType::UBIGINT, "1 or 2").GetValue<uint64_t>();
      if (version != 1 && version != 2) Refuse("Only Parquet version 1 and 2 are supported");
      return "V" + std::to_string(version);
    }
    case OptionKind::kInternal:
      break;
  }
  throw Error(
      ErrorCode::kUnsupported,
      "Unsupported option " + name + ": it is fixed when the lake is created." +
          (name == "data_path" ? " A lake whose files have moved is attached with DATA_PATH "
                                 "and OVERRIDE_DATA_PATH; `tarn copy` with "
                                 "--override-data-path makes a catalog that stores it."
                               : ""));
}

}  // namespace tarn::engine
