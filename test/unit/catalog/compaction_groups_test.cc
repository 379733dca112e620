// Which files become one.
#include "catalog/compaction_groups.h"

#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Groups = std::vector<std::vector<size_t>>;

CompactionCandidate File(int64_t bytes, int64_t shape = 0) {
  CompactionCandidate file;
  file.bytes = bytes;
  file.shape = shape;
  return file;
}

CompactionCandidate InPartition(int64_t bytes, int64_t spec, std::optional<std::string> value) {
  CompactionCandidate file = File(bytes);
  file.partition = PartitionId(spec);
  file.partition_values = {std::move(value)};
  return file;
}

TEST(CompactionGroups, TheFileThatCrossesTheTargetIsIn) {
  EXPECT_EQ(GroupCandidates({File(60), File(60), File(60), File(60)}, {100, 2, {}}),
            (Groups{{0, 1}, {2, 3}}));
}

TEST(CompactionGroups, OneFileAloneIsLeft) {
  EXPECT_EQ(GroupCandidates({File(60), File(60), File(60)}, {100, 2, {}}), (Groups{{0, 1}}));
  EXPECT_THAT(GroupCandidates({File(60)}, {100, 2, {}}), IsEmpty());
  EXPECT_EQ(GroupCandidates({File(60)}, {100, 1, {}}), (Groups{{0}}));
}

TEST(CompactionGroups, ShapesStayApartAndTheNewestIsFirst) {
  EXPECT_EQ(GroupCandidates({File(1, 0), File(1, 1), File(1, 0), File(1, 1)}, {100, 2, {}}),
            (Groups{{1, 3}, {0, 2}}));
}

TEST(CompactionGroups, PartitionsStayApart) {
  EXPECT_EQ(GroupCandidates({InPartition(1, 5, "a"), InPartition(1, 5, "b"), InPartition(1, 6, "a"),
                             InPartition(1, 5, "a"), InPartition(1, 6, "a")},
                            {100, 2, {}}),
            (Groups{{0, 3}, {2, 4}}));
}

TEST(CompactionGroups, NullIsAValueOfItsOwn) {
  EXPECT_EQ(GroupCandidates({InPartition(1, 5, std::nullopt), InPartition(1, 5, ""),
                             InPartition(1, 5, std::nullopt), File(1)},
                            {100, 2, {}}),
            (Groups{{0, 2}}));
}

TEST(CompactionGroups, TheirNumberCanBeLimited) {
  EXPECT_EQ(GroupCandidates({File(60), File(60), File(60), File(60)}, {100, 2, 1}),
            (Groups{{0, 1}}));
}

Column Numbered(int64_t id, std::string name, std::string type) {
  Column column = MakeColumn(std::move(name), std::move(type));
  column.id = FieldId(id);
  return column;
}

TEST(CompactionGroups, NamesAndOrderMakeNoShape) {
  const Column a = Numbered(1, "a", "int32"), b = Numbered(2, "b", "varchar");
  const Column renamed = Numbered(2, "c", "varchar");
  EXPECT_EQ(ShapeKey({a, b}), ShapeKey({renamed, a}));
}

TEST(CompactionGroups, TypesFieldsAndWhatIsMissingDo) {
  const Column a = Numbered(1, "a", "int32");
  Column wide = Numbered(1, "a", "int64"), with_default = Numbered(2, "b", "int32");
  const Column without = with_default;
  with_default.initial_default = "7";
  Column outer = Numbered(3, "s", "struct"), empty = outer;
  outer.children = {a};
  EXPECT_NE(ShapeKey({a}), ShapeKey({wide}));
  EXPECT_NE(ShapeKey({a}), ShapeKey({a, without}));
  EXPECT_NE(ShapeKey({without}), ShapeKey({with_default}));
  EXPECT_NE(ShapeKey({outer}), ShapeKey({empty}));
}

}  // namespace
}  // namespace tarn::test
