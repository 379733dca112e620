// What only a server can do to a client: refuse it, end its connection, answer too late to know;
// and how often it must be asked.
#ifdef TARN_STORE_POSTGRES

#include <cstdlib>
#include <fstream>
#include <regex>

#include <sys/stat.h>

#include "gmock/gmock.h"
#include "store/cutting_proxy.h"
#include "store/postgres/postgres_driver.h"
#include "store/store_fixture.h"
#include "tarn/lake.h"
#include "tarn/transaction.h"

namespace tarn::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

std::vector<StoreKind> PostgresKinds() {
  std::vector<StoreKind> kinds = AllStoreKinds();
  std::erase_if(kinds, [](const StoreKind& kind) { return kind.scheme != "postgres"; });
  return kinds;
}

class PostgresTest : public StoreTest {
 protected:
  /// Of the server's connection string.
  static std::string Part(const std::string& key) {
    std::smatch found;
    const std::string& text = GetParam().server;
    return std::regex_search(text, found, std::regex(key + "=(\\S+)")) ? found[1].str() : "";
  }
  StoreOptions At(const std::string& location) const {
    StoreOptions options = Options();
    options.location = location;
    return options;
  }
  static std::string Server() { return "host=" + Part("host") + " port=" + Part("port") + " "; }
  void Run(const std::string& sql) { Open()->Connect()->Execute({sql, {}}); }
  /// A role of this test alone, without any rights; its password is `secret-of-role`.
  std::string MakeRole() {
    const std::string role = schema_ + "_role";
    Run("CREATE ROLE " + role + " LOGIN PASSWORD 'secret-of-role'");
    roles_.push_back(role);
    return role;
  }
  void TearDown() override {
    for (const std::string& role : roles_) {
      Run("DROP OWNED BY " + role);
      Run("DROP ROLE " + role);
    }
  }
  static int64_t BackendId(StoreConnection& connection) {
    const auto rows = connection.Query({"SELECT pg_backend_pid()", {}});
    rows->Next();
    return rows->Int64(0);
  }
  /// What an administrator does to a connection; returns when it has happened.
  void Terminate(int64_t backend) {
    const auto connection = Open()->Connect();
    connection->Query({"SELECT pg_terminate_backend($1::int, 5000)", {Value(backend)}})->Next();
  }
  template <class Work>
  static int64_t RoundTripsOf(Work work) {
    const int64_t before = PostgresRoundTrips();
    work();
    return PostgresRoundTrips() - before;
  }

  std::vector<std::string> roles_;
};

// --- round trips ---

TEST_P(PostgresTest, BeginTravelsWithTheFirstQuery) {
  const auto connection = Open()->Connect();
  CreateNamedTable(*connection);
  for (const auto mode : {TransactionMode::kRead, TransactionMode::kWrite}) {
    EXPECT_EQ(RoundTripsOf([&] {
                connection->Begin(mode);
                Count(*connection);
                connection->Rollback();
              }),
              1);
  }
}

TEST_P(PostgresTest, WritesTravelWithCommit) {
  const auto connection = Open()->Connect();
  CreateNamedTable(*connection);
  const std::vector<std::string_view> columns = {"id", "name"};
  EXPECT_EQ(RoundTripsOf([&] {
              connection->Begin(TransactionMode::kWrite);
              Count(*connection);
              for (int64_t id = 0; id < 50; ++id) {
                const std::vector<std::vector<Value>> rows = {{id, std::string("x")}};
                connection->InsertRows("t", columns, rows);
              }
              StatementBuilder sql(connection->dialect(), "UPDATE ");
              connection->Send(sql.Table("t").Text(" SET name = 'y'").Build());
              EXPECT_EQ(connection->Commit(), CommitOutcome::kCommitted);
            }),
            2);
  EXPECT_EQ(Count(*connection), 50);
}

