// Each call that DuckDB and the kernel make to the file system fails in turn, before or after its
// effect, in every kind of statement that writes or reads files. The statement says so and leaves
// the lake as it was, whole by a deep check but for files that nothing refers to; the same
// statement succeeds afterwards.
#include <unistd.h>

#include <filesystem>

#include "duckdb.hpp"
#include "duckdb/common/local_file_system.hpp"
#include "duckdb/common/virtual_file_system.hpp"
#include "engine/bridge/file_system.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/extension.h"
#include "engine/inspect_contents.h"
#include "engine/inspect_inlined.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tarn/check.h"

namespace tarn::engine {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Which call fails: the n-th from now on, on files of the lake.
struct Fault {
  std::string folder;
  int64_t calls = 0;
  int64_t at = -1;
  bool after_effect = false;
  bool was_hit = false;
  bool changes = false;  ///< the call that was hit has an effect

  void Arm(int64_t n, bool after) {
    calls = 0;
    at = n;
    after_effect = after;
    was_hit = false;
  }
};

/// The local files, with a fault in them.
class FaultyFiles : public duckdb::LocalFileSystem {
 public:
  explicit FaultyFiles(Fault& fault) : fault_(fault) {}

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(
      const std::string& path, duckdb::FileOpenFlags flags,
      duckdb::optional_ptr<duckdb::FileOpener> opener) override {
    return Try(path, true, [&] { return LocalFileSystem::OpenFile(path, flags, opener); });
  }
  void Read(duckdb::FileHandle& handle, void* buffer, int64_t bytes, duckdb::idx_t at) override {
    Try(handle.path, false, [&] { LocalFileSystem::Read(handle, buffer, bytes, at); });
  }
  int64_t Read(duckdb::FileHandle& handle, void* buffer, int64_t bytes) override {
    return Try(handle.path, false, [&] { return LocalFileSystem::Read(handle, buffer, bytes); });
  }
  void Write(duckdb::FileHandle& handle, void* buffer, int64_t bytes, duckdb::idx_t at) override {
    Try(handle.path, true, [&] { LocalFileSystem::Write(handle, buffer, bytes, at); });
  }
  int64_t Write(duckdb::FileHandle& handle, void* buffer, int64_t bytes) override {
    return Try(handle.path, true, [&] { return LocalFileSystem::Write(handle, buffer, bytes); });
  }
  void FileSync(duckdb::FileHandle& handle) override {
    Try(handle.path, true, [&] { LocalFileSystem::FileSync(handle); });
  }
  void CreateDirectory(const std::string& path,
                       duckdb::optional_ptr<duckdb::FileOpener> opener) override {
    Try(path, true, [&] { LocalFileSystem::CreateDirectory(path, opener); });
  }
  void RemoveFile(const std::string& path,
                  duckdb::optional_ptr<duckdb::FileOpener> opener) override {
    Try(path, true, [&] { LocalFileSystem::RemoveFile(path, opener); });
  }
  bool FileExists(const std::string& path,
                  duckdb::optional_ptr<duckdb::FileOpener> opener) override {
    return Try(path, false, [&] { return LocalFileSystem::FileExists(path, opener); });
  }
  int64_t GetFileSize(duckdb::FileHandle& handle) override {
    return Try(handle.path, false, [&] { return LocalFileSystem::GetFileSize(handle); });
  }
  std::string GetName() const override { return "FaultyFiles"; }

 private:
  template <class Call>
  auto Try(const std::string& path, bool changes, Call call) -> decltype(call()) {
    const bool fails = path.starts_with(fault_.folder) && fault_.calls++ == fault_.at;
    if (!fails) return call();
    fault_.was_hit = true;
    fault_.changes = changes;
    if (fault_.after_effect) call();
    throw duckdb::IOException("The disk does not answer (\"%s\")", path);
  }

