// The tables of a SQLite catalog as a database of the host: what is listed, read and refused.
#include "engine/metadata/metadata_catalog.h"

#include <unistd.h>

#include <filesystem>

#include "duckdb.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "store/sqlite/sqlite_driver.h"
#include "store/statement.h"

namespace tarn::engine {
namespace {

using testing::HasSubstr;

std::shared_ptr<CatalogStore> OpenStore(const std::string& path) {
  StoreOptions options;
  options.location = path;
  return OpenSqliteStore(options);
}

class MetadataCatalogTest : public testing::Test {
 protected:
  MetadataCatalogTest() : host_(nullptr), client_(host_) {
    RegisterMetadataStorage(*host_.instance);
    path_ = (std::filesystem::temp_directory_path() /
             ("tarn-metadata-" + std::to_string(::getpid()) + ".sqlite"))
                .string();
    std::filesystem::remove(path_);
    store_ = OpenStore(path_);
    auto connection = store_->Connect();
    connection->Execute(
        {"CREATE TABLE ducklake_snapshot(snapshot_id BIGINT PRIMARY KEY, snapshot_time VARCHAR NOT "
         "NULL, d DOUBLE, b BLOB)",
         {}});
    connection->Execute(
        {"INSERT INTO ducklake_snapshot VALUES (0, '2026-01-31 12:00:00+00', 1.5, x'00ff'), (1, "
         "'later', NULL, NULL)",
         {}});
    connection->Execute({"CREATE TABLE \"odd \"\"name\"(\"select\" BIGINT)", {}});
  }
  ~MetadataCatalogTest() override { std::filesystem::remove(path_); }

  std::string Answer(const std::string& sql) {
    auto result = client_.Query(sql);
    if (result->HasError()) return "error: " + result->GetError();
    std::string answer;
    for (auto& row : *result) {
      for (duckdb::idx_t i = 0; i < result->types.size(); ++i)
        answer += (i ? "|" : "") + row.GetValue<duckdb::Value>(i).ToString();
      answer += "\n";
    }
    return answer;
  }

  duckdb::DuckDB host_;
  duckdb::Connection client_;
  std::string path_;
  std::shared_ptr<CatalogStore> store_;
};

TEST_F(MetadataCatalogTest, TablesAreReadWithTheirTypes) {
  const auto shown = AttachMetadata(*host_.instance, store_, "__ducklake_metadata_l", true, false);
  EXPECT_EQ(Answer("SELECT * FROM __ducklake_metadata_l.ducklake_snapshot ORDER BY snapshot_id"),
            "0|2026-01-31 12:00:00+00|1.5|\\x00\\xFF\n1|later|NULL|NULL\n");
  EXPECT_EQ(Answer("SELECT snapshot_time, snapshot_id FROM "
                   "__ducklake_metadata_l.main.ducklake_snapshot WHERE snapshot_id = 1"),
            "later|1\n");
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.DuckLake_Snapshot"), "2\n");
  EXPECT_EQ(Answer("SELECT column_name, column_type, \"null\", key FROM (DESCRIBE "
                   "__ducklake_metadata_l.ducklake_snapshot)"),
            "snapshot_id|BIGINT|YES|PRI\nsnapshot_time|VARCHAR|NO|NULL\nd|DOUBLE|YES|NULL\nb|BLOB|"
            "YES|NULL\n");
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.\"odd \"\"name\""), "0\n");
}

TEST_F(MetadataCatalogTest, HiddenFromListingsUnlessNamedByTheUser) {
  {
    const auto hidden =
        AttachMetadata(*host_.instance, store_, "__ducklake_metadata_l", true, false);
    EXPECT_EQ(
        Answer("SELECT count(*) FROM duckdb_databases() WHERE database_name LIKE '%metadata%'"),
        "0\n");
    EXPECT_EQ(Answer("SELECT count(*) FROM duckdb_tables()"), "0\n");
    EXPECT_EQ(Answer("FROM (SHOW ALL TABLES)"), "");
  }
  const auto shown = AttachMetadata(*host_.instance, store_, "meta", false, false);
  EXPECT_EQ(Answer("SELECT database_name, type FROM duckdb_databases() WHERE NOT internal AND "
                   "database_name <> 'memory'"),
            "meta|sqlite\n");
  EXPECT_EQ(Answer("SELECT table_name FROM duckdb_tables() ORDER BY ALL"),
            "ducklake_snapshot\nodd \"name\n");
}

TEST_F(MetadataCatalogTest, MissingTablesSuggestOthers) {
  const auto shown = AttachMetadata(*host_.instance, store_, "m", true, false);
  EXPECT_THAT(Answer("FROM m.ducklake_snapshots"),
              HasSubstr("Did you mean \"ducklake_snapshot\"?"));
  EXPECT_THAT(Answer("FROM m.other.ducklake_snapshot"), HasSubstr("error: "));
}

