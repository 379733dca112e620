// Reads FileMetaData (parquet.thrift), folding the statistics of all row groups as they come by, so
// that memory grows with the columns and not with the row groups.
#include "tarn/footer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/geometry_stats.h"
#include "data/parquet_schema.h"
#include "data/thrift_reader.h"
#include "format/stats_text.h"
#include "tarn/error.h"

namespace tarn {
namespace {

using Field = ThriftReader::Field;
using Type = ThriftReader::Type;

constexpr int64_t kTailBytes = 8;             // footer length and magic
constexpr int64_t kFirstReadBytes = 1 << 16;  // most footers come with one read

int64_t AddCounts(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (b < 0 || __builtin_add_overflow(a, b, &sum))
    ThriftReader::Fail("a count in it is out of range");
  return sum;
}

// What one column chunk says.
struct Chunk {
  int64_t value_count = 0;  // with NULLs
  int64_t size_bytes = 0;
  std::optional<int64_t> null_count;
  std::optional<std::string_view> min;
  std::optional<std::string_view> max;
  std::optional<std::array<std::optional<double>, 8>> box;
  std::vector<int32_t> geometry_types;
};

// Statistics of one leaf over the row groups so far.
class LeafStats {
 public:
  explicit LeafStats(const ParquetLeaf& leaf) : leaf_(&leaf) {}

  void Add(const Chunk& chunk) {
    value_count_ = AddCounts(value_count_, chunk.value_count);
    size_bytes_ = AddCounts(size_bytes_, chunk.size_bytes);
    // Of leaves inside lists DuckDB's writer counts a NULL once for each level that is NULL.
    const bool knows_nulls = chunk.null_count && *chunk.null_count <= chunk.value_count;
    const bool all_null = knows_nulls && *chunk.null_count == chunk.value_count && !chunk.min;
    if (chunk.null_count && !knows_nulls && !leaf_->is_repeated)
      ThriftReader::Fail("it counts more NULLs than values");
    if (knows_nulls) {
      null_count_ = AddCounts(null_count_, *chunk.null_count);
    } else if (chunk.value_count > 0) {
      knows_nulls_ = false;
    }
    if (chunk.value_count == 0 || all_null) return;
    if (leaf_->type.kind == TypeKind::kGeometry) geometries_.Add(chunk.box, chunk.geometry_types);
    Widen(chunk.min, BoundSide::kMin, min_, knows_min_);
    Widen(chunk.max, BoundSide::kMax, max_, knows_max_);
  }

  ColumnStats Finish() const {
    ColumnStats stats;
    if (leaf_->field_id) stats.field = FieldId(*leaf_->field_id);
    stats.column_size_bytes = size_bytes_;
    if (knows_nulls_) {
      stats.null_count = null_count_;
      stats.value_count = value_count_ - null_count_;
    }
    if (knows_min_ && min_) stats.min_value = EncodeBound(leaf_->type, *min_, BoundSide::kMin);
    if (knows_max_ && max_) stats.max_value = EncodeBound(leaf_->type, *max_, BoundSide::kMax);
    if (const auto geometries = geometries_.Finish()) stats.extra_stats = geometries->Json();
    // Footers do not say whether a NaN is among the values, which is what an absent contains_nan
    // means.
    return stats;
  }

 private:
  void Widen(const std::optional<std::string_view>& bytes, BoundSide side,
             std::optional<StatsValue>& bound, bool& knows) {
    std::optional<StatsValue> value =
        bytes ? DecodeParquetBound(*leaf_, *bytes, side) : std::nullopt;
    if (!value) {
      knows = false;
      return;
    }
    bool is_wider = !bound || (side == BoundSide::kMin ? Compare(*value, *bound) < 0
                                                       : Compare(*value, *bound) > 0);
    if (is_wider) bound = std::move(value);
  }

  const ParquetLeaf* leaf_;
  int64_t value_count_ = 0;
  int64_t null_count_ = 0;
  int64_t size_bytes_ = 0;
  bool knows_nulls_ = true;
  bool knows_min_ = true;
  bool knows_max_ = true;
  std::optional<StatsValue> min_;
  std::optional<StatsValue> max_;
  GeometryStatsMerger geometries_;
};

class FooterParser {
 public:
  explicit FooterParser(std::string_view bytes) : reader_(bytes) {}

  ParquetFooter Parse() {
    bool has_row_count = false;
    reader_.Struct([&](const Field& field) {
      switch (field.id) {
        case 2:
          schema_ = ReadParquetSchema(reader_, field);
          for (const ParquetLeaf& leaf : schema_->leaves) stats_.emplace_back(leaf);
          return;
        case 3:
          footer_.row_count = reader_.I64(field);
          has_row_count = true;
          return;
        case 4:
          return ReadRowGroups(field);
        default:
          reader_.Skip(field);
      }
    });
    if (!schema_ || !has_row_count)
      ThriftReader::Fail("its footer lacks the schema or the number of rows");
    if (footer_.row_count < 0 || footer_.row_count != row_group_rows_) {
      ThriftReader::Fail("its row groups do not have as many rows as the file");
    }
    for (const LeafStats& leaf : stats_) footer_.stats.push_back(leaf.Finish());
    footer_.fields = std::move(schema_->fields);
    return std::move(footer_);
  }

