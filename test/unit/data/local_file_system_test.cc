// The local file system: what each kind of failure is called, and that listing stays inside its
// folder.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/error.h"
#include "tarn/file_system.h"

namespace tarn {
namespace {

namespace fs = std::filesystem;

class LocalFileSystemTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tarn_fs_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  void Write(const std::string& name, const std::string& content) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(Path(name), std::ios::binary) << content;
  }
  std::vector<std::string> ListNames(const std::string& folder) {
    std::vector<std::string> names;
    files_->List(folder, [&](const FileInfo& info) {
      names.push_back(fs::relative(info.path, folder_).string());
    });
    return names;
  }
  template <class Action>
  ErrorCode CodeOf(Action action, const std::string& named) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(named), std::string::npos) << error.message();
      return error.code();
    }
    ADD_FAILURE() << "nothing was thrown";
    return ErrorCode::kInternal;
  }

  fs::path folder_;
  std::shared_ptr<FileSystem> files_ = LocalFileSystem();
};

TEST_F(LocalFileSystemTest, RealPathsAreOneTextForAllSpellings) {
  Write("folder/file", "x");
  fs::create_directory_symlink(folder_ / "folder", folder_ / "link");
  fs::create_symlink("folder/file", folder_ / "other");
  const std::string real = fs::canonical(folder_ / "folder/file").string();
  for (const std::string& spelled :
       {Path("folder/file"), Path("folder/./file"), Path("folder//file"), Path("link/file"),
        Path("other"), Path("link/../folder/file"), "file://" + Path("folder/file"),
        fs::relative(Path("folder/file")).string()}) {
    EXPECT_EQ(files_->RealPath(spelled), real) << spelled;
  }
  EXPECT_EQ(files_->RealPath(Path("link/absent")),
            (fs::canonical(folder_ / "folder") / "absent").string());
  EXPECT_EQ(files_->RealPath("s3://bucket//key"), "s3://bucket//key");
}

TEST_F(LocalFileSystemTest, ReadsExactlyWhatIsAsked) {
  Write("a", "0123456789");
  auto file = files_->Open(Path("a"));
  EXPECT_EQ(file->size_bytes(), 10);
  EXPECT_EQ(file->ReadAt(3, 4), "3456");
  EXPECT_EQ(file->ReadAt(10, 0), "");
  for (auto [offset, length] :
       {std::pair<int64_t, int64_t>{8, 3}, {11, 0}, {-1, 2}, {0, -1}, {0, INT64_MAX}}) {
    EXPECT_EQ(CodeOf([&] { file->ReadAt(offset, length); }, Path("a")), ErrorCode::kCorrupt);
  }
}

