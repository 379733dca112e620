// Each call to the catalog database fails in turn while a lake is made and while a transaction
// commits: afterwards the lake is whole, and the transaction was committed once or not at all, as
// the caller was told.
#include "gmock/gmock.h"
#include "tarn/check.h"
#include "unit/catalog/faulty_store.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// More calls than any commit here makes.
constexpr int64_t kMaxCalls = 300;

class CommitFaultsTest : public LakeTest {
 protected:
  /// A fresh lake with table `t` holding one file; its store's fault is not armed.
  std::shared_ptr<Lake> Prepare() {
    if (!std::filesystem::exists(Path("template.db"))) {
      auto lake = Lake::Open(Options("template.db"));
      Run(*lake, [](Transaction& transaction) {
        AddTable(transaction, "t");
        transaction.CreateView({"main", "w", "SELECT 1", ""});
        Insert(transaction, "t",
               {MakeFile("first.parquet", 1, {MakeStats(1, 1, 0, "1", "1"), MakeStats(2, 0, 1)})});
      });
    }
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(Path("lake.db") + suffix);
    std::filesystem::copy_file(Path("template.db"), Path("lake.db"),
                               std::filesystem::copy_options::overwrite_existing);
    fault_ = std::make_shared<Fault>();
    LakeOptions options = Options();
    options.store = std::make_shared<FaultyStore>(options.store, fault_);
    return Lake::Open(options);
  }

  /// Every kind of statement that a commit has.
  static std::optional<SnapshotId> RichCommit(Lake& lake) {
    return Run(lake, [](Transaction& transaction) {
      AddTable(transaction, "n");
      transaction.DropView(transaction.view()->FindView("main", "w")->ref);
      Insert(transaction, "n", {MakeFile("n.parquet", 2, {MakeStats(1, 2, 0, "1", "2")})});
      Insert(
          transaction, "t",
          {MakeFile("t.parquet", 3, {MakeStats(1, 3, 0, "0", "9"), MakeStats(2, 3, 0, "x", "y")})});
      transaction.CreateView({"main", "v", "SELECT 1", ""});
      transaction.SetOption("target_file_size", "1", {});
    });
  }

  bool WasCommitted() const {
    return Query("SELECT * FROM ducklake_table WHERE table_name = 'n'").size() == 1;
  }

  /// Nothing half written: rows only of snapshots that exist, counts that fit. Of the files, which
  /// are only named here, all are missing.
  void ExpectWhole() {
    for (const CheckFinding& finding : CheckLake(*OpenLake()).findings)
      EXPECT_THAT(finding.what, HasSubstr("is missing"));
    const std::string newest = Query("SELECT max(snapshot_id) FROM ducklake_snapshot").at(0);
    for (const char* table : {"ducklake_table", "ducklake_column", "ducklake_data_file",
                              "ducklake_view", "ducklake_schema"}) {
      EXPECT_THAT(Query("SELECT * FROM " + std::string(table) + " WHERE begin_snapshot > " +
                        newest + " OR end_snapshot > " + newest),
                  IsEmpty());
    }
    EXPECT_EQ(Query("SELECT snapshot_id FROM ducklake_snapshot"),
              Query("SELECT snapshot_id FROM ducklake_snapshot_changes"));
    EXPECT_THAT(Query("SELECT s.table_id FROM ducklake_table_stats s WHERE record_count <> (SELECT "
                      "sum(record_count) FROM ducklake_data_file f "
                      "WHERE f.table_id = s.table_id)"),
                IsEmpty());
    EXPECT_THAT(Query("SELECT table_id FROM ducklake_table_stats GROUP BY 1 HAVING count(*) > 1"),
                IsEmpty());
    EXPECT_THAT(Query("SELECT key FROM ducklake_metadata WHERE key = 'target_file_size'").size(),
                WasCommitted() ? 1u : 0u);
  }

  std::shared_ptr<Fault> fault_;
};

TEST_F(CommitFaultsTest, EachCallFailingInTurnCommitsOnceOrNotAtAll) {
  int64_t calls = 0;
  for (bool after_effect : {false, true}) {
    for (int64_t n = 0; n < kMaxCalls; ++n) {
      auto lake = Prepare();
      fault_->after_effect = after_effect;
      fault_->at = fault_->calls + n;
      std::optional<SnapshotId> snapshot;
      std::optional<Error> error;
      try {
        snapshot = RichCommit(*lake);
      } catch (const Error& caught) {
        error = caught;
      }
      SCOPED_TRACE(fault_->where + (after_effect ? " (after its effect)" : " (before its effect)"));
      ExpectWhole();
      EXPECT_EQ(WasCommitted(), snapshot.has_value()) << (error ? error->message() : "");
      if (error) {
        EXPECT_THAT(error->message(), HasSubstr("A fault was injected"));
      } else {
        EXPECT_EQ(snapshot, SnapshotId(2));
      }
      // The lake goes on working, whatever happened to one connection.
      if (!WasCommitted()) {
        EXPECT_EQ(RichCommit(*lake), SnapshotId(2));
      }
      if (!fault_->hit) {
        calls = n;
        break;
      }
    }
  }
  EXPECT_GT(calls, 15) << "the transaction made fewer calls than it must";
}

/// Makes the next COMMIT fail in this way.
void BreakNextCommit(Fault& fault, bool after_effect, std::optional<CommitOutcome> outcome) {
  fault.only = "commit";
  fault.at = 0;
  fault.calls = 0;
  fault.after_effect = after_effect;
  fault.commit_outcome = outcome;
}

