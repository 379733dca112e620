// What only SQLite has: storage classes, journal modes, logs left behind on read-only media, files
// that are replaced.
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "store/sqlite/sqlite_driver.h"
#include "store/sqlite/sqlite_handle.h"
#include "store/statement.h"

namespace tarn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class SqliteStoreTest : public testing::Test {
 protected:
  SqliteStoreTest() {
    std::string name = (fs::temp_directory_path() / "tarn-sqlite-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    file_ = (folder_ / "lake.sqlite").string();
  }
  ~SqliteStoreTest() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  std::shared_ptr<CatalogStore> Open(
      std::vector<std::pair<std::string, std::string>> parameters = {}) {
    StoreOptions options;
    options.location = file_;
    options.parameters = std::move(parameters);
    return OpenSqliteStore(options);
  }

  static std::string Text(StoreConnection& connection, const std::string& sql) {
    const auto rows = connection.Query({sql, {}});
    return rows->Next() ? std::string(rows->Text(0)) : "";
  }

  /// As the file's head says; only while nobody has it open.
  bool IsInWalMode() const {
    std::ifstream file(file_, std::ios::binary);
    file.seekg(18);
    return file.get() == 2;
  }

  static ErrorCode CodeOf(const std::function<void()>& work, std::string* message = nullptr) {
    try {
      work();
    } catch (const Error& error) {
      if (message) *message = error.message();
      return error.code();
    }
    ADD_FAILURE() << "no error";
    return ErrorCode::kInternal;
  }

  fs::path folder_;
  std::string file_;
};

TEST_F(SqliteStoreTest, ValuesHaveTheStorageThatOtherClientsWrite) {
  auto connection = Open()->Connect();
  const Dialect& dialect = connection->dialect();
  connection->Execute(
      {"CREATE TABLE t(i " + dialect.TypeName(StoreType::kBigint) + ", b " +
           dialect.TypeName(StoreType::kBoolean) + ", s " + dialect.TypeName(StoreType::kVarchar) +
           ", z " + dialect.TypeName(StoreType::kTimestampTz) + ", u " +
           dialect.TypeName(StoreType::kUuid) + ", x " + dialect.TypeName(StoreType::kBlob) + ")",
       {}});
  EXPECT_EQ(Text(*connection, "SELECT sql FROM sqlite_master"),
            "CREATE TABLE t(i BIGINT, b BIGINT, s VARCHAR, z VARCHAR, u VARCHAR, x BLOB)");
  StatementBuilder insert(dialect, "INSERT INTO t VALUES (");
  insert.BindList(std::vector<Value>{int64_t{7}, true, std::string("12"),
                                     Timestamp(std::chrono::microseconds(1'769'860'800'123'000)),
                                     std::string("f79c3e09-677c-4bbd-a479-3f349cb785e7"),
                                     Blob{"x"}});
  connection->Execute(insert.Text(")").Build());
  EXPECT_EQ(Text(*connection,
                 "SELECT typeof(i) || ' ' || typeof(b) || ' ' || typeof(s) || ' ' || typeof(z) || "
                 "' ' || typeof(u) || ' ' || "
                 "typeof(x) FROM t"),
            "integer integer text text text blob");
  EXPECT_EQ(Text(*connection, "SELECT i || ' ' || b || ' ' || s || ' ' || z || ' ' || u FROM t"),
            "7 1 12 2026-01-31 12:00:00.123+00 f79c3e09-677c-4bbd-a479-3f349cb785e7");
}

TEST_F(SqliteStoreTest, ReadsWhatOthersStoreInTheirOwnWay) {
  auto connection = Open()->Connect();
  const auto rows =
      connection->Query({"SELECT '2026-01-31 14:30:00+02:30', 'true', 3.0, 'f', '42'", {}});
  ASSERT_TRUE(rows->Next());
  EXPECT_EQ(rows->Time(0), Timestamp(std::chrono::microseconds(1'769'860'800'000'000)));
  EXPECT_TRUE(rows->Bool(1));
  EXPECT_EQ(rows->Int64(2), 3);
  EXPECT_FALSE(rows->Bool(3));
  EXPECT_EQ(rows->Int64(4), 42);
}

TEST_F(SqliteStoreTest, NewFilesAreInWalModeAndSynced) {
  Open()->Connect()->Execute({"CREATE TABLE t(a BIGINT)", {}});
  EXPECT_TRUE(IsInWalMode());
  const std::function<bool()> never;
  sqlite::Handle handle(file_, sqlite::Access::kWrite, std::chrono::milliseconds(0), never);
  EXPECT_EQ(handle.QueryInt64("PRAGMA synchronous"), 2);  // FULL
}

TEST_F(SqliteStoreTest, OtherFilesKeepTheirModeUnlessAsked) {
  Open({{"journal_mode", "delete"}})->Connect()->Execute({"CREATE TABLE t(a BIGINT)", {}});
  Open()->Connect()->Execute({"CREATE TABLE u(a BIGINT)", {}});
  EXPECT_FALSE(IsInWalMode());
  Open({{"journal_mode", "WAL"}})->Connect()->Execute({"CREATE TABLE v(a BIGINT)", {}});
  EXPECT_TRUE(IsInWalMode());
}

TEST_F(SqliteStoreTest, WrongParametersAreNamed) {
  std::string message;
  EXPECT_EQ(CodeOf([&] { Open({{"journal_mode", "off"}}); }, &message), ErrorCode::kInvalid);
  EXPECT_THAT(message, HasSubstr("\"off\""));
  for (const char* timeout : {"soon", "-1", "1s", ""}) {
    EXPECT_EQ(CodeOf([&] { Open({{"busy_timeout", timeout}}); }), ErrorCode::kInvalid) << timeout;
  }
  Open({{"busy_timeout", "0"}, {"type", "SQLite"}});
  StoreOptions options;
  options.location = file_;
  options.schema = "other";
  EXPECT_EQ(CodeOf([&] { OpenSqliteStore(options); }, &message), ErrorCode::kInvalid);
  EXPECT_THAT(message, HasSubstr("\"other\""));
  options.schema = "main";
  OpenSqliteStore(options);
}

TEST_F(SqliteStoreTest, NoLakeInSqliteMemory) {
  StoreOptions options;
  options.location = ":memory:";
  EXPECT_EQ(CodeOf([&] { OpenSqliteStore(options); }), ErrorCode::kUnsupported);
  options.location = "";
  EXPECT_EQ(CodeOf([&] { OpenSqliteStore(options); }), ErrorCode::kInvalid);
}

TEST_F(SqliteStoreTest, ReplacedFilesAreOpenedAgain) {
  auto store = Open();
  auto connection = store->Connect();
  connection->Execute({"CREATE TABLE old(a BIGINT)", {}});
  EXPECT_TRUE(connection->TableExists("old"));
  fs::rename(file_, file_ + ".moved");
  fs::remove(file_ + "-wal");
  fs::remove(file_ + "-shm");
  Open()->Connect()->Execute({"CREATE TABLE fresh(a BIGINT)", {}});
  EXPECT_FALSE(connection->TableExists("old"));
  EXPECT_TRUE(connection->TableExists("fresh"));
  connection->Begin(TransactionMode::kWrite);
  connection->Execute({"INSERT INTO fresh VALUES (1)", {}});
  EXPECT_EQ(connection->Commit(), CommitOutcome::kCommitted);
}

/// A database whose last commit lies in the -wal file only, as after a crash.
void LeaveLogBehind(const std::string& file) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  sqlite3_exec(db, "PRAGMA journal_mode = wal; CREATE TABLE t(a BIGINT)", nullptr, nullptr,
               nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (1), (2)", nullptr,
               nullptr, nullptr);
  sqlite3_close(db);
  fs::remove(file + "-shm");
  ASSERT_GT(fs::file_size(file + "-wal"), 0u);
}

/// Runs `work` as somebody who may only read the file and its folder; returns its error.
class SqliteFrozenTest : public SqliteStoreTest {
 protected:
  std::string Reading(const std::function<void()>& work) {
    LeaveLogBehind(file_);
    for (const auto& entry : fs::directory_iterator(folder_))
      fs::permissions(entry.path(), fs::perms(0444));
    fs::permissions(folder_, fs::perms(0555));
    Become(65534);
    std::string said;
    try {
      work();
    } catch (const Error& error) {
      said = error.message();
    }
    Become(0);
    return said;
  }
  void Become(uid_t user) {
    if (is_root_) {
      EXPECT_EQ(::seteuid(user), 0);
    }
  }
  const bool is_root_ = ::geteuid() == 0;
};

TEST_F(SqliteFrozenTest, ALogIsRead) {
  std::string count;
  EXPECT_EQ(Reading([&] {
              auto store = Open();
              EXPECT_FALSE(store->writable());
              count = Text(*store->Connect(), "SELECT count(*) FROM t");
            }),
            "");
  EXPECT_EQ(count, "2");
  EXPECT_FALSE(fs::exists(file_ + "-shm"));
}

TEST_F(SqliteFrozenTest, WhatIsWrittenMeanwhileIsNotReadAsOneState) {
  if (!is_root_) GTEST_SKIP() << "needs another user who writes";
  EXPECT_THAT(Reading([&] {
                auto store = Open();
                auto connection = store->Connect();
                connection->Begin(TransactionMode::kRead);
                EXPECT_EQ(Text(*connection, "SELECT count(*) FROM t"), "2");
                Become(0);
                std::ofstream(file_ + "-wal", std::ios::app) << "more";
                Become(65534);
                Text(*connection, "SELECT count(*) FROM t");
              }),
              testing::HasSubstr("was written to while it was read"));
}

TEST_F(SqliteStoreTest, ReadOnlyLeavesAForeignLogAlone) {
  LeaveLogBehind(file_);
  const auto size = fs::file_size(file_ + "-wal");
  StoreOptions options;
  options.location = file_;
  options.read_only = true;
  EXPECT_EQ(Text(*OpenSqliteStore(options)->Connect(), "SELECT count(*) FROM t"), "2");
  EXPECT_EQ(fs::file_size(file_ + "-wal"), size);
}

TEST_F(SqliteStoreTest, AReaderThatBlocksACommitIsNoLostRace) {
  auto store = Open({{"journal_mode", "delete"}, {"busy_timeout", "50"}});
  auto writer = store->Connect();
  writer->Execute({"CREATE TABLE t(a BIGINT)", {}});
  auto reader = store->Connect();
  reader->Begin(TransactionMode::kRead);
  writer->Begin(TransactionMode::kWrite);
  writer->Execute({"INSERT INTO t VALUES (1)", {}});
  std::string message;
  EXPECT_EQ(CodeOf([&] { writer->Commit(); }, &message), ErrorCode::kUnavailable);
  EXPECT_THAT(message, HasSubstr("META_JOURNAL_MODE 'wal'"));
  EXPECT_FALSE(writer->in_transaction());
  reader->Rollback();
  EXPECT_EQ(Text(*reader, "SELECT count(*) FROM t"), "0");
  writer->Begin(TransactionMode::kWrite);
  EXPECT_EQ(writer->Commit(), CommitOutcome::kCommitted);
}

TEST_F(SqliteStoreTest, DamagedFilesAreCorrupt) {
  {
    auto connection = Open({{"journal_mode", "delete"}})->Connect();
    connection->Execute({"CREATE TABLE t(a VARCHAR)", {}});
    connection->Begin(TransactionMode::kWrite);
    for (int i = 0; i < 2000; ++i)
      connection->Execute({"INSERT INTO t VALUES (?1)", {std::string(50, 'x')}});
    connection->Commit();
  }
  {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(8192, '\x7f');
  }
  auto store = Open();
  EXPECT_EQ(CodeOf([&] { Text(*store->Connect(), "SELECT count(*) FROM t"); }),
            ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
