// Footers of files that DuckDB wrote (test/unit/data/files), of files built here byte by byte, and
// of bytes that are no footer.
#include "tarn/footer.h"

#include <fstream>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/error.h"

namespace tarn {
namespace {

using testing::HasSubstr;
using testing::Optional;
using testing::Pair;

std::string FilePath(const std::string& name) { return TARN_TEST_FILES + name; }

// One file that is whatever bytes it is given.
class BytesFileSystem final : public FileSystem {
 public:
  explicit BytesFileSystem(std::string bytes) : bytes_(std::move(bytes)) {}
  std::optional<FileInfo> Stat(const std::string& path) override {
    return FileInfo{path, static_cast<int64_t>(bytes_.size()), {}};
  }
  std::unique_ptr<RandomAccessFile> Open(const std::string&) override {
    return std::make_unique<File>(bytes_);
  }
  void CreateDirectories(const std::string&) override {}
  bool Remove(const std::string&) override { return false; }
  void List(const std::string&, const std::function<void(const FileInfo&)>&) override {}

 private:
  class File final : public RandomAccessFile {
   public:
    explicit File(const std::string& bytes) : bytes_(bytes) {}
    int64_t size_bytes() const override { return static_cast<int64_t>(bytes_.size()); }
    std::string ReadAt(int64_t offset, int64_t length) override {
      if (offset < 0 || length < 0 || offset + length > size_bytes())
        throw Error(ErrorCode::kCorrupt, "short");
      return bytes_.substr(static_cast<size_t>(offset), static_cast<size_t>(length));
    }

   private:
    const std::string& bytes_;
  };
  std::string bytes_;
};

// Writes Thrift's compact protocol: fields in order of their numbers.
class Thrift {
 public:
  Thrift& I32(int id, int64_t value) { return Head(id, 5).ZigZag(value); }
  Thrift& I64(int id, int64_t value) { return Head(id, 6).ZigZag(value); }
  Thrift& Byte(int id, int value) {
    return Head(id, 3).Raw(std::string(1, static_cast<char>(value)));
  }
  Thrift& Bool(int id, bool value) { return Head(id, value ? 1 : 2); }
  Thrift& Binary(int id, const std::string& value) {
    return Head(id, 8).Varint(value.size()).Raw(value);
  }
  Thrift& Struct(int id, const Thrift& value) { return Head(id, 12).Raw(value.Done()); }
  Thrift& List(int id, const std::vector<Thrift>& values) {
    Head(id, 9);
    Raw(std::string(1, static_cast<char>(0xFC)));
    Varint(values.size());
    for (const Thrift& value : values) Raw(value.Done());
    return *this;
  }
  std::string Done() const { return bytes_ + '\0'; }

