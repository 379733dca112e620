// Expiry, clean-up and the removal of orphans with each call of the catalog database and of the
// file system failing in turn: what the lake needs is there afterwards, and the same again does the
// rest.
#include <filesystem>
#include <fstream>
#include <set>

#include "gmock/gmock.h"
#include "tarn/check.h"
#include "tarn/maintenance.h"
#include "unit/catalog/faulty_file_system.h"
#include "unit/catalog/faulty_store.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// More calls than any of them makes here.
constexpr int64_t kMaxCalls = 300;

class UpkeepFaultsTest : public LakeTest {
 protected:
  DataFile AFile(const std::string& name) const {
    DataFile file = MakeFile(name + ".parquet", 10);
    fs::create_directories(Path("data/main/t"));
    std::ofstream(FileOf(name)) << std::string(static_cast<size_t>(file.file_size_bytes), 'x');
    return file;
  }
  std::string FileOf(const std::string& name) const {
    return Path("data/main/t/" + name + ".parquet");
  }

  /// A lake whose table has had the file `old`, has `kept`, and beside it lies `stray`. Snapshots:
  /// 1 makes the table with `old`, 2 drops it, 3 makes another of that name with `kept`.
  std::shared_ptr<Lake> Prepare() {
    if (!fs::exists(Path("template.db"))) MakeTemplate();
    for (const char* name : {"old", "kept", "stray"}) AFile(name);
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(Path("lake.db") + suffix);
    fs::copy_file(Path("template.db"), Path("lake.db"), fs::copy_options::overwrite_existing);
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
      Insert(transaction, "t", {AFile("old")});
    });
    Run(*lake, [&](Transaction& transaction) {
      transaction.DropTable(transaction.view()->FindTable("main", "t")->ref);
    });
    Run(*lake, [&](Transaction& transaction) {
      AddTable(transaction, "t");
      Insert(transaction, "t", {AFile("kept")});
    });
  }

  static void Expire(Lake& lake) {
    Run(lake, [](Transaction& transaction) {
      transaction.ExpireSnapshots({.versions = {}, .older_than = Timestamp::max()}, false);
    });
  }

  /// Whole but for files that nothing refers to, and what the newest snapshot needs is there.
  void ExpectWhole() {
    auto lake = OpenLake();
    for (const CheckFinding& finding : CheckLake(*lake).findings)
      EXPECT_THAT(finding.what, HasSubstr("Nothing refers to the file"));
    EXPECT_TRUE(fs::exists(FileOf("kept")));
    EXPECT_THAT(Query("SELECT path FROM ducklake_data_file WHERE end_snapshot IS NULL"),
                ElementsAre("kept.parquet"));
  }

  /// Runs `work` on fresh lakes with every n-th call failing, `also` after each of them.
  void BreakInTurn(const std::function<void(Lake&)>& before, const std::function<void(Lake&)>& work,
                   const std::function<void()>& also) {
    for (auto fault : {&UpkeepFaultsTest::fault_, &UpkeepFaultsTest::file_fault_}) {
      for (bool after_effect : {false, true}) {
        for (int64_t n = 0; n < kMaxCalls; ++n) {
          auto lake = Prepare();
          before(*lake);
          Fault& armed = *(this->*fault);
          armed.after_effect = after_effect;
          armed.at = armed.calls + n;
          std::string error;
          try {
            work(*lake);
          } catch (const Error& caught) {
            error = caught.message();
            EXPECT_THAT(error, HasSubstr("A fault was injected"));
          }
          SCOPED_TRACE(armed.where + (after_effect ? " (after its effect) " : " (before) ") +
                       error);
          ExpectWhole();
          const bool was_hit = armed.hit;
          armed.at = -1;
          work(*lake);  // does what is left, or nothing
          also();
          ExpectWhole();
          if (!was_hit) break;
        }
      }
    }
  }

  std::shared_ptr<Fault> fault_;
  std::shared_ptr<Fault> file_fault_;
};

TEST_F(UpkeepFaultsTest, Expiry) {
  BreakInTurn([](Lake&) {}, Expire,
              [&] {
                EXPECT_THAT(Query("SELECT path FROM ducklake_files_scheduled_for_deletion"),
                            ElementsAre(HasSubstr("old.parquet")));
                EXPECT_TRUE(fs::exists(FileOf("old")));
                EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("1"));
                EXPECT_THAT(Query("SELECT count(*) FROM ducklake_table"), ElementsAre("1"));
              });
}

TEST_F(UpkeepFaultsTest, CleanUp) {
  BreakInTurn(
      Expire, [](Lake& lake) { CleanUpOldFiles(lake, {}); },
      [&] {
        EXPECT_THAT(Query("SELECT path FROM ducklake_files_scheduled_for_deletion"), IsEmpty());
        EXPECT_FALSE(fs::exists(FileOf("old")));
        EXPECT_TRUE(fs::exists(FileOf("stray")));
      });
}

TEST_F(UpkeepFaultsTest, Orphans) {
  BreakInTurn([](Lake&) {}, [](Lake& lake) { DeleteOrphanedFiles(lake, {}); },
              [&] {
                EXPECT_FALSE(fs::exists(FileOf("stray")));
                EXPECT_TRUE(fs::exists(FileOf("old")));
              });
}

}  // namespace
}  // namespace tarn::test
