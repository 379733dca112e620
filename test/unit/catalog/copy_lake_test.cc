// Copies of lakes: the same rows in another catalog, the same files in another folder, and nothing
// half-done whatever fails on the way.
#include "tarn/copy_lake.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "format/tables.h"
#include "gmock/gmock.h"
#include "tarn/check.h"
#include "tarn/maintenance.h"
#include "unit/catalog/fake_staged_rows.h"
#include "unit/catalog/faulty_file_system.h"
#include "unit/catalog/faulty_store.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CopyLakeTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Run(*lake_, [](Transaction& transaction) {
      AddTable(transaction, "t");
      transaction.SetInliningDefault(10);
    });
    Run(*lake_, [&](Transaction& transaction) {
      Insert(transaction, "t", {File("data/main/t/a.parquet"), File("data/main/t/b.parquet")});
    });
    Run(*lake_, [](Transaction& transaction) {
      const auto table = transaction.view()->FindTable("main", "t");
      transaction.StageRows(table->ref,
                            std::make_shared<FakeStagedRows>(table, std::vector<int64_t>{1, 2, 3}));
      transaction.SetInliningDefault(10);
    });
    Run(*lake_, [](Transaction& transaction) {
      const auto table = transaction.view()->FindTable("main", "t");
      RowRemoval rows;
      rows.files.push_back({DataFileId(0), {}, {1, 2}});
      rows.inlined.push_back({"ducklake_inlined_data_1_1", {21}});
      transaction.DeleteRows(table->ref, rows);
      transaction.SetInliningDefault(10);
    });
  }

  /// A file on disk and what a table says of it; below the table's folder if it is there.
  DataFile File(const std::string& path, bool is_relative = true) const {
    fs::create_directories(fs::path(Path(path)).parent_path());
    std::ofstream(Path(path)) << path;
    DataFile file = MakeFile(is_relative ? fs::path(path).filename().string() : Path(path), 10);
    file.path_is_relative = is_relative;
    file.file_size_bytes = static_cast<int64_t>(path.size());
    return file;
  }

  CopyReport Copy(CopyOptions options = {}, const std::string& file = "copy.db") {
    const auto target = OpenCatalogStore("sqlite", StoreOptionsFor(file));
    return CopyLake(*lake_, *target, options);
  }
  CopyOptions WithData(const std::string& folder = "new") const {
    CopyOptions options;
    options.data_path = Path(folder);
    return options;
  }

  /// Every table of a catalog with all its rows.
  std::vector<std::string> Everything(const std::string& file) const {
    std::vector<std::string> all;
    for (const std::string& table :
         Query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", file)) {
      std::vector<std::string> rows = Query("SELECT * FROM " + table, file);
      std::sort(rows.begin(), rows.end());
      for (const std::string& row : rows) all.push_back(table + ": " + row);
    }
    return all;
  }
  std::shared_ptr<Lake> OpenCopy(const std::string& data = "new") {
    LakeOptions options = Options("copy.db");
    options.data_path = Path(data);
    options.create_if_absent = false;
    return Lake::Open(options);
  }
  std::vector<std::string> FilesBelow(const std::string& folder) const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(Path(folder))) {
      if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), Path(folder)));
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  std::shared_ptr<Lake> lake_;
};

TEST_F(CopyLakeTest, ACopyHasTheSameRowsInEachTable) {
  const CopyReport report = Copy();
  EXPECT_EQ(Everything("copy.db"), Everything("lake.db"));
  EXPECT_EQ(report.snapshots, 5);
  EXPECT_EQ(report.tables, 1);
  EXPECT_EQ(report.inlined_rows, 5);  // three rows, and two deletes of a file
  EXPECT_EQ(report.files, 2);
  EXPECT_EQ(report.shared_files, 2);
  EXPECT_EQ(report.copied_files, 0);
  EXPECT_TRUE(CheckLake(*OpenCopy("data"), {}).clean());
}

TEST_F(CopyLakeTest, ACopyGoesItsOwnWay) {
  Copy(WithData());
  const auto before = Everything("lake.db");
  Run(*OpenCopy(), [&](Transaction& transaction) { AddTable(transaction, "u"); });
  EXPECT_EQ(Everything("lake.db"), before);
  EXPECT_TRUE(CheckLake(*OpenCopy(), {}).clean());
}

TEST_F(CopyLakeTest, FilesKeepTheirPlaces) {
  const CopyReport report = Copy(WithData());
  EXPECT_EQ(report.copied_files, 2);
  EXPECT_EQ(report.shared_files, 0);
  EXPECT_EQ(report.data_path, Path("new") + "/");
  EXPECT_THAT(FilesBelow("new"), ElementsAre("main/t/a.parquet", "main/t/b.parquet"));
  EXPECT_THAT(Query("SELECT value FROM ducklake_metadata WHERE key = 'data_path'", "copy.db"),
              ElementsAre(Path("new") + "/"));
  fs::remove_all(Path("data"));
  EXPECT_TRUE(CheckLake(*OpenCopy(), {}).clean());
}