TEST_F(CommitFaultsTest, CommitOfUnknownOutcomeIsLookedUp) {
  for (bool after_effect : {false, true}) {
    for (bool with_file : {false, true}) {
      auto lake = Prepare();
      auto transaction = lake->Begin();
      // A transaction with a file is known by its path, one that only drops by its snapshot's row.
      if (with_file)
        Insert(*transaction, "t", {MakeFile("t.parquet", 3)});
      else
        transaction->DropTable(transaction->view()->FindTable("main", "t")->ref);
      BreakNextCommit(*fault_, after_effect, CommitOutcome::kUnknown);
      EXPECT_EQ(transaction->Commit(), SnapshotId(2));
      EXPECT_TRUE(fault_->hit);
      EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("3"));
      EXPECT_THAT(Query("SELECT count(*) FROM ducklake_data_file WHERE end_snapshot IS NULL"),
                  ElementsAre(with_file ? "2" : "0"));
      EXPECT_EQ(lake->last_committed(), SnapshotId(2));
    }
  }
}

TEST_F(CommitFaultsTest, OutcomeThatCannotBeLookedUpIsSaidToBeUnknown) {
  for (bool after_effect : {false, true}) {
    auto lake = Prepare();
    auto transaction = lake->Begin();
    Insert(*transaction, "t", {MakeFile("t.parquet", 3)});
    BreakNextCommit(*fault_, after_effect, CommitOutcome::kUnknown);
    fault_->lasting = true;
    std::string message = ErrorOf(ErrorCode::kUnknownOutcome, [&] { transaction->Commit(); });
    EXPECT_THAT(message, HasSubstr("snapshot 2"));
    EXPECT_THAT(message, HasSubstr("Its files were kept"));
    EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"),
                ElementsAre(after_effect ? "3" : "2"));
  }
}

TEST_F(CommitFaultsTest, UnknownOutcomeIsNotMistakenForAnothersSnapshot) {
  // Our commit fails without effect, and before we can look another writer takes the id: then ours
  // was not committed, and is tried again.
  auto lake = Prepare();
  auto other = OpenLake();
  auto transaction = lake->Begin();
  Insert(*transaction, "t", {MakeFile("ours.parquet", 3)});
  BreakNextCommit(*fault_, false, CommitOutcome::kUnknown);
  fault_->on_hit = [&] {
    Run(*other, [](Transaction& t) { Insert(t, "t", {MakeFile("theirs.parquet", 3)}); });
  };
  EXPECT_EQ(transaction->Commit(), SnapshotId(3));
  EXPECT_THAT(Query("SELECT path, begin_snapshot, row_id_start FROM ducklake_data_file"),
              ElementsAre("first.parquet|1|0", "theirs.parquet|2|1", "ours.parquet|3|4"));
}

TEST_F(CommitFaultsTest, LostRacesAreRetriedAsOftenAsAllowed) {
  for (std::optional<CommitOutcome> outcome :
       {std::optional(CommitOutcome::kLostRace), std::optional<CommitOutcome>()}) {
    auto lake = Prepare();
    fault_->code =
        ErrorCode::kAlreadyExists;  // how a taken snapshot id shows where the commit throws
    auto transaction = lake->Begin();
    Insert(*transaction, "t", {MakeFile("t.parquet", 3)});
    BreakNextCommit(*fault_, false, outcome);
    EXPECT_EQ(transaction->Commit(), SnapshotId(2));

    for (const int64_t attempts : {1, 0}) {
      transaction = lake->Begin();
      transaction->SetRetryOptions({attempts, 0, 1});
      Insert(*transaction, "t", {MakeFile("u.parquet", 3)});
      BreakNextCommit(*fault_, false, outcome);
      EXPECT_THAT(
          ErrorOf(ErrorCode::kConflict, [&] { transaction->Commit(); }),
          StartsWith("Failed to commit DuckLake transaction. Exceeded the maximum retry "
                     "count of " +
                     std::to_string(attempts) + " set by the ducklake_max_retry_count setting"));
    }
    EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("3"));
  }
}

TEST_F(CommitFaultsTest, CreatingALakeMakesAllOrNothing) {
  for (bool after_effect : {false, true}) {
    for (int64_t n = 0; n < kMaxCalls; ++n) {
      for (const char* suffix : {"", "-wal", "-shm"})
        std::filesystem::remove(Path("lake.db") + suffix);
      auto fault = std::make_shared<Fault>();
      fault->at = n;
      fault->after_effect = after_effect;
      LakeOptions options = Options();
      options.store = std::make_shared<FaultyStore>(options.store, fault);
      try {
        Lake::Open(options);
      } catch (const Error& error) {
        EXPECT_THAT(error.message(),
                    AnyOf(HasSubstr("A fault was injected"), HasSubstr("could not be created")))
            << fault->where;
      }
      // Whatever there is, it opens and has one snapshot.
      auto lake = OpenLake();
      EXPECT_EQ(lake->ListSnapshots().size(), 1u) << fault->where;
      EXPECT_THAT(Query("SELECT count(*) FROM ducklake_metadata"), ElementsAre("4"))
          << fault->where;
      if (!fault->hit) break;
    }
  }
}

}  // namespace
}  // namespace tarn::test
