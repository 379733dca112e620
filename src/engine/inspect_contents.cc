// The rows of a file against their description. See inspect_contents.h.
#include "engine/inspect_contents.h"

#include <algorithm>
#include <optional>

#include "catalog/predicate_pruner.h"
#include "data/apply_name_map.h"
#include "duckdb/parser/keyword_helper.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"
#include "engine/operators/delete_positions.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_columns.h"
#include "format/type_names.h"
#include "tarn/error.h"
#include "tarn/footer.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

/// One column of the file that the catalog describes.
struct InspectedColumn {
  const Column* column;
  LogicalType type;
  std::optional<ScalarType> scalar;  ///< absent for nested ones
  const ColumnStats* stats = nullptr;

  bool has_nan() const {
    return type.id() == LogicalTypeId::FLOAT || type.id() == LogicalTypeId::DOUBLE;
  }
  bool has_bounds() const { return scalar && FileBoundsMayPrune(scalar->kind); }
};

/// A pattern that only the path itself matches.
std::string AsGlob(const std::string& path) {
  std::string pattern;
  for (const char c : path) {
    const bool is_special = c == '*' || c == '?' || c == '[';
    pattern += is_special ? std::string("[") + c + "]" : std::string(1, c);
  }
  return pattern;
}

std::string WrongCount(int64_t rows, const DataFile& file) {
  return "it holds " + std::to_string(rows) + " rows, and " + std::to_string(file.record_count) +
         " in the catalog.";
}

class Inspection {
 public:
  Inspection(const DataFile& file, const Table& table) : file_(file), table_(table) {}

  void Run(duckdb::Connection& connection, FileSystem& file_system, const std::string& path) {
    std::string select = "count(*)";
    auto footer = ReadParquetFooter(file_system, path);
    // Files that are read by name may carry field ids of other writers.
    if (file_.names) ApplyNameMap(*file_.names, footer);
    for (const auto& field : footer.fields) AddColumn(field, select);
    auto prepared = connection.Prepare("SELECT " + select +
                                       " FROM read_parquet($1, hive_partitioning = false)");
    if (prepared->HasError()) return Error(prepared->GetError());
    duckdb::vector<Value> parameters{Value(AsGlob(path))};
    auto result = prepared->Execute(parameters, /*allow_stream_result=*/false);
    if (result->HasError()) return Error(result->GetError());
    const auto row = result->Fetch();
    if (!row || row->size() != 1) return Error("its rows cannot be counted.");
    Compare(*row);
  }

  std::vector<CheckFinding> Finish() { return std::move(found_); }

 private:
  void Error(std::string what, RepairTarget repair = {}) {
    found_.push_back({true, std::move(what), std::move(repair), {}});
  }

  /// Adds what is asked of a column, in the order in which Compare takes the answers.
  void AddColumn(const ParquetField& field, std::string& select) {
    if (!field.field_id) return;
    const auto column =
        std::find_if(table_.columns.begin(), table_.columns.end(),
                     [&](const Column& c) { return c.id.value == *field.field_id; });
    // Row ids and the like are no columns of the table, and unknown ones are found elsewhere.
    if (column == table_.columns.end()) return;
    InspectedColumn inspected{&*column, ToLogicalType(*column), {}, nullptr};
    if (column->children.empty()) inspected.scalar = ParseTypeName(column->type);
    for (const auto& stats : file_.stats) {
      if (stats.field == column->id) inspected.stats = &stats;
    }
    const auto name = duckdb::KeywordHelper::WriteQuoted(field.name, '"');
    // Counts and bounds alone would be answered from the footer; a hash needs each value.
    select += ", bit_xor(hash(" + name + ")), count(" + name + ")";
    if (inspected.scalar) {
      // A file may be older than the column's type, and narrower.
      const auto value = "CAST(" + name + " AS " + inspected.type.ToString() + ")";
      const auto real = inspected.has_nan() ? " FILTER (NOT isnan(" + value + "))" : std::string();
      if (inspected.has_nan()) select += ", coalesce(bool_or(isnan(" + value + ")), false)";
      if (inspected.has_bounds()) {
        select += ", min(" + value + ")" + real + ", max(" + value + ")" + real;
      }
    }
    columns_.push_back(std::move(inspected));
  }