TEST_F(LocalFileSystemTest, NamesWhatIsMissing) {
  EXPECT_FALSE(files_->Stat(Path("no")).has_value());
  EXPECT_FALSE(files_->Stat(folder_.string()).has_value()) << "a folder is no file";
  EXPECT_EQ(CodeOf([&] { files_->Open(Path("no")); }, Path("no")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf([&] { files_->Open(folder_.string()); }, folder_.string()), ErrorCode::kInvalid);
  Write("a", "x");
  EXPECT_EQ(CodeOf([&] { files_->Open(Path("a/b")); }, Path("a/b")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf([&] { files_->CreateDirectories(Path("a/b")); }, Path("a/b")),
            ErrorCode::kUnavailable);
}

TEST_F(LocalFileSystemTest, StatKnowsSizeAndTime) {
  Write("a", "four");
  std::optional<FileInfo> info = files_->Stat(Path("a"));
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->size_bytes, 4);
  auto age = std::chrono::system_clock::now() - info->modified;
  EXPECT_LT(std::chrono::abs(age), std::chrono::hours(1));
}

TEST_F(LocalFileSystemTest, RemovesOnce) {
  Write("a", "x");
  EXPECT_TRUE(files_->Remove(Path("a")));
  EXPECT_FALSE(files_->Remove(Path("a")));
}

TEST_F(LocalFileSystemTest, ALinkOutlivesItsFile) {
  Write("a", "bytes");
  Write("taken", "x");
  fs::create_symlink("a", folder_ / "way");
  files_->Link(Path("a"), Path("b"));
  files_->Link(Path("way"), Path("c"));
  files_->SyncFolder(folder_.string());
  files_->SyncFolder(Path("no folder"));
  EXPECT_TRUE(fs::equivalent(Path("a"), Path("b"))) << "no bytes were copied";
  EXPECT_FALSE(fs::is_symlink(Path("c")));
  EXPECT_EQ(CodeOf([&] { files_->Link(Path("a"), Path("taken")); }, Path("taken")),
            ErrorCode::kAlreadyExists);
  EXPECT_EQ(CodeOf([&] { files_->Link(Path("no"), Path("d")); }, Path("no")), ErrorCode::kNotFound);
  EXPECT_TRUE(files_->Remove(Path("a")));
  for (const char* name : {"b", "c"}) EXPECT_EQ(files_->Open(Path(name))->ReadAt(0, 5), "bytes");
}

TEST_F(LocalFileSystemTest, ALinkIsAsYoungAsACopy) {
  Write("a", "bytes");
  fs::last_write_time(Path("a"), fs::file_time_type::clock::now() - std::chrono::hours(24 * 30));
  files_->Link(Path("a"), Path("b"));
  EXPECT_GT(files_->Stat(Path("b"))->modified,
            std::chrono::system_clock::now() - std::chrono::hours(1));
}

TEST_F(LocalFileSystemTest, WhatCannotBeLinkedIsCopied) {
  // Another file system than the folder's, where there is one.
  if (!fs::is_regular_file("/proc/self/status")) GTEST_SKIP() << "there is no /proc";
  files_->Link("/proc/self/status", Path("copy"));
  EXPECT_EQ(files_->Open(Path("copy"))->ReadAt(0, 5), "Name:");
  Write("taken", "x");
  EXPECT_EQ(CodeOf([&] { files_->Link("/proc/self/status", Path("taken")); }, Path("taken")),
            ErrorCode::kAlreadyExists);
}

TEST_F(LocalFileSystemTest, ListsAllDepthsButFollowsNoLinks) {
  Write("lake/a", "x");
  Write("lake/k=1/j=2/b", "xy");
  Write("outside/secret", "z");
  fs::create_directory_symlink(folder_ / "outside", folder_ / "lake" / "way_out");
  fs::create_symlink(folder_ / "outside" / "secret", folder_ / "lake" / "link");
  EXPECT_THAT(ListNames(Path("lake")), testing::UnorderedElementsAre("lake/a", "lake/k=1/j=2/b"));
  EXPECT_TRUE(ListNames(Path("absent")).empty());
}

TEST_F(LocalFileSystemTest, ANewFileIsThereWhenItIsFinished) {
  {
    const auto file = files_->Create(Path("a"));
    file->Append("one ");
    EXPECT_FALSE(fs::exists(Path("a")));
    EXPECT_EQ(CodeOf([&] { files_->Create(Path("a")); }, "another process"),
              ErrorCode::kUnavailable);
    file->Append("two");
    file->Finish();
  }
  EXPECT_EQ(files_->Open(Path("a"))->ReadAt(0, 7), "one two");
  EXPECT_THAT(ListNames(folder_), testing::ElementsAre("a"));
  { files_->Create(Path("b"))->Append("half"); }
  EXPECT_THAT(ListNames(folder_), testing::ElementsAre("a"));
  EXPECT_EQ(CodeOf([&] { files_->Create(Path("absent/c")); }, "absent/c"), ErrorCode::kNotFound);
}

TEST_F(LocalFileSystemTest, HalfAFileIsWrittenOver) {
  Write("a.unfinished", "what a killed process left");
  const auto file = files_->Create(Path("a"));
  file->Append("new");
  file->Finish();
  EXPECT_EQ(files_->Open(Path("a"))->size_bytes(), 3);
}

}  // namespace
}  // namespace tarn
