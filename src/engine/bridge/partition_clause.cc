// See partition_clause.h.
#include "engine/bridge/partition_clause.h"

#include <string>

#include "base/text.h"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

constexpr int64_t kMaxBuckets = 2147483647;

std::string ColumnOf(const duckdb::ParsedExpression& expression, const std::string& form) {
  if (expression.GetExpressionClass() != duckdb::ExpressionClass::COLUMN_REF) {
    throw Error(ErrorCode::kInvalid, "Expected " + form + ", but got " + expression.ToString() +
                                         ": a partition key is a column, or a function of one.");
  }
  const auto& reference = expression.Cast<duckdb::ColumnRefExpression>();
  if (reference.IsQualified()) {
    throw Error(ErrorCode::kInvalid,
                "Unexpected qualified column reference - only unqualified columns are supported: "
                "write the name of a column of the table instead of " +
                    reference.ToString() + ".");
  }
  return reference.GetColumnName();
}

int64_t BucketsOf(const duckdb::ParsedExpression& expression) {
  const auto refuse = [&](const char* why) {
    throw Error(ErrorCode::kInvalid, std::string(why) + ", got " + expression.ToString() +
                                         ": write bucket(16, column).");
  };
  const bool is_negative = expression.GetExpressionClass() == duckdb::ExpressionClass::FUNCTION &&
                           expression.Cast<duckdb::FunctionExpression>().function_name == "-";
  if (is_negative) refuse("Bucket count must be positive");
  if (expression.GetExpressionClass() != duckdb::ExpressionClass::CONSTANT)
    refuse("Bucket count must be a constant integer");
  const auto& value = expression.Cast<duckdb::ConstantExpression>().value;
  if (value.IsNull() || !value.type().IsIntegral())
    refuse("Bucket count must be a constant integer");
  auto buckets = value;
  if (!buckets.DefaultTryCastAs(duckdb::LogicalType::BIGINT) ||
      buckets.GetValue<int64_t>() > kMaxBuckets)
    refuse("Bucket count cannot exceed 2147483647");
  if (buckets.GetValue<int64_t>() < 1) refuse("Bucket count must be positive");
  return buckets.GetValue<int64_t>();
}

SetPartitioning::Key ToKey(const duckdb::ParsedExpression& expression) {
  if (expression.GetExpressionClass() != duckdb::ExpressionClass::FUNCTION)
    return {ColumnOf(expression, "the name of a column"), "identity"};
  const auto& function = expression.Cast<duckdb::FunctionExpression>();
  const auto name = AsciiLower(function.function_name);
  const auto& arguments = function.children;
  if (name == "bucket") {
    if (arguments.size() != 2) {
      throw Error(ErrorCode::kInvalid,
                  "Expected bucket(bucket_count, column), but got " + expression.ToString() + ".");
    }
    const auto buckets = BucketsOf(*arguments[0]);
    return {ColumnOf(*arguments[1], "bucket(bucket_count, column)"),
            "bucket(" + std::to_string(buckets) + ")"};
  }
  for (const char* known : {"year", "month", "day", "hour"}) {
    if (name != known) continue;
    const auto form = name + "(column)";
    if (arguments.size() != 1) {
      throw Error(ErrorCode::kInvalid,
                  "Expected " + form + ", but got " + expression.ToString() + ".");
    }
    return {ColumnOf(*arguments[0], form), name};
  }
  throw Error(ErrorCode::kUnsupported,
              "Unsupported partition function " + function.function_name +
                  " - only year, month, day, hour, and bucket are supported");
}

}  // namespace

SetPartitioning ToPartitioning(
    const duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>>& keys) {
  SetPartitioning result;
  for (const auto& key : keys) result.keys.push_back(ToKey(*key));
  return result;
}

}  // namespace tarn::engine