TEST_F(CopyLakeTest, AbsolutePathsBelowTheDataPathMoveAndOthersStay) {
  Run(*lake_, [&](Transaction& transaction) {
    Insert(transaction, "t",
           {File("data/added/c.parquet", false), File("elsewhere/d.parquet", false)});
  });
  EXPECT_EQ(Copy(WithData()).shared_files, 1);
  EXPECT_THAT(Query("SELECT path, path_is_relative FROM ducklake_data_file ORDER BY data_file_id",
                    "copy.db"),
              ElementsAre("a.parquet|1", "b.parquet|1", Path("new/added/c.parquet") + "|0",
                          Path("elsewhere/d.parquet") + "|0"));
  EXPECT_THAT(FilesBelow("new"),
              ElementsAre("added/c.parquet", "main/t/a.parquet", "main/t/b.parquet"));
}

TEST_F(CopyLakeTest, ADryRunTellsAndDoesNothing) {
  CopyOptions options = WithData();
  options.dry_run = true;
  const CopyReport report = Copy(options);
  EXPECT_EQ(report.files, 2);
  EXPECT_EQ(report.copied_files, 0);
  EXPECT_FALSE(fs::exists(Path("copy.db")));
  EXPECT_FALSE(fs::exists(Path("new")));
}

TEST_F(CopyLakeTest, ALakeIsNeverWrittenOver) {
  Copy();
  const auto before = Everything("copy.db");
  EXPECT_THAT(ErrorOf(ErrorCode::kAlreadyExists, [&] { Copy(); }), HasSubstr("There is a lake at"));
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { CopyLake(*lake_, lake_->store(), {}); }),
              HasSubstr("cannot be copied to itself"));
  EXPECT_EQ(Everything("copy.db"), before);
}

TEST_F(CopyLakeTest, AForeignTableIsNamed) {
  const auto other = OpenCatalogStore("sqlite", StoreOptionsFor("copy.db"));
  other->Connect()->Execute({"CREATE TABLE ducklake_tag (i BIGINT)", {}});
  EXPECT_THAT(ErrorOf(ErrorCode::kAlreadyExists, [&] { Copy(); }), HasSubstr("\"ducklake_tag\""));
}

TEST_F(CopyLakeTest, ADataPathMustBeApartAndEmpty) {
  for (const char* folder : {"data", "data/below", "."}) {
    EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Copy(WithData(folder)); }),
                HasSubstr("one folder lies in the other"));
  }
  fs::create_directory_symlink(Path("data"), Path("link"));
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Copy(WithData("link/below")); }),
              HasSubstr("one folder lies in the other"));
  File("full/x.txt");
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Copy(WithData("full")); }),
              HasSubstr("is not empty"));
  EXPECT_FALSE(fs::exists(Path("copy.db")));
}

TEST_F(CopyLakeTest, AMissingOrCutFileIsNamed) {
  std::ofstream(Path("data/main/t/b.parquet")) << "cut";
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Copy(WithData()); }),
              HasSubstr("b.parquet\" has 3 bytes instead of 21"));
  fs::remove(Path("data/main/t/b.parquet"));
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Copy(WithData()); }),
              HasSubstr("b.parquet\" is missing"));
  // It goes on when the reason is gone.
  File("data/main/t/b.parquet");
  EXPECT_EQ(Copy(WithData()).copied_files, 1);
  EXPECT_TRUE(CheckLake(*OpenCopy(), {}).clean());
}

TEST_F(CopyLakeTest, APathThatLeadsOutIsNoPlaceToWriteTo) {
  File("outside.parquet");
  lake_->store().Connect()->Execute(
      {"UPDATE ducklake_data_file SET path = '../../../outside.parquet' WHERE data_file_id = 1",
       {}});
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Copy(WithData("deep/new")); }),
              HasSubstr("leads out of the data path"));
  EXPECT_FALSE(fs::exists(Path("deep/outside.parquet")));
}

TEST_F(CopyLakeTest, WhatOneCopyBeganNoOtherGoesOnWith) {
  fs::remove(Path("data/main/t/b.parquet"));
  ErrorOf(ErrorCode::kCorrupt, [&] { Copy(WithData()); });
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Copy(WithData(), "other.db"); }),
              HasSubstr("holds the beginning of another copy"));
}

TEST_F(CopyLakeTest, HalvesOfFilesGo) {
  fs::remove(Path("data/main/t/b.parquet"));
  ErrorOf(ErrorCode::kCorrupt, [&] { Copy(WithData()); });
  File("new/main/t/gone.parquet.unfinished");
  File("new/main/t/b.parquet.unfinished");
  File("data/main/t/b.parquet");
  Copy(WithData());
  EXPECT_THAT(FilesBelow("new"), ElementsAre("main/t/a.parquet", "main/t/b.parquet"));
}

