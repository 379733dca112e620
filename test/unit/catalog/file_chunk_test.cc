// Files and facts come out of their packed form as they went in.
#include "catalog/file_chunk.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "catalog/facts_column.h"

namespace tarn {
namespace {

DataFile MakeFile(int64_t id, std::string path) {
  DataFile file;
  file.id = DataFileId(id);
  file.path = std::move(path);
  file.record_count = id * 3;
  file.file_size_bytes = id * 1000;
  file.begin_snapshot = SnapshotId(id / 2);
  return file;
}

void ExpectSame(const DataFile& a, const DataFile& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.path_is_relative, b.path_is_relative);
  EXPECT_EQ(a.format, b.format);
  EXPECT_EQ(a.record_count, b.record_count);
  EXPECT_EQ(a.file_size_bytes, b.file_size_bytes);
  EXPECT_EQ(a.footer_size, b.footer_size);
  EXPECT_EQ(a.row_id_start, b.row_id_start);
  EXPECT_EQ(a.partition_id, b.partition_id);
  EXPECT_EQ(a.encryption_key, b.encryption_key);
  EXPECT_EQ(a.mapping_id, b.mapping_id);
  EXPECT_EQ(a.partial_max, b.partial_max);
  EXPECT_EQ(a.begin_snapshot, b.begin_snapshot);
}

std::vector<DataFile> OddFiles() {
  const std::string uuid = "0198f4d2-7c1b-7abc-8def-0123456789ab";
  std::vector<DataFile> files;
  for (const std::string& path :
       {"ducklake-" + uuid + ".parquet", "p=1/ducklake-" + uuid + ".parquet", uuid + ".parquet",
        std::string("ducklake-0198F4D2-7C1B-7ABC-8DEF-0123456789AB.parquet"), std::string(),
        std::string("/elsewhere/größe #1.parquet"), std::string("a-b-c/d-e"),
        "ducklake-" + uuid.substr(0, 35), "x/" + uuid + "/y", "ducklake-" + uuid + "-2.parquet",
        "p=" + uuid + "/ducklake-" + uuid + ".parquet"}) {
    files.push_back(MakeFile(static_cast<int64_t>(files.size()) * 2, path));
  }
  files[1].footer_size = 7;
  files[1].row_id_start = 0;
  files[2].partition_id = PartitionId(4);
  files[2].partial_max = SnapshotId(9);
  files[4].encryption_key = "";
  files[5].path_is_relative = false;
  files[6].encryption_key = "a2V5";
  files[7].format = "vortex";
  files[7].mapping_id = MappingId(12);
  files[8].row_id_start = 1LL << 60;
  return files;
}

TEST(FileChunk, GivesFilesAsTheyWere) {
  const std::vector<DataFile> files = OddFiles();
  FileChunk chunk;
  for (const DataFile& file : files) chunk.Add(file);
  chunk.Finish();
  ASSERT_EQ(chunk.size(), files.size());
  for (size_t i = 0; i < files.size(); ++i) ExpectSame(chunk.Get(i), files[i]);
  EXPECT_EQ(chunk.Find(DataFileId(4)), 2u);
  EXPECT_EQ(chunk.Find(DataFileId(3)), std::nullopt);
  EXPECT_EQ(chunk.last_partial(), SnapshotId(9));
}

TEST(FileChunk, GrowsByACopyThatKeepsFacts) {
  const std::vector<DataFile> files = OddFiles();
  FileChunk chunk;
  for (size_t i = 0; i < 6; ++i) chunk.Add(files[i]);
  chunk.Finish();
  const FactsKey key{FieldId(1), SnapshotId(2)};
  chunk.KeepFacts(key, std::make_shared<FactsColumn>(6));
  const auto longer = chunk.Extend();
  for (size_t i = 6; i < files.size(); ++i) longer->Add(files[i]);
  longer->Finish();
  for (size_t i = 0; i < files.size(); ++i) ExpectSame(longer->Get(i), files[i]);
  EXPECT_EQ(chunk.size(), 6u);
  ASSERT_TRUE(longer->FindFacts(key));
  EXPECT_EQ(longer->FindFacts(key)->size(), 6u);
  EXPECT_FALSE(longer->FindFacts({FieldId(1), SnapshotId(3)}));
}

TEST(FileChunk, TakesLittleMemory) {
  FileChunk chunk;
  for (int64_t id = 0; id < 2048; ++id) {
    DataFile file =
        MakeFile(id, fmt::format("ducklake-0198f4d2-7c1b-7abc-8def-{:012x}.parquet", id));
    file.row_id_start = id;
    file.footer_size = 500;
    chunk.Add(file);
  }
  chunk.Finish();
  EXPECT_LT(chunk.memory(), 2048u * 90);
}

FieldFacts RandomFacts(std::mt19937& random, int form) {
  FieldFacts facts;
  facts.may_be_null = random() % 2 == 0;
  facts.may_be_value = random() % 5 != 0;
  facts.may_be_nan = random() % 2 == 0;
  const auto value = [&]() -> StatsValue {
    const auto number = static_cast<int64_t>(random() % 200) - 100;
    if (form == 1) return StatsValue::Real(static_cast<double>(number) / 3);
    if (form == 2)
      return StatsValue::Bytes(std::string(random() % 20, 'a') + std::to_string(number));
    if (form == 3 && random() % 4 == 0) return StatsValue::Integer(Int128{number} << 100);
    return StatsValue::Integer(number);
  };
  if (facts.may_be_value && random() % 4 != 0) facts.min = value();
  if (facts.may_be_value && random() % 4 != 0) facts.max = value();
  if (random() % 3 == 0)
    facts.parts.push_back({{Transform::Kind::kYear, 0}, static_cast<int64_t>(random() % 3)});
  return facts;
}

bool IsSame(const std::optional<StatsValue>& a, const std::optional<StatsValue>& b) {
  return a.has_value() == b.has_value() && (!a || Compare(*a, *b) == 0);
}

/// Whether all values of `part` are among those of `all`.
bool Includes(const FieldFacts& all, const FieldFacts& part) {
  if (part.may_be_null && !all.may_be_null) return false;
  if (!part.may_be_value) return true;
  if (!all.may_be_value || (part.may_be_nan && !all.may_be_nan)) return false;
  if (all.min && (!part.min || Compare(*part.min, *all.min) < 0)) return false;
  if (all.max && (!part.max || Compare(*part.max, *all.max) > 0)) return false;
  return std::all_of(all.parts.begin(), all.parts.end(), [&](const PartFact& wanted) {
    return std::any_of(part.parts.begin(), part.parts.end(), [&](const PartFact& has) {
      return has.transform == wanted.transform && has.part == wanted.part;
    });
  });
}

TEST(FactsColumn, GivesFactsAsTheyWereAndTheirUnion) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const int form = round % 4;
    std::vector<FieldFacts> facts;
    for (size_t i = 0; i < 1 + random() % 12; ++i) facts.push_back(RandomFacts(random, form));
    // The first ones become known first, and the others in any order.
    const size_t first = random() % (facts.size() + 1);
    FactsColumn head(first);
    for (size_t i = 0; i < first; ++i) head.Set(i, facts[i]);
    head.Finish();
    FactsColumn column(head, facts.size());
    for (size_t i = facts.size(); i-- > first;) column.Set(i, facts[i]);
    column.Finish();
    for (size_t i = 0; i < facts.size(); ++i) {
      SCOPED_TRACE(i);
      const FieldFacts got = column.Get(i);
      EXPECT_EQ(got.may_be_null, facts[i].may_be_null);
      EXPECT_EQ(got.may_be_value, facts[i].may_be_value);
      EXPECT_EQ(got.may_be_nan, facts[i].may_be_nan);
      EXPECT_TRUE(IsSame(got.min, facts[i].min));
      EXPECT_TRUE(IsSame(got.max, facts[i].max));
      EXPECT_EQ(got.parts.size(), facts[i].parts.size());
      EXPECT_TRUE(Includes(column.all(), facts[i]));
    }
  }
}