TEST_P(PostgresTest, AnErrorOfAWriteComesWithCommitAtTheLatest) {
  const auto connection = Open()->Connect();
  CreateNamedTable(*connection);
  InsertNamed(*connection, 1, "one");
  const std::vector<std::string_view> columns = {"id", "name"};
  const std::vector<std::vector<Value>> rows = {{int64_t{1}, std::string("again")}};
  connection->Begin(TransactionMode::kWrite);
  connection->InsertRows("t", columns, rows);
  ExpectError(ErrorCode::kAlreadyExists, [&] { connection->Commit(); });
  EXPECT_FALSE(connection->in_transaction());
  EXPECT_EQ(Count(*connection), 1);

  // What is rolled back before it is asked for leaves no error behind.
  connection->Begin(TransactionMode::kWrite);
  connection->InsertRows("t", columns, rows);
  connection->Rollback();
  EXPECT_EQ(Count(*connection), 1);
}

class PostgresLakes : public PostgresTest {
 protected:
  LakeOptions NewLake() {
    LakeOptions options;
    options.store = Open();
    options.data_path = folder_.Path("data");
    return options;
  }

  static void AddTables(Lake& lake, int first, int last) {
    const auto transaction = lake.Begin();
    for (int i = first; i < last; ++i) {
      std::vector<Column> columns(2);
      columns[0].name = "i";
      columns[0].type = {"int32"};
      columns[1].name = "s";
      columns[1].type = {"varchar"};
      transaction->CreateTable({"main", "t" + std::to_string(i), columns});
    }
    transaction->Commit();
  }
};

TEST_P(PostgresLakes, ATransactionOnAnUnchangedLakeIsOneRoundTrip) {
  const auto lake = Lake::Open(NewLake());
  AddTables(*lake, 0, 3);
  lake->Begin();
  EXPECT_EQ(RoundTripsOf([&] { lake->Begin(); }), 1);
}

TEST_P(PostgresLakes, OpeningIsTheSameForFiveTablesAndForTwoHundred) {
  AddTables(*Lake::Open(NewLake()), 0, 5);
  const auto open = [&] { EXPECT_NE(Lake::Open(NewLake())->Begin()->view(), nullptr); };
  const int64_t few = RoundTripsOf(open);
  AddTables(*Lake::Open(NewLake()), 5, 200);
  EXPECT_EQ(RoundTripsOf(open), few);
  EXPECT_LE(few, 25);
}

TEST_P(PostgresLakes, ManyRowsOfACatalogTableArriveAsTheyWere) {
  const auto lake = Lake::Open(NewLake());
  const auto connection = Open()->Connect();
  const std::vector<std::string_view> columns = {"data_file_id", "table_id",  "column_id",
                                                 "value_count",  "min_value", "contains_nan"};
  std::vector<std::vector<Value>> rows;
  for (int64_t i = 0; i < 1000; ++i) {
    rows.push_back({i, int64_t{1}, int64_t{2}, i % 3 == 0 ? Value() : Value(i),
                    "it's " + std::to_string(i), i % 2 == 0 ? Value(true) : Value()});
  }
  connection->InsertRows("ducklake_file_column_stats", columns, rows);
  StatementBuilder sql(connection->dialect(), "SELECT value_count, min_value, contains_nan FROM ");
  const auto result = connection->Query(
      sql.Table("ducklake_file_column_stats").Text(" ORDER BY data_file_id").Build());
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(result->Next());
    EXPECT_EQ(result->OptInt64(0), i % 3 == 0 ? std::nullopt : std::optional(i));
    EXPECT_EQ(result->Text(1), "it's " + std::to_string(i));
    EXPECT_EQ(result->OptBool(2), i % 2 == 0 ? std::optional(true) : std::nullopt);
  }
}

// --- connections that end ---