TEST_F(CopyLakeTest, OthersMayChangeTheLakeMeanwhile) {
  // The first file is being copied when somebody drops the table, expires all, removes its files,
  // and makes another table.
  CopyOptions options = WithData();
  bool is_done = false;
  options.progress = [&](double) {
    if (std::exchange(is_done, true)) return;
    const auto other = OpenLake();
    Run(*other, [](Transaction& transaction) {
      transaction.DropTable(transaction.view()->FindTable("main", "t")->ref);
    });
    Run(*other, [&](Transaction& transaction) {
      AddTable(transaction, "u");
      Insert(transaction, "u", {File("data/main/u/e.parquet")});
    });
    Run(*other, [](Transaction& transaction) {
      transaction.ExpireSnapshots({.versions = {}, .older_than = Timestamp::max()}, false);
    });
    CleanUpOldFiles(*other, {});
  };
  Copy(options);
  EXPECT_EQ(Query("SELECT path FROM ducklake_data_file", "copy.db"),
            std::vector<std::string>{"e.parquet"});
  EXPECT_THAT(FilesBelow("new"), testing::Contains("main/u/e.parquet"));
  EXPECT_THAT(Query("SELECT snapshot_id FROM ducklake_snapshot", "copy.db"),
              Query("SELECT snapshot_id FROM ducklake_snapshot"));
  const CheckReport report = CheckLake(*OpenCopy(), {});
  EXPECT_THAT(report.findings, testing::Each(testing::Field(&CheckFinding::is_error, false)));
}

TEST_F(CopyLakeTest, ACancelledCopyGoesOn) {
  CopyOptions options = WithData();
  int calls = 0;
  options.interrupted = [&] { return ++calls > 8; };
  ErrorOf(ErrorCode::kInterrupted, [&] { Copy(options); });
  Copy(WithData());
  EXPECT_TRUE(CheckLake(*OpenCopy(), {}).clean());
}

TEST_F(CopyLakeTest, EachFolderIsSyncedOnceAtTheEnd) {
  Run(*lake_, [&](Transaction& transaction) {
    DataFile file = File("data/main/t/p=1/c.parquet");
    file.path = "p=1/c.parquet";
    Insert(transaction, "t", {file});
  });
  const auto files =
      std::make_shared<FaultyFileSystem>(LocalFileSystem(), std::make_shared<Fault>());
  LakeOptions options = Options();
  options.file_system = files;
  const auto copy = [&] {
    files->synced_folders.clear();
    CopyLake(*Lake::Open(options), *OpenCatalogStore("sqlite", StoreOptionsFor("copy.db")),
             WithData());
  };
  // A copy that dies with its files written has synced none of their folders: the next one does.
  CopyOptions dying = WithData();
  int64_t steps = 0;
  dying.interrupted = [&] { return ++steps > 12; };
  ErrorOf(ErrorCode::kInterrupted, [&] { Copy(dying); });
  EXPECT_THAT(FilesBelow("new"), testing::Contains("main/t/a.parquet"));
  copy();
  const std::vector<std::string> folders = {Path("new/"), Path("new/main/"), Path("new/main/t/"),
                                            Path("new/main/t/p=1/")};
  EXPECT_THAT(files->synced_folders, testing::ElementsAreArray(folders));
}

TEST_F(CopyLakeTest, AFileThatTwoRowsNameIsCopiedOnce) {
  lake_->store().Connect()->Execute(
      {"UPDATE ducklake_data_file SET path = 'a.parquet' WHERE data_file_id = 1", {}});
  EXPECT_EQ(Copy(WithData()).copied_files, 1);
  EXPECT_THAT(FilesBelow("new"), ElementsAre("main/t/a.parquet"));
}

TEST_F(CopyLakeTest, AFaultAnywhereLeavesNoLakeOrAWholeOne) {
  const auto expected = [&] {
    Copy(WithData("expected"), "expected.db");
    return Query("SELECT * FROM ducklake_data_file", "expected.db").size();
  }();
  for (const bool of_files : {false, true}) {
    for (const bool after : {false, true}) {
      for (int64_t at = 0;; ++at) {
        const std::string name =
            "f" + std::to_string(of_files) + std::to_string(after) + std::to_string(at);
        auto fault = std::make_shared<Fault>();
        fault->at = at;
        fault->after_effect = after;
        LakeOptions source = Options();
        source.file_system = LocalFileSystem();
        auto inner = OpenCatalogStore("sqlite", StoreOptionsFor(name + ".db"));
        std::shared_ptr<CatalogStore> target = inner;
        if (of_files) {
          source.file_system = std::make_shared<FaultyFileSystem>(source.file_system, fault);
        } else {
          target = std::make_shared<FaultyStore>(inner, fault);
        }
        const auto lake = Lake::Open(source);
        bool failed = false;
        try {
          CopyLake(*lake, *target, WithData(name));
        } catch (const Error&) {
          failed = true;
        }
        if (failed && !inner->Connect()->TableExists("ducklake_metadata"))
          CopyLake(*lake_, *inner, WithData(name));
        EXPECT_EQ(Query("SELECT * FROM ducklake_data_file", name + ".db").size(), expected)
            << fault->where;
        LakeOptions copied = Options(name + ".db");
        copied.data_path = Path(name);
        EXPECT_TRUE(CheckLake(*Lake::Open(copied), {}).clean()) << fault->where;
        if (!fault->hit) break;
      }
    }
  }
}

}  // namespace
}  // namespace tarn::test