  void Compare(duckdb::DataChunk& row) {
    duckdb::idx_t next = 0;
    const auto take = [&] { return row.GetValue(next++, 0); };
    const auto rows = take().GetValue<int64_t>();
    if (rows != file_.record_count) {
      Error(WrongCount(rows, file_));
    }
    for (const auto& column : columns_) {
      take();  // the hash
      const auto nulls = rows - take().GetValue<int64_t>();
      const bool has_nan = column.has_nan() && take().GetValue<bool>();
      const auto min = column.has_bounds() ? take() : Value();
      const auto max = column.has_bounds() ? take() : Value();
      if (column.stats == nullptr) continue;
      const auto name =
          "its column " + duckdb::KeywordHelper::WriteQuoted(column.column->name, '"');
      if (column.scalar && HasFileBounds(column.scalar->kind) && column.stats->null_count &&
          *column.stats->null_count != nulls) {
        Error(name + " holds " + std::to_string(nulls) + " NULLs, and " +
                  std::to_string(*column.stats->null_count) + " in the catalog.",
              {RepairKind::kFileStats, -1, column.column->id.value});
      }
      if (has_nan && column.stats->contains_nan == false) {
        // The reference makes such files. What no query believes is no damage.
        found_.push_back({ProvesAbsentNans(file_, /*has_small_row_groups=*/false),
                          name + " holds NaN, and none in the catalog.",
                          {RepairKind::kFileStats, -1, column.column->id.value},
                          {}});
      }
      if (!column.has_bounds()) continue;
      CompareBound(column, name, min, column.stats->min_value, BoundSide::kMin);
      CompareBound(column, name, max, column.stats->max_value, BoundSide::kMax);
    }
  }

  void CompareBound(const InspectedColumn& column, const std::string& name, const Value& value,
                    const std::optional<std::string>& text, BoundSide side) {
    if (value.IsNull() || !text) return;
    const auto bound = BoundValue(*column.scalar, column.type, *text, side);
    if (!bound) return;
    const bool is_min = side == BoundSide::kMin;
    if (is_min ? value >= *bound : value <= *bound) return;
    Error(name + " holds " + value.ToString() + ", which is " + (is_min ? "below" : "above") +
              " the " + (is_min ? "minimum " : "maximum ") + *text + " in the catalog.",
          {RepairKind::kFileBounds, -1, column.column->id.value});
  }

  const DataFile& file_;
  const Table& table_;
  std::vector<InspectedColumn> columns_;
  std::vector<CheckFinding> found_;
};

}  // namespace

std::vector<CheckFinding> InspectEncrypted(duckdb::ClientContext& context, const std::string& path,
                                           const DataFile& file, const Table& table) {
  std::vector<CheckFinding> found;
  try {
    ParquetFile parquet;
    parquet.path = path;
    parquet.size_bytes = file.file_size_bytes;
    parquet.footer_size = file.footer_size;
    parquet.encryption_key = FileKey(file.encryption_key, path);
    duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
    for (const auto& column : table.columns) columns.push_back(ToDefinition(column));
    int64_t rows = 0;
    ReadParquetFile(context, parquet, columns,
                    [&](duckdb::DataChunk& chunk) { rows += static_cast<int64_t>(chunk.size()); });
    if (rows != file.record_count) found.push_back({true, WrongCount(rows, file), {}, {}});
  } catch (const Error& broken) {
    found.push_back({true, broken.message()});
  } catch (const duckdb::Exception& unreadable) {
    found.push_back({true, duckdb::ErrorData(unreadable).RawMessage()});
  }
  return found;
}

std::vector<CheckFinding> InspectContents(duckdb::Connection& connection, FileSystem& file_system,
                                          const std::string& path, const DataFile& file,
                                          const Table& table) {
  Inspection inspection(file, table);
  try {
    inspection.Run(connection, file_system, path);
  } catch (const Error&) {
    // A footer that cannot be read has been told of.
  }
  return inspection.Finish();
}

std::vector<CheckFinding> InspectDeletePositions(duckdb::ClientContext& context,
                                                 const std::string& path, const DeleteFile& file,
                                                 int64_t row_count) {
  std::vector<CheckFinding> found;
  const auto error = [&](std::string what) {
    if (found.empty()) found.push_back({true, std::move(what)});  // more would say the same
  };
  ScanDelete deletion;
  deletion.path = path;
  deletion.file = file;
  const bool is_partial = file.partial_max.has_value();
  int64_t last = -1;
  try {
    ReadDeletePositions(
        context, deletion, row_count, is_partial,
        [&](int64_t position, std::optional<int64_t> snapshot) {
          if (position == last) {
            error("it names position " + std::to_string(position) + " twice.");
          } else if (position < last) {
            error("its positions are out of order at " + std::to_string(position) + ".");
          }
          last = position;
          if (!is_partial) return;
          if (!snapshot || *snapshot < file.begin_snapshot.value ||
              *snapshot > file.partial_max->value) {
            error("it does not say of position " + std::to_string(position) +
                  " in which of its snapshots it was deleted.");
          }
        });
  } catch (const Error& broken) {
    error(broken.message());
  } catch (const duckdb::Exception& unreadable) {
    error(duckdb::ErrorData(unreadable).RawMessage());
  }
  return found;
}

}  // namespace tarn::engine