  Fault& fault_;
};

class FaultyFilesTest : public testing::Test {
 protected:
  FaultyFilesTest() {
    folder_ = std::filesystem::temp_directory_path() /
              ("tarn-faulty-files-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    fault_.folder = folder_.string() + "/data";
    duckdb::DBConfig config;
    config.file_system =
        duckdb::make_uniq<duckdb::VirtualFileSystem>(duckdb::make_uniq<FaultyFiles>(fault_));
    db_ = std::make_unique<duckdb::DuckDB>(nullptr, &config);
    LoadTarn(*db_->instance);
    client_ = std::make_unique<duckdb::Connection>(*db_);
    // One thread: the n-th call is the same one each time.
    Run("SET threads = 1");
    Run("ATTACH 'ducklake:sqlite:" + folder_.string() + "/lake.sqlite' AS lake (DATA_PATH '" +
        fault_.folder + "')");
    Run("CALL lake.set_option('data_inlining_row_limit', 0)");
    Run("CREATE TABLE lake.t (i INTEGER, s VARCHAR)");
    for (const char* rows : {"range(50)", "range(50, 100)"})
      Run(std::string("INSERT INTO lake.t SELECT range, 'v' || range FROM ") + rows);
    Run("CREATE TABLE lake.kept (i INTEGER)");
    Run("CALL lake.set_option('data_inlining_row_limit', 10, table_name => 'kept')");
    Run("INSERT INTO lake.kept VALUES (1), (2)");
    Run("INSERT INTO lake.kept VALUES (3)");
    Run("DELETE FROM lake.kept WHERE i = 2");
    std::filesystem::create_directories(fault_.folder + "-outside");
    Run("COPY (SELECT range::INTEGER AS i, 'out' AS s FROM range(200, 230)) TO '" + Outside() +
        "'");
  }
  ~FaultyFilesTest() override {
    client_.reset();
    db_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string Outside() const { return fault_.folder + "-outside/a.parquet"; }

  std::string Run(const std::string& sql) {
    const auto result = client_->Query(sql);
    EXPECT_FALSE(result->HasError()) << sql << "\n" << result->GetError();
    return result->HasError() ? "" : result->ToString();
  }

  // What anybody sees of the lake. Nothing fails meanwhile.
  std::string State() {
    fault_.at = -1;
    return Run(
        "SELECT (SELECT [count(*), sum(i), bit_xor(hash(i, s, rowid))] FROM lake.t), (SELECT "
        "[count(*), sum(i), bit_xor(hash(i, rowid))] FROM lake.kept), (SELECT max(snapshot_id) "
        "FROM lake.snapshots()), (SELECT [count(*), sum(data_file_size_bytes)] FROM "
        "ducklake_list_files('lake', 't')), (SELECT list(table_name ORDER BY 1) FROM "
        "duckdb_tables() WHERE database_name = 'lake')");
  }

  // What a deep check finds. Nothing fails meanwhile.
  std::vector<std::string> Findings() {
    fault_.at = -1;
    auto& context = *client_->context;
    const auto in_transaction = [&](auto ask) {
      std::invoke_result_t<decltype(ask)> answer;
      context.RunFunctionInTransaction([&] { answer = ask(); });
      return answer;
    };
    const auto lake = in_transaction([&] {
      return duckdb::Catalog::GetCatalog(context, "lake").Cast<TarnCatalog>().shared_lake();
    });
    const auto files = MakeFileSystem(*db_->instance);
    CheckOptions options;
    options.deep = true;
    options.inspect_file = [&](const std::string& path, const DataFile& file, const Table& table) {
      return InspectContents(*client_, *files, path, file, table);
    };
    options.inspect_delete_file = [&](const std::string& path, const DeleteFile& file,
                                      int64_t row_count) {
      return in_transaction([&] { return InspectDeletePositions(context, path, file, row_count); });
    };
    std::vector<std::string> found;
    for (const auto& finding : CheckLake(*lake, options).findings) found.push_back(finding.what);
    for (const auto& finding : in_transaction([&] { return InspectInlinedRows(context, *lake); }))
      found.push_back(finding.what);
    return found;
  }

  // What the error leaves behind is no more than orphans; their removal takes them, and nothing
  // else.
  void ExpectWhole(const std::string& before) {
    EXPECT_THAT(Findings(), Each(HasSubstr("Nothing refers to the file")));
    Run("CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)");
    EXPECT_EQ(State(), before);
  }

  // Returns how many calls there were to fail.
  int64_t FailEachCall(const std::string& sql) {
    const std::string before = State();
    constexpr int64_t kMaxCalls = 500;
    for (int64_t n = 0; n < kMaxCalls; ++n) {
      for (const bool after_effect : {false, true}) {
        if (after_effect && !fault_.changes) continue;
        SCOPED_TRACE(sql + ", call " + std::to_string(n) + (after_effect ? " done" : ""));
        fault_.Arm(n, after_effect);
        auto result = client_->Query(sql);
        const bool was_hit = fault_.was_hit;
        fault_.at = -1;
        if (!result->HasError()) {
          // A fault may do no harm, as in a look whether a file is there.
          if (was_hit) ADD_FAILURE() << "the fault went unnoticed";
          EXPECT_THAT(Findings(), IsEmpty());
          return n;
        }
        EXPECT_TRUE(was_hit) << result->GetError();
        EXPECT_THAT(result->GetError(), HasSubstr("The disk does not answer"));
        EXPECT_THAT(result->GetError(), Not(HasSubstr("INTERNAL")));
        ExpectWhole(before);
        if (HasFailure()) return n;
      }
    }
    ADD_FAILURE() << "it never succeeds";
    return kMaxCalls;
  }

  std::filesystem::path folder_;
  Fault fault_;
  std::unique_ptr<duckdb::DuckDB> db_;
  std::unique_ptr<duckdb::Connection> client_;
};

TEST_F(FaultyFilesTest, StatementsThatWrite) {
  for (const std::string& sql : {
           std::string("INSERT INTO lake.t SELECT range, 'n' FROM range(100, 130)"),
           std::string("CREATE TABLE lake.made AS SELECT range AS i FROM range(30)"),
           std::string("DELETE FROM lake.t WHERE i % 7 = 3"),
           std::string("UPDATE lake.t SET s = s || 'u' WHERE i % 5 = 0"),
           std::string(
               "MERGE INTO lake.t USING (SELECT range AS i FROM range(90, 140)) AS n ON t.i = n.i "
               "WHEN MATCHED THEN UPDATE SET s = 'm' WHEN NOT MATCHED THEN INSERT VALUES (n.i, "
               "'new')"),
           "CALL ducklake_add_data_files('lake', 't', '" + Outside() + "')",
           std::string("CALL ducklake_flush_inlined_data('lake')"),
           std::string("CALL ducklake_merge_adjacent_files('lake')"),
           std::string("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)"),
       }) {
    const int64_t calls = FailEachCall(sql);
    EXPECT_GT(calls, 0) << sql;
    if (HasFailure()) return;
  }
  EXPECT_THAT(Run("SELECT count(*) FROM lake.made"), HasSubstr("30"));
}

}  // namespace
}  // namespace tarn::engine
