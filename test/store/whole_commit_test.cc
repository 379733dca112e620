// Plain inserts on PostgreSQL in one round trip: how often the server is asked, that what it
// settles is what step by step would be settled, and what becomes of a cut connection.
#ifdef TARN_STORE_POSTGRES

#include <regex>

#include "gmock/gmock.h"
#include "store/cutting_proxy.h"
#include "store/postgres/postgres_driver.h"
#include "store/store_fixture.h"
#include "tarn/lake.h"
#include "tarn/transaction.h"
#include "unit/catalog/fake_staged_rows.h"

namespace tarn::test {
namespace {

using namespace std::chrono_literals;

std::vector<StoreKind> PostgresKinds() {
  std::vector<StoreKind> kinds = AllStoreKinds();
  std::erase_if(kinds, [](const StoreKind& kind) { return kind.scheme != "postgres"; });
  return kinds;
}

class WholeCommit : public StoreTest {
 protected:
  static std::string Part(const std::string& key) {
    std::smatch found;
    const std::string& text = GetParam().server;
    return std::regex_search(text, found, std::regex(key + "=(\\S+)")) ? found[1].str() : "";
  }
  std::shared_ptr<Lake> OpenLake(std::shared_ptr<CatalogStore> store) {
    LakeOptions options;
    options.store = std::move(store);
    options.data_path = folder_.Path("data");
    return Lake::Open(options);
  }
  std::shared_ptr<Lake> OpenLake() { return OpenLake(Open()); }

  static Column Col(std::string name, std::string type) {
    Column column;
    column.name = std::move(name);
    column.type = {std::move(type)};
    return column;
  }
  static void CreateTable(Lake& lake, const std::string& name) {
    const auto transaction = lake.Begin();
    transaction->CreateTable({"main", name, {Col("i", "int32"), Col("v", "varchar")}});
    transaction->Commit();
  }
  static std::unique_ptr<Transaction> Stage(Lake& lake, const std::string& table,
                                            std::vector<int64_t> values) {
    auto transaction = lake.Begin();
    const auto found = transaction->view()->FindTable("main", table);
    transaction->StageRows(found->ref, std::make_shared<FakeStagedRows>(found, std::move(values)));
    return transaction;
  }
  static std::optional<SnapshotId> Insert(Lake& lake, const std::string& table,
                                          std::vector<int64_t> values) {
    return Stage(lake, table, std::move(values))->Commit();
  }
  /// As often as it takes until a table's inserts need one round trip.
  static void WarmUp(Lake& lake, const std::string& table) {
    for (int64_t i = 0; i < 3; ++i) Insert(lake, table, {100 + i});
  }
  static DataFile File(const std::string& path, int64_t rows, const std::string& min,
                       const std::string& max) {
    DataFile file;
    file.path = path;
    file.record_count = rows;
    file.file_size_bytes = 10;
    file.footer_size = 1;
    ColumnStats stats;
    stats.field = FieldId(1);
    stats.value_count = rows;
    stats.null_count = 0;
    stats.min_value = min;
    stats.max_value = max;
    file.stats.push_back(stats);
    return file;
  }
  static std::unique_ptr<Transaction> StageFile(Lake& lake, const std::string& table,
                                                DataFile file) {
    auto transaction = lake.Begin();
    transaction->AddDataFiles(transaction->view()->FindTable("main", table)->ref, {file});
    return transaction;
  }

  std::vector<std::string> Ask(const std::string& sql) {
    const auto connection = Open()->Connect();
    const auto rows = connection->Query({sql, {}});
    std::vector<std::string> lines;
    while (rows->Next()) {
      std::string line;
      for (int i = 0; i < rows->column_count(); ++i)
        line += (i == 0 ? "" : "|") + rows->OptText(i).value_or("-");
      lines.push_back(line);
    }
    return lines;
  }
  std::string InSchema(const std::string& table) const { return "\"" + schema_ + "\"." + table; }

  std::string InlinedTable() {
    return InSchema(
        Ask("SELECT table_name FROM " + InSchema("ducklake_inlined_data_tables")).at(0));
  }

