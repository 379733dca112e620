// Transactions on rows with each call of the catalog database, of the writer of delete files and of
// the file system failing in turn: the lake is whole afterwards, shows all of the transaction or
// nothing, as the caller was told, and nothing that the lake refers to is missing.
#include "gmock/gmock.h"
#include "tarn/check.h"
#include "unit/catalog/fake_delete_writer.h"
#include "unit/catalog/fake_staged_rows.h"
#include "unit/catalog/faulty_file_system.h"
#include "unit/catalog/faulty_store.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::HasSubstr;

/// More calls than any commit here makes.
constexpr int64_t kMaxCalls = 300;

/// A transaction to break, and how many rows the table has afterwards (18 before).
struct Work {
  const char* name;
  std::function<void(class RowFaultsTest&, Transaction&)> run;
  int64_t rows_after;
  int64_t limit = 0;  ///< of inlining
};

class RowFaultsTest : public LakeTest {
 public:
  /// A file that is really there.
  DataFile AFile(const std::string& name, int64_t rows) const {
    DataFile file = MakeFile(name, rows);
    std::filesystem::create_directories(Path("data/main/t"));
    std::ofstream(Path("data/main/t/" + name))
        << std::string(static_cast<size_t>(file.file_size_bytes), 'x');
    return file;
  }
  /// One that was there before the lake, and stays whatever happens.
  DataFile ARegisteredFile(const std::string& name, int64_t rows) {
    DataFile file = AFile(name, rows);
    file.path = Path("data/main/t/" + name);
    kept_.push_back(file.path);
    file.path_is_relative = false;
    file.names = std::make_shared<NameMap>(NameMap{MappingId(), {{0, "I", FieldId(1), {}, false}}});
    file.registration =
        std::make_shared<Registration>(Registration{std::filesystem::canonical(file.path)});
    return file;
  }
  static TableRef Ref(Transaction& transaction) {
    return transaction.view()->FindTable("main", "t")->ref;
  }
  static void Stage(Transaction& transaction, std::vector<int64_t> values,
                    std::vector<int64_t> row_ids = {}) {
    auto table = transaction.view()->FindTable("main", "t");
    transaction.StageRows(
        table->ref, std::make_shared<FakeStagedRows>(table, std::move(values), std::move(row_ids)));
  }
  static void Delete(Transaction& transaction, int64_t file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({DataFileId(file), {}, std::move(positions)});
    transaction.DeleteRows(Ref(transaction), rows);
  }

 protected:
  /// A fresh lake whose table has the files 0 (10 rows, two deleted), 1 (5 rows, one deleted in the
  /// catalog), 2 (4 rows) and two rows in the catalog.
  std::shared_ptr<Lake> Prepare() {
    kept_.clear();
    std::filesystem::remove_all(Path("data"));
    if (!std::filesystem::exists(Path("template.db"))) {
      MakeTemplate();
    } else {
      for (auto [name, rows] : {std::pair("a", 10), {"b", 5}, {"c", 4}}) AFile(name, rows);
      std::ofstream(Path("data/main/t/first1-delete.parquet")) << "0:-1\n1:-1\n";
    }
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(Path("lake.db") + suffix);
    std::filesystem::copy_file(Path("template.db"), Path("lake.db"),
                               std::filesystem::copy_options::overwrite_existing);
    fault_ = std::make_shared<Fault>();
    file_fault_ = std::make_shared<Fault>();
    LakeOptions options = Options();
    options.store = std::make_shared<FaultyStore>(options.store, fault_);
    options.file_system = std::make_shared<FaultyFileSystem>(LocalFileSystem(), file_fault_);
    return Lake::Open(options);
  }

  void MakeTemplate() {
    auto lake = Lake::Open(Options("template.db"));
    Run(*lake, [&](Transaction& transaction) {
      AddTable(transaction, "t");
      Insert(transaction, "t", {AFile("a", 10), AFile("b", 5), AFile("c", 4)});
    });
    FakeDeleteWriter writer("first");
    auto transaction = lake->Begin();
    Delete(*transaction, 0, {0, 1});
    transaction->Commit(&writer);
    auto connection = lake->store().Connect();
    connection->Begin(TransactionMode::kWrite);
    for (const char* sql :
         {"CREATE TABLE ducklake_inlined_data_1_1 (row_id BIGINT, begin_snapshot BIGINT, "
          "end_snapshot BIGINT, i BIGINT, v VARCHAR)",
          "INSERT INTO ducklake_inlined_data_tables VALUES (1, 'ducklake_inlined_data_1_1', 1)",
          "INSERT INTO ducklake_inlined_data_1_1 VALUES (19, 2, NULL, 1, 'p'), (20, 2, NULL, 2, "
          "'q')",
          "UPDATE ducklake_table_stats SET next_row_id = 21, record_count = 21",
          "CREATE TABLE ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, begin_snapshot "
          "BIGINT)",
          "INSERT INTO ducklake_inlined_delete_1 VALUES (1, 3, 2)"})
      connection->Execute(Statement{sql, {}});
    ASSERT_EQ(connection->Commit(), CommitOutcome::kCommitted);
  }

  std::optional<SnapshotId> Commit(Lake& lake, const Work& work) {
    auto transaction = lake.Begin();
    work.run(*this, *transaction);
    transaction->SetInliningDefault(work.limit);
    return transaction->Commit(&writer_);
  }

  int64_t CountRows(Lake& lake) {
    auto transaction = lake.Begin();
    return transaction->RowCounts().at(Ref(*transaction));
  }

