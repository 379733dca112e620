// Plans over catalogs filled by hand: what is alive when, which deletes apply, which inlined shapes
// are read, what is pruned, what is counted.
#include "catalog/scan_planner.h"

#include <gmock/gmock.h>

#include "tarn/error.h"
#include "unit/catalog/catalog_fixture.h"

namespace tarn {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Counts queries on their way to another connection.
class CountingConnection final : public StoreConnection {
 public:
  explicit CountingConnection(StoreConnection& inner) : inner_(inner) {}
  const Dialect& dialect() const override { return inner_.dialect(); }
  void Begin(TransactionMode mode) override { inner_.Begin(mode); }
  CommitOutcome Commit() override { return inner_.Commit(); }
  void Rollback() noexcept override { inner_.Rollback(); }
  bool in_transaction() const override { return inner_.in_transaction(); }
  std::unique_ptr<Rows> Query(const Statement& statement) override {
    ++queries;
    return inner_.Query(statement);
  }
  int64_t Execute(const Statement& statement) override { return inner_.Execute(statement); }
  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override {
    inner_.InsertRows(table, columns, rows);
  }
  bool TableExists(std::string_view table) override {
    ++queries;
    return inner_.TableExists(table);
  }
  std::vector<std::string> ListTables() override {
    ++queries;
    return inner_.ListTables();
  }
  int queries = 0;

 private:
  StoreConnection& inner_;
};

class ScanPlannerTest : public test::CatalogFixture {
 protected:
  void SetUp() override {
    CatalogFixture::SetUp();
    Write([this] { Fill(); });
  }
  void Fill() {
    for (int64_t id = 0; id <= 9; ++id) AddSnapshot(id);
    auto schema = std::make_shared<Schema>();
    schema->ref = SchemaId(0);
    schema->name = "main";
    schema->path = "main/";
    table_ = std::make_shared<Table>();
    table_->ref = TableId(1);
    table_->schema = schema->ref;
    table_->name = "t";
    table_->path = "t/";
    table_->columns = {MakeColumn(1, "a", "int64", 1), MakeColumn(2, "b", "varchar", 1)};
    AddColumn(1, 1, "a", "int64", 1);
    AddColumn(1, 2, "b", "varchar", 1);
    Add("ducklake_schema_versions",
        {{"begin_snapshot", I(1)}, {"schema_version", I(1)}, {"table_id", I(1)}});
    view_ = CatalogView().WithSchema(schema)->WithTable(table_);
  }

  static Column MakeColumn(int64_t id, std::string name, std::string type, int64_t begin) {
    Column column;
    column.id = FieldId(id);
    column.name = std::move(name);
    column.type = std::move(type);
    column.begin_snapshot = SnapshotId(begin);
    return column;
  }

  ScanPlan Plan(int64_t snapshot, Predicate predicate = {}, std::vector<DataFile> staged = {},
                bool with_stats = false) {
    TableScan scan;
    scan.table = table_;
    scan.predicate = std::move(predicate);
    scan.with_stats = with_stats;
    Snapshot at;
    at.id = SnapshotId(snapshot);
    CountingConnection counting(*connection_);
    RowChanges own = own_;
    own.data_files = std::move(staged);
    ScanPlan plan = PlanTableScan(counting, scan, {at, *view_, "data/", &own});
    EXPECT_FALSE(connection_->in_transaction());
    queries_ = counting.queries;
    return plan;
  }
  static std::vector<int64_t> Ids(const ScanPlan& plan) {
    std::vector<int64_t> ids;
    for (const ScanFile& file : plan.files) ids.push_back(file.file.id.value);
    return ids;
  }
  static Predicate Compare(int64_t field, Predicate::Compare compare, std::string constant) {
    Predicate predicate;
    predicate.kind = Predicate::Kind::kCompare;
    predicate.field = FieldId(field);
    predicate.compare = compare;
    predicate.constants = {std::move(constant)};
    return predicate;
  }
  static Predicate Equal(int64_t field, std::string constant) {
    return Compare(field, Predicate::Compare::kEqual, std::move(constant));
  }
  void AddInlinedTable(int64_t version, const std::string& columns) {
    std::string name = "ducklake_inlined_data_1_" + std::to_string(version);
    Add("ducklake_inlined_data_tables",
        {{"table_id", I(1)}, {"table_name", T(name)}, {"schema_version", I(version)}});
    Sql("CREATE TABLE \"" + name + "\" (row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT" +
        columns + ")");
  }

