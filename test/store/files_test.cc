// Catalog files: made when they must be and not otherwise, opened on read-only media, refused when
// they are something else.
#include <fstream>

#include "gmock/gmock.h"
#include "store/catalog_file.h"
#include "store/duckdb_dialect.h"
#include "store/store_fixture.h"

namespace tarn::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

class StoreFiles : public StoreTest {
 protected:
  void SetUp() override {
    if (!is_file()) GTEST_SKIP() << "no file";
  }

  void MakeDatabase(int64_t rows = 2) {
    auto connection = Open()->Connect();
    CreateNamedTable(*connection);
    for (int64_t id = 0; id < rows; ++id) InsertNamed(*connection, id, "x");
  }

  std::vector<std::string> FilesInFolder() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    return names;
  }

  StoreOptions ReadOnly() const {
    StoreOptions options = Options();
    options.read_only = true;
    return options;
  }
};

TEST_P(StoreFiles, MissingFileIsNotMadeUnlessAllowed) {
  StoreOptions options = Options();
  options.create_if_absent = false;
  EXPECT_THAT(ExpectError(ErrorCode::kNotFound, [&] { Open(options); }), HasSubstr(file()));
  ExpectError(ErrorCode::kNotFound, [&] { Open(ReadOnly()); });
  EXPECT_THAT(FilesInFolder(), IsEmpty());
}

TEST_P(StoreFiles, NewFilesOfDuckDbHaveVariantColumns) {
  const bool is_duckdb = GetParam().scheme == "duckdb";
  for (const char* time : {"made", "opened again"}) {
    auto store = Open();
    const auto* dialect = dynamic_cast<const DuckDbDialect*>(&store->dialect());
    EXPECT_EQ(dialect != nullptr && dialect->has_variant(), is_duckdb) << time;
    if (!is_duckdb) continue;
    StatementBuilder sql(store->dialect(), "CREATE TABLE ");
    store->Connect()->Execute(sql.Table(time).Text(" (v VARIANT)").Build());
  }
}

TEST_P(StoreFiles, LookingAtANewCatalogLeavesNoFile) {
  {
    auto store = Open();
    EXPECT_TRUE(store->writable());
    auto connection = store->Connect();
    EXPECT_FALSE(connection->TableExists("ducklake_metadata"));
    connection->Begin(TransactionMode::kRead);
    EXPECT_THAT(connection->ListTables(), IsEmpty());
    connection->Commit();
  }
  EXPECT_THAT(FilesInFolder(), IsEmpty());
}

TEST_P(StoreFiles, ConnectionsThatLookedFirstSeeWhatIsMadeLater) {
  auto store = Open();
  auto early = store->Connect();
  EXPECT_FALSE(early->TableExists("t"));
  CreateNamedTable(*store->Connect());
  EXPECT_TRUE(early->TableExists("t"));
  InsertNamed(*early, 1, "one");
  EXPECT_EQ(Count(*store->Connect()), 1);
}

TEST_P(StoreFiles, ContentOutlivesTheStore) {
  MakeDatabase();
  auto store = Open();
  EXPECT_EQ(Count(*store->Connect()), 2);
  EXPECT_EQ(store->location(), file());
}

TEST_P(StoreFiles, MissingFolderIsNamed) {
  StoreOptions options = Options();
  options.location = folder_.Path("no/such/catalog.db");
  EXPECT_THAT(ExpectError(ErrorCode::kNotFound, [&] { Open(options); }),
              HasSubstr(folder_.Path("no/such/")));
  EXPECT_THAT(FilesInFolder(), IsEmpty());
}

TEST_P(StoreFiles, OtherFilesAreRefused) {
  std::ofstream(file()) << "name,amount\nthis is no database at all,1\n"
                        << std::string(20'000, 'x');
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(); }), HasSubstr(file()));
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(ReadOnly()); }), HasSubstr(file()));
  StoreOptions folder = Options();
  folder.location = folder_.path();
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(folder); }), HasSubstr("folder"));
}

