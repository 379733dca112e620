// Files that were there before the lake: their name mappings, and that a file is in a lake once.
#include <filesystem>
#include <fstream>

#include "format/name_map_key.h"
#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NameMap Names(std::vector<NameMapEntry> entries) { return {MappingId(), std::move(entries)}; }

class RegisteredFilesTest : public LakeTest {
 protected:
  DataFile Registered(const std::string& name, std::shared_ptr<const NameMap> names) const {
    DataFile file = MakeFile(Path(name), 5, {MakeStats(1, 5, 0, "1", "9")});
    file.path_is_relative = false;
    file.names = std::move(names);
    file.registration = std::make_shared<Registration>(Registration{real_ / name});
    return file;
  }

  const std::filesystem::path real_ = std::filesystem::canonical(folder_);
  const std::shared_ptr<const NameMap> names_ = std::make_shared<NameMap>(
      Names({{0, "I", FieldId(1), {}, false}, {1, "k", FieldId(2), {}, true}}));
  /// The same in another order.
  const std::shared_ptr<const NameMap> turned_ = std::make_shared<NameMap>(
      Names({{0, "k", FieldId(2), {}, true}, {1, "I", FieldId(1), {}, false}}));
  const std::shared_ptr<const NameMap> other_ =
      std::make_shared<NameMap>(Names({{0, "i", FieldId(1), {}, false}}));
};

TEST_F(RegisteredFilesTest, FilesOfOneShapeShareAMappingAcrossCommits) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); });
  Run(*lake, [&](Transaction& transaction) {
    Insert(transaction, "t", {Registered("a", names_), Registered("b", turned_)});
  });
  EXPECT_THAT(Query("SELECT * FROM ducklake_column_mapping"), ElementsAre("0|1|map_by_name"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_name_mapping"),
              ElementsAre("0|0|I|1|-|0", "0|1|k|2|-|1"));
  Run(*lake, [&](Transaction& transaction) {
    Insert(transaction, "t", {Registered("c", other_), Registered("d", turned_)});
  });
  EXPECT_THAT(Query("SELECT data_file_id, mapping_id, row_id_start FROM ducklake_data_file"),
              ElementsAre("1|0|0", "2|0|5", "4|3|10", "5|0|15"));
  EXPECT_THAT(Query("SELECT next_file_id FROM ducklake_snapshot"), ElementsAre("0", "0", "3", "6"));
}

TEST_F(RegisteredFilesTest, TheTransactionReadsItsOwnByTheirNames) {
  auto lake = OpenLake();
  Run(*lake, [&](Transaction& transaction) {
    auto table = AddTable(transaction, "t");
    Insert(transaction, "t", {Registered("a", names_)});
    TableScan scan;
    scan.table = table;
    const ScanPlan plan = transaction.PlanScan(scan);
    ASSERT_EQ(plan.files.size(), 1u);
    EXPECT_EQ(plan.files[0].file.names, names_);
  });
}

TEST_F(RegisteredFilesTest, AFileIsInALakeOnce) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "t");
    AddTable(transaction, "u");
  });
  auto refusal = [&](const std::string& table, DataFile file) {
    auto transaction = lake->Begin();
    return ErrorOf(ErrorCode::kInvalid, [&] { Insert(*transaction, table, {std::move(file)}); });
  };
  Run(*lake, [&](Transaction& transaction) {
    Insert(transaction, "t", {Registered("a", names_)});
    EXPECT_THAT(
        ErrorOf(ErrorCode::kInvalid, [&] { Insert(transaction, "u", {Registered("a", names_)}); }),
        HasSubstr("in the lake already"));
  });
  EXPECT_THAT(refusal("u", Registered("a", names_)), HasSubstr("table \"t\""));
  // Also when its table is gone, and by another spelling.
  Run(*lake, [](Transaction& transaction) {
    transaction.DropTable(transaction.view()->FindTable("main", "t")->ref);
  });
  DataFile spelled = Registered("a", names_);
  spelled.path = Path("./a");
  EXPECT_THAT(refusal("u", spelled), HasSubstr("table \"t\""));
  Run(*lake,
      [&](Transaction& transaction) { Insert(transaction, "u", {Registered("b", names_)}); });
}

TEST_F(RegisteredFilesTest, LinksLeadToTheSameFile) {
  auto lake = OpenLake();
  std::ofstream(folder_ / "real.parquet") << "x";
  std::filesystem::create_symlink("real.parquet", folder_ / "link.parquet");
  Run(*lake, [&](Transaction& transaction) {
    AddTable(transaction, "t");
    DataFile file = Registered("link.parquet", names_);
    // As another client registers it.
    file.registration.reset();
    Insert(transaction, "t", {file});
  });
  auto transaction = lake->Begin();
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] { Insert(*transaction, "t", {Registered("real.parquet", names_)}); }),
              HasSubstr("in the lake already"));
}

TEST_F(RegisteredFilesTest, TwoTransactionsCannotAddTheSameFile) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "t");
    AddTable(transaction, "u");
  });
  auto first = lake->Begin();
  auto second = lake->Begin();
  auto third = lake->Begin();
  Insert(*first, "t", {Registered("a", names_)});
  Insert(*second, "u", {Registered("a", names_)});
  Insert(*third, "u", {Registered("b", names_)});
  first->Commit();
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { second->Commit(); }),
              HasSubstr("another transaction has added"));
  third->Commit();
  EXPECT_THAT(Query("SELECT table_id, mapping_id FROM ducklake_data_file"),
              ElementsAre("1|0", "2|2"));
}

TEST_F(RegisteredFilesTest, ItIsNeverRemoved) {
  auto lake = OpenLake();
  std::ofstream(folder_ / "a") << "x";
  Run(*lake, [&](Transaction& transaction) {
    auto table = AddTable(transaction, "t");
    Insert(transaction, "t", {Registered("a", names_)});
    EXPECT_EQ(transaction.DeleteAllRows(table->ref), 5);
  });
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_data_file"), ElementsAre("0"));
}

TEST(NameMapKey, TellsShapesApart) {
  const NameMap flat = Names({{0, "a", FieldId(1), {}, false}, {1, "b", FieldId(2), {}, false}});
  const NameMap nested = Names({{0, "a", FieldId(1), {}, false}, {1, "b", FieldId(2), 0, false}});
  const NameMap swapped = Names({{0, "a", FieldId(2), {}, false}, {1, "b", FieldId(1), {}, false}});
  const NameMap turned = Names({{0, "b", FieldId(2), {}, false}, {1, "a", FieldId(1), {}, false}});
  EXPECT_NE(NameMapKey(flat), NameMapKey(nested));
  EXPECT_NE(NameMapKey(flat), NameMapKey(swapped));
  EXPECT_EQ(NameMapKey(flat), NameMapKey(turned));
}

}  // namespace
}  // namespace tarn::test