TEST_P(PostgresTest, AnIdleConnectionThatTheServerEndedIsMadeAgain) {
  const auto connection = Open()->Connect();
  CreateNamedTable(*connection);
  Terminate(BackendId(*connection));
  EXPECT_EQ(Count(*connection), 0);
  Terminate(BackendId(*connection));
  connection->Begin(TransactionMode::kWrite);
  InsertNamed(*connection, 1, "one");
  EXPECT_EQ(connection->Commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(Count(*connection), 1);
}

int64_t CountPrepared(StoreConnection& connection) {
  const auto rows = connection.Query({"SELECT count(*) FROM pg_prepared_statements", {}});
  return rows->Next() ? rows->Int64(0) : -1;
}

TEST_P(PostgresTest, WhatComesAgainIsPreparedAndNotWithoutEnd) {
  const auto connection = Open()->Connect();
  for (int64_t i = 0; i < 3; ++i) {
    const auto rows = connection->Query({"SELECT $1 + 1", {Value(i)}});
    ASSERT_TRUE(rows->Next());
    EXPECT_EQ(rows->Int64(0), i + 1);
  }
  EXPECT_EQ(CountPrepared(*connection), 1);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 200; ++i) {
      const auto rows = connection->Query({"SELECT " + std::to_string(i), {}});
      ASSERT_TRUE(rows->Next());
      EXPECT_EQ(rows->Int64(0), i);
    }
  }
  EXPECT_LE(CountPrepared(*connection), 64);
  EXPECT_GE(CountPrepared(*connection), 32);
}

TEST_P(PostgresTest, AnErrorLeavesNothingThatIsTakenForPrepared) {
  const auto connection = Open()->Connect();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(connection->Query({"SELECT missing", {}}), Error);
    connection->Begin(TransactionMode::kWrite);
    connection->Send({"SELECT 1/0", {}});
    connection->Send({"SELECT 5", {}});
    EXPECT_THROW(connection->Query({"SELECT 6", {}}), Error);
    connection->Begin(TransactionMode::kRead);
    connection->Send({"SELECT missing", {}});
    connection->Rollback();
    const auto rows = connection->Query({"SELECT 7", {}});
    ASSERT_TRUE(rows->Next());
    EXPECT_EQ(rows->Int64(0), 7);
  }
}

TEST_P(PostgresTest, StatementsThatTheServerHasForgottenArePreparedAnew) {
  const auto connection = Open()->Connect();
  const auto other = Open()->Connect();
  connection->Execute({"CREATE TABLE \"" + schema_ + "\".t (a BIGINT)", {}});
  connection->Execute({"INSERT INTO \"" + schema_ + "\".t VALUES (1)", {}});
  const auto columns = [&](bool in_transaction) {
    if (in_transaction) connection->Begin(TransactionMode::kRead);
    const auto rows = connection->Query({"SELECT * FROM \"" + schema_ + "\".t", {}});
    EXPECT_TRUE(rows->Next());
    const int count = rows->column_count();
    if (in_transaction) connection->Rollback();
    return count;
  };
  for (const bool in_transaction : {false, true}) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(columns(in_transaction), in_transaction ? 2 : 1);
    connection->Execute({"DEALLOCATE ALL", {}});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(columns(in_transaction), in_transaction ? 2 : 1);
    other->Execute({"ALTER TABLE \"" + schema_ + "\".t ADD COLUMN c" +
                        std::to_string(in_transaction) + " BIGINT",
                    {}});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(columns(in_transaction), in_transaction ? 3 : 2);
  }
}

TEST_P(PostgresTest, AWholeCommitIsFlushedWhenItIsAcknowledged) {
  const auto writer =
      Open(At(GetParam().server + " options='-c synchronous_commit=on'"))->Connect();
  CreateNamedTable(*writer);
  EXPECT_EQ(RoundTripsOf([&] {
              const WholeCommit commit = writer->CommitWhole(std::vector<Statement>{
                  {"SELECT txid_current()", {}},
                  {"SELECT set_config('tarn.lsn', pg_current_wal_insert_lsn()::text, false)", {}}});
              EXPECT_EQ(commit.outcome, CommitOutcome::kCommitted);
            }),
            1);
  const auto rows =
      writer->Query({"SELECT pg_current_wal_flush_lsn() > current_setting('tarn.lsn')::pg_lsn, "
                     "current_setting('synchronous_commit')",
                     {}});
  ASSERT_TRUE(rows->Next());
  EXPECT_TRUE(rows->Bool(0));
  EXPECT_EQ(rows->Text(1), "on");
}

