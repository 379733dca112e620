// See written_file.h; format page, section 4.
#include "engine/operators/written_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "data/geometry_stats.h"
#include "engine/operators/shredded_fields.h"
#include "format/stats_text.h"
#include "format/type_names.h"
#include "format/variant_stats.h"
#include "tarn/footer.h"

namespace tarn::engine {
namespace {

using WriterStats = duckdb::case_insensitive_map_t<duckdb::Value>;

constexpr const char* kFieldIdKey = "__duckdb_field_id";

class StatsReader {
 public:
  StatsReader(const duckdb::CopyFunctionFileStatistics& written, std::vector<ColumnStats>& result)
      : written_(written), result_(result) {}

  // The writer names a leaf by its path: "a"."b", each part quoted.
  void Read(const Column& column, const std::string& parent_path) {
    const auto path = (parent_path.empty() ? "" : parent_path + ".") + QuoteIdentifier(column.name);
    const auto type = RequireTypeName(column.type);
    if (!column.children.empty()) {
      for (const auto& child : column.children) {
        Read(child, path);
      }
      return;
    }
    if (type.kind == TypeKind::kVariant) {
      ReadVariant(column, path);
      return;
    }
    const auto found = written_.column_statistics.find(path);
    if (found != written_.column_statistics.end()) {
      ReadLeaf(column, type, found->second);
    }
  }

 private:
  static std::optional<int64_t> Count(const WriterStats& stats, const char* key) {
    const auto found = stats.find(key);
    if (found == stats.end()) {
      return std::nullopt;
    }
    return found->second.DefaultCastAs(duckdb::LogicalType::BIGINT).GetValue<int64_t>();
  }

  static std::optional<std::string> Text(const WriterStats& stats, const char* key) {
    const auto found = stats.find(key);
    return found == stats.end() ? std::nullopt
                                : std::optional<std::string>(found->second.ToString());
  }

  void ReadLeaf(const Column& column, const ScalarType& type, const WriterStats& stats) {
    ColumnStats leaf;
    leaf.field = column.id;
    leaf.column_size_bytes = Count(stats, "column_size_bytes");
    leaf.null_count = Count(stats, "null_count");
    // The writer counts NULLs among the values, the format does not. Of leaves inside lists it
    // counts a NULL once for each level that is NULL, so that there may seem to be more of them
    // than values.
    if (const auto values = Count(stats, "num_values"); values && leaf.null_count) {
      if (*leaf.null_count <= *values) {
        leaf.value_count = *values - *leaf.null_count;
      } else {
        leaf.null_count.reset();
      }
    }
    // A minimum that was cut before a zero byte would look whole, and whole ones answer MIN.
    if (const auto min = Text(stats, "min");
        min && (type.kind != TypeKind::kVarchar || min->find('\0') == std::string::npos)) {
      leaf.min_value = NormalizeWriterStat(type, *min, BoundSide::kMin);
    }
    if (const auto max = Text(stats, "max")) {
      leaf.max_value = NormalizeWriterStat(type, *max, BoundSide::kMax);
    }
    if (HasNan(type.kind)) {
      if (const auto has_nan = Text(stats, "has_nan")) {
        leaf.contains_nan = *has_nan == "true";
      }
    }
    if (type.kind == TypeKind::kGeometry) {
      leaf.extra_stats = Geometries(stats);
    }
    result_.push_back(std::move(leaf));
  }

  // The size of all its parts, and what is known of fields; the writer counts only what the parts
  // hold.
  void ReadVariant(const Column& column, const std::string& path) {
    ColumnStats variant;
    variant.field = column.id;
    for (const auto& [name, stats] : written_.column_statistics) {
      if (name.starts_with(path + ".")) {
        variant.column_size_bytes =
            variant.column_size_bytes.value_or(0) + Count(stats, "column_size_bytes").value_or(0);
      }
    }
    if (HasNoNulls(written_, path)) {
      variant.value_count = static_cast<int64_t>(written_.row_count);
      variant.null_count = 0;
    }
    variant.extra_stats = VariantStatsJson(ShreddedFields(written_, path));
    result_.push_back(std::move(variant));
  }

  static std::string Geometries(const WriterStats& stats) {
    GeometryStats geometries;
    size_t bound = 0;
    for (const char* name : {"bbox_xmin", "bbox_xmax", "bbox_ymin", "bbox_ymax", "bbox_zmin",
                             "bbox_zmax", "bbox_mmin", "bbox_mmax"}) {
      if (const auto text = Text(stats, name)) {
        geometries.box[bound] =
            duckdb::Value(*text).DefaultCastAs(duckdb::LogicalType::DOUBLE).GetValue<double>();
      }
      ++bound;
    }
    if (const auto found = stats.find("geo_types"); found != stats.end()) {
      for (const auto& type : duckdb::ListValue::GetChildren(found->second))
        geometries.types.push_back(type.ToString());
    }
    return geometries.Json();
  }

  const duckdb::CopyFunctionFileStatistics& written_;
  std::vector<ColumnStats>& result_;
};

duckdb::Value FieldIdOf(const Column& column) {
  auto id = duckdb::Value::INTEGER(static_cast<int32_t>(column.id.value));
  if (column.children.empty()) {
    return id;
  }
  duckdb::child_list_t<duckdb::Value> fields;
  fields.emplace_back(kFieldIdKey, std::move(id));
  for (const auto& child : column.children) {
    fields.emplace_back(child.name, FieldIdOf(child));
  }
  return duckdb::Value::STRUCT(std::move(fields));
}

}  // namespace

DataFile DescribeWrittenFile(const duckdb::CopyFunctionFileStatistics& written,
                             const std::vector<Column>& columns) {
  DataFile file;
  file.record_count = static_cast<int64_t>(written.row_count);
  file.file_size_bytes = static_cast<int64_t>(written.file_size_bytes);
  if (!written.footer_size_bytes.IsNull()) {
    file.footer_size =
        written.footer_size_bytes.DefaultCastAs(duckdb::LogicalType::BIGINT).GetValue<int64_t>();
  }
  StatsReader reader(written, file.stats);
  for (const auto& column : columns) {
    reader.Read(column, "");
  }
  return file;
}

void DoubtAbsentNans(FileSystem& file_system, const std::string& path, DataFile& file) {
  const auto is_doubtful = [](const ColumnStats& stats) { return stats.contains_nan == false; };
  if (std::none_of(file.stats.begin(), file.stats.end(), is_doubtful)) return;
  std::vector<ColumnStats> footer;
  // An encrypted footer only DuckDB can read.
  if (!file.encryption_key) footer = ReadParquetFooter(file_system, path).stats;
  for (auto& stats : file.stats) {
    if (!is_doubtful(stats)) continue;
    const auto found = std::find_if(footer.begin(), footer.end(), [&stats](const auto& leaf) {
      return leaf.field == stats.field;
    });
    const bool is_proved =
        found != footer.end() && (found->value_count == 0 || found->min_value.has_value());
    if (!is_proved) stats.contains_nan.reset();
  }
}

duckdb::Value FieldIdOption(const std::vector<Column>& columns) {
  duckdb::child_list_t<duckdb::Value> fields;
  for (const auto& column : columns) {
    fields.emplace_back(column.name, FieldIdOf(column));
  }
  return duckdb::Value::STRUCT(std::move(fields));
}

}  // namespace tarn::engine
