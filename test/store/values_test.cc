// Values in, values out: what is bound comes back the same from every catalog database.
#include <limits>

#include "gmock/gmock.h"
#include "store/store_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;

class StoreValues : public StoreTest {
 protected:
  void SetUp() override {
    store_ = Open();
    connection_ = store_->Connect();
    const Dialect& dialect = connection_->dialect();
    StatementBuilder sql(dialect, "CREATE TABLE ");
    sql.Table("v").Text(
        " (id BIGINT, i " + dialect.TypeName(StoreType::kBigint) + ", t " +
        dialect.TypeName(StoreType::kVarchar) + ", b " + dialect.TypeName(StoreType::kBoolean) +
        ", z " + dialect.TypeName(StoreType::kTimestampTz) + ", u " +
        dialect.TypeName(StoreType::kUuid) + ", x " + dialect.TypeName(StoreType::kBlob) + ")");
    connection_->Execute(sql.Build());
  }

  /// Stores the value in a column, by each of the two ways that there are, and shows each as it is
  /// read back.
  void RoundTrip(std::string_view column, const Value& value,
                 const std::function<void(Rows&)>& check) {
    const Dialect& dialect = connection_->dialect();
    StatementBuilder clear(dialect, "DELETE FROM ");
    connection_->Execute(clear.Table("v").Build());
    StatementBuilder insert(dialect, "INSERT INTO ");
    insert.Table("v").Text(" (").Names({"id", column}).Text(") VALUES (1, ").Bind(value).Text(")");
    connection_->Execute(insert.Build());
    const std::vector<std::string_view> columns = {"id", column};
    const std::vector<std::vector<Value>> rows = {{int64_t{2}, value}};
    connection_->InsertRows("v", columns, rows);
    for (const int64_t id : {1, 2}) {
      StatementBuilder query(dialect, "SELECT ");
      query.Name(column).Text(" FROM ").Table("v").Text(" WHERE id = ").Bind(id);
      const auto result = connection_->Query(query.Build());
      ASSERT_TRUE(result->Next());
      check(*result);
    }
  }

  std::shared_ptr<CatalogStore> store_;
  std::unique_ptr<StoreConnection> connection_;
};

TEST_P(StoreValues, Integers) {
  for (const int64_t value : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min(),
                              std::numeric_limits<int64_t>::max()}) {
    RoundTrip("i", value, [&](Rows& rows) {
      EXPECT_FALSE(rows.IsNull(0));
      EXPECT_EQ(rows.Int64(0), value);
      EXPECT_EQ(rows.OptInt64(0), value);
      EXPECT_EQ(rows.Text(0), std::to_string(value));
    });
  }
}

TEST_P(StoreValues, NullsOfEveryType) {
  for (const char* column : {"i", "t", "b", "z", "u", "x"}) {
    RoundTrip(column, Value(), [&](Rows& rows) {
      EXPECT_TRUE(rows.IsNull(0)) << column;
      EXPECT_EQ(rows.OptInt64(0), std::nullopt);
      EXPECT_EQ(rows.OptText(0), std::nullopt);
    });
  }
}

TEST_P(StoreValues, Texts) {
  const std::string huge(3'000'000, 'x');
  const std::string texts[] = {"",
                               "plain",
                               "it's \"quoted\"",
                               "Größe 雪 🦆",
                               std::string("a\0b\0", 4),
                               "line\nbreak\ttab",
                               "1e5",
                               "NULL",
                               huge};
  for (const std::string& text : texts) {
    if (GetParam().scheme == "postgres" && text.find('\0') != std::string::npos) {
      ExpectError(ErrorCode::kInvalid, [&] { RoundTrip("t", text, [](Rows&) {}); });
      continue;
    }
    RoundTrip("t", text, [&](Rows& rows) {
      EXPECT_FALSE(rows.IsNull(0));
      EXPECT_TRUE(rows.Text(0) == text) << text.substr(0, 100);
    });
  }
}

TEST_P(StoreValues, Blobs) {
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes += static_cast<char>(i);
  for (const std::string& bytes : {std::string(), std::string("\0", 1), all_bytes}) {
    RoundTrip("x", Blob{bytes}, [&](Rows& rows) {
      EXPECT_FALSE(rows.IsNull(0));
      EXPECT_EQ(rows.Text(0), bytes);
    });
  }
}

TEST_P(StoreValues, Booleans) {
  for (const bool value : {true, false}) {
    RoundTrip("b", value, [&](Rows& rows) { EXPECT_EQ(rows.Bool(0), value); });
  }
}

