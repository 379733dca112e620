// DuckDB's filters as Predicates: what translates is exact or weaker, what is in doubt is "true".
#include "engine/bridge/filters.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/planner/expression/bound_columnref_expression.hpp"
#include "duckdb/planner/filter/list.hpp"
#include "duckdb/planner/logical_operator.hpp"
#include "duckdb/planner/planner.hpp"
#include "engine/bridge/types.h"

namespace tarn::engine {
namespace {

using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::Value;

std::string Show(const Predicate& predicate) {
  static const char* const kCompare[] = {"=", "<>", "<", "<=", ">", ">="};
  const auto field = std::to_string(predicate.field.value);
  std::string text;
  switch (predicate.kind) {
    case Predicate::Kind::kTrue:
      return "true";
    case Predicate::Kind::kCompare:
      return field + kCompare[static_cast<int>(predicate.compare)] + predicate.constants.at(0);
    case Predicate::Kind::kIn:
      for (const auto& constant : predicate.constants) {
        text += (text.empty() ? "" : ",") + constant;
      }
      return field + " in " + text;
    case Predicate::Kind::kIsNull:
      return field + " null";
    case Predicate::Kind::kIsNotNull:
      return field + " not null";
    case Predicate::Kind::kAnd:
    case Predicate::Kind::kOr:
      for (const auto& child : predicate.children) {
        text += (text.empty()                              ? ""
                 : predicate.kind == Predicate::Kind::kAnd ? " and "
                                                           : " or ") +
                Show(child);
      }
      return "(" + text + ")";
  }
  return "?";
}

void NumberFields(std::vector<Column>& columns, int64_t& next) {
  for (auto& column : columns) {
    column.id = FieldId(next++);
    NumberFields(column.children, next);
  }
}

// Columns 1 i INTEGER, 2 b BIGINT, 3 t VARCHAR, 4 s STRUCT(5 x INTEGER, 6 y STRUCT(7 z DATE)), 8 d
// DOUBLE, 9 bin BLOB, 10 flag BOOLEAN
class FiltersTest : public testing::Test {
 protected:
  FiltersTest() : connection_(database_) {
    for (const auto& [name, type] : std::vector<std::pair<std::string, LogicalType>>{
             {"i", LogicalType::INTEGER},
             {"b", LogicalType::BIGINT},
             {"t", LogicalType::VARCHAR},
             {"s", LogicalType::STRUCT({{"x", LogicalType::INTEGER},
                                        {"y", LogicalType::STRUCT({{"z", LogicalType::DATE}})}})},
             {"d", LogicalType::DOUBLE},
             {"bin", LogicalType::BLOB},
             {"flag", LogicalType::BOOLEAN}}) {
      columns_.push_back(ToColumn(name, type));
    }
    int64_t next = 1;
    NumberFields(columns_, next);
    connection_.Query(
        "CREATE TABLE t (i INTEGER, b BIGINT, t VARCHAR, s STRUCT(x INTEGER, y STRUCT(z DATE)), d "
        "DOUBLE, bin BLOB, flag BOOLEAN)");
  }

  // The filter of a query as the binder leaves it.
  std::string Of(const std::string& where) {
    auto result = Predicate::True();
    connection_.context->RunFunctionInTransaction([&] {
      duckdb::Parser parser;
      parser.ParseQuery("SELECT * FROM t WHERE " + where);
      duckdb::Planner planner(*connection_.context);
      planner.CreatePlan(std::move(parser.statements[0]));
      const duckdb::LogicalOperator* op = planner.plan.get();
      while (op->type != duckdb::LogicalOperatorType::LOGICAL_FILTER) {
        op = op->children.at(0).get();
      }
      const auto resolve = [this](const duckdb::Expression& expression) -> const Column* {
        const auto& reference = expression.Cast<duckdb::BoundColumnRefExpression>();
        for (const auto& column : columns_) {
          if (column.name == reference.GetName()) {
            return &column;
          }
        }
        return nullptr;
      };
      for (const auto& expression : op->expressions) {
        result = And(std::move(result), ToPredicate(*connection_.context, *expression, resolve));
      }
    });
    return Show(result);
  }

  std::string Of(const duckdb::TableFilter& filter, size_t column) {
    return Show(ToPredicate(filter, columns_[column]));
  }