// The quick look takes out no file that the thorough one keeps.
TEST(FactsColumn, SiftsNothingThatMayMatch) {
  std::mt19937 random(11);
  Table table;
  table.ref = TableId(1);
  table.columns.emplace_back();
  table.columns[0].id = FieldId(1);
  table.columns[0].type = "int64";
  int sifted = 0;
  for (int round = 0; round < 600; ++round) {
    std::vector<FieldFacts> facts;
    FactsColumn column(20);
    for (size_t i = 0; i < 20; ++i) {
      facts.push_back(RandomFacts(random, round % 3 == 0 ? 3 : 0));
      facts.back().parts.clear();
      column.Set(i, facts.back());
    }
    column.Finish();
    Predicate predicate;
    predicate.kind = Predicate::Kind::kCompare;
    predicate.field = FieldId(1);
    predicate.compare = static_cast<Predicate::Compare>(round % 6);
    predicate.constants = {std::to_string(static_cast<int64_t>(random() % 240) - 120)};
    const PredicatePruner pruner(predicate, table);
    const auto required = pruner.RequiredComparisons();
    ASSERT_EQ(required.size(), 1u);
    std::vector<uint8_t> candidates(20, 1);
    column.Sift(required[0].compare, *required[0].constant, candidates);
    for (size_t i = 0; i < 20; ++i) {
      const bool can_match = pruner.CanMatch(std::vector<FieldFacts>{facts[i]});
      EXPECT_TRUE(!can_match || candidates[i] == 1) << "round " << round << ", file " << i;
      sifted += candidates[i] == 0;
    }
  }
  EXPECT_GT(sifted, 1000);
}

}  // namespace
}  // namespace tarn
