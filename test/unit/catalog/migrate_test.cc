// Migration of golden lakes of older versions (test/golden) in SQLite files: what becomes of the
// rows, faults at every call, several migrators at once. What lakes hold afterwards on every
// catalog database is compared with the reference in test/golden.
#include <sqlite3.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "catalog/migrate_schema_versions.h"
#include "gmock/gmock.h"
#include "unit/catalog/faulty_store.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn {

void PrintTo(const TableVersion& row, std::ostream* out) {
  *out << "{" << row.begin_snapshot << ", " << row.schema_version << ", " << row.table_id << "}";
}

}  // namespace tarn

namespace tarn::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

TEST(VersionsOfTablesTest, AVersionBelongsToTheTablesThatItChanged) {
  TableHistory history;
  history.versions = {{0, 0}, {1, 1}, {2, 2}, {5, 3}, {6, 4}};
  history.lives = {{1, 1, 5}, {1, 5, {}}, {2, 2, 6}};
  history.changes = {{1, 1}, {1, 1}, {1, 5}, {2, 2}, {2, 6}};
  EXPECT_THAT(VersionsOfTables(history),
              ElementsAre(TableVersion{1, 1, 1}, TableVersion{2, 2, 2}, TableVersion{5, 3, 1}))
      << "what ends with its table is no change of it";
}

TEST(VersionsOfTablesTest, ExpiredSnapshotsGetTheNextVersionThatIsKnown) {
  TableHistory history;
  history.versions = {{9, 4}, {0, 0}, {3, 1}};
  history.lives = {{1, 2, {}}, {2, 11, {}}};
  history.changes = {{1, 2}, {1, 5}, {1, 7}, {2, 11}};
  EXPECT_THAT(VersionsOfTables(history),
              ElementsAre(TableVersion{2, 1, 1}, TableVersion{7, 4, 1}, TableVersion{11, 4, 2}));
}

TEST(VersionsOfTablesTest, InlinedRowsThatBeganLaterHaveAVersion) {
  TableHistory history;
  history.versions = {{0, 0}, {1, 1}, {6, 5}, {8, 6}};
  history.lives = {{1, 1, {}}};
  history.changes = {{1, 1}};
  history.inlined = {{1, 1}, {1, 4}, {1, 9}};
  EXPECT_THAT(VersionsOfTables(history), ElementsAre(TableVersion{1, 1, 1}, TableVersion{6, 5, 1}));
}

TEST(VersionsOfTablesTest, NothingComesOfNothing) {
  EXPECT_THAT(VersionsOfTables({}), IsEmpty());
  TableHistory history;
  history.lives = {{1, 1, {}}};
  history.changes = {{1, 1}};
  history.inlined = {{1, 1}};
  EXPECT_THAT(VersionsOfTables(history), IsEmpty());
}

