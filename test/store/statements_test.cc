// Statements, names and errors: the same answers and the same codes from every catalog database.
#include "gmock/gmock.h"
#include "store/store_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoreStatements : public StoreTest {
 protected:
  void SetUp() override {
    store_ = Open();
    connection_ = store_->Connect();
  }

  Statement On(std::string_view before, std::string_view table, std::string_view after = {}) {
    StatementBuilder sql(connection_->dialect(), before);
    return sql.Table(table).Text(after).Build();
  }

  std::shared_ptr<CatalogStore> store_;
  std::unique_ptr<StoreConnection> connection_;
};

TEST_P(StoreStatements, ExecuteCountsAffectedRows) {
  CreateNamedTable(*connection_);
  for (int64_t id = 0; id < 10; ++id) InsertNamed(*connection_, id, "x");
  EXPECT_EQ(connection_->Execute(On("UPDATE ", "t", " SET name = 'y' WHERE id < 4")), 4);
  EXPECT_EQ(connection_->Execute(On("DELETE FROM ", "t", " WHERE id >= 7")), 3);
  EXPECT_EQ(connection_->Execute(On("DELETE FROM ", "t", " WHERE id = 100")), 0);
  StatementBuilder copy(connection_->dialect(), "INSERT INTO ");
  copy.Table("t").Text(" SELECT id + 100, name FROM ").Table("t");
  EXPECT_EQ(connection_->Execute(copy.Build()), 7);
  EXPECT_EQ(connection_->Execute(On("CREATE TABLE ", "u", " (a BIGINT)")), 0);
}

TEST_P(StoreStatements, TablesAreListedAndFound) {
  EXPECT_THAT(connection_->ListTables(), IsEmpty());
  EXPECT_FALSE(connection_->TableExists("t"));
  CreateNamedTable(*connection_, "t");
  CreateNamedTable(*connection_, "ducklake_snapshot");
  EXPECT_THAT(connection_->ListTables(), ElementsAre("ducklake_snapshot", "t"));
  EXPECT_TRUE(connection_->TableExists("t"));
  EXPECT_TRUE(connection_->TableExists("DuckLake_Snapshot"));
  EXPECT_FALSE(connection_->TableExists("ducklake_"));
  EXPECT_FALSE(connection_->TableExists("ducklake%"));
}

TEST_P(StoreStatements, TablesOfAnOpenTransactionAreFound) {
  connection_->Begin(TransactionMode::kWrite);
  CreateNamedTable(*connection_);
  EXPECT_TRUE(connection_->TableExists("t"));
  EXPECT_THAT(connection_->ListTables(), ElementsAre("t"));
  connection_->Rollback();
  EXPECT_FALSE(connection_->TableExists("t"));
}

TEST_P(StoreStatements, AnyNameCanBeQuoted) {
  const std::string names[] = {
      "select", "a\"b", "a'b", "a.b", "a b", "Größe", "?1", "--", std::string(300, 'n')};
  for (const std::string& given : names) {
    // PostgreSQL cuts names; catalog tables need none that long.
    const std::string name = GetParam().scheme == "postgres" ? given.substr(0, 63) : given;
    StatementBuilder create(connection_->dialect(), "CREATE TABLE ");
    create.Table(name).Text(" (").Name(name).Text(" BIGINT, ").Name("order").Text(" BIGINT)");
    connection_->Execute(create.Build());
    EXPECT_TRUE(connection_->TableExists(name)) << name;
    const std::vector<std::string_view> columns = {name, "order"};
    const std::vector<std::vector<Value>> rows = {{int64_t{7}, int64_t{8}}};
    connection_->InsertRows(name, columns, rows);
    StatementBuilder query(connection_->dialect(), "SELECT ");
    const auto result = connection_->Query(query.Name(name).Text(" FROM ").Table(name).Build());
    ASSERT_TRUE(result->Next()) << name;
    EXPECT_EQ(result->Int64(0), 7);
    EXPECT_EQ(result->column_name(0), name);
  }
}

TEST_P(StoreStatements, MissingTableIsNotFoundAndNamed) {
  const auto named = HasSubstr("\"nowhere\"");
  EXPECT_THAT(ExpectError(ErrorCode::kNotFound,
                          [&] { connection_->Query(On("SELECT * FROM ", "nowhere"))->Next(); }),
              named);
  EXPECT_THAT(ExpectError(ErrorCode::kNotFound,
                          [&] { connection_->Execute(On("DELETE FROM ", "nowhere")); }),
              named);
  EXPECT_THAT(ExpectError(ErrorCode::kNotFound,
                          [&] { connection_->Execute(On("DROP TABLE ", "nowhere")); }),
              named);
  const std::vector<std::string_view> columns = {"a"};
  const std::vector<std::vector<Value>> rows = {{int64_t{1}}};
  EXPECT_THAT(
      ExpectError(ErrorCode::kNotFound, [&] { connection_->InsertRows("nowhere", columns, rows); }),
      named);
}