TEST_P(PostgresTest, OnlyTheSessionThatHasSeenACommitCanSayThatItIsDurable) {
  const auto connection = Open()->Connect();
  const int64_t backend = BackendId(*connection);
  EXPECT_NO_THROW(connection->AwaitDurable());
  Terminate(backend);
  ExpectError(ErrorCode::kUnavailable, [&] { connection->AwaitDurable(); });
}

TEST_P(PostgresTest, ATransactionThatTheServerEndedIsGone) {
  const auto connection = Open()->Connect();
  CreateNamedTable(*connection);
  connection->Begin(TransactionMode::kWrite);
  InsertNamed(*connection, 1, "one");
  Terminate(BackendId(*connection));
  ExpectError(ErrorCode::kUnavailable, [&] { InsertNamed(*connection, 2, "two"); });
  EXPECT_FALSE(connection->in_transaction());
  EXPECT_EQ(Count(*connection), 0);
}

TEST_P(PostgresTest, AFailingQueryPoisonsNobody) {
  const auto store = Open();
  const auto connection = store->Connect();
  const auto other = store->Connect();
  CreateNamedTable(*connection);
  ExpectError(ErrorCode::kInternal, [&] { connection->Query({"SELECT 1 / 0 + x", {}}); });
  EXPECT_EQ(Count(*other), 0);
  EXPECT_EQ(Count(*connection), 0);
}

/// As a statement of its own, not as a part of "READ COMMITTED".
const std::string kCommit("COMMIT\0", 7);

class PostgresCuts : public PostgresTest {
 protected:
  void SetUp() override {
    CreateNamedTable(*Open()->Connect());
    proxy_ = std::make_unique<CuttingProxy>(std::stoi(Part("port")));
    const std::string through = std::regex_replace(GetParam().server, std::regex("port=\\S+"),
                                                   "port=" + std::to_string(proxy_->port()));
    store_ = OpenCatalogStore("postgres", At(through));
  }

  std::unique_ptr<CuttingProxy> proxy_;
  std::shared_ptr<CatalogStore> store_;
};