TEST_P(StoreValues, Times) {
  const std::pair<int64_t, const char*> times[] = {
      {0, "1970-01-01 00:00:00+00"},
      {-1, "1969-12-31 23:59:59.999999+00"},
      {1'769'860'800'123'000, "2026-01-31 12:00:00.123+00"},
      {-5'000'000'000'000'000, "1811-07-23 15:06:40+00"},
      {32'503'680'000'000'001, "3000-01-01 00:00:00.000001+00"}};
  for (const auto& [micros, text] : times) {
    const Timestamp time{std::chrono::microseconds(micros)};
    RoundTrip("z", time, [&](Rows& rows) {
      EXPECT_EQ(rows.Time(0), time);
      EXPECT_EQ(rows.Text(0), text);
    });
  }
}

TEST_P(StoreValues, Uuids) {
  const std::string uuid = "f79c3e09-677c-4bbd-a479-3f349cb785e7";
  RoundTrip("u", uuid, [&](Rows& rows) { EXPECT_EQ(rows.Text(0), uuid); });
  RoundTrip("u", std::string("00000000-0000-0000-0000-000000000000"),
            [&](Rows& rows) { EXPECT_EQ(rows.Text(0), "00000000-0000-0000-0000-000000000000"); });
}

TEST_P(StoreValues, DoublesThroughExpressions) {
  for (const double value : {0.0, -1.5, 1e300, 4.9e-324}) {
    StatementBuilder sql(connection_->dialect(), "SELECT ");
    const auto rows = connection_->Query(sql.Bind(value).Build());
    ASSERT_TRUE(rows->Next());
    EXPECT_EQ(rows->Double(0), value);
  }
}

TEST_P(StoreValues, BoundValuesCompareInTheColumnsType) {
  const Timestamp time{std::chrono::microseconds(1'769'860'800'123'000)};
  RoundTrip("z", time, [](Rows&) {});
  StatementBuilder by_time(connection_->dialect(), "SELECT count(*) FROM ");
  auto rows = connection_->Query(by_time.Table("v").Text(" WHERE z = ").Bind(time).Build());
  ASSERT_TRUE(rows->Next());
  EXPECT_EQ(rows->Int64(0), 2);
  rows.reset();
  RoundTrip("b", true, [](Rows&) {});
  StatementBuilder by_flag(connection_->dialect(), "SELECT count(*) FROM ");
  rows = connection_->Query(by_flag.Table("v").Text(" WHERE b = ").Bind(true).Build());
  ASSERT_TRUE(rows->Next());
  EXPECT_EQ(rows->Int64(0), 2);
}

TEST_P(StoreValues, WrongKindIsCorruptAndNamesTheColumn) {
  RoundTrip("t", std::string("no number"), [](Rows& rows) {
    EXPECT_NE(ExpectError(ErrorCode::kCorrupt, [&] { rows.Int64(0); }).find("\"t\""),
              std::string::npos);
    ExpectError(ErrorCode::kCorrupt, [&] { rows.Bool(0); });
    ExpectError(ErrorCode::kCorrupt, [&] { rows.Time(0); });
  });
  RoundTrip("i", Value(),
            [](Rows& rows) { ExpectError(ErrorCode::kCorrupt, [&] { rows.Int64(0); }); });
}

TEST_P(StoreValues, CursorKnowsItsColumns) {
  StatementBuilder sql(connection_->dialect(), "SELECT id, t AS ");
  const auto rows = connection_->Query(sql.Name("a \"b\"").Text(" FROM ").Table("v").Build());
  EXPECT_EQ(rows->column_count(), 2);
  EXPECT_EQ(rows->column_name(0), "id");
  EXPECT_EQ(rows->column_name(1), "a \"b\"");
  EXPECT_FALSE(rows->Next());
}

TEST_P(StoreValues, ThousandsOfRowsInOneGo) {
  std::vector<std::vector<Value>> rows;
  for (int64_t i = 0; i < 5000; ++i) {
    rows.push_back({i, i % 3 == 0 ? Value() : Value(std::string("row ") + std::to_string(i)),
                    i % 2 == 0, Timestamp(std::chrono::microseconds(i)),
                    Blob{std::string(static_cast<size_t>(i % 7), '\0')}});
  }
  const std::vector<std::string_view> columns = {"id", "t", "b", "z", "x"};
  connection_->InsertRows("v", columns, rows);
  StatementBuilder sql(connection_->dialect(), "SELECT id, t, b, z, x, i FROM ");
  const auto result = connection_->Query(sql.Table("v").Text(" ORDER BY id").Build());
  for (int64_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(result->Next());
    ASSERT_EQ(result->Int64(0), i);
    ASSERT_EQ(result->OptText(1),
              i % 3 == 0 ? std::nullopt : std::optional("row " + std::to_string(i)));
    ASSERT_EQ(result->Bool(2), i % 2 == 0);
    ASSERT_EQ(result->Time(3), Timestamp(std::chrono::microseconds(i)));
    ASSERT_EQ(result->Text(4).size(), static_cast<size_t>(i % 7));
    ASSERT_TRUE(result->IsNull(5));  // a column that InsertRows did not name
  }
  EXPECT_FALSE(result->Next());
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreValues, testing::ValuesIn(AllStoreKinds()), KindName);

}  // namespace
}  // namespace tarn::test