TEST_P(StoreFiles, UnknownParametersAreRefused) {
  StoreOptions options = Options();
  options.parameters = {{"colour", "blue"}};
  EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(options); }), HasSubstr("\"colour\""));
  EXPECT_THAT(FilesInFolder(), IsEmpty());
}

TEST_P(StoreFiles, ReadOnlyStoreReadsAndRefusesToWrite) {
  MakeDatabase();
  auto store = Open(ReadOnly());
  EXPECT_FALSE(store->writable());
  auto connection = store->Connect();
  EXPECT_EQ(Count(*connection), 2);
  ExpectError(ErrorCode::kInvalid, [&] { connection->Begin(TransactionMode::kWrite); });
  ExpectError(ErrorCode::kInvalid, [&] { InsertNamed(*connection, 3, "x"); });
  EXPECT_EQ(Count(*connection), 2);
}

TEST_P(StoreFiles, ReadOnlyStoreLeavesNothingBehind) {
  MakeDatabase();
  const auto names = FilesInFolder();
  const auto written = fs::last_write_time(file());
  {
    auto connection = Open(ReadOnly())->Connect();
    EXPECT_EQ(Count(*connection), 2);
  }
  EXPECT_EQ(FilesInFolder(), names);
  EXPECT_EQ(fs::last_write_time(file()), written);
}

TEST_P(StoreFiles, KindIsToldByContent) {
  EXPECT_EQ(DetectCatalogScheme(file()), std::nullopt);
  auto store = Open();
  auto connection = store->Connect();
  CreateNamedTable(*connection);
  // While it is open: telling must not take the store's own locks away.
  connection->Begin(TransactionMode::kWrite);
  InsertNamed(*connection, 1, "one");
  EXPECT_EQ(DetectCatalogScheme(file()), GetParam().scheme);
  EXPECT_EQ(connection->Commit(), CommitOutcome::kCommitted);
  connection.reset();
  store.reset();
  EXPECT_EQ(DetectCatalogScheme(file()), GetParam().scheme);
  std::ofstream(folder_.Path("other")) << "something else that is long enough";
  EXPECT_EQ(DetectCatalogScheme(folder_.Path("other")), std::nullopt);
  EXPECT_EQ(DetectCatalogScheme(folder_.path()), std::nullopt);
}

TEST_P(StoreFiles, ReadOnlyFolderIsReadAndNotWritten) {
  MakeDatabase();
  fs::permissions(file(), fs::perms(0444));
  fs::permissions(folder_.path(), fs::perms(0555));
  const auto names = FilesInFolder();
  const bool could = AsOrdinaryUser([&] {
    for (const StoreOptions& options : {Options(), ReadOnly()}) {
      auto store = Open(options);
      EXPECT_FALSE(store->writable());
      auto connection = store->Connect();
      connection->Begin(TransactionMode::kRead);
      EXPECT_EQ(Count(*connection), 2);
      connection->Commit();
      ExpectError(ErrorCode::kInvalid, [&] { connection->Begin(TransactionMode::kWrite); });
      auto second = store->Connect();
      EXPECT_TRUE(second->TableExists("t"));
    }
  });
  EXPECT_TRUE(could);
  EXPECT_EQ(FilesInFolder(), names);
}

TEST_P(StoreFiles, NewCatalogInAReadOnlyFolderLeavesNothing) {
  fs::permissions(folder_.path(), fs::perms(0555));
  AsOrdinaryUser([&] {
    EXPECT_THAT(ExpectError(ErrorCode::kInvalid, [&] { Open(); }), HasSubstr("cannot be written"));
  });
  EXPECT_THAT(FilesInFolder(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreFiles, testing::ValuesIn(AllStoreKinds()), KindName);

}  // namespace
}  // namespace tarn::test