TEST_P(PostgresCuts, ACommitWithoutAnAnswerIsFoundCommitted) {
  const auto connection = store_->Connect();
  connection->Begin(TransactionMode::kWrite);
  InsertNamed(*connection, 1, "one");
  proxy_->CutAt(kCommit, CuttingProxy::When::kAfter);
  EXPECT_EQ(connection->Commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(Count(*connection), 1);
}

TEST_P(PostgresCuts, ACommitThatTheServerNeverGotIsFoundLost) {
  const auto connection = store_->Connect();
  connection->Begin(TransactionMode::kWrite);
  InsertNamed(*connection, 1, "one");
  proxy_->CutAt(kCommit, CuttingProxy::When::kBefore);
  EXPECT_EQ(connection->Commit(), CommitOutcome::kLostRace);
  EXPECT_EQ(Count(*connection), 0);
}

TEST_P(PostgresCuts, ABatchOfWritesAndCommitIsResolvedToo) {
  for (const auto when : {CuttingProxy::When::kBefore, CuttingProxy::When::kAfter}) {
    const auto connection = store_->Connect();
    const int64_t before = Count(*connection);
    const std::vector<std::string_view> columns = {"id", "name"};
    const std::vector<std::vector<Value>> rows = {{before + 10, std::string("x")}};
    connection->Begin(TransactionMode::kWrite);
    connection->InsertRows("t", columns, rows);  // nothing has been asked for yet
    proxy_->CutAt(kCommit, when);
    const bool committed = when == CuttingProxy::When::kAfter;
    EXPECT_EQ(connection->Commit(),
              committed ? CommitOutcome::kCommitted : CommitOutcome::kLostRace);
    EXPECT_EQ(Count(*connection), before + (committed ? 1 : 0));
  }
}

TEST_P(PostgresCuts, CutsElsewhereAreUnavailableAndLeaveNothing) {
  const auto connection = store_->Connect();
  Count(*connection);
  connection->Begin(TransactionMode::kWrite);
  proxy_->CutAt("INSERT", CuttingProxy::When::kAfter);
  const std::string message = ExpectError(ErrorCode::kUnavailable, [&] {
    Count(*connection);
    InsertNamed(*connection, 1, "one");
  });
  EXPECT_THAT(message, AllOf(HasSubstr("broke"), Not(HasSubstr(Part("password")))));
  EXPECT_FALSE(connection->in_transaction());
  EXPECT_EQ(Count(*connection), 0);

  // The first statement of a transaction has done nothing yet: it is sent again.
  proxy_->CutAt("BEGIN", CuttingProxy::When::kBefore);
  connection->Begin(TransactionMode::kRead);
  EXPECT_EQ(Count(*connection), 0);
  connection->Rollback();
}

TEST_P(PostgresCuts, ALateCancellationSparesTheNextStatement) {
  const auto connection = store_->Connect();
  Count(*connection);
  proxy_->DelayConnections(400ms);  // the cancellation is said twice until then
  const auto sleep = [&](std::string_view seconds) {
    StatementBuilder sql(connection->dialect(), "SELECT pg_sleep(");
    sql.Text(seconds).Text(")");
    connection->Query(sql.Build())->Next();
  };
  const auto began = std::chrono::steady_clock::now();
  connection->SetInterruptCheck([&] { return std::chrono::steady_clock::now() - began > 50ms; });
  ExpectError(ErrorCode::kInterrupted, [&] { sleep("10"); });
  connection->SetInterruptCheck({});
  sleep("0.5");
}

// --- what a server may refuse ---

TEST_P(PostgresTest, RefusalsAreOneSentenceEach) {
  const std::string good = GetParam().server;
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid,
                          [&] {
                            Open(At(Server() + "user=" + Part("user") +
                                    " password=wrong-s3cret dbname=postgres"));
                          }),
              AllOf(HasSubstr("refused the password of role \"" + Part("user") + "\""),
                    Not(HasSubstr("s3cret"))));
  EXPECT_THAT(
      ExpectError(ErrorCode::kInvalid, [&] { Open(At(Server() + "user=nobody_here password=x")); }),
      HasSubstr("\"nobody_here\""));
  EXPECT_THAT(ExpectError(ErrorCode::kNotFound, [&] { Open(At(good + " dbname=not_there")); }),
              HasSubstr("no database \"not_there\""));
  const std::string down = ExpectError(ErrorCode::kUnavailable, [&] {
    Open(At("host=127.0.0.1 port=1 user=u password=s3cret dbname=d"));
  });
  EXPECT_THAT(down, AllOf(HasSubstr("cannot be reached"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(At("host=h pasword=s3cret x")); }),
              HasSubstr("has the key \"pasword\""));
  StoreOptions options = Options();
  options.parameters = {{"journal_mode", "wal"}};
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(options); }), HasSubstr("journal_mode"));
}

TEST_P(PostgresTest, ARoleWithoutRightsIsToldWhichOneItLacks) {
  const std::string role = MakeRole();
  const std::string as_role =
      Server() + "dbname=postgres user=" + role + " password=secret-of-role";
  StoreOptions options = At(as_role);
  options.schema = schema_ + "_other";
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(options)->CreateSchemaIfAbsent(); }),
              HasSubstr("permission denied for database"));
  options.schema = schema_;
  EXPECT_THAT(
      ExpectError(ErrorCode::kInvalid, [&] { CreateNamedTable(*Open(options)->Connect()); }),
      HasSubstr("permission denied for schema"));
  // A schema that was made for it is enough.
  Run("GRANT USAGE, CREATE ON SCHEMA " + schema_ + " TO " + role);
  const auto store = Open(options);
  store->CreateSchemaIfAbsent();
  CreateNamedTable(*store->Connect(), "own");
  EXPECT_TRUE(store->Connect()->TableExists("own"));
}