class MigrateTest : public LakeTest {
 protected:
  void Change(const std::string& sql) {
    sqlite3* db = nullptr;
    sqlite3_open(Path("lake.db").c_str(), &db);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  /// Puts up the catalog of a golden lake.
  void Restore(const std::string& version) {
    std::ifstream file(std::string(TARN_GOLDEN_LAKES) + version + "-sqlite/catalog.sql");
    std::stringstream text;
    text << file.rdbuf();
    std::string sql = text.str();
    ASSERT_FALSE(sql.empty());
    constexpr std::string_view kLake = "{LAKE}";
    for (size_t at = 0; (at = sql.find(kLake, at)) != std::string::npos;)
      sql.replace(at, kLake.size(), folder_.string());
    for (const char* suffix : {"", "-wal", "-shm"})
      std::filesystem::remove(Path(std::string("lake.db") + suffix));
    Change("BEGIN; " + sql + " COMMIT;");
  }

  LakeOptions Migrating(std::shared_ptr<Fault> fault = nullptr) {
    LakeOptions options = Options();
    options.automatic_migration = true;
    if (fault) options.store = std::make_shared<FaultyStore>(options.store, std::move(fault));
    return options;
  }

  /// Everything in the catalog, as text.
  std::vector<std::string> Contents() const {
    std::vector<std::string> lines =
        Query("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name");
    for (const std::string& table :
         Query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
      for (std::string& line : Query("SELECT * FROM \"" + table + "\" ORDER BY rowid"))
        lines.push_back(table + ": " + std::move(line));
    }
    return lines;
  }
};

TEST_F(MigrateTest, EveryVersionBecomesThePresentOne) {
  for (const char* version : {"0.2", "0.3", "0.4"}) {
    Restore(version);
    auto lake = Lake::Open(Migrating());
    EXPECT_THAT(Query("SELECT value FROM ducklake_metadata WHERE key = 'version'"),
                ElementsAre("1.0"));
    EXPECT_NE(lake->Begin()->view()->FindTable("main", "rows"), nullptr);
    const std::vector<std::string> migrated = Contents();
    Lake::Open(Migrating());
    EXPECT_EQ(Contents(), migrated) << "once is enough";
  }
}

TEST_F(MigrateTest, VersionsBetweenReleasesAreMadeWhole) {
  for (const char* version : {"0.3-dev1", "0.4-dev1"}) {
    const bool early = std::string(version) == "0.3-dev1";
    Restore(early ? "0.2" : "0.3");
    Change(std::string("UPDATE ducklake_metadata SET value = '") + version +
           "' WHERE key = 'version'");
    // Some of what the next release brought is there already.
    Change(early ? "ALTER TABLE ducklake_snapshot_changes ADD COLUMN author VARCHAR"
                 : "ALTER TABLE ducklake_delete_file ADD COLUMN partial_max BIGINT");
    Lake::Open(Migrating());
    EXPECT_THAT(Query("SELECT value FROM ducklake_metadata WHERE key = 'version'"),
                ElementsAre("1.0"));
  }
}

TEST_F(MigrateTest, MergedFilesKeepTheirHighestSnapshot) {
  Restore("0.3");
  Change("UPDATE ducklake_data_file SET partial_file_info = '' WHERE data_file_id = 4");
  Lake::Open(Migrating());
  EXPECT_THAT(Query("SELECT begin_snapshot, partial_max FROM ducklake_data_file WHERE "
                    "data_file_id IN (3, 4) ORDER BY data_file_id"),
              ElementsAre("2|4", "6|-"));
}

TEST_F(MigrateTest, WhatNobodyCanReadIsNamedAndTheCatalogStays) {
  for (const char* info : {"x", "2:3|x:6", "partial_max:", "partial_max:5x", "2:3|"}) {
    Restore("0.3");
    Change(std::string("UPDATE ducklake_data_file SET partial_file_info = '") + info +
           "' WHERE data_file_id = 3");
    const std::vector<std::string> before = Contents();
    EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Lake::Open(Migrating()); }),
                HasSubstr("Failed to migrate DuckLake from v0.3 to v1.0: The data file 3 has the "
                          "partial_file_info \"" +
                          std::string(info) + "\""));
    EXPECT_EQ(Contents(), before);
  }
}

TEST_F(MigrateTest, AMissingTableIsNamedAndNothingIsChanged) {
  Restore("0.3");
  Change("DROP TABLE ducklake_delete_file");
  const std::vector<std::string> before = Contents();
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Lake::Open(Migrating()); }),
              AllOf(HasSubstr("Failed to migrate DuckLake from v0.3 to v1.0: "),
                    HasSubstr("ducklake_delete_file")));
  EXPECT_EQ(Contents(), before);
}

TEST_F(MigrateTest, TheWordNullAsADefaultStaysAWord) {
  Restore("0.3");
  Lake::Open(Migrating());
  EXPECT_THAT(Query("SELECT default_value, default_value_type, default_value_dialect, "
                    "initial_default FROM ducklake_column WHERE column_name = 'word'"),
              ElementsAre("'NULL'|expression|duckdb|NULL"));
}

TEST_F(MigrateTest, AColumnHasOneRowAtATime) {
  Restore("0.2");
  const std::string overlaps =
      "SELECT count(*) FROM ducklake_column a JOIN ducklake_column b USING (table_id, column_id) "
      "WHERE a.begin_snapshot < b.begin_snapshot AND (a.end_snapshot IS NULL OR a.end_snapshot > "
      "b.begin_snapshot)";
  EXPECT_NE(Query(overlaps).front(), "0");
  Lake::Open(Migrating());
  EXPECT_EQ(Query(overlaps).front(), "0");
}

TEST_F(MigrateTest, WhatADroppedTableHadEndsWithIt) {
  Restore("0.2");
  const std::string alive =
      "SELECT count(*) FROM ducklake_data_file f WHERE end_snapshot IS NULL AND NOT EXISTS (SELECT "
      "1 "
      "FROM ducklake_table t WHERE t.table_id = f.table_id AND t.end_snapshot IS NULL)";
  EXPECT_NE(Query(alive).front(), "0");
  Lake::Open(Migrating());
  EXPECT_EQ(Query(alive).front(), "0");
}

