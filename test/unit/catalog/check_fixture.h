// A sound lake, row by row, that tests damage: for what checks and repairs lakes.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "catalog/check.h"
#include "tarn/error.h"
#include "unit/catalog/catalog_fixture.h"

namespace tarn::test {

/// Files that exist only by their sizes.
class SizesOnly final : public FileSystem {
 public:
  std::map<std::string, int64_t> sizes;
  std::optional<FileInfo> Stat(const std::string& path) override {
    auto found = sizes.find(path);
    return found == sizes.end() ? std::nullopt : std::optional(FileInfo{path, found->second, {}});
  }
  std::unique_ptr<RandomAccessFile> Open(const std::string& path) override {
    throw Error(ErrorCode::kUnavailable, "cannot open " + path);
  }
  void CreateDirectories(const std::string&) override {}
  bool Remove(const std::string&) override { return false; }
  void List(const std::string& folder, const std::function<void(const FileInfo&)>& visit) override {
    for (const auto& [path, size] : sizes) {
      if (path.starts_with(folder)) visit({path, size, {}});
    }
  }
};

class CheckTest : public CatalogFixture {
 protected:
  // Schema main with table t (id 1) of two columns; data files 10 (5 rows), 11 (7 rows, deletes in
  // file 20) and inlined rows.
  void SetUp() override {
    CatalogFixture::SetUp();
    Write([this] { Fill(); });
  }
  void Fill() {
    for (auto [key, value] :
         {std::pair{"version", "1.0"}, {"data_path", "data/"}, {"encrypted", "false"}}) {
      Add("ducklake_metadata", {{"key", T(key)}, {"value", T(value)}});
    }
    for (int64_t id = 0; id <= 5; ++id) {
      AddSnapshot(id, id == 0 ? 0 : 1);
      Add("ducklake_snapshot_changes", {{"snapshot_id", I(id)},
                                        {"changes_made", T(id == 1 ? "created_table:\"main\".\"t\""
                                                                   : "inserted_into_table:1")}});
    }
    Add("ducklake_schema", {{"schema_id", I(0)},
                            {"begin_snapshot", I(0)},
                            {"schema_name", T("main")},
                            {"path", T("main/")},
                            {"path_is_relative", true}});
    AddTableRow(1, "t");
    AddColumn(1, 1, "a", "int64", 1);
    AddColumn(1, 2, "s", "struct", 1);
    AddColumn(1, 3, "x", "varchar", 1, {}, {{"parent_column", I(2)}});
    Add("ducklake_schema_versions",
        {{"begin_snapshot", I(1)}, {"schema_version", I(1)}, {"table_id", I(1)}});
    AddDataFile(10, 5, 0);
    AddDataFile(11, 7, 5);
    AddDeleteFile(20, 1, 11, 3, 2);
    AddFileStats(10, 1, 1, T("1"), T("5"), 5);
    AddFileStats(11, 1, 1, T("6"), T("10"), 6, 1);
    AddFileStats(11, 1, 3, T("p"), T("q"), 6, 1);
    Add("ducklake_table_stats", {{"table_id", I(1)},
                                 {"record_count", I(14)},
                                 {"next_row_id", I(14)},
                                 {"file_size_bytes", I(2021)}});
    Add("ducklake_table_column_stats", {{"table_id", I(1)},
                                        {"column_id", I(1)},
                                        {"contains_null", true},
                                        {"min_value", T("1")},
                                        {"max_value", T("10")}});
    Add("ducklake_inlined_data_tables", {{"table_id", I(1)},
                                         {"table_name", T("ducklake_inlined_data_1_1")},
                                         {"schema_version", I(1)}});
    Sql("CREATE TABLE ducklake_inlined_data_1_1 (row_id BIGINT, begin_snapshot BIGINT, "
        "end_snapshot BIGINT, a BIGINT, s VARCHAR)");
    Sql("INSERT INTO ducklake_inlined_data_1_1 VALUES (12, 4, NULL, 3, NULL), (13, 4, 5, 4, NULL)");
    Sql("CREATE TABLE ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, begin_snapshot "
        "BIGINT)");
    Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (10, 4, 4)");
    files_.sizes["data/main/t/d20.parquet"] = 10;
  }