  /// Whole; files that nobody refers to are fine.
  void ExpectWhole() {
    auto lake = OpenLake();
    for (const CheckFinding& finding : CheckLake(*lake).findings)
      EXPECT_THAT(finding.what, HasSubstr("Nothing refers to the file"));
  }

  std::vector<Work> Works() {
    auto inlined = [](std::vector<int64_t> row_ids) {
      RowRemoval rows;
      rows.inlined.push_back({"ducklake_inlined_data_1_1", std::move(row_ids)});
      return rows;
    };
    return {
        {"insert",
         [](RowFaultsTest& test, Transaction& t) { Insert(t, "t", {test.AFile("n", 3)}); }, 21},
        {"delete of all kinds",
         [inlined](RowFaultsTest&, Transaction& t) {
           Delete(t, 0, {5, 6});
           Delete(t, 1, {0});
           Delete(t, 2, {0, 1, 2, 3});
           t.DeleteRows(Ref(t), inlined({19}));
         },
         18 - 2 - 1 - 4 - 1},
        {"update",
         [](RowFaultsTest& test, Transaction& t) {
           Delete(t, 0, {5, 6});
           DataFile updated = test.AFile("u", 2);
           updated.embeds_row_ids = true;
           Insert(t, "t", {updated, test.AFile("gone", 1)});
           RowRemoval again;
           again.files.push_back({{}, 0, {1}});
           again.files.push_back({{}, 1, {0}});
           t.DeleteRows(Ref(t), again);
         },
         18 - 2 + 1},
        {"registered files",
         [](RowFaultsTest& test, Transaction& t) {
           Insert(t, "t", {test.ARegisteredFile("kept", 3), test.ARegisteredFile("kept too", 1)});
           Delete(t, 2, {0});
         },
         18 + 4 - 1},
        {"truncate", [](RowFaultsTest&, Transaction& t) { t.DeleteAllRows(Ref(t)); }, 0},
        {"rows for the catalog",
         [inlined](RowFaultsTest&, Transaction& t) {
           Stage(t, {7, 8, 9});
           Stage(t, {1}, {19});
           t.DeleteRows(Ref(t), inlined({19}));
           Delete(t, 0, {5, 6});
           Delete(t, 1, {0});
         },
         18 + 3 - 3, 3},
        {"a table with rows for the catalog",
         [](RowFaultsTest&, Transaction& t) {
           auto table = AddTable(t, "n");
           t.StageRows(table->ref,
                       std::make_shared<FakeStagedRows>(table, std::vector<int64_t>{1}));
           Delete(t, 2, {0});
         },
         17, 3},
        {"objects and rows",
         [](RowFaultsTest&, Transaction& t) {
           AddTable(t, "n");
           t.CreateView({"main", "v", "SELECT 1", ""});
           Delete(t, 1, {0});
         },
         17},
    };
  }

  /// Makes the n-th call fail by `arm`, for every n until `hit` says that there was none.
  void BreakInTurn(const Work& work, const std::function<Fault&()>& fault,
                   const std::function<void(int64_t n)>& arm, const std::function<bool()>& hit) {
    for (bool after_effect : {false, true}) {
      for (int64_t n = 0; n < kMaxCalls; ++n) {
        auto lake = Prepare();
        ASSERT_EQ(CountRows(*lake), 18);
        writer_ = FakeDeleteWriter("d" + std::to_string(n) + "x");
        fault().after_effect = after_effect;
        arm(n);
        std::optional<SnapshotId> snapshot;
        std::string error;
        try {
          snapshot = Commit(*lake, work);
        } catch (const Error& caught) {
          error = caught.message();
        }
        SCOPED_TRACE(std::string(work.name) + ": " + fault().where +
                     (after_effect ? " (after its effect) " : " (before its effect) ") + error);
        if (!snapshot) {
          EXPECT_THAT(error, HasSubstr("A fault was injected"));
          EXPECT_EQ(writer_.discards, writer_.writes) << "delete files are left";
          for (const std::string& path : kept_)
            EXPECT_TRUE(std::filesystem::exists(path)) << path << " was not ours to remove";
        }
        ExpectWhole();
        const bool was_hit = hit();
        fault().at = -1;
        writer_.fail_at = -1;
        EXPECT_EQ(CountRows(*lake), snapshot ? work.rows_after : 18);
        if (!snapshot) {  // the same again works, whatever happened to a connection
          EXPECT_EQ(Commit(*lake, work), SnapshotId(3));
          EXPECT_EQ(CountRows(*lake), work.rows_after);
          ExpectWhole();
        }
        if (!was_hit) break;
      }
    }
  }

  FakeDeleteWriter writer_;
  std::vector<std::string> kept_;
  std::shared_ptr<Fault> fault_;
  std::shared_ptr<Fault> file_fault_;
};

TEST_F(RowFaultsTest, EachCallOfTheCatalogDatabase) {
  for (const Work& work : Works()) {
    BreakInTurn(
        work, [&]() -> Fault& { return *fault_; },
        [&](int64_t n) { fault_->at = fault_->calls + n; }, [&] { return fault_->hit.load(); });
  }
}

TEST_F(RowFaultsTest, EachDeleteFile) {
  for (const Work& work : Works()) {
    BreakInTurn(
        work, [&]() -> Fault& { return *fault_; }, [&](int64_t n) { writer_.fail_at = n; },
        [&] { return writer_.failed; });
  }
}

TEST_F(RowFaultsTest, EachCallOfTheFileSystem) {
  for (const Work& work : Works()) {
    BreakInTurn(
        work, [&]() -> Fault& { return *file_fault_; },
        [&](int64_t n) { file_fault_->at = file_fault_->calls + n; },
        [&] { return file_fault_->hit.load(); });
  }
}

}  // namespace
}  // namespace tarn::test