TEST_P(StoreStatements, ExistingTableIsAlreadyThere) {
  CreateNamedTable(*connection_);
  EXPECT_THAT(ExpectError(ErrorCode::kAlreadyExists, [&] { CreateNamedTable(*connection_); }),
              HasSubstr("\"t\""));
}

TEST_P(StoreStatements, RepeatedKeyIsAlreadyThere) {
  CreateNamedTable(*connection_);
  InsertNamed(*connection_, 1, "one");
  ExpectError(ErrorCode::kAlreadyExists, [&] { InsertNamed(*connection_, 1, "again"); });
  const std::vector<std::string_view> columns = {"id", "name"};
  const std::vector<std::vector<Value>> rows = {{int64_t{2}, std::string("two")},
                                                {int64_t{1}, std::string("again")}};
  ExpectError(ErrorCode::kAlreadyExists, [&] { connection_->InsertRows("t", columns, rows); });
  EXPECT_EQ(Count(*connection_), 1);  // all or nothing
}

TEST_P(StoreStatements, NonsenseIsOurBug) {
  CreateNamedTable(*connection_);
  ExpectError(ErrorCode::kInternal, [&] { connection_->Execute({"SELEKT 1", {}}); });
  ExpectError(ErrorCode::kInternal,
              [&] { connection_->Query(On("SELECT \"no column\" FROM ", "t"))->Next(); });
}

TEST_P(StoreStatements, ConnectionWorksAfterAnError) {
  CreateNamedTable(*connection_);
  ExpectError(ErrorCode::kInternal, [&] { connection_->Execute({"SELEKT 1", {}}); });
  InsertNamed(*connection_, 1, "one");
  EXPECT_EQ(Count(*connection_), 1);
}

TEST_P(StoreStatements, SameStatementWithOtherValues) {
  connection_->Begin(TransactionMode::kWrite);
  CreateNamedTable(*connection_);
  for (int64_t id = 0; id < 300; ++id) InsertNamed(*connection_, id, std::to_string(id));
  for (int64_t id = 0; id < 300; ++id) {
    StatementBuilder sql(connection_->dialect(), "SELECT name FROM ");
    const auto rows = connection_->Query(sql.Table("t").Text(" WHERE id = ").Bind(id).Build());
    ASSERT_TRUE(rows->Next());
    EXPECT_EQ(rows->Text(0), std::to_string(id));
  }
}

TEST_P(StoreStatements, AnswersOfAnySizeStream) {
  constexpr int64_t kRows = 12'000;
  connection_->Execute(On("CREATE TABLE ", "t", " (id BIGINT)"));
  std::vector<std::vector<Value>> rows;
  for (int64_t id = 0; id < kRows; ++id) rows.push_back({id});
  const std::string_view columns[] = {"id"};
  connection_->InsertRows("t", columns, rows);
  connection_->Begin(TransactionMode::kRead);
  StatementBuilder sql(connection_->dialect(), "SELECT id FROM ");
  sql.Table("t").Text(" WHERE id >= ").Bind(int64_t{1}).Text(" ORDER BY id");
  const Statement statement = sql.Build();
  {
    const auto streamed = connection_->Stream(statement);
    EXPECT_EQ(streamed->column_name(0), "id");
    int64_t next = 1;
    while (streamed->Next()) ASSERT_EQ(streamed->Int64(0), next++);
    EXPECT_EQ(next, kRows);
  }
  {
    // One that is not read to its end is in nobody's way.
    const auto streamed = connection_->Stream(statement);
    EXPECT_TRUE(streamed->Next());
  }
  EXPECT_FALSE(connection_->Stream(On("SELECT id FROM ", "t", " WHERE id < 0"))->Next());
  EXPECT_TRUE(connection_->Query(On("SELECT id FROM ", "t", ""))->Next());
  connection_->Rollback();
  connection_->Begin(TransactionMode::kRead);
  EXPECT_THROW(connection_->Stream(On("SELECT id FROM ", "absent", "")), Error);
}

TEST_P(StoreStatements, ManyDifferentStatements) {
  CreateNamedTable(*connection_);
  InsertNamed(*connection_, 1, "one");
  for (int i = 0; i < 300; ++i) {
    const auto rows = connection_->Query(On("SELECT id + " + std::to_string(i) + " FROM ", "t"));
    ASSERT_TRUE(rows->Next());
    EXPECT_EQ(rows->Int64(0), i + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreStatements, testing::ValuesIn(AllStoreKinds()), KindName);

}  // namespace
}  // namespace tarn::test