TEST_F(MigrateTest, KeysOf01NameColumnsByTheirPlace) {
  Restore("0.2");
  // Back to 0.1, as far as keys are concerned. The columns of `shaped` are x, y, s with a field,
  // and z.
  Change(
      "UPDATE ducklake_metadata SET value = '0.1' WHERE key = 'version'; DELETE FROM "
      "ducklake_partition_info; DELETE FROM ducklake_partition_column; INSERT INTO "
      "ducklake_partition_info SELECT 900, table_id, max(begin_snapshot), NULL FROM "
      "ducklake_column WHERE column_name = 'z'; INSERT INTO ducklake_partition_column SELECT 900, "
      "table_id, 0, 3, 'identity' FROM ducklake_column WHERE column_name = 'z'; INSERT INTO "
      "ducklake_partition_column VALUES (901, 902, 0, 1, 'year')");
  Lake::Open(Migrating());
  EXPECT_THAT(Query("SELECT k.partition_id, k.column_id, transform FROM ducklake_partition_column "
                    "k ORDER BY 1"),
              ElementsAre("900|5|identity", "901|1|year"));

  Change(
      "UPDATE ducklake_metadata SET value = '0.1' WHERE key = 'version'; "
      "UPDATE ducklake_partition_column SET column_id = 4 WHERE partition_id = 900");
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Lake::Open(Migrating()); }),
              HasSubstr("is its column number 4, but at snapshot"));
}

TEST_F(MigrateTest, TheSchemaVersionsOf04AreFoundFromItsObjects) {
  Restore("0.4");
  const std::string rows =
      "SELECT begin_snapshot, schema_version, table_id FROM ducklake_schema_versions ORDER BY "
      "1, 2, 3";
  const std::vector<std::string> written = Query(rows);
  // As 0.3 has them.
  Change(
      "CREATE TABLE v AS SELECT DISTINCT begin_snapshot, schema_version FROM "
      "ducklake_schema_versions; DROP TABLE ducklake_schema_versions; "
      "ALTER TABLE v RENAME TO ducklake_schema_versions; "
      "UPDATE ducklake_metadata SET value = '0.4-dev1' WHERE key = 'version'");
  Lake::Open(Migrating());
  // Those that 0.4 wrote, and one for inlined rows that began later than their table.
  EXPECT_THAT(Query(rows), IsSupersetOf(written));
  EXPECT_EQ(Query(rows).size(), written.size() + 1);
}

TEST_F(MigrateTest, AFaultAtAnyCallLeavesTheOldVersionOrTheNewOne) {
  Restore("0.2");
  const std::vector<std::string> old = Contents();
  Lake::Open(Migrating());
  const std::vector<std::string> migrated = Contents();
  for (const bool after_effect : {false, true}) {
    Restore("0.2");
    for (int64_t at = 0;; ++at) {
      auto fault = std::make_shared<Fault>();
      fault->at = at;
      fault->after_effect = after_effect;
      try {
        Lake::Open(Migrating(fault));
        EXPECT_EQ(Contents(), migrated) << fault->where;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.message();
      }
      std::vector<std::string> contents = Contents();
      EXPECT_TRUE(contents == old || contents == migrated) << fault->where;
      if (!fault->hit) break;
      if (at % 20 == 0) {
        Lake::Open(Migrating());
        contents = Contents();
        EXPECT_EQ(contents, migrated) << fault->where;
      }
      if (contents != old) Restore("0.2");
    }
  }
}

TEST_F(MigrateTest, ALostRaceIsLookedAtAgain) {
  for (const ErrorCode code : {ErrorCode::kConflict, ErrorCode::kUnavailable}) {
    Restore("0.3");
    auto fault = std::make_shared<Fault>();
    fault->only = code == ErrorCode::kConflict ? "execute ALTER" : "commit";
    fault->at = 0;
    fault->code = code;
    fault->commit_outcome = CommitOutcome::kLostRace;
    EXPECT_NE(Lake::Open(Migrating(fault)), nullptr);
    EXPECT_TRUE(fault->hit);
  }
}

TEST_F(MigrateTest, ManyMigratorsMigrateOnce) {
  Restore("0.2");
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Lake>> lakes(6);
  for (auto& lake : lakes) {
    threads.emplace_back([&] { lake = Lake::Open(Migrating()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& lake : lakes) ASSERT_NE(lake, nullptr);
  const std::vector<std::string> together = Contents();
  Restore("0.2");
  Lake::Open(Migrating());
  EXPECT_EQ(together, Contents());
}

}  // namespace
}  // namespace tarn::test
