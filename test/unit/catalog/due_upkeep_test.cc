// Upkeep is due once for each time that a count passes a multiple of its limit, whoever asks and
// whenever; files count by their size.
#include "gmock/gmock.h"
#include "tarn/maintenance.h"
#include "unit/catalog/fake_staged_rows.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DueUpkeepTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Run(*lake_, [](Transaction& transaction) { AddTable(transaction, "t"); });
    table_ = lake_->Begin()->view()->FindTable("main", "t")->ref.id();
  }
  SnapshotId InsertFile(int64_t bytes) {
    return *Run(*lake_, [&](Transaction& transaction) {
      DataFile file = MakeFile("f" + std::to_string(++files_) + ".parquet", 1);
      file.file_size_bytes = bytes;
      Insert(transaction, "t", {file});
    });
  }
  SnapshotId InsertRows(std::vector<int64_t> values) {
    return *Run(*lake_, [&](Transaction& transaction) {
      auto table = transaction.view()->FindTable("main", "t");
      transaction.StageRows(table->ref, std::make_shared<FakeStagedRows>(table, std::move(values)));
    });
  }
  DueUpkeep Due(std::optional<SnapshotId> commit, int64_t rows, int64_t files) {
    return FindDueUpkeep(*lake_, table_, {rows, files, 100'000'000}, commit);
  }

  std::shared_ptr<Lake> lake_;
  TableId table_;
  int files_ = 0;
};

TEST_F(DueUpkeepTest, RowsThatPassTheLimit) {
  const SnapshotId first = InsertRows({1, 2}), second = InsertRows({3, 4}),
                   third = InsertRows({5, 6, 7}), fourth = InsertRows({8, 9});
  EXPECT_FALSE(Due(first, 3, 0).flush);
  EXPECT_TRUE(Due(second, 3, 0).flush) << "though more have come since";
  EXPECT_TRUE(Due(third, 3, 0).flush) << "nobody has flushed";
  EXPECT_TRUE(Due(fourth, 3, 0).flush);
  EXPECT_FALSE(Due(fourth, 5, 0).flush);
  EXPECT_FALSE(Due(fourth, 0, 0).flush) << "off";
  EXPECT_TRUE(Due({}, 9, 0).flush);
  EXPECT_FALSE(Due({}, 10, 0).flush);
  EXPECT_THAT(Due({}, 1, 0).merges, IsEmpty());
}

TEST_F(DueUpkeepTest, FilesOfOneSizeClass) {
  std::vector<SnapshotId> commits;
  for (int64_t bytes : {600, 700, 50'000, 800, 60'000, 200'000, 300'000, 400'000})
    commits.push_back(InsertFile(bytes * 1000));
  // Classes of a limit of 3 begin at 33,333,333; 11,111,111; 3,703,703; 1,234,567; 411,522; 0.
  EXPECT_THAT(Due(commits[1], 0, 3).merges, IsEmpty());
  EXPECT_THAT(Due(commits[3], 0, 3).merges, ElementsAre(FileSizes{411'522, 1'234'567}));
  EXPECT_THAT(Due(commits[4], 0, 3).merges, IsEmpty());
  EXPECT_THAT(Due(commits[4], 0, 2).merges, ElementsAre(FileSizes{50'000'000, 100'000'000}));
  EXPECT_THAT(Due(commits[7], 0, 3).merges, IsEmpty()) << "large ones need no merge";
  EXPECT_THAT(Due({}, 0, 2).merges,
              ElementsAre(FileSizes{0, 781'250}, FileSizes{50'000'000, 100'000'000}));
  EXPECT_THAT(Due(commits[1], 0, 1).merges, ElementsAre(FileSizes{0, 781'250}))
      << "one file alone is never merged";
}

TEST_F(DueUpkeepTest, TablesWhoseRowsACommitHasChanged) {
  EXPECT_THAT(TablesWithChangedRows(*lake_, InsertRows({1})), ElementsAre(table_));
  EXPECT_THAT(TablesWithChangedRows(*lake_, InsertFile(500)), ElementsAre(table_));
  const auto other = Run(*lake_, [](Transaction& transaction) { AddTable(transaction, "u"); });
  EXPECT_THAT(TablesWithChangedRows(*lake_, *other), IsEmpty());
  EXPECT_THAT(TablesWithChangedRows(*lake_, SnapshotId(1000)), IsEmpty());
}

}  // namespace
}  // namespace tarn::test