 private:
  Thrift& Head(int id, int type) {
    bytes_ += static_cast<char>(type);  // the long form, always allowed
    ZigZag(id);
    return *this;
  }
  Thrift& ZigZag(int64_t value) {
    return Varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }
  Thrift& Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Thrift& Raw(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  std::string bytes_;
};

std::string WithTail(const std::string& footer, const std::string& magic = "PAR1") {
  std::string length;
  for (int i = 0; i < 4; ++i) length += static_cast<char>(footer.size() >> 8 * i);
  return "PAR1" + footer + length + magic;
}

ParquetFooter Read(std::string bytes) {
  BytesFileSystem files(std::move(bytes));
  return ReadParquetFooter(files, "x.parquet");
}

std::string Bytes(std::initializer_list<int> values) {
  std::string bytes;
  for (int value : values) bytes += static_cast<char>(value);
  return bytes;
}

// A file of one column `c` with field id 1: what its element and its chunk's statistics say.
std::string OneColumn(Thrift element, const Thrift& statistics, int64_t values = 3) {
  element.Binary(4, "c").I32(9, 1);
  Thrift root;
  root.Binary(4, "root").I32(5, 1);
  Thrift meta;
  meta.I32(1, 1).I64(5, values).I64(7, 20).Struct(12, statistics);
  Thrift chunk;
  chunk.I64(2, 4).Struct(3, meta);
  Thrift group;
  group.List(1, {chunk}).I64(3, values);
  Thrift file;
  file.I32(1, 2).List(2, {root, element}).I64(3, values).List(4, {group});
  return WithTail(file.Done());
}

std::map<int64_t, ColumnStats> ById(const std::vector<ColumnStats>& stats) {
  std::map<int64_t, ColumnStats> by_id;
  for (const ColumnStats& column : stats) by_id[column.field.value] = column;
  return by_id;
}

TEST(ParquetFooter, TypesAndBoundsOfDuckDbsFiles) {
  ParquetFooter footer = ReadParquetFooter(*LocalFileSystem(), FilePath("types.parquet"));
  EXPECT_EQ(footer.row_count, 3);
  struct Expected {
    const char* type;
    std::optional<std::string> min, max;
  };
  std::map<std::string, Expected> expected = {
      {"b", {"boolean", "0", "1"}},
      {"i1", {"int8", "-128", "127"}},
      {"i2", {"int16", "-5", "5"}},
      {"i4", {"int32", "-5", "5"}},
      {"i8", {"int64", "-9223372036854775808", "5"}},
      {"u1", {"uint8", "0", "255"}},
      {"u2", {"uint16", "0", "65535"}},
      {"u4", {"uint32", "0", "4294967295"}},
      {"u8", {"uint64", "0", "18446744073709551615"}},
      {"f", {"float32", "-1.5", "2.0"}},
      {"d", {"float64", "0.1", "inf"}},
      {"d4", {"decimal(4,2)", "-1.50", "3.25"}},
      {"d9", {"decimal(9,2)", "-1.50", "3.25"}},
      {"d18", {"decimal(18,3)", "-1.500", "3.250"}},
      {"d38", {"decimal(38,10)", "-1.5000000000", "3.2500000000"}},
      {"dt", {"date", "1969-12-31", "infinity"}},
      {"t", {"time", "01:02:03.5", "12:00:00"}},
      {"ts", {"timestamp", "-infinity", "2020-01-01 00:00:00.25"}},
      {"tz", {"timestamptz", "2020-01-01 00:00:00+00", "2020-01-02 00:00:00+00"}},
      {"tms", {"timestamp_ms", "1960-01-01 00:00:00", "2020-01-01 00:00:00.25"}},
      {"tns", {"timestamp_ns", "1960-01-01 00:00:00", "2020-01-01 00:00:00.123456789"}},
      {"iv", {"interval", {}, {}}},
      {"v", {"varchar", "a", "é"}},
      {"bl", {"blob", "00FF", "62"}},
      {"u",
       {"uuid", "00000000-0000-0000-0000-000000000001", "f79c3e09-677c-4bbd-a479-3f349cb785e7"}},
      {"j", {"json", "[1]", "{}"}},
      {"h", {"float64", {}, {}}},
      {"tt", {"timetz", {}, {}}},
  };
  ASSERT_EQ(footer.fields.size(), expected.size());
  std::map<int64_t, ColumnStats> stats = ById(footer.stats);
  for (const ParquetField& field : footer.fields) {
    const Expected& wanted = expected.at(field.name);
    EXPECT_EQ(field.type, wanted.type) << field.name;
    const ColumnStats& column = stats.at(field.field_id.value());
    // DuckDB cannot name infinity as a bound of doubles, and leaves it out.
    if (field.name != "d") {
      EXPECT_EQ(column.min_value, wanted.min) << field.name;
      EXPECT_EQ(column.max_value, wanted.max) << field.name;
    }
    EXPECT_THAT(column.column_size_bytes, Optional(testing::Gt(0))) << field.name;
    EXPECT_EQ(column.contains_nan, std::nullopt) << "a footer does not say";
    bool counts_nulls = field.name != "iv" && field.name != "tt";
    EXPECT_EQ(column.null_count, counts_nulls ? std::optional<int64_t>(1) : std::nullopt)
        << field.name;
    EXPECT_EQ(column.value_count, counts_nulls ? std::optional<int64_t>(2) : std::nullopt)
        << field.name;
  }
}

TEST(ParquetFooter, NestedColumnsAndRowGroupsFold) {
  ParquetFooter footer = ReadParquetFooter(*LocalFileSystem(), FilePath("nested.parquet"));
  EXPECT_EQ(footer.row_count, 5000);
  ASSERT_EQ(footer.fields.size(), 4u);
  const ParquetField& structure = footer.fields[1];
  EXPECT_EQ(structure.type, "struct");
  EXPECT_EQ(structure.children.at(1).field_id, 4);
  const ParquetField& list = footer.fields[2];
  EXPECT_EQ(list.type, "list");
  EXPECT_EQ(list.field_id, 5);
  ASSERT_EQ(list.children.size(), 1u);
  EXPECT_EQ(list.children[0].name, "element");
  EXPECT_EQ(list.children[0].type, "int32");
  EXPECT_EQ(list.children[0].field_id, 6);
  const ParquetField& map = footer.fields[3];
  EXPECT_EQ(map.type, "map");
  ASSERT_EQ(map.children.size(), 2u);
  EXPECT_EQ(map.children[0].name, "key");
  EXPECT_EQ(map.children[1].type, "float64");
  EXPECT_EQ(map.children[1].field_id, 9);

  std::map<int64_t, ColumnStats> stats = ById(footer.stats);
  EXPECT_EQ(stats.at(1).min_value, "0");
  EXPECT_EQ(stats.at(1).max_value, "99") << "over all row groups";
  EXPECT_EQ(stats.at(3).null_count, 500);
  EXPECT_EQ(stats.at(3).value_count, 4500);
  EXPECT_EQ(stats.at(4).max_value, "y2");
  EXPECT_EQ(stats.at(6).max_value, "6");
  EXPECT_FALSE(stats.contains(2)) << "only leaves have statistics";
}

TEST(ParquetFooter, DecimalsOfAllPhysicalTypes) {
  Thrift fixed;
  fixed.I32(1, 7).I32(2, 3).I32(3, 1).I32(6, 5).I32(7, 2).I32(8, 5);
  Thrift statistics;
  statistics.I64(3, 0).Binary(5, Bytes({0x00, 0x01, 0x00})).Binary(6, Bytes({0xFF, 0xFF, 0x6A}));
  ParquetFooter footer = Read(OneColumn(fixed, statistics));
  EXPECT_EQ(footer.fields[0].type, "decimal(5,2)");
  EXPECT_EQ(footer.stats[0].min_value, "-1.50");
  EXPECT_EQ(footer.stats[0].max_value, "2.56");
}

TEST(ParquetFooter, OldBoundsCountOnlyWhereTheirOrderIsRight) {
  Thrift old;
  old.Binary(1, Bytes({5, 0, 0, 0})).Binary(2, Bytes({0xFF, 0xFF, 0xFF, 0xFF})).I64(3, 0);
  Thrift number;
  number.I32(1, 1).I32(3, 1);
  EXPECT_EQ(Read(OneColumn(number, old)).stats[0].min_value, "-1");
  Thrift unsigned_number;
  unsigned_number.I32(1, 1).I32(3, 1).I32(6, 13);
  EXPECT_EQ(Read(OneColumn(unsigned_number, old)).stats[0].min_value, std::nullopt);
  Thrift text;
  text.I32(1, 6).I32(3, 1).I32(6, 0);
  EXPECT_EQ(Read(OneColumn(text, old)).stats[0].max_value, std::nullopt);
}

TEST(ParquetFooter, WhatSaysNothingIsLeftOut) {
  Thrift statistics;
  statistics.I64(3, 0).Binary(5, std::string(12, 'x')).Binary(6, std::string(12, 'a'));
  Thrift int96;
  int96.I32(1, 3).I32(3, 1);
  ParquetFooter footer = Read(OneColumn(int96, statistics));
  EXPECT_EQ(footer.fields[0].type, "timestamp");
  EXPECT_EQ(footer.stats[0].min_value, std::nullopt);

  Thrift no_text;
  no_text.I64(3, 0).Binary(5, "\xFF\xFE").Binary(6, "a");
  Thrift text;
  text.I32(1, 6).I32(3, 1).I32(6, 0);
  EXPECT_EQ(Read(OneColumn(text, no_text)).stats[0].max_value, std::nullopt) << "not UTF-8";
  EXPECT_EQ(Read(OneColumn(text, no_text)).stats[0].min_value, "a");

  Thrift nan;
  nan.I64(3, 0).Binary(5, Bytes({0, 0, 0xC0, 0x7F})).Binary(6, Bytes({0, 0, 0x80, 0x3F}));
  Thrift real;
  real.I32(1, 4).I32(3, 1);
  EXPECT_EQ(Read(OneColumn(real, nan)).stats[0].max_value, std::nullopt);
  EXPECT_EQ(Read(OneColumn(real, nan)).stats[0].min_value, "1.0");

  Thrift nothing;
  EXPECT_EQ(Read(OneColumn(real, nothing)).stats[0].null_count, std::nullopt);
}

TEST(ParquetFooter, TimesRoundOutwards) {
  Thrift unit;
  unit.Struct(3, Thrift());
  Thrift time;
  time.Bool(1, true).Struct(2, unit);
  Thrift logical;
  logical.Struct(8, time);
  Thrift element;
  element.I32(1, 2).I32(3, 1).Struct(10, logical);  // nanoseconds with a zone become microseconds
  Thrift statistics;
  statistics.I64(3, 0)
      .Binary(5, Bytes({0xE9, 3, 0, 0, 0, 0, 0, 0}))
      .Binary(6, Bytes({0xE9, 3, 0, 0, 0, 0, 0, 0}));
  ParquetFooter footer = Read(OneColumn(element, statistics));
  EXPECT_EQ(footer.fields[0].type, "timestamptz");
  EXPECT_EQ(footer.stats[0].min_value, "1970-01-01 00:00:00.000001+00");
  EXPECT_EQ(footer.stats[0].max_value, "1970-01-01 00:00:00.000002+00");
}

// Broken files
// ---------------------------------------------------------------------------------------------------------------

ErrorCode FailureOf(const std::string& bytes) {
  try {
    Read(bytes);
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("x.parquet"));
    return error.code();
  }
  ADD_FAILURE() << "was accepted";
  return ErrorCode::kInternal;
}

std::string FileBytes(const std::string& name) {
  std::ifstream in(FilePath(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ParquetFooter, NotParquetIsCorrupt) {
  EXPECT_EQ(FailureOf(""), ErrorCode::kCorrupt);
  EXPECT_EQ(FailureOf("PAR1PAR1"), ErrorCode::kCorrupt);
  EXPECT_EQ(FailureOf("id,name\n1,x\n2,y\n"), ErrorCode::kCorrupt);
  EXPECT_EQ(FailureOf(WithTail("")), ErrorCode::kCorrupt);
  EXPECT_EQ(FailureOf(std::string("PAR1") + "abcd" + Bytes({0xFF, 0xFF, 0xFF, 0x7F}) + "PAR1"),
            ErrorCode::kCorrupt);
  std::string good = FileBytes("types.parquet");
  EXPECT_EQ(FailureOf(good.substr(0, good.size() - 1)), ErrorCode::kCorrupt);
  EXPECT_EQ(FailureOf(WithTail("x", "PARE")), ErrorCode::kUnsupported) << "an encrypted footer";
}

TEST(ParquetFooter, DeepNestingIsRefused) {
  std::vector<Thrift> elements;
  for (int i = 0; i < 5000; ++i) {
    Thrift group;
    group.Binary(4, "g").I32(5, 1);
    elements.push_back(group);
  }
  Thrift file;
  file.I32(1, 2).List(2, elements).I64(3, 0);
  EXPECT_EQ(FailureOf(WithTail(file.Done())), ErrorCode::kCorrupt);

  Thrift inner;
  for (int i = 0; i < 2000; ++i) {
    Thrift outer;
    outer.Struct(50, inner);
    inner = outer;
  }
  EXPECT_EQ(FailureOf(WithTail(inner.Done())), ErrorCode::kCorrupt) << "in a field that is skipped";
}

TEST(ParquetFooter, FalseCountsAreRefused) {
  Thrift statistics;
  statistics.I64(3, 9);
  Thrift real;
  real.I32(1, 4).I32(3, 1);
  EXPECT_EQ(FailureOf(OneColumn(real, statistics)), ErrorCode::kCorrupt)
      << "more NULLs than values";
  EXPECT_EQ(FailureOf(OneColumn(real, Thrift(), -1)), ErrorCode::kCorrupt);
  Thrift root;
  root.Binary(4, "root").I32(5, 1'000'000'000);
  Thrift file;
  file.List(2, {root}).I64(3, 0);
  EXPECT_EQ(FailureOf(WithTail(file.Done())), ErrorCode::kCorrupt);
}

TEST(ParquetFooter, MutationsNeverCrash) {
  std::mt19937 random(5);
  for (const char* name : {"types.parquet", "nested.parquet"}) {
    std::string good = FileBytes(name);
    size_t footer = static_cast<size_t>(
        ReadParquetFooter(*LocalFileSystem(), FilePath(name)).footer_size_bytes);
    std::string seed = good.substr(good.size() - 8 - footer, footer);
    for (int round = 0; round < 1000; ++round) {
      std::string mutated = seed;
      for (int i = 1 + static_cast<int>(random() % 4); i > 0; --i) {
        size_t at = random() % mutated.size();
        switch (random() % 3) {
          case 0:
            mutated[at] = static_cast<char>(random());
            break;
          case 1:
            mutated.erase(at, random() % 8);
            break;
          default:
            mutated.insert(at, 1 + random() % 4, static_cast<char>(random()));
            break;
        }
        if (mutated.empty()) mutated = "x";
      }
      try {
        Read(WithTail(mutated));
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
      }
    }
  }
}

// Descriptions
// ---------------------------------------------------------------------------------------------------------------

Column MakeColumn(int64_t id, std::string name, std::string type,
                  std::vector<Column> children = {}) {
  Column column;
  column.id = FieldId(id);
  column.name = std::move(name);
  column.type = std::move(type);
  column.children = std::move(children);
  return column;
}

Table NestedTable() {
  Table table;
  table.name = "t";
  table.columns = {
      MakeColumn(1, "id", "int64"),
      MakeColumn(2, "s", "struct", {MakeColumn(3, "x", "int64"), MakeColumn(4, "y", "varchar")}),
      MakeColumn(5, "l", "list", {MakeColumn(6, "element", "int32")}),
      MakeColumn(7, "m", "map",
                 {MakeColumn(8, "key", "varchar"), MakeColumn(9, "value", "float64")})};
  return table;
}

std::string MisfitOf(const Table& table, const std::string& file) {
  try {
    DescribeDataFile(*LocalFileSystem(), FilePath(file), table);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return error.message();
  }
  return "fits";
}

TEST(DescribeDataFile, TellsWhatTheCatalogNeeds) {
  DataFile file = DescribeDataFile(*LocalFileSystem(), FilePath("nested.parquet"), NestedTable());
  EXPECT_EQ(file.path, FilePath("nested.parquet"));
  EXPECT_FALSE(file.path_is_relative);
  EXPECT_EQ(file.record_count, 5000);
  EXPECT_EQ(file.file_size_bytes, static_cast<int64_t>(FileBytes("nested.parquet").size()));
  EXPECT_THAT(file.footer_size, Optional(testing::Gt(100)));
  EXPECT_EQ(file.stats.size(), 6u);
}

TEST(DescribeDataFile, AddedAndDroppedColumnsFit) {
  Table table = NestedTable();
  table.columns.erase(table.columns.begin() + 2);
  table.columns.push_back(MakeColumn(20, "added", "int32"));
  DataFile file = DescribeDataFile(*LocalFileSystem(), FilePath("nested.parquet"), table);
  EXPECT_FALSE(ById(file.stats).contains(6))
      << "no statistics for a column that the table does not have";
}

TEST(DescribeDataFile, MisfitsAreRefused) {
  EXPECT_THAT(MisfitOf(NestedTable(), "no_ids.parquet"), HasSubstr("no field id"));
  Table other = NestedTable();
  other.columns[0].type = "int16";
  EXPECT_THAT(MisfitOf(other, "nested.parquet"),
              HasSubstr("holds int32, the table's \"id\" is int16"));
  Table deeper = NestedTable();
  deeper.columns[1].children[1].type = "uuid";
  EXPECT_THAT(MisfitOf(deeper, "nested.parquet"), HasSubstr("\"s.y\""));
  Table strict = NestedTable();
  strict.columns.push_back(MakeColumn(20, "must", "int32"));
  strict.columns.back().nulls_allowed = false;
  EXPECT_THAT(MisfitOf(strict, "nested.parquet"), HasSubstr("\"must\""));
  Table unrelated;
  unrelated.name = "u";
  unrelated.columns = {MakeColumn(77, "a", "int32")};
  EXPECT_THAT(MisfitOf(unrelated, "nested.parquet"), HasSubstr("none of its columns"));
  Table types;
  types.name = "types";
  types.columns = {MakeColumn(1, "b", "boolean")};
  types.columns[0].nulls_allowed = false;
  EXPECT_THAT(MisfitOf(types, "types.parquet"), HasSubstr("takes no NULLs"));
  try {
    DescribeDataFile(*LocalFileSystem(), FilePath("absent.parquet"), types);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  }
}

}  // namespace
}  // namespace tarn
