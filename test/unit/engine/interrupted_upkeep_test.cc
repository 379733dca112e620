// The user interrupts upkeep that runs for a statement, on a connection of its own: upkeep ends,
// what the statement has committed stays, and nothing is half-done.
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "duckdb.hpp"
#include "duckdb/common/local_file_system.hpp"
#include "duckdb/common/virtual_file_system.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/extension.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tarn/check.h"

namespace tarn::engine {
namespace {

using testing::HasSubstr;

/// Tells of each data file that is begun.
class WatchedFiles : public duckdb::LocalFileSystem {
 public:
  explicit WatchedFiles(std::function<void()>& on_data_file) : on_data_file_(on_data_file) {}

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(
      const std::string& path, duckdb::FileOpenFlags flags,
      duckdb::optional_ptr<duckdb::FileOpener> opener) override {
    if (flags.OpenForWriting() && path.ends_with(".parquet") && on_data_file_) on_data_file_();
    return LocalFileSystem::OpenFile(path, flags, opener);
  }
  std::string GetName() const override { return "WatchedFiles"; }

 private:
  std::function<void()>& on_data_file_;
};

class InterruptedUpkeepTest : public testing::Test {
 protected:
  InterruptedUpkeepTest() {
    folder_ = std::filesystem::temp_directory_path() /
              ("tarn-interrupted-upkeep-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    duckdb::DBConfig config;
    config.file_system = duckdb::make_uniq<duckdb::VirtualFileSystem>(
        duckdb::make_uniq<WatchedFiles>(on_data_file_));
    db_ = std::make_unique<duckdb::DuckDB>(nullptr, &config);
    LoadTarn(*db_->instance);
    client_ = std::make_unique<duckdb::Connection>(*db_);
    Run("ATTACH 'ducklake:sqlite:" + folder_.string() + "/lake.sqlite' AS lake (DATA_PATH '" +
        folder_.string() + "/data', DATA_INLINING_ROW_LIMIT 10000)");
    for (const std::string table : {"a", "b"})
      Run("CREATE TABLE lake." + table + " AS SELECT range AS i FROM range(5000)");
  }
  ~InterruptedUpkeepTest() override {
    client_.reset();
    db_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string Run(const std::string& sql) {
    const auto result = client_->Query(sql);
    EXPECT_FALSE(result->HasError()) << sql << "\n" << result->GetError();
    const bool has_value = !result->HasError() && result->RowCount() > 0;
    return has_value ? result->GetValue(0, 0).ToString() : "";
  }
  /// From now on, what is about to begin its n-th data file finds the user's interrupt.
  void InterruptAt(int file) {
    on_data_file_ = [this, left = file]() mutable {
      if (--left > 0) return;
      client_->Interrupt();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    };
  }

  std::string Files() {
    return Run(
        "SELECT (SELECT count(*) FROM ducklake_list_files('lake', 'a')) || ' ' || "
        "(SELECT count(*) FROM ducklake_list_files('lake', 'b'))");
  }
  void ExpectWhole(const std::string& rows, const std::string& files) {
    on_data_file_ = {};
    EXPECT_EQ(Run("SELECT (SELECT count(*) FROM lake.a) || ' ' || (SELECT count(*) FROM lake.b)"),
              rows);
    EXPECT_EQ(Files(), files);
    std::shared_ptr<Lake> lake;
    client_->context->RunFunctionInTransaction([&] {
      lake =
          duckdb::Catalog::GetCatalog(*client_->context, "lake").Cast<TarnCatalog>().shared_lake();
    });
    for (const CheckFinding& finding : CheckLake(*lake).findings) ADD_FAILURE() << finding.what;
  }

  std::filesystem::path folder_;
  std::function<void()> on_data_file_;
  std::unique_ptr<duckdb::DuckDB> db_;
  std::unique_ptr<duckdb::Connection> client_;
};

TEST_F(InterruptedUpkeepTest, AFlushAfterACommit) {
  Run("CALL lake.set_option('tarn_flush_after_rows', 10000)");
  Run("BEGIN");
  for (const std::string table : {"a", "b"})
    Run("INSERT INTO lake." + table + " SELECT range FROM range(5000)");
  InterruptAt(1);
  Run("COMMIT");
  ExpectWhole("10000 10000", "0 0");
  // The commit that brings as many again makes it due once more.
  for (const std::string rows : {"5000", "5000"})
    Run("INSERT INTO lake.a SELECT range FROM range(" + rows + ")");
  ExpectWhole("20000 10000", "1 0");
}

TEST_F(InterruptedUpkeepTest, AMergeAfterACommit) {
  Run("CALL lake.set_option('data_inlining_row_limit', 0)");
  Run("CALL ducklake_flush_inlined_data('lake')");
  Run("CALL lake.set_option('tarn_merge_after_files', 2)");
  InterruptAt(2);  // the first one is the statement's own
  Run("INSERT INTO lake.a SELECT range FROM range(5000)");
  ExpectWhole("10000 5000", "2 1");
  Run("INSERT INTO lake.a SELECT range FROM range(5000)");
  Run("INSERT INTO lake.a SELECT range FROM range(5000)");
  ExpectWhole("20000 5000", "1 1");
}

TEST_F(InterruptedUpkeepTest, ACheckpoint) {
  InterruptAt(1);
  const auto result = client_->Query("CHECKPOINT lake");
  ASSERT_TRUE(result->HasError());
  EXPECT_THAT(result->GetError(), HasSubstr("INTERRUPT"));
  ExpectWhole("5000 5000", "0 0");
  Run("CHECKPOINT lake");
  ExpectWhole("5000 5000", "1 1");
}

}  // namespace
}  // namespace tarn::engine