TEST_P(PostgresTest, ReadOnlyStoresOnlyRead) {
  CreateNamedTable(*Open()->Connect());
  StoreOptions options = Options();
  options.read_only = true;
  const auto store = Open(options);
  EXPECT_FALSE(store->writable());
  const auto connection = store->Connect();
  EXPECT_EQ(Count(*connection), 0);
  ExpectError(ErrorCode::kInvalid, [&] { connection->Begin(TransactionMode::kWrite); });
  connection->Begin(TransactionMode::kRead);
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { InsertNamed(*connection, 1, "one"); }),
              HasSubstr("cannot be written"));
}

// --- how a database is named ---

TEST_P(PostgresTest, AllFormsOfConnectionStringsLeadThere) {
  const std::string address = "127.0.0.1:" + Part("port") + "/postgres";
  const std::string user = Part("user");
  const std::string password = Part("password");
  for (const std::string scheme : {"postgres://", "postgresql://"}) {
    const auto store = Open(At(scheme + user + ":" + password + "@" + address));
    EXPECT_EQ(store->location(), scheme + user + "@" + address);
  }
  const auto pairs = Open(At(Server() + "dbname=postgres user=" + user + " password=" + password));
  EXPECT_THAT(pairs->location(), Not(HasSubstr(password)));

  StoreOptions options = At("dbname=postgres");
  options.parameters = {{"host", "127.0.0.1"},
                        {"port", Part("port")},
                        {"user", user},
                        {"password", password},
                        {"dbname", "not_there"}};
  Open(options);  // the string's own words win
  options.location = "";
  ExpectError(ErrorCode::kNotFound, [&] { Open(options); });
}

TEST_P(PostgresTest, PasswordFileServiceFileAndEnvironmentAreRead) {
  const std::string passwords = folder_.Path("pgpass");
  std::ofstream(passwords) << "127.0.0.1:" << Part("port") << ":*:" << Part("user") << ":"
                           << Part("password") << "\n";
  ::chmod(passwords.c_str(), 0600);
  const std::string services = folder_.Path("services");
  std::ofstream(services) << "[lakes]\nhost=127.0.0.1\nport=" << Part("port")
                          << "\nuser=" << Part("user") << "\ndbname=postgres\n";
  ::setenv("PGSERVICEFILE", services.c_str(), 1);
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(At("service=lakes")); }),
              HasSubstr("wants a password"));
  ::setenv("PGPASSFILE", passwords.c_str(), 1);
  Open(At("service=lakes"));
  ::setenv("PGSERVICE", "lakes", 1);
  Open(At(""));
  for (const char* name : {"PGSERVICE", "PGSERVICEFILE", "PGPASSFILE"}) ::unsetenv(name);
  ::setenv("PGPASSWORD", Part("password").c_str(), 1);
  Open(At(Server() + "dbname=postgres user=" + Part("user")));
  ::unsetenv("PGPASSWORD");
}

TEST_P(PostgresTest, ASchemaThatHoldsOtherTablesIsFine) {
  Run("CREATE TABLE " + schema_ + ".orders (id int PRIMARY KEY, note text)");
  LakeOptions options;
  options.store = Open();
  options.data_path = folder_.Path("data");
  const auto lake = Lake::Open(options);
  EXPECT_EQ(lake->Begin()->view()->tables().size(), 0U);
  EXPECT_TRUE(Open()->Connect()->TableExists("orders"));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PostgresTest);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PostgresLakes);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PostgresCuts);
INSTANTIATE_TEST_SUITE_P(Stores, PostgresTest, testing::ValuesIn(PostgresKinds()), KindName);
INSTANTIATE_TEST_SUITE_P(Stores, PostgresLakes, testing::ValuesIn(PostgresKinds()), KindName);
INSTANTIATE_TEST_SUITE_P(Stores, PostgresCuts, testing::ValuesIn(PostgresKinds()), KindName);

}  // namespace
}  // namespace tarn::test

#endif  // TARN_STORE_POSTGRES
