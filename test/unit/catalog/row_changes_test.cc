// What a transaction's deletes look like to itself, before any commit.
#include "catalog/row_changes.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;

TEST(RemovedRowsTest, RowsCountOnce) {
  RemovedRows rows;
  EXPECT_EQ(rows.Add({7, 3, 7}), 2);
  EXPECT_EQ(rows.Add({9, 8}), 2);
  EXPECT_EQ(rows.Add({0, 3, 8}), 1);
  EXPECT_EQ(rows.Add({}), 0);
  EXPECT_THAT(rows.positions, ElementsAre(0, 3, 7, 8, 9));
  EXPECT_EQ(rows.count, 5);
  rows.AddAll(4);
  EXPECT_EQ(rows.count, 9);
  EXPECT_TRUE(rows.positions.empty());
  EXPECT_EQ(rows.Add({100}), 0) << "nothing was left";
}

TEST(RowChangesTest, EmptiedStagedFilesAreTakenOut) {
  RowChanges rows;
  for (const char* name : {"a", "b", "c", "d"}) rows.data_files.push_back(MakeFile(name, 2));
  rows.removed_staged[0].Add({0, 1});
  rows.removed_staged[1].Add({1});
  rows.removed_staged[3].AddAll(2);
  std::vector<DataFile> emptied = rows.TakeEmptied();
  ASSERT_EQ(emptied.size(), 2u);
  EXPECT_EQ(emptied[0].path, "a");
  EXPECT_EQ(emptied[1].path, "d");
  ASSERT_EQ(rows.data_files.size(), 2u);
  EXPECT_EQ(rows.data_files[0].path, "b");
  ASSERT_NE(rows.FindStaged(0), nullptr);
  EXPECT_THAT(rows.FindStaged(0)->positions, ElementsAre(1));
  EXPECT_EQ(rows.FindStaged(1), nullptr);
}

TEST(RowChangesTest, FilesForgetSpecsThatAreNotCommitted) {
  RowChanges rows;
  for (const auto spec :
       {PartitionRef::New(1), PartitionRef::New(2), PartitionRef(PartitionId(7))}) {
    rows.data_files.push_back(MakeFile("f", 2));
    rows.data_files.back().partition_id = spec;
    rows.data_files.back().partition_values = {"x"};
  }
  rows.ForgetOtherNewSpecs(PartitionSpec{PartitionRef::New(2), {}});
  EXPECT_FALSE(rows.data_files[0].partition_id);
  EXPECT_TRUE(rows.data_files[0].partition_values.empty());
  EXPECT_EQ(rows.data_files[1].partition_id, PartitionRef::New(2));
  EXPECT_EQ(rows.data_files[1].partition_values.size(), 1u);
  EXPECT_EQ(rows.data_files[2].partition_id, PartitionRef(PartitionId(7)));
  rows.ForgetOtherNewSpecs(std::nullopt);
  EXPECT_FALSE(rows.data_files[1].partition_id);
  EXPECT_TRUE(rows.data_files[2].partition_id);
}

class OwnDeletesTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Run(*lake_, [](Transaction& transaction) {
      AddTable(transaction, "t");
      Insert(transaction, "t", {MakeFile("a", 10), MakeFile("b", 5)});
    });
    Begin();
  }
  void Begin() {
    transaction_ = lake_->Begin();
    table_ = transaction_->view()->FindTable("main", "t");
  }
  ScanPlan Plan() {
    TableScan scan;
    scan.table = table_;
    return transaction_->PlanScan(scan);
  }
  int64_t DeleteFrom(const ScanFile& file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({file.file.id, file.staged_index, std::move(positions)});
    return transaction_->DeleteRows(table_->ref, rows);
  }

  std::shared_ptr<Lake> lake_;
  std::unique_ptr<Transaction> transaction_;
  std::shared_ptr<const Table> table_;
};

TEST_F(OwnDeletesTest, ScansAndCountsSeeThem) {
  EXPECT_EQ(DeleteFrom(Plan().files[0], {1, 3}), 2);
  EXPECT_EQ(DeleteFrom(Plan().files[0], {3, 2}), 1);
  ScanPlan plan = Plan();
  EXPECT_THAT(plan.files[0].deleted_positions, ElementsAre(1, 2, 3));
  EXPECT_EQ(plan.row_count, 12);
  EXPECT_EQ(transaction_->RowCounts().at(table_->ref), 12);
  EXPECT_TRUE(transaction_->has_changes());
}

TEST_F(OwnDeletesTest, ATransactionDeletesFromItsOwnFiles) {
  Insert(*transaction_, "t", {MakeFile("c", 3), MakeFile("d", 2)});
  EXPECT_EQ(DeleteFrom(Plan().files[2], {0}), 1);
  ScanPlan plan = Plan();
  ASSERT_EQ(plan.files.size(), 4u);
  EXPECT_THAT(plan.files[2].deleted_positions, ElementsAre(0));
  EXPECT_EQ(plan.row_count, 15 + 3 - 1 + 2);
  EXPECT_EQ(transaction_->RowCounts().at(table_->ref), 19);
}

TEST_F(OwnDeletesTest, AllRowsAreCountedExactly) {
  Insert(*transaction_, "t", {MakeFile("c", 3)});
  DeleteFrom(Plan().files[0], {1});
  DeleteFrom(Plan().files[2], {1});
  EXPECT_EQ(transaction_->DeleteAllRows(table_->ref), 9 + 5 + 2);
  EXPECT_EQ(Plan().files.size(), 0u);
  EXPECT_EQ(Plan().row_count, 0);
  EXPECT_EQ(transaction_->DeleteAllRows(table_->ref), 0);
  EXPECT_EQ(transaction_->RowCounts().at(table_->ref), 0);
  Insert(*transaction_, "t", {MakeFile("d", 4)});
  EXPECT_EQ(Plan().row_count, 4) << "what comes later stays";
}

TEST_F(OwnDeletesTest, NothingIsLeftOfAnInsertThatWasDeletedAgain) {
  std::string path = lake_->TablePath(*transaction_->view(), *table_) + "c";
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << "rows";
  Insert(*transaction_, "t", {MakeFile("c", 3)});
  EXPECT_EQ(DeleteFrom(Plan().files[2], {0, 1, 2}), 3);
  EXPECT_EQ(transaction_->Commit(), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(OwnDeletesTest, DroppingTheTableForgetsThem) {
  DeleteFrom(Plan().files[0], {1, 3});
  transaction_->DropTable(table_->ref);
  transaction_->Commit();
  EXPECT_THAT(Query("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
              ElementsAre("dropped_table:1"));
}

}  // namespace
}  // namespace tarn::test
