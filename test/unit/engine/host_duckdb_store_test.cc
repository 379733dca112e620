// What only the host's own instance brings: lifetimes, names that are taken over, chunks in
// DuckDB's types. The rest is in test/store.
#include "engine/store/host_duckdb_store.h"

#include <unistd.h>

#include <filesystem>

#include "duckdb.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "store/duckdb_dialect.h"
#include "store/statement.h"

namespace tarn::engine {
namespace {

using testing::HasSubstr;

class HostDuckDbStoreTest : public testing::Test {
 protected:
  HostDuckDbStoreTest() {
    std::string name = (std::filesystem::temp_directory_path() / "tarn-host-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    host_ = std::make_unique<duckdb::DuckDB>(nullptr);
  }
  ~HostDuckDbStoreTest() override {
    host_.reset();
    std::filesystem::remove_all(folder_);
  }

  HostStoreOptions Options(const std::string& file,
                           const std::string& name = "__ducklake_metadata_l") {
    HostStoreOptions options;
    options.path = (folder_ / file).string();
    options.database_name = name;
    return options;
  }
  std::shared_ptr<HostDuckDbStore> Open(const HostStoreOptions& options) {
    return std::make_shared<HostDuckDbStore>(*host_->instance, options);
  }
  std::shared_ptr<HostDuckDbStore> OpenWithTable(const HostStoreOptions& options) {
    auto store = Open(options);
    auto connection = store->Connect();
    StatementBuilder sql(store->dialect(), "CREATE TABLE ");
    connection->Execute(sql.Table("t").Text(" (a INTEGER, l INTEGER[])").Build());
    StatementBuilder insert(store->dialect(), "INSERT INTO ");
    connection->Execute(
        insert.Table("t").Text(" SELECT i, [i, i + 1] FROM range(5000) r(i)").Build());
    return store;
  }

  std::string Answer(const std::string& sql) {
    duckdb::Connection client(*host_);
    auto result = client.Query(sql);
    return result->HasError() ? "error: " + result->GetError()
                              : (result->RowCount() ? result->GetValue(0, 0).ToString() : "");
  }

  static bool HasVariant(const HostDuckDbStore& store) {
    return dynamic_cast<const DuckDbDialect&>(store.dialect()).has_variant();
  }

  static ErrorCode CodeOf(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "no error";
    return ErrorCode::kInternal;
  }

  std::filesystem::path folder_;
  std::unique_ptr<duckdb::DuckDB> host_;
};

TEST_F(HostDuckDbStoreTest, TablesAreKnownInSqlAndHidden) {
  auto store = OpenWithTable(Options("a.db"));
  EXPECT_EQ(store->dialect().QuoteTable("t"), "\"__ducklake_metadata_l\".\"main\".\"t\"");
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.t"), "5000");
  EXPECT_EQ(Answer("SELECT count(*) FROM duckdb_databases() WHERE database_name LIKE '%metadata%'"),
            "0");
  auto options = Options("b.db", "meta");
  options.hidden = false;
  auto shown = OpenWithTable(options);
  EXPECT_EQ(Answer("SELECT count(*) FROM duckdb_databases() WHERE database_name = 'meta'"), "1");
}

TEST_F(HostDuckDbStoreTest, TheStoreTakesTheAttachmentWithIt) {
  auto store = OpenWithTable(Options("a.db"));
  auto connection = store->Connect();
  store.reset();
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.t"),
            "5000");  // a connection still needs it
  connection.reset();
  EXPECT_THAT(Answer("FROM __ducklake_metadata_l.t"), HasSubstr("error: "));
  EXPECT_EQ(Answer("ATTACH '" + (folder_ / "a.db").string() + "' AS again"),
            "");  // and the file is free
}

TEST_F(HostDuckDbStoreTest, NewFilesHaveVariantsAndOldOnesStayWhatTheyAre) {
  const auto version = [&](const std::string& file) {
    Answer("ATTACH '" + (folder_ / file).string() + "' AS looked_at");
    auto found = Answer(
        "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'looked_at'");
    Answer("DETACH looked_at");
    return found;
  };
  EXPECT_TRUE(HasVariant(*OpenWithTable(Options("new.db"))));
  EXPECT_EQ(version("new.db"), "v1.5.0+");
  EXPECT_TRUE(HasVariant(*Open(Options("new.db"))));

  Answer("ATTACH '" + (folder_ / "old.db").string() + "' AS old (STORAGE_VERSION 'v1.0.0')");
  Answer("CREATE TABLE old.x (i INTEGER)");
  Answer("DETACH old");
  EXPECT_FALSE(HasVariant(*OpenWithTable(Options("old.db"))));
  EXPECT_EQ(version("old.db"), "v1.0.0+");

  auto asked = Options("asked.db");
  asked.parameters = {{"storage_version", "v1.2.0"}};
  EXPECT_FALSE(HasVariant(*OpenWithTable(asked)));

  auto in_memory = Options("");
  in_memory.path = ":memory:";
  EXPECT_TRUE(HasVariant(*Open(in_memory)));
}

TEST_F(HostDuckDbStoreTest, OneFileIsNotAttachedTwice) {
  auto store = OpenWithTable(Options("a.db"));
  EXPECT_EQ(CodeOf([&] { Open(Options("a.db", "other")); }), ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf([&] { Open(Options("b.db")); }), ErrorCode::kInvalid);  // nor a name
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.db"));
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.t"), "5000");
}

TEST_F(HostDuckDbStoreTest, AStoreWhoseNameWasTakenOverReadsNothingOfItsSuccessor) {
  auto first = OpenWithTable(Options("a.db"));
  auto reader = first->Connect();
  reader->Begin(TransactionMode::kRead);
  auto idle = first->Connect();

  auto options = Options("b.db");
  options.replace = true;
  auto second = OpenWithTable(options);
  StatementBuilder clear(second->dialect(), "DELETE FROM ");
  second->Connect()->Execute(clear.Table("t").Build());

  // An open transaction goes on with its own file; a new one is refused.
  StatementBuilder count(first->dialect(), "SELECT count(*) FROM ");
  const Statement query = count.Table("t").Build();
  {
    const auto rows = reader->Query(query);
    ASSERT_TRUE(rows->Next());
    EXPECT_EQ(rows->Int64(0), 5000);
  }
  reader->Rollback();
  EXPECT_EQ(CodeOf([&] { idle->Query(query)->Next(); }), ErrorCode::kUnavailable);
  EXPECT_EQ(CodeOf([&] { idle->Begin(TransactionMode::kWrite); }), ErrorCode::kUnavailable);

  // When attaching fails later on, the first has its name back.
  second.reset();
  const auto rows = idle->Query(query);
  ASSERT_TRUE(rows->Next());
  EXPECT_EQ(rows->Int64(0), 5000);
}

TEST_F(HostDuckDbStoreTest, AFailedReplacementChangesNothing) {
  auto first = OpenWithTable(Options("a.db"));
  auto options = Options("b.db");
  options.replace = true;
  options.parameters = {{"colour", "blue"}};
  EXPECT_EQ(CodeOf([&] { Open(options); }), ErrorCode::kInvalid);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.db"));
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.t"), "5000");
  StatementBuilder count(first->dialect(), "SELECT count(*) FROM ");
  const auto rows = first->Connect()->Query(count.Table("t").Build());
  ASSERT_TRUE(rows->Next());
  EXPECT_EQ(rows->Int64(0), 5000);
}

TEST_F(HostDuckDbStoreTest, ChunksKeepDuckDbsTypes) {
  auto store = OpenWithTable(Options("a.db"));
  auto connection = store->Connect();
  auto* host = dynamic_cast<HostDuckDbConnection*>(connection.get());
  ASSERT_NE(host, nullptr);
  connection->Begin(TransactionMode::kRead);
  StatementBuilder sql(store->dialect(), "SELECT a, l FROM ");
  auto reader =
      host->QueryChunks(sql.Table("t").Text(" WHERE a >= ").Bind(1000).Text(" ORDER BY a").Build());
  EXPECT_EQ(reader->types()[0], duckdb::LogicalType::INTEGER);
  EXPECT_EQ(reader->types()[1], duckdb::LogicalType::LIST(duckdb::LogicalType::INTEGER));
  EXPECT_EQ(reader->names()[1], "l");
  int64_t rows = 0;
  while (auto chunk = reader->Next()) {
    EXPECT_EQ(chunk->GetValue(1, 0).ToString(),
              "[" + std::to_string(1000 + rows) + ", " + std::to_string(1001 + rows) + "]");
    rows += static_cast<int64_t>(chunk->size());
  }
  EXPECT_EQ(rows, 4000);
  reader.reset();
  connection->Rollback();
}

TEST_F(HostDuckDbStoreTest, WorksInsideAQueryOfTheSameInstance) {
  // As a lake does: a function of a running query asks the catalog, while that query holds all of
  // DuckDB's threads.
  auto store = OpenWithTable(Options("a.db"));
  duckdb::Connection client(*host_);
  client.Query("SET threads = 1");
  StatementBuilder count(store->dialect(), "SELECT count(*) FROM ");
  const Statement query = count.Table("t").Build();
  client.CreateVectorizedFunction(
      "ask", {duckdb::LogicalType::BIGINT}, duckdb::LogicalType::BIGINT,
      [&](duckdb::DataChunk& input, duckdb::ExpressionState&, duckdb::Vector& result) {
        const auto rows = store->Connect()->Query(query);
        rows->Next();
        result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
        for (duckdb::idx_t i = 0; i < input.size(); ++i) {
          duckdb::FlatVector::GetData<int64_t>(result)[i] = rows->Int64(0);
        }
      });
  auto result = client.Query("SELECT max(ask(i)) FROM range(100000) r(i)");
  ASSERT_FALSE(result->HasError()) << result->GetError();
  EXPECT_EQ(result->GetValue(0, 0).ToString(), "5000");
}

TEST_F(HostDuckDbStoreTest, AnInstanceClosesThoughStoresAreLeft) {
  auto store = OpenWithTable(Options("a.db"));
  auto connection = store->Connect();
  duckdb::weak_ptr<duckdb::DatabaseInstance> instance = host_->instance;
  host_.reset();
  EXPECT_FALSE(instance.lock());
  EXPECT_EQ(CodeOf([&] { connection->Begin(TransactionMode::kRead); }), ErrorCode::kUnavailable);
  connection.reset();
  store.reset();
  duckdb::DuckDB file((folder_ / "a.db").string());  // closed whole
  duckdb::Connection client(file);
  EXPECT_EQ(client.Query("SELECT count(*) FROM t")->GetValue(0, 0).ToString(), "5000");
}

TEST_F(HostDuckDbStoreTest, OtherSchemas) {
  auto options = Options("a.db");
  options.schema = "lakes";
  auto store = Open(options);
  auto connection = store->Connect();
  EXPECT_FALSE(connection->TableExists("t"));
  EXPECT_TRUE(connection->ListTables().empty());
  store->CreateSchemaIfAbsent();
  store->CreateSchemaIfAbsent();
  StatementBuilder sql(store->dialect(), "CREATE TABLE ");
  connection->Execute(sql.Table("t").Text(" (a INTEGER)").Build());
  EXPECT_TRUE(connection->TableExists("t"));
  EXPECT_EQ(Answer("SELECT count(*) FROM __ducklake_metadata_l.lakes.t"), "0");
}

TEST_F(HostDuckDbStoreTest, Memory) {
  HostStoreOptions options;
  options.path = ":memory:";
  options.database_name = "m";
  auto store = OpenWithTable(options);
  EXPECT_TRUE(store->writable());
  EXPECT_EQ(Answer("SELECT count(*) FROM m.t"), "5000");
}

}  // namespace
}  // namespace tarn::engine
