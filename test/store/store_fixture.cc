#include "store/store_fixture.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>

namespace tarn::test {

std::string KindName(const testing::TestParamInfo<StoreKind>& info) { return info.param.name; }

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tarn-store-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(path_, ignored);
}

StoreTest::StoreTest() {
  if (is_file()) return;
  static int count = 0;
  schema_ = "store_test_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
  Open()->CreateSchemaIfAbsent();
}

StoreTest::~StoreTest() {
  if (is_file()) return;
  try {
    const auto connection = Open()->Connect();
    connection->Execute(
        {"DROP SCHEMA IF EXISTS " + connection->dialect().Quote(schema_) + " CASCADE", {}});
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

StoreOptions StoreTest::Options() const {
  StoreOptions options;
  options.location = is_file() ? file() : GetParam().server;
  options.schema = schema_;
  options.parameters = GetParam().parameters;
  return options;
}

void BeginNow(StoreConnection& connection, TransactionMode mode) {
  connection.Begin(mode);
  connection.Query({"SELECT 1", {}})->Next();
}

void CreateNamedTable(StoreConnection& connection, std::string_view table) {
  StatementBuilder sql(connection.dialect(), "CREATE TABLE ");
  sql.Table(table).Text(" (id BIGINT PRIMARY KEY, name " +
                        connection.dialect().TypeName(StoreType::kVarchar) + ")");
  connection.Execute(sql.Build());
}

void InsertNamed(StoreConnection& connection, int64_t id, std::string_view name,
                 std::string_view table) {
  StatementBuilder sql(connection.dialect(), "INSERT INTO ");
  sql.Table(table)
      .Text(" (id, name) VALUES (")
      .BindList(std::vector<Value>{id, std::string(name)})
      .Text(")");
  connection.Execute(sql.Build());
}

int64_t Count(StoreConnection& connection, std::string_view table) {
  StatementBuilder sql(connection.dialect(), "SELECT count(*) FROM ");
  const auto rows = connection.Query(sql.Table(table).Build());
  EXPECT_TRUE(rows->Next());
  return rows->Int64(0);
}

std::string ExpectError(ErrorCode code, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_STREQ(ErrorCodeName(error.code()), ErrorCodeName(code)) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "expected an error of code " << ErrorCodeName(code);
  return {};
}

bool AsOrdinaryUser(const std::function<void()>& work) {
  constexpr uid_t kNobody = 65534;
  const bool is_root = ::geteuid() == 0;
  if (is_root && ::seteuid(kNobody) != 0) return false;
  try {
    work();
  } catch (...) {
    EXPECT_TRUE(!is_root || ::seteuid(0) == 0);
    throw;
  }
  EXPECT_TRUE(!is_root || ::seteuid(0) == 0);
  return true;
}

}  // namespace tarn::test