 private:
  void ReadRowGroups(const Field& field) {
    if (!schema_) ThriftReader::Fail("its row groups come before its schema");
    reader_.List(field, Type::kStruct, [&] { ReadRowGroup(); });
  }

  void ReadRowGroup() {
    reader_.Struct([&](const Field& field) {
      if (field.id == 3) {
        row_group_rows_ = AddCounts(row_group_rows_, reader_.I64(field));
      } else if (field.id == 1) {
        size_t leaf = 0;
        reader_.List(field, Type::kStruct, [&] {
          if (leaf == stats_.size())
            ThriftReader::Fail("a row group in it has more columns than the schema");
          stats_[leaf].Add(ReadChunk(schema_->leaves[leaf]));
          ++leaf;
        });
        if (leaf != stats_.size())
          ThriftReader::Fail("a row group in it has fewer columns than the schema");
      } else {
        reader_.Skip(field);
      }
    });
  }

  Chunk ReadChunk(const ParquetLeaf& leaf) {
    Chunk chunk;
    reader_.Struct([&](const Field& field) {
      if (field.id != 3) return reader_.Skip(field);
      reader_.Struct([&](const Field& meta) {
        switch (meta.id) {
          case 5:
            chunk.value_count = reader_.I64(meta);
            return;
          case 7:
            chunk.size_bytes = reader_.I64(meta);
            return;
          case 12:
            if (meta.type != Type::kStruct) return reader_.Skip(meta);
            return ReadStatistics(leaf, chunk);
          case 17:
            if (meta.type != Type::kStruct) return reader_.Skip(meta);
            return ReadGeometries(chunk);
          default:
            reader_.Skip(meta);
        }
      });
    });
    if (chunk.value_count < 0) ThriftReader::Fail("a count in it is negative");
    return chunk;
  }

  void ReadGeometries(Chunk& chunk) {
    reader_.Struct([&](const Field& field) {
      if (field.id == 1 && field.type == Type::kStruct) {
        chunk.box.emplace();
        reader_.Struct([&](const Field& bound) {
          if (bound.id < 1 || bound.id > 8) return reader_.Skip(bound);
          (*chunk.box)[static_cast<size_t>(bound.id) - 1] = reader_.Double(bound);
        });
      } else if (field.id == 2 && field.type == Type::kList) {
        reader_.List(field, Type::kI32,
                     [&] { chunk.geometry_types.push_back(reader_.I32Element()); });
      } else {
        reader_.Skip(field);
      }
    });
  }

  void ReadStatistics(const ParquetLeaf& leaf, Chunk& chunk) {
    std::optional<std::string_view> old_min, old_max;
    reader_.Struct([&](const Field& field) {
      switch (field.id) {
        case 1:
          old_max = reader_.Binary(field);
          return;
        case 2:
          old_min = reader_.Binary(field);
          return;
        case 3:
          chunk.null_count = reader_.I64(field);
          return;
        case 5:
          chunk.max = reader_.Binary(field);
          return;
        case 6:
          chunk.min = reader_.Binary(field);
          return;
        default:
          reader_.Skip(field);
      }
    });
    if (leaf.IsSignedOrder() && !chunk.min && !chunk.max) {
      chunk.min = old_min;
      chunk.max = old_max;
    }
  }

  ThriftReader reader_;
  ParquetFooter footer_;
  std::optional<ParquetSchema> schema_;
  std::vector<LeafStats> stats_;
  int64_t row_group_rows_ = 0;
};

[[noreturn]] void ThrowNotParquet(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("\"{}\" is not a sound Parquet file: {}.", path, why), {{"path", path}});
}

uint32_t LittleUint32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

}  // namespace

ParquetFooter ReadParquetFooter(FileSystem& file_system, const std::string& path) {
  std::unique_ptr<RandomAccessFile> file = file_system.Open(path);
  int64_t size = file->size_bytes();
  if (size < kTailBytes + 4) ThrowNotParquet(path, "it is too short");
  int64_t tail_bytes = std::min(size, kFirstReadBytes);
  std::string tail = file->ReadAt(size - tail_bytes, tail_bytes);
  std::string_view magic = std::string_view(tail).substr(tail.size() - 4);
  if (magic == "PARE") {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("The footer of \"{}\" is encrypted and cannot be read here.", path),
                {{"path", path}});
  }
  if (magic != "PAR1") ThrowNotParquet(path, "it does not end with Parquet's mark");
  int64_t footer_size = LittleUint32(std::string_view(tail).substr(tail.size() - kTailBytes, 4));
  if (footer_size > size - kTailBytes - 4)
    ThrowNotParquet(path, "its footer is longer than the file");

  std::string bytes;
  if (footer_size + kTailBytes <= tail_bytes) {
    bytes = tail.substr(static_cast<size_t>(tail_bytes - kTailBytes - footer_size),
                        static_cast<size_t>(footer_size));
  } else {
    bytes = file->ReadAt(size - kTailBytes - footer_size, footer_size);
  }
  try {
    ParquetFooter footer = FooterParser(bytes).Parse();
    footer.footer_size_bytes = footer_size;
    footer.file_size_bytes = size;
    return footer;
  } catch (const ThriftFailure& failure) {
    ThrowNotParquet(path, failure.why);
  }
}

}  // namespace tarn
