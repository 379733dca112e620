#include "format/paths.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

constexpr const char* kUuid = "01a22a24-d14e-738b-bb26-a2e51c0c9e66";

TEST(Paths, PlainNamesAreTheirOwnFolders) {
  EXPECT_EQ(FolderFor("main", kUuid), "main/");
  EXPECT_EQ(FolderFor("Ab_-9", kUuid), "Ab_-9/");
  EXPECT_EQ(FolderFor("9", kUuid), "9/");
  for (const char* name : {"a.b", "a b", "\xC3\xBC", "a/b", "..", ""}) {
    EXPECT_EQ(FolderFor(name, kUuid), std::string(kUuid) + "/") << name;
  }
  EXPECT_EQ(FolderFor(std::string(255, 'n'), kUuid), std::string(255, 'n') + "/");
  EXPECT_EQ(FolderFor(std::string(256, 'n'), kUuid),
            std::string(kUuid) + "/");  // longer than file systems take
}

TEST(Paths, JoinFollowsTheRelativeFlag) {
  EXPECT_EQ(JoinPath("data/", "main/", true), "data/main/");
  EXPECT_EQ(JoinPath("data", "main/", true), "data/main/");
  EXPECT_EQ(JoinPath("s3://b/x/", "f.parquet", true), "s3://b/x/f.parquet");
  EXPECT_EQ(JoinPath("data/", "/else/f.parquet", false), "/else/f.parquet");
  EXPECT_EQ(JoinPath("data/", "else/f.parquet", false), "else/f.parquet");
  EXPECT_EQ(JoinPath("", "main/", true), "main/");
  EXPECT_EQ(WithTrailingSlash("a"), "a/");
  EXPECT_EQ(WithTrailingSlash("a/"), "a/");
  EXPECT_EQ(WithTrailingSlash(""), "");
}

TEST(Paths, Absolute) {
  for (const char* path :
       {"/a", "C:\\a", "c:/a", "s3://b/a", "file:/a", "FILE:///a", "gcs+x://b"}) {
    EXPECT_TRUE(IsAbsolutePath(path)) << path;
  }
  for (const char* path : {"", "a", "./a", "a/b://c", "c:a", "://x"})
    EXPECT_FALSE(IsAbsolutePath(path)) << path;
}

TEST(Paths, NormalFormIsOneForAllSpellings) {
  for (const char* path : {"/a/b", "/a//b", "/a/./b", "/a/b/", "/a/x/../b", "file:///a/b",
                           "file:/a/b", "FILE://localhost/a/b", "/../a/b", "/a/b/."}) {
    EXPECT_EQ(NormalPath(path), "/a/b") << path;
  }
  for (const char* path : {"a", "./a", "a/", ".//a", "b/../a"})
    EXPECT_EQ(NormalPath(path), "a") << path;
  EXPECT_EQ(NormalPath("../a"), "../a");
  EXPECT_EQ(NormalPath("../../a"), "../../a");
  EXPECT_EQ(NormalPath("a/../../b"), "../b");
  EXPECT_EQ(NormalPath("."), "");
  EXPECT_EQ(NormalPath("/"), "/");
  EXPECT_EQ(NormalPath("a/year=2025/b%20c"), "a/year=2025/b%20c");
}

TEST(Paths, RemotePathsStayAsTheyAre) {
  EXPECT_EQ(NormalPath("s3://bucket/a//b/../c"), "s3://bucket/a//b/../c");
  EXPECT_NE(NormalPath("s3://bucket/a"), NormalPath("/bucket/a"));
}

TEST(Paths, RelativeTo) {
  EXPECT_EQ(RelativeTo("/data/", "/data/main/t/f.parquet"), "main/t/f.parquet");
  EXPECT_EQ(RelativeTo("/data", "/data//main/./f"), "main/f");
  EXPECT_EQ(RelativeTo("data/", "./data/f"), "f");
  EXPECT_EQ(RelativeTo("s3://b/x/", "s3://b/x/f"), "f");
  EXPECT_EQ(RelativeTo(".", "f"), "f");
  EXPECT_EQ(RelativeTo("/data", "/database/f"), std::nullopt);
  EXPECT_EQ(RelativeTo("/data", "/data"), std::nullopt);
  EXPECT_EQ(RelativeTo("/data", "/data/../f"), std::nullopt);
  EXPECT_EQ(RelativeTo(".", "../f"), std::nullopt);
  EXPECT_EQ(RelativeTo(".", "/f"), std::nullopt);
  EXPECT_EQ(RelativeTo("..", "../../f"), std::nullopt);
}

TEST(Paths, HiveFoldersAreEscaped) {
  EXPECT_EQ(HiveFolder("year", "2025"), "year=2025/");
  EXPECT_EQ(HiveFolder("v", "a b/c=d%"), "v=a%20b%2Fc%3Dd%25/");
  EXPECT_EQ(HiveFolder("a b", "1"), "a%20b=1/");
  EXPECT_EQ(HiveFolder("x/y=z", "2"), "x%2Fy%3Dz=2/");
  EXPECT_EQ(HiveFolder("v", ""), "v=/");
  EXPECT_EQ(HiveFolder("v", std::nullopt), "v=__HIVE_DEFAULT_PARTITION__/");
}

TEST(Paths, FileNamesAreKnownAgain) {
  EXPECT_EQ(DataFileName(kUuid).substr(0, 37), (std::string("ducklake-") + kUuid).substr(0, 37));
  EXPECT_EQ(DataFileName(kUuid).size(), (std::string("ducklake-") + kUuid + ".parquet").size());
  EXPECT_EQ(DeleteFileName(kUuid, false), std::string("ducklake-") + kUuid + "-delete.parquet");
  EXPECT_EQ(DeleteFileName(kUuid, true), std::string("ducklake-") + kUuid + "-delete.puffin");
  for (const std::string& name :
       {DataFileName(kUuid), DeleteFileName(kUuid, false), DeleteFileName(kUuid, true)}) {
    EXPECT_TRUE(IsLakeFileName(name)) << name;
    EXPECT_TRUE(IsLakeFileName("s3://b/main/t/year=1/" + name)) << name;
    EXPECT_FALSE(IsLakeFileName("x" + name)) << name;
    EXPECT_FALSE(IsLakeFileName(name + ".tmp")) << name;
  }
  EXPECT_FALSE(IsLakeFileName("ducklake-.parquet"));
  EXPECT_FALSE(IsLakeFileName("ducklake-2025.parquet"));
  EXPECT_FALSE(IsLakeFileName("catalog.sqlite"));
  EXPECT_FALSE(IsLakeFileName(DataFileName(kUuid) + "/"));
}

TEST(Paths, OwnFilesAreToldFromOthers) {
  const std::string own = DataFileName(kUuid);
  EXPECT_TRUE(IsOwnFileName(own));
  EXPECT_TRUE(IsOwnFileName("year=1/" + own));
  EXPECT_FALSE(IsOwnFileName(own + "x"));
  EXPECT_FALSE(IsOwnFileName(std::string("ducklake-") + kUuid + ".parquet"));
  EXPECT_FALSE(IsOwnFileName(DeleteFileName(kUuid, false)));
  for (size_t i = 9; i < 45; ++i) {
    std::string other = own;
    if (other[i] == '-') continue;
    other[i] = other[i] == '0' ? '1' : '0';
    EXPECT_FALSE(IsOwnFileName(other)) << other;
  }
  EXPECT_FALSE(IsOwnFileName(""));
  EXPECT_FALSE(IsOwnFileName("ducklake-.parquet"));
}

}  // namespace
}  // namespace tarn