  duckdb::DuckDB database_;
  duckdb::Connection connection_;
  std::vector<Column> columns_;
};

TEST_F(FiltersTest, ComparisonsFromBothSides) {
  EXPECT_EQ(Of("i = 5"), "1=5");
  EXPECT_EQ(Of("5 < i"), "1>5");
  EXPECT_EQ(Of("i <> 5"), "1<>5");
  EXPECT_EQ(Of("t >= 'abc'"), "3>=abc");
  EXPECT_EQ(Of("i IS NOT DISTINCT FROM 5"), "1=5");
}

TEST_F(FiltersTest, ConstantsAreFoldedAndInTheEncodingOfStatistics) {
  EXPECT_EQ(Of("i = 2 + 3"), "1=5");
  EXPECT_EQ(Of("s.y.z > DATE '2024-01-31' + 1"), "7>2024-02-01");
  EXPECT_EQ(Of("s.y.z > DATE '2024-01-31' + INTERVAL 1 DAY"), "7>2024-02-01");
  EXPECT_EQ(Of("bin = '\\x00ab'::BLOB"), "9=006162");
  EXPECT_EQ(Of("flag = true"), "10=1");
  EXPECT_EQ(Of("d > 'nan'::DOUBLE"), "8>nan");
}

TEST_F(FiltersTest, StructFieldsAtAnyDepth) {
  EXPECT_EQ(Of("s.x = 1"), "5=1");
  EXPECT_EQ(Of("s.y.z = DATE '2024-01-31'"), "7=2024-01-31");
}

TEST_F(FiltersTest, AndTakesWhatItCanOrNeedsAll) {
  EXPECT_EQ(Of("i > 1 AND length(t) = 3 AND i < 9"), "(1>1 and 1<9)");
  EXPECT_EQ(Of("i = 1 OR b = 2"), "(1=1 or 2=2)");
  EXPECT_EQ(Of("i = 1 OR length(t) = 3"), "true");
  EXPECT_EQ(Of("i = 1 OR (b = 2 AND length(t) = 3)"), "(1=1 or 2=2)");
}

TEST_F(FiltersTest, BetweenAndIn) {
  EXPECT_EQ(Of("i BETWEEN 2 AND 1 + 3"), "(1>=2 and 1<=4)");
  EXPECT_EQ(Of("i IN (1, 2, NULL)"), "1 in 1,2");
  EXPECT_EQ(Of("i IN (1, b)"), "true");
}

TEST_F(FiltersTest, NullTests) {
  EXPECT_EQ(Of("i IS NULL"), "1 null");
  EXPECT_EQ(Of("NOT (i IS NULL)"), "1 not null");
  EXPECT_EQ(Of("s IS NULL"), "true");
  EXPECT_EQ(Of("i = NULL"), "true");
}

// A cast that can fail is no reason to believe in NULL.
TEST_F(FiltersTest, IntegerCastsAreSeenThroughForComparisonsOnly) {
  EXPECT_EQ(Of("i = 5::BIGINT"), "1=5");
  EXPECT_EQ(Of("i > 5000000000"), "true");  // no INTEGER: left to the query
  EXPECT_EQ(Of("TRY_CAST(b AS TINYINT) = 5"), "2=5");
  EXPECT_EQ(Of("TRY_CAST(b AS TINYINT) IS NULL"), "true");
  EXPECT_EQ(Of("b::VARCHAR = '5'"), "true");
}

TEST_F(FiltersTest, PushedDownFilters) {
  duckdb::ConstantFilter greater(ExpressionType::COMPARE_GREATERTHAN, Value::INTEGER(3));
  EXPECT_EQ(Of(greater, 0), "1>3");
  EXPECT_EQ(Of(duckdb::OptionalFilter(greater.Copy()), 0), "1>3");
  EXPECT_EQ(Of(duckdb::InFilter({Value::INTEGER(1), Value::INTEGER(2)}), 0), "1 in 1,2");
  EXPECT_EQ(Of(duckdb::IsNotNullFilter(), 2), "3 not null");
  duckdb::ConjunctionOrFilter either;
  either.child_filters.push_back(greater.Copy());
  either.child_filters.push_back(duckdb::make_uniq<duckdb::IsNullFilter>());
  EXPECT_EQ(Of(either, 0), "(1>3 or 1 null)");
  EXPECT_EQ(Of(duckdb::StructFilter(0, "x", greater.Copy()), 3), "5>3");
}

TEST_F(FiltersTest, DynamicFiltersCountOnceTheyAreFilled) {
  auto data = duckdb::make_shared_ptr<duckdb::DynamicFilterData>();
  data->filter = duckdb::make_uniq<duckdb::ConstantFilter>(ExpressionType::COMPARE_LESSTHAN,
                                                           Value::INTEGER(0));
  const duckdb::DynamicFilter filter(data);
  EXPECT_EQ(Of(filter, 0), "true");
  data->SetValue(Value::INTEGER(7));
  EXPECT_EQ(Of(filter, 0), "1<7");
}

TEST_F(FiltersTest, AndDropsRepetitionsAndTrue) {
  const auto one = ToPredicate(
      duckdb::ConstantFilter(ExpressionType::COMPARE_EQUAL, Value::INTEGER(1)), columns_[0]);
  EXPECT_EQ(Show(And(one, one)), "1=1");
  EXPECT_EQ(Show(And(one, Predicate::True())), "1=1");
  EXPECT_TRUE(IsTrue(And(Predicate::True(), Predicate::True())));
}

TEST(MayPass, DecidesByWholeFileConstants) {
  const auto two = Value::UBIGINT(2);
  EXPECT_TRUE(
      MayPass(duckdb::ConstantFilter(ExpressionType::COMPARE_EQUAL, Value::UBIGINT(2)), two));
  EXPECT_FALSE(
      MayPass(duckdb::ConstantFilter(ExpressionType::COMPARE_EQUAL, Value::UBIGINT(3)), two));
  EXPECT_FALSE(MayPass(duckdb::InFilter({Value::UBIGINT(1), Value::UBIGINT(3)}), two));
  EXPECT_TRUE(
      MayPass(duckdb::ConstantFilter(ExpressionType::COMPARE_EQUAL, Value::BIGINT(3)), two));
}

}  // namespace
}  // namespace tarn::engine