TEST_F(MetadataCatalogTest, ChangesAreRefusedWithAdvice) {
  const auto shown = AttachMetadata(*host_.instance, store_, "m", true, false);
  for (const char* sql :
       {"INSERT INTO m.ducklake_snapshot VALUES (9, 'x', 1, NULL)",
        "DELETE FROM m.ducklake_snapshot", "UPDATE m.ducklake_snapshot SET d = 1",
        "CREATE TABLE m.t(a INT)", "CREATE TABLE m.t AS SELECT 1 AS a",
        "DROP TABLE m.ducklake_snapshot", "CREATE SCHEMA m.s",
        "ALTER TABLE m.ducklake_snapshot ADD COLUMN x INT", "CREATE VIEW m.v AS SELECT 1"}) {
    EXPECT_THAT(Answer(sql), HasSubstr("can only be read here")) << sql;
  }
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot"), "2\n");
}

TEST_F(MetadataCatalogTest, EachQuerySeesWhatIsThere) {
  const auto shown = AttachMetadata(*host_.instance, store_, "m", true, false);
  auto prepared = client_.Prepare("SELECT count(*) FROM m.ducklake_snapshot");
  EXPECT_EQ(prepared->Execute()->Fetch()->GetValue(0, 0).ToString(), "2");
  client_.Query("BEGIN");
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot"), "2\n");
  // A reader's open transaction does not keep the lake from committing.
  store_->Connect()->Execute({"INSERT INTO ducklake_snapshot VALUES (2, 'now', 1, NULL)", {}});
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot"), "3\n");
  client_.Query("COMMIT");
  EXPECT_EQ(prepared->Execute()->Fetch()->GetValue(0, 0).ToString(), "3");
}

TEST_F(MetadataCatalogTest, ManyRowsAndFilters) {
  const auto shown = AttachMetadata(*host_.instance, store_, "m", true, false);
  std::vector<std::vector<Value>> rows;
  for (int64_t i = 10; i < 10'010; ++i) rows.push_back({i, "row " + std::to_string(i)});
  const std::vector<std::string_view> columns = {"snapshot_id", "snapshot_time"};
  store_->Connect()->InsertRows("ducklake_snapshot", columns, rows);
  EXPECT_EQ(Answer("SELECT count(*), max(snapshot_id), count(d) FROM m.ducklake_snapshot"),
            "10002|10009|1\n");
  EXPECT_EQ(Answer("SELECT snapshot_time FROM m.ducklake_snapshot WHERE snapshot_id = 5000"),
            "row 5000\n");
  EXPECT_EQ(Answer("SELECT snapshot_id FROM m.ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1"),
            "10009\n");
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot a JOIN m.ducklake_snapshot b USING "
                   "(snapshot_id)"),
            "10002\n");
}

TEST_F(MetadataCatalogTest, TheNameIsFreeAgainAfterwards) {
  auto shown = AttachMetadata(*host_.instance, store_, "m", true, false);
  EXPECT_THROW(AttachMetadata(*host_.instance, store_, "m", true, false), Error);
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot"), "2\n");
  shown.reset();
  EXPECT_THAT(Answer("FROM m.ducklake_snapshot"), HasSubstr("error: "));
  shown = AttachMetadata(*host_.instance, store_, "m", true, false);
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot"), "2\n");
}

TEST_F(MetadataCatalogTest, AReplacedNameGoesBackUnlessConfirmed) {
  const auto other_path = path_ + ".other";
  std::filesystem::remove(other_path);
  const auto other = OpenStore(other_path);
  other->Connect()->Execute({"CREATE TABLE t(a BIGINT)", {}});

  auto first = AttachMetadata(*host_.instance, store_, "m", true, false);
  auto second = AttachMetadata(*host_.instance, other, "m", true, true);
  EXPECT_EQ(Answer("SELECT count(*) FROM m.t"), "0\n");
  second.reset();
  EXPECT_EQ(Answer("SELECT count(*) FROM m.ducklake_snapshot"), "2\n");

  second = AttachMetadata(*host_.instance, other, "m", true, true);
  second->Confirm();
  first.reset();
  EXPECT_EQ(Answer("SELECT count(*) FROM m.t"), "0\n");
  second.reset();
  EXPECT_THAT(Answer("FROM m.t"), HasSubstr("error: "));
  std::filesystem::remove(other_path);
}

TEST_F(MetadataCatalogTest, TheTypeIsNotForUsers) {
  EXPECT_THAT(Answer("ATTACH 'x' AS y (TYPE tarn_metadata)"), HasSubstr("Tarn's own"));
}

TEST(MetadataCatalogLifetime, AnInstanceClosesWithItsLakes) {
  const auto path = (std::filesystem::temp_directory_path() /
                     ("tarn-lifetime-" + std::to_string(::getpid()) + ".sqlite"))
                        .string();
  std::shared_ptr<OwnedAttachment> shown;
  duckdb::weak_ptr<duckdb::DatabaseInstance> instance;
  {
    duckdb::DuckDB host(nullptr);
    RegisterMetadataStorage(*host.instance);
    shown = AttachMetadata(*host.instance, OpenStore(path), "m", true, false);
    instance = host.instance;
  }
  EXPECT_FALSE(instance.lock());
  shown.reset();
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tarn::engine
