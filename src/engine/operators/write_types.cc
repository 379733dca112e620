// See write_types.h.
#include "engine/operators/write_types.h"

#include <utility>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/execution/operator/projection/physical_projection.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"

namespace tarn::engine {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

LogicalType WrittenType(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::HUGEINT:
    case LogicalTypeId::UHUGEINT:
    case LogicalTypeId::INTERVAL:
    case LogicalTypeId::TIME_TZ:
    case LogicalTypeId::TIME_NS:
    case LogicalTypeId::ENUM:
      return LogicalType::VARCHAR;
    case LogicalTypeId::TIMESTAMP_SEC:
      // The same in files, but its writer takes no infinity.
      return LogicalType::TIMESTAMP;
    case LogicalTypeId::LIST:
      return LogicalType::LIST(WrittenType(duckdb::ListType::GetChildType(type)));
    case LogicalTypeId::ARRAY:
      return LogicalType::LIST(WrittenType(duckdb::ArrayType::GetChildType(type)));
    case LogicalTypeId::MAP:
      return LogicalType::MAP(WrittenType(duckdb::MapType::KeyType(type)),
                              WrittenType(duckdb::MapType::ValueType(type)));
    case LogicalTypeId::STRUCT: {
      duckdb::child_list_t<LogicalType> fields;
      for (const auto& [name, field] : duckdb::StructType::GetChildTypes(type)) {
        fields.emplace_back(name, WrittenType(field));
      }
      return LogicalType::STRUCT(std::move(fields));
    }
    default:
      return type;
  }
}

void CastToOwnTypes(duckdb::DataChunk& written, duckdb::DataChunk& own) {
  for (duckdb::idx_t i = 0; i < own.ColumnCount(); ++i) {
    if (written.data[i].GetType() == own.data[i].GetType()) {
      own.data[i].Reference(written.data[i]);
    } else {
      duckdb::VectorOperations::DefaultCast(written.data[i], own.data[i], written.size(), true);
    }
  }
  own.SetCardinality(written);
}

duckdb::PhysicalOperator& CastToWrittenTypes(duckdb::PhysicalPlanGenerator& planner,
                                             duckdb::PhysicalOperator& plan) {
  bool changed = false;
  duckdb::vector<LogicalType> types;
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> expressions;
  for (duckdb::idx_t i = 0; i < plan.types.size(); ++i) {
    const auto written = WrittenType(plan.types[i]);
    duckdb::unique_ptr<duckdb::Expression> expression =
        duckdb::make_uniq<duckdb::BoundReferenceExpression>(plan.types[i], i);
    if (written != plan.types[i]) {
      changed = true;
      expression =
          duckdb::BoundCastExpression::AddDefaultCastToType(std::move(expression), written);
    }
    types.push_back(written);
    expressions.push_back(std::move(expression));
  }
  if (!changed) {
    return plan;
  }
  auto& projection = planner.Make<duckdb::PhysicalProjection>(
      std::move(types), std::move(expressions), plan.estimated_cardinality);
  projection.children.push_back(plan);
  return projection;
}

}  // namespace tarn::engine