  template <class Work>
  static int64_t RoundTripsOf(Work work) {
    const int64_t before = PostgresRoundTrips();
    work();
    return PostgresRoundTrips() - before;
  }
};

TEST_P(WholeCommit, AnInsertIsOneRoundTripWhateverOthersHaveInserted) {
  const auto lake = OpenLake();
  const auto other = OpenLake();
  for (const char* table : {"t", "u"}) {
    CreateTable(*lake, table);
    WarmUp(*lake, table);
  }
  WarmUp(*other, "u");
  WarmUp(*other, "t");
  WarmUp(*lake, "t");
  const auto transaction = Stage(*lake, "t", {7});
  EXPECT_EQ(RoundTripsOf([&] { transaction->Commit(); }), 1);

  const auto behind = Stage(*lake, "t", {8});
  Insert(*other, "t", {9});
  const auto head = Insert(*other, "u", {9});
  std::optional<SnapshotId> made;
  EXPECT_EQ(RoundTripsOf([&] { made = behind->Commit(); }), 1);
  ASSERT_TRUE(made && head);
  EXPECT_EQ(made->value, head->value + 1);

  const auto file = StageFile(*lake, "t", File("a.parquet", 4, "-5", "6"));
  EXPECT_EQ(RoundTripsOf([&] { file->Commit(); }), 1);
}

TEST_P(WholeCommit, WhatTheServerSettlesIsWhatAllOthersWouldHaveWritten) {
  const auto lake = OpenLake();
  CreateTable(*lake, "t");
  WarmUp(*lake, "t");  // 100, 101, 102: row ids 0 to 2
  Insert(*lake, "t", {20, 1000});
  const auto file_first = StageFile(*lake, "t", File("a.parquet", 4, "-5", "6"));
  const auto rows_second = Stage(*lake, "t", {9, 8});
  file_first->Commit();
  rows_second->Commit();
  EXPECT_EQ(Ask("SELECT record_count, next_row_id, file_size_bytes FROM " +
                InSchema("ducklake_table_stats")),
            std::vector<std::string>{"11|11|10"});
  // As numbers: 1000 is more than 20.
  EXPECT_EQ(Ask("SELECT column_id, contains_null, min_value, max_value FROM " +
                InSchema("ducklake_table_column_stats") + " ORDER BY column_id"),
            (std::vector<std::string>{"1|false|-5|1000", "2|true|-|-"}));
  EXPECT_EQ(Ask("SELECT row_id, begin_snapshot, end_snapshot, i FROM " + InlinedTable() +
                " ORDER BY row_id OFFSET 3"),
            (std::vector<std::string>{"3|5|-|20", "4|5|-|1000", "9|7|-|9", "10|7|-|8"}));
  EXPECT_EQ(Ask("SELECT row_id_start, begin_snapshot, path, table_id, record_count FROM " +
                InSchema("ducklake_data_file")),
            std::vector<std::string>{"5|6|a.parquet|1|4"});
  EXPECT_EQ(Ask("SELECT d.data_file_id = s.data_file_id, d.data_file_id + 2 = (SELECT "
                "max(next_file_id) FROM " +
                InSchema("ducklake_snapshot") + ") FROM " + InSchema("ducklake_data_file") +
                " d, " + InSchema("ducklake_file_column_stats") + " s"),
            std::vector<std::string>{"true|true"});
  EXPECT_EQ(
      Ask("SELECT c.changes_made FROM " + InSchema("ducklake_snapshot_changes") +
          " c WHERE snapshot_id >= 5 ORDER BY snapshot_id"),
      (std::vector<std::string>{"inlined_insert:1", "inserted_into_table:1", "inlined_insert:1"}));
  EXPECT_EQ(Ask("SELECT count(*), max(snapshot_id), count(DISTINCT snapshot_time) FROM " +
                InSchema("ducklake_snapshot")),
            std::vector<std::string>{"8|7|8"});
}

TEST_P(WholeCommit, WhatOthersDidToObjectsIsJudgedStepByStep) {
  const auto lake = OpenLake();
  const auto other = OpenLake();
  CreateTable(*lake, "t");
  WarmUp(*lake, "t");
  const auto unharmed = Stage(*lake, "t", {7});
  CreateTable(*other, "u");
  EXPECT_TRUE(unharmed->Commit());
  WarmUp(*lake, "t");
  const auto homeless = Stage(*lake, "t", {8});
  const auto drops = other->Begin();
  drops->DropTable(drops->view()->FindTable("main", "t")->ref);
  drops->Commit();
  ExpectError(ErrorCode::kConflict, [&] { homeless->Commit(); });
}

TEST_P(WholeCommit, BoundsThatSqlDoesNotUnderstandAreMergedHere) {
  const auto lake = OpenLake();
  CreateTable(*lake, "t");
  WarmUp(*lake, "t");
  Open()->Connect()->Execute({"UPDATE " + InSchema("ducklake_table_column_stats") +
                                  " SET min_value = 'rubbish' WHERE column_id = 1",
                              {}});
  EXPECT_TRUE(Insert(*lake, "t", {1, 5000}));
  EXPECT_EQ(Ask("SELECT min_value, max_value FROM " + InSchema("ducklake_table_column_stats") +
                " WHERE column_id = 1"),
            std::vector<std::string>{"-|5000"});
}

TEST_P(WholeCommit, WaitingForTheLockEndsWithAnInterrupt) {
  const auto lake = OpenLake();
  CreateTable(*lake, "t");
  WarmUp(*lake, "t");
  const auto holder = Open()->Connect();
  BeginNow(*holder, TransactionMode::kWrite);
  auto began = std::chrono::steady_clock::now();
  const auto transaction =
      lake->Begin({}, [&] { return std::chrono::steady_clock::now() - began > 200ms; });
  const auto found = transaction->view()->FindTable("main", "t");
  transaction->StageRows(found->ref,
                         std::make_shared<FakeStagedRows>(found, std::vector<int64_t>{1}));
  ExpectError(ErrorCode::kInterrupted, [&] { transaction->Commit(); });
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
  holder->Rollback();
  EXPECT_EQ(Ask("SELECT count(*) FROM " + InlinedTable()), std::vector<std::string>{"3"});
}

/// As a statement of its own, not as a part of "READ COMMITTED".
const std::string kCommit("COMMIT\0", 7);

TEST_P(WholeCommit, ACutConnectionCommitsOnce) {
  CuttingProxy proxy(std::stoi(Part("port")));
  StoreOptions options = Options();
  options.location = std::regex_replace(GetParam().server, std::regex("port=\\S+"),
                                        "port=" + std::to_string(proxy.port()));
  const auto lake = OpenLake(Open(options));
  CreateTable(*lake, "t");
  WarmUp(*lake, "t");
  int64_t rows = 3;
  for (const auto when : {CuttingProxy::When::kBefore, CuttingProxy::When::kAfter}) {
    for (const bool as_file : {false, true}) {
      const std::string name = "f" + std::to_string(rows) + ".parquet";
      const auto transaction =
          as_file ? StageFile(*lake, "t", File(name, 1, "1", "1")) : Stage(*lake, "t", {rows});
      proxy.CutAt(kCommit, when);
      const auto made = transaction->Commit();
      ASSERT_TRUE(made);
      ++rows;
      EXPECT_EQ(Ask("SELECT max(snapshot_id) FROM " + InSchema("ducklake_snapshot")),
                std::vector<std::string>{std::to_string(made->value)});
      EXPECT_EQ(Ask("SELECT record_count, (SELECT count(*) FROM " + InlinedTable() +
                    ") + (SELECT count(*) FROM " + InSchema("ducklake_data_file") + ") FROM " +
                    InSchema("ducklake_table_stats")),
                std::vector<std::string>{std::to_string(rows) + "|" + std::to_string(rows)});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, WholeCommit, testing::ValuesIn(PostgresKinds()), KindName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WholeCommit);

}  // namespace
}  // namespace tarn::test

#endif