  std::shared_ptr<Table> table_;
  std::shared_ptr<const CatalogView> view_;
  RowChanges own_;
  int queries_ = 0;
};

TEST_F(ScanPlannerTest, FilesLiveFromBeginToEnd) {
  AddFile(10, 1, 2, 5);
  AddFile(11, 1, 3, 7, {{"end_snapshot", I(5)}});
  AddFile(12, 2, 2, 9);  // another table's
  EXPECT_THAT(Ids(Plan(1)), ElementsAre());
  EXPECT_THAT(Ids(Plan(2)), ElementsAre(10));
  EXPECT_THAT(Ids(Plan(3)), ElementsAre(10, 11));
  EXPECT_THAT(Ids(Plan(4)), ElementsAre(10, 11));
  EXPECT_THAT(Ids(Plan(5)), ElementsAre(10));
  EXPECT_EQ(Plan(4).row_count, 12);
}

TEST_F(ScanPlannerTest, PathsFollowEachOther) {
  AddFile(10, 1, 2, 5);
  AddFile(11, 1, 2, 5, {{"path", T("/elsewhere/x.parquet")}, {"path_is_relative", false}});
  AddDeleteFile(20, 1, 10, 2, 1);
  ScanPlan plan = Plan(2);
  EXPECT_EQ(plan.files[0].path, "data/main/t/f10.parquet");
  EXPECT_EQ(plan.files[0].deletes.at(0).path, "data/main/t/d20.parquet");
  EXPECT_EQ(plan.files[1].path, "/elsewhere/x.parquet");
  table_->path = "/abs/t";
  table_->path_is_relative = false;
  EXPECT_EQ(Plan(2).files[0].path, "/abs/t/f10.parquet");
}

TEST_F(ScanPlannerTest, DeleteFilesApplyToTheirFile) {
  AddFile(10, 1, 2, 50);
  AddFile(11, 1, 2, 50);
  AddDeleteFile(20, 1, 10, 3, 5, {{"partial_max", I(6)}});
  AddDeleteFile(21, 1, 11, 4, 3);
  AddDeleteFile(22, 1, 99, 4, 3);  // of a file that is gone
  EXPECT_TRUE(Plan(2).files[0].deletes.empty());
  EXPECT_EQ(Plan(2).row_count, 100);

  ScanPlan between = Plan(4);
  EXPECT_EQ(between.files[0].deletes.at(0).snapshot_limit, SnapshotId(4));
  EXPECT_EQ(between.files[1].deletes.at(0).snapshot_limit, std::nullopt);
  EXPECT_EQ(between.row_count, std::nullopt)
      << "which of the five came by snapshot 4 only the file knows";
  EXPECT_EQ(between.max_row_count, 97);

  ScanPlan after = Plan(6);
  EXPECT_EQ(after.files[0].deletes.at(0).snapshot_limit, std::nullopt);
  EXPECT_EQ(after.row_count, 92);
}

TEST_F(ScanPlannerTest, TwoLiveDeleteFilesBothApply) {
  AddFile(10, 1, 2, 50);
  AddDeleteFile(20, 1, 10, 3, 5);
  AddDeleteFile(21, 1, 10, 4, 7);
  ScanPlan plan = Plan(5);
  EXPECT_EQ(plan.files.at(0).deletes.size(), 2u);
  EXPECT_EQ(plan.row_count, std::nullopt) << "they may name the same rows";
  EXPECT_EQ(plan.max_row_count, 43);
}

TEST_F(ScanPlannerTest, InlinedDeletesAreASetOfPositions) {
  AddFile(10, 1, 2, 50);
  Sql("CREATE TABLE ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, begin_snapshot "
      "BIGINT)");
  Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (10, 7, 3), (10, 2, 4), (10, 7, 4), (99, 1, "
      "3)");
  EXPECT_TRUE(Plan(2).files[0].deleted_positions.empty());
  EXPECT_THAT(Plan(3).files[0].deleted_positions, ElementsAre(7));
  ScanPlan plan = Plan(4);
  EXPECT_THAT(plan.files[0].deleted_positions, ElementsAre(2, 7));
  EXPECT_EQ(plan.row_count, 48);
}

TEST_F(ScanPlannerTest, MergedFilesAreCutAtOlderSnapshots) {
  AddFile(10, 1, 2, 50, {{"partial_max", I(6)}});
  EXPECT_EQ(Plan(4).files[0].row_snapshot_limit, SnapshotId(4));
  EXPECT_EQ(Plan(4).row_count, std::nullopt);
  EXPECT_EQ(Plan(4).max_row_count, 50);
  EXPECT_EQ(Plan(6).files[0].row_snapshot_limit, std::nullopt);
  EXPECT_EQ(Plan(6).row_count, 50);
}

TEST_F(ScanPlannerTest, InlinedRowsOfEachShape) {
  // Until snapshot 5 the columns were named x and b, then a and b.
  Sql("DELETE FROM ducklake_column WHERE column_id = 1");
  AddColumn(1, 1, "x", "int32", 1, I(5));
  AddColumn(1, 1, "a", "int64", 5);
  table_->columns[0].begin_snapshot = SnapshotId(5);
  Add("ducklake_schema_versions",
      {{"begin_snapshot", I(5)}, {"schema_version", I(2)}, {"table_id", I(1)}});
  AddInlinedTable(1, ", x BIGINT, b VARCHAR");
  AddInlinedTable(2, ", a BIGINT, b VARCHAR");
  Sql("INSERT INTO ducklake_inlined_data_1_1 VALUES (0, 2, NULL, 1, 'p'), (1, 2, 4, 2, 'q')");
  Sql("INSERT INTO ducklake_inlined_data_1_2 VALUES (2, 6, NULL, 3, 'r')");

  ScanPlan plan = Plan(6);
  ASSERT_EQ(plan.inlined.size(), 2u);
  EXPECT_EQ(plan.inlined[0].table_name, "ducklake_inlined_data_1_1");
  EXPECT_EQ(plan.inlined[0].columns.at(0).name, "x");
  EXPECT_EQ(plan.inlined[0].columns.at(0).column->type, "int32");
  EXPECT_EQ(plan.inlined[0].columns.at(0).field, FieldId(1));
  EXPECT_EQ(plan.inlined[0].row_count, 1);
  EXPECT_EQ(plan.inlined[1].columns.at(0).name, "a");
  EXPECT_EQ(plan.inlined[1].shape, table_) << "the present shape needs no history";
  EXPECT_EQ(plan.row_count, 2);

  ScanPlan before = Plan(3);
  ASSERT_EQ(before.inlined.size(), 1u) << "a table without live rows is left out";
  EXPECT_EQ(before.inlined[0].row_count, 2);
}

TEST_F(ScanPlannerTest, MissingInlinedTableIsCorrupt) {
  Add("ducklake_inlined_data_tables", {{"table_id", I(1)},
                                       {"table_name", T("ducklake_inlined_data_1_1")},
                                       {"schema_version", I(1)}});
  try {
    Plan(3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  }
  EXPECT_FALSE(connection_->in_transaction()) << "the read transaction ends with the plan";
}

TEST_F(ScanPlannerTest, PrunesByFileStatistics) {
  AddFile(10, 1, 2, 5);
  AddFile(11, 1, 3, 5);
  AddFile(12, 1, 3, 5);  // without statistics
  AddFileStats(10, 1, 1, T("1"), T("9"), 5);
  AddFileStats(11, 1, 1, T("10"), T("100"), 5);
  AddFileStats(11, 1, 2, T("p"), T("q"), 5);
  ScanPlan plan = Plan(3, Equal(1, "50"));
  EXPECT_THAT(Ids(plan), ElementsAre(11, 12));
  EXPECT_EQ(plan.total_files, 3);
  EXPECT_EQ(plan.files[0].ordinal, 1) << "as before pruning";
  EXPECT_EQ(plan.row_count, 15) << "of the whole table";
  EXPECT_TRUE(plan.files[0].file.stats.empty());
  EXPECT_EQ(Plan(3, {}, {}, true).files.at(1).file.stats.size(), 2u);
}

TEST_F(ScanPlannerTest, ColumnsYoungerThanAFileReadAsTheirDefault) {
  AddFile(10, 1, 2, 5);
  AddFile(11, 1, 6, 5);
  AddFile(12, 1, 5, 5);  // of the transaction that added the column: may lack it or not
  AddColumn(1, 3, "n", "int32", 5, {}, {{"initial_default", T("42")}});
  table_->columns.push_back(MakeColumn(3, "n", "int32", 5));
  table_->columns.back().initial_default = "42";
  AddFileStats(11, 1, 3, T("7"), T("8"), 5);
  EXPECT_THAT(Ids(Plan(7, Equal(3, "42"))), ElementsAre(10, 12));
  EXPECT_THAT(Ids(Plan(7, Equal(3, "7"))), ElementsAre(11, 12));
  table_->columns.back().initial_default.reset();
  EXPECT_THAT(Ids(Plan(7, Equal(3, "42"))), ElementsAre(12));

  // Once snapshots are gone the history may have lost rows, and nothing is sure.
  Sql("DELETE FROM ducklake_snapshot WHERE snapshot_id < 4");
  EXPECT_THAT(Ids(Plan(7, Equal(3, "42"))), ElementsAre(10, 12));
}

TEST_F(ScanPlannerTest, BoundsOfAnOlderType) {
  Sql("DELETE FROM ducklake_column WHERE column_id = 1");
  AddColumn(1, 1, "a", "float32", 1, I(5));
  AddColumn(1, 1, "a", "float64", 5);
  table_->columns[0] = MakeColumn(1, "a", "float64", 5);
  AddFile(10, 1, 2, 5);
  AddFileStats(10, 1, 1, T("0.1"), T("0.1"), 5, 0, false);
  EXPECT_THAT(Ids(Plan(6, Equal(1, "0.10000000149011612"))), ElementsAre(10));
  EXPECT_THAT(Ids(Plan(6, Equal(1, "0.2"))), ElementsAre());
}

TEST_F(ScanPlannerTest, PartitionValuesPruneToo) {
  AddFile(10, 1, 2, 5, {{"partition_id", I(7)}});
  AddFile(11, 1, 2, 5, {{"partition_id", I(7)}});
  AddFile(12, 1, 2, 5, {{"partition_id", I(7)}});
  AddFile(13, 1, 2, 5);
  for (int64_t key : {0, 1}) {
    Add("ducklake_partition_column", {{"partition_id", I(7)},
                                      {"table_id", I(1)},
                                      {"partition_key_index", I(key)},
                                      {"column_id", I(2 - key)},
                                      {"transform", T(key == 0 ? "identity" : "bucket(4)")}});
  }
  auto value = [&](int64_t file, int64_t key, Value text) {
    Add("ducklake_file_partition_value", {{"data_file_id", I(file)},
                                          {"table_id", I(1)},
                                          {"partition_key_index", I(key)},
                                          {"partition_value", text}});
  };
  value(10, 0, T("x"));
  value(11, 0, T("y"));
  value(12, 0, {});
  value(11, 1, T("3"));
  value(12, 1, {});
  EXPECT_THAT(Ids(Plan(3, Equal(2, "x"))), ElementsAre(10, 13));
  Predicate is_null;
  is_null.kind = Predicate::Kind::kIsNull;
  is_null.field = FieldId(2);
  EXPECT_THAT(Ids(Plan(3, is_null)), ElementsAre(12, 13));
  EXPECT_THAT(Ids(Plan(3, Equal(1, "5"))), ElementsAre(10, 11, 13))
      << "a bucket of NULL holds only NULL";
}

TEST_F(ScanPlannerTest, PartsThatAreNotSureDoNotPrune) {
  table_->columns[0] = MakeColumn(1, "a", "date", 1);
  Sql("UPDATE ducklake_column SET column_type = 'date' WHERE column_id = 1");
  Add("ducklake_partition_column", {{"partition_id", I(7)},
                                    {"table_id", I(1)},
                                    {"partition_key_index", I(0)},
                                    {"column_id", I(1)},
                                    {"transform", T("year")}});
  const auto add = [&](int64_t file, Value value) {
    AddFile(file, 1, 2, 5, {{"partition_id", I(7)}});
    Add("ducklake_file_partition_value", {{"data_file_id", I(file)},
                                          {"table_id", I(1)},
                                          {"partition_key_index", I(0)},
                                          {"partition_value", value}});
  };
  add(10, T("2019"));
  add(11, T("2020"));
  add(12, {});  // infinite dates, too
  add(13, T("junk"));
  EXPECT_THAT(Ids(Plan(3, Equal(1, "2020-02-03"))), ElementsAre(11, 12, 13));
  EXPECT_THAT(Ids(Plan(3, Equal(1, "infinity"))), ElementsAre(12, 13));
}

TEST_F(ScanPlannerTest, StagedFilesComeLast) {
  AddFile(10, 1, 2, 5);
  DataFile staged;
  staged.path = "new.parquet";
  staged.record_count = 3;
  ColumnStats stats;
  stats.field = FieldId(1);
  stats.value_count = 3;
  stats.null_count = 0;
  stats.min_value = "1000";
  stats.max_value = "1002";
  staged.stats = {stats};
  ScanPlan plan = Plan(3, {}, {staged});
  ASSERT_EQ(plan.files.size(), 2u);
  EXPECT_TRUE(plan.files[1].is_staged);
  EXPECT_EQ(plan.files[1].path, "data/main/t/new.parquet");
  EXPECT_EQ(plan.row_count, 8);
  EXPECT_THAT(Ids(Plan(3, Equal(1, "5"), {staged})), ElementsAre(10))
      << "its statistics count as well";
}

TEST_F(ScanPlannerTest, OwnDeletesAreMaskedAndCounted) {
  AddFile(10, 1, 2, 5);
  AddFile(11, 1, 2, 6);
  AddFile(12, 1, 2, 7);
  AddDeleteFile(20, 1, 11, 3, 2);
  Sql("CREATE TABLE ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, begin_snapshot "
      "BIGINT)");
  Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (10, 3, 3)");
  AddInlinedTable(1, ", a BIGINT, b VARCHAR");
  Sql("INSERT INTO ducklake_inlined_data_1_1 VALUES (0, 2, NULL, 1, 'p'), (1, 2, NULL, 2, 'q')");
  own_.removed[DataFileId(10)].Add({4, 0, 4});
  own_.removed[DataFileId(11)].Add({1});
  own_.removed[DataFileId(12)].AddAll(7);
  own_.removed_inlined["ducklake_inlined_data_1_1"].Add({1});
  own_.removed_staged[1].Add({2});
  own_.removed_staged[2].AddAll(9);
  DataFile staged;
  staged.path = "new.parquet";
  staged.record_count = 3;
  ScanPlan plan = Plan(3, {}, {staged, staged, staged});
  ASSERT_THAT(Ids(plan), ElementsAre(10, 11, -1, -1)) << "files without live rows are not read";
  EXPECT_THAT(plan.files[0].deleted_positions, ElementsAre(0, 3, 4));
  EXPECT_THAT(plan.files[1].deleted_positions, ElementsAre(1));
  EXPECT_EQ(plan.files[2].staged_index, 0u);
  EXPECT_EQ(plan.files[3].staged_index, 1u);
  EXPECT_THAT(plan.files[3].deleted_positions, ElementsAre(2));
  ASSERT_EQ(plan.inlined.size(), 1u);
  EXPECT_THAT(plan.inlined[0].removed_row_ids, ElementsAre(1));
  EXPECT_EQ(plan.inlined[0].row_count, 1);
  EXPECT_EQ(plan.row_count, (5 - 3) + (6 - 3) + 3 + 2 + 1) << "own deletes are of live rows: exact";
  EXPECT_EQ(plan.max_row_count, 11);
  own_.removed_inlined["ducklake_inlined_data_1_1"].Add({0});
  EXPECT_TRUE(Plan(3).inlined.empty());
}

TEST_F(ScanPlannerTest, NewTablesNeedNoQuery) {
  table_->ref = TableRef::New(0);
  DataFile staged;
  staged.path = "new.parquet";
  staged.record_count = 3;
  EXPECT_EQ(Plan(3, Equal(1, "5"), {staged}).row_count, 3);
  EXPECT_EQ(queries_, 0);
}

TEST_F(ScanPlannerTest, NameMapsOfRegisteredFiles) {
  AddFile(10, 1, 2, 5, {{"mapping_id", I(3)}});
  EXPECT_THROW(Plan(3), Error) << "a file cannot be read without its map";
  Add("ducklake_column_mapping",
      {{"mapping_id", I(3)}, {"table_id", I(1)}, {"type", T("map_by_name")}});
  Add("ducklake_name_mapping", {{"mapping_id", I(3)},
                                {"column_id", I(0)},
                                {"source_name", T("A")},
                                {"target_field_id", I(1)},
                                {"is_partition", false}});
  ScanPlan plan = Plan(3);
  ASSERT_EQ(plan.name_maps.size(), 1u);
  EXPECT_EQ(plan.name_maps.begin()->second->entries.at(0).source_name, "A");
}

TEST_F(ScanPlannerTest, QueriesDoNotGrowWithTheTable) {
  AddFile(1, 1, 2, 5);
  AddFileStats(1, 1, 1, T("1"), T("9"), 5);
  AddInlinedTable(1, ", a BIGINT, b VARCHAR");
  Sql("INSERT INTO ducklake_inlined_data_1_1 VALUES (0, 2, NULL, 1, 'p')");
  Plan(9, Equal(1, "5"));
  int queries = queries_;
  Write([this] {
    for (int64_t id = 2; id < 40; ++id) {
      AddFile(id, 1, 2, 5);
      AddDeleteFile(id + 50, 1, id, 3, 1);
      AddFileStats(id, 1, 1, T("1"), T("9"), 5);
    }
  });
  AddInlinedTable(2, ", a BIGINT");
  Plan(9, Equal(1, "5"));
  EXPECT_LE(queries_, queries);
  EXPECT_LE(queries_, 8) << "no history for files younger than their columns, no partitions";
}

TEST_F(ScanPlannerTest, CountsOfWholeLakes) {
  auto other = std::make_shared<Table>(*table_);
  other->ref = TableId(2);
  other->name = "u";
  view_ = view_->WithTable(other);
  AddFile(10, 1, 2, 50);
  AddFile(11, 1, 3, 50, {{"end_snapshot", I(4)}});
  AddFile(12, 2, 2, 8);
  AddDeleteFile(20, 1, 10, 3, 5);
  AddInlinedTable(1, ", a BIGINT, b VARCHAR");
  Sql("INSERT INTO ducklake_inlined_data_1_1 VALUES (0, 2, NULL, 1, 'p'), (1, 2, 4, 2, 'q')");
  Sql("CREATE TABLE ducklake_inlined_delete_2 (file_id BIGINT, row_id BIGINT, begin_snapshot "
      "BIGINT)");
  Sql("INSERT INTO ducklake_inlined_delete_2 VALUES (12, 7, 3), (12, 7, 4), (12, 1, 6)");
  Snapshot at;
  at.id = SnapshotId(5);
  EXPECT_THAT(CountRows(*connection_, *view_, at),
              ElementsAre(Pair(TableRef(TableId(1)), 46), Pair(TableRef(TableId(2)), 7)));
  at.id = SnapshotId(3);
  EXPECT_THAT(CountRows(*connection_, *view_, at),
              ElementsAre(Pair(TableRef(TableId(1)), 97), Pair(TableRef(TableId(2)), 7)));

  std::vector<TableInfo> infos = LoadTableInfo(*connection_, *view_, at);
  ASSERT_EQ(infos.size(), 2u);
  EXPECT_EQ(infos[0].table->name, "t");
  EXPECT_EQ(infos[0].file_count, 2);
  EXPECT_EQ(infos[0].file_size_bytes, 1010 + 1011);
  EXPECT_EQ(infos[0].delete_file_count, 1);
  EXPECT_EQ(infos[1].delete_file_size_bytes, 0);
}

TEST_F(ScanPlannerTest, TableStatsAreLoaded) {
  EXPECT_FALSE(LoadTableStats(*connection_, TableId(1)).has_value());
  Add("ducklake_table_stats", {{"table_id", I(1)},
                               {"record_count", I(5)},
                               {"next_row_id", I(6)},
                               {"file_size_bytes", I(7)}});
  Add("ducklake_table_column_stats", {{"table_id", I(1)},
                                      {"column_id", I(1)},
                                      {"contains_null", true},
                                      {"min_value", T("1")},
                                      {"max_value", T("9")}});
  std::optional<TableStats> stats = LoadTableStats(*connection_, TableId(1));
  ASSERT_TRUE(stats.has_value());
  EXPECT_EQ(stats->next_row_id, 6);
  EXPECT_EQ(stats->columns.at(0).max_value, "9");
  EXPECT_EQ(stats->columns.at(0).contains_nan, std::nullopt);
}

}  // namespace
}  // namespace tarn
