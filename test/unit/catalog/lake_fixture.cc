#include "unit/catalog/lake_fixture.h"

#include <sqlite3.h>

#include <atomic>
#include <cstdlib>

#include "store/sqlite/sqlite_driver.h"

namespace tarn::test {

Environment RepeatableEnvironment() {
  auto seconds = std::make_shared<std::atomic<int64_t>>(0);
  auto number = std::make_shared<std::atomic<uint64_t>>(1);
  Environment environment;
  environment.now = [seconds] {
    return Timestamp(std::chrono::seconds(1'769'860'800 + (*seconds)++));
  };
  environment.random = [number] { return (*number)++ * 0x9E3779B97F4A7C15u; };
  environment.sleep = [](int64_t) {};
  return environment;
}

Column MakeColumn(std::string name, std::string type, std::vector<Column> children) {
  Column column;
  column.name = std::move(name);
  column.type = std::move(type);
  column.children = std::move(children);
  return column;
}

DataFile MakeFile(std::string path, int64_t rows, std::vector<ColumnStats> stats) {
  DataFile file;
  file.path = std::move(path);
  file.record_count = rows;
  file.file_size_bytes = 100 * rows;
  file.footer_size = 50;
  file.stats = std::move(stats);
  return file;
}

ColumnStats MakeStats(int64_t field, int64_t values, int64_t nulls, std::optional<std::string> min,
                      std::optional<std::string> max) {
  ColumnStats stats;
  stats.field = FieldId(field);
  stats.column_size_bytes = 10;
  stats.value_count = values;
  stats.null_count = nulls;
  stats.min_value = std::move(min);
  stats.max_value = std::move(max);
  return stats;
}

std::string ErrorOf(ErrorCode code, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(ErrorCodeName(error.code()), std::string(ErrorCodeName(code))) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "no error of code " << ErrorCodeName(code);
  return "";
}

LakeTest::LakeTest() {
  RegisterSqliteDriver();
  std::string pattern = (std::filesystem::temp_directory_path() / "tarn-lake-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
}

LakeTest::~LakeTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

StoreOptions LakeTest::StoreOptionsFor(const std::string& file) const {
  StoreOptions options;
  options.location = Path(file);
  return options;
}

LakeOptions LakeTest::Options(const std::string& file) {
  LakeOptions options;
  options.store = OpenCatalogStore("sqlite", StoreOptionsFor(file));
  options.data_path = Path("data");
  options.environment = RepeatableEnvironment();
  return options;
}

std::optional<SnapshotId> LakeTest::Run(Lake& lake, const std::function<void(Transaction&)>& work) {
  auto transaction = lake.Begin();
  work(*transaction);
  return transaction->Commit();
}

std::shared_ptr<const Table> LakeTest::AddTable(Transaction& transaction, const std::string& name,
                                                const std::string& schema) {
  return transaction.CreateTable(
      {schema, name, {MakeColumn("i", "int32"), MakeColumn("v", "varchar")}});
}

void LakeTest::Insert(Transaction& transaction, const std::string& table,
                      std::vector<DataFile> files, const std::string& schema) {
  auto found = transaction.view()->FindTable(schema, table);
  ASSERT_NE(found, nullptr);
  transaction.AddDataFiles(found->ref, std::move(files));
}

std::vector<std::string> LakeTest::Query(const std::string& sql, const std::string& file) const {
  sqlite3* db = nullptr;
  sqlite3_open_v2(Path(file).c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  std::vector<std::string> lines;
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::string line;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const unsigned char* text = sqlite3_column_text(statement, i);
      if (i > 0) line += "|";
      line += text == nullptr ? "-" : reinterpret_cast<const char*>(text);
    }
    lines.push_back(std::move(line));
  }
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return lines;
}

}  // namespace tarn::test
