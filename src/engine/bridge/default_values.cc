// See default_values.h.
#include "engine/bridge/default_values.h"

#include <utility>

#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/planner/binder.hpp"
#include "duckdb/planner/expression_binder/constant_binder.hpp"
#include "tarn/error.h"

namespace tarn::engine {

std::optional<duckdb::Value> EvaluateDefault(duckdb::ClientContext& context,
                                             const duckdb::ParsedExpression& expression,
                                             const duckdb::LogicalType& type,
                                             const std::string& column) {
  try {
    const auto binder = duckdb::Binder::CreateBinder(context);
    duckdb::ConstantBinder default_binder(*binder, context, "DEFAULT value");
    default_binder.target_type = type;
    auto copy = expression.Copy();
    const auto bound = default_binder.Bind(copy);
    if (bound->IsVolatile()) return std::nullopt;
    // Not only what is foldable: now() stays the same as long as the transaction lasts.
    return duckdb::ExpressionExecutor::EvaluateScalar(context, *bound, true);
  } catch (const duckdb::Exception& error) {
    throw Error(ErrorCode::kInvalid, "The default " + expression.ToString() + " of column \"" +
                                         column + "\" cannot be converted to " + type.ToString() +
                                         ": " + duckdb::ErrorData(error).RawMessage());
  }
}

}  // namespace tarn::engine