  void AddTableRow(int64_t id, const std::string& name, int64_t begin = 1, Value end = {},
                   int64_t schema = 0) {
    Add("ducklake_table", {{"table_id", I(id)},
                           {"begin_snapshot", I(begin)},
                           {"end_snapshot", end},
                           {"schema_id", I(schema)},
                           {"table_name", T(name)},
                           {"path", T(name + "/")},
                           {"path_is_relative", true}});
  }
  void AddDataFile(int64_t id, int64_t rows, int64_t row_id_start, Fields more = {}) {
    more.insert({"row_id_start", I(row_id_start)});
    AddFile(id, 1, 2, rows, more);
    files_.sizes["data/main/t/f" + std::to_string(id) + ".parquet"] = 1000 + id;
  }

  CheckReport Check(CheckOptions options = {}) {
    return CheckCatalog(*connection_, "data/", files_, options);
  }

  /// Expects exactly these errors; what is merely worth knowing may come besides.
  void ExpectErrors(const std::vector<std::string>& parts) {
    CheckReport report = Check();
    EXPECT_FALSE(report.clean());
    std::vector<std::string> errors;
    for (const CheckFinding& finding : report.findings) {
      if (finding.is_error) errors.push_back(finding.what);
    }
    std::vector<testing::Matcher<std::string>> matchers;
    for (const std::string& part : parts) matchers.push_back(testing::HasSubstr(part));
    EXPECT_THAT(errors, testing::UnorderedElementsAreArray(matchers));
  }

  SizesOnly files_;
};

/// With real files: another table, n, in the shape of nested.parquet, with that file.
class DeepCheckTest : public CheckTest {
 protected:
  void SetUp() override {
    CheckTest::SetUp();
    Write([this] { Refill(); });
  }
  void Refill() {
    Sql("DELETE FROM ducklake_data_file");
    Sql("DELETE FROM ducklake_delete_file");
    Sql("DELETE FROM ducklake_file_column_stats");
    Sql("DELETE FROM ducklake_inlined_delete_1");
    Sql("DELETE FROM ducklake_column");
    const std::vector<std::tuple<int64_t, const char*, const char*, int64_t>> columns = {
        {1, "a", "int32", 0},   {2, "s", "struct", 0},    {3, "x", "int64", 2},
        {4, "y", "varchar", 2}, {5, "l", "list", 0},      {6, "element", "int32", 5},
        {7, "m", "map", 0},     {8, "key", "varchar", 7}, {9, "value", "float64", 7}};
    for (auto [id, name, type, parent] : columns) {
      AddColumn(1, id, name, type, 1, {},
                parent == 0 ? Fields{} : Fields{{"parent_column", I(parent)}});
    }
    std::filesystem::create_directories(folder_ / "main" / "t");
    std::filesystem::copy_file(TARN_TEST_FILES "nested.parquet",
                               folder_ / "main" / "t" / "n.parquet");
    auto size =
        static_cast<int64_t>(std::filesystem::file_size(folder_ / "main" / "t" / "n.parquet"));
    footer_size_ = ReadFooterSize();
    AddFile(10, 1, 2, 5000,
            {{"path", T("n.parquet")},
             {"file_size_bytes", I(size)},
             {"footer_size", I(footer_size_)},
             {"row_id_start", I(0)}});
    AddFileStats(10, 1, 1, T("0"), T("99"), 5000);
    AddFileStats(10, 1, 3, T("0"), T("49"), 4500, 500);
    Sql("DROP TABLE ducklake_inlined_data_1_1");
    Sql("DELETE FROM ducklake_inlined_data_tables");
    Sql("UPDATE ducklake_table_stats SET next_row_id = 5000");
    Sql("DELETE FROM ducklake_table_column_stats");
  }
  int64_t ReadFooterSize() {
    std::ifstream in(TARN_TEST_FILES "nested.parquet", std::ios::binary);
    in.seekg(-8, std::ios::end);
    uint32_t size = 0;
    in.read(reinterpret_cast<char*>(&size), 4);
    return size;
  }
  CheckReport DeepCheck(CheckOptions options = {}) {
    options.deep = true;
    return CheckCatalog(*connection_, folder_.string() + "/", *LocalFileSystem(), options);
  }
  void ExpectDeepError(const std::string& part) {
    CheckReport report = DeepCheck();
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_THAT(report.findings[0].what,
                testing::AllOf(testing::HasSubstr("Data file 10 (\"n.parquet\")"),
                               testing::HasSubstr(part)));
  }

  int64_t footer_size_ = 0;
};

}  // namespace tarn::test
