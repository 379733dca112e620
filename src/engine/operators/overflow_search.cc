// See overflow_search.h.
#include "engine/operators/overflow_search.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/text.h"
#include "duckdb/common/exception/conversion_exception.hpp"
#include "duckdb/common/type_visitor.hpp"
#include "duckdb/common/types/date.hpp"
#include "duckdb/common/types/timestamp.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "duckdb/planner/filter/constant_filter.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/visit_scan.h"
#include "format/type_promotion.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

/// Between these days no value is lost; beyond them the cast tells.
struct SafeDays {
  Value first;
  Value last;
};

SafeDays SafeDaysOf(TypeKind to) {
  if (to == TypeKind::kTimestampNs) return {Value::DATE(1680, 1, 1), Value::DATE(2260, 1, 1)};
  return {Value::DATE(-200000, 1, 1), Value::DATE(200000, 1, 1)};
}

Predicate Compare(const Column& leaf, Predicate::Compare compare, const Value& value) {
  Predicate result;
  auto constant = PredicateConstant(RequireTypeName(leaf.type), ToLogicalType(leaf), value);
  if (!constant) return result;
  result.kind = Predicate::Kind::kCompare;
  result.field = leaf.id;
  result.compare = compare;
  result.constants = {std::move(*constant)};
  return result;
}

/// What a column becomes, and where it may be too far away for that.
class Search {
 public:
  Search(const Column& column, const Column& shape) : altered_(column) {
    suspects_.kind = Predicate::Kind::kOr;
    Walk(altered_, shape);
  }

  bool empty() const { return suspects_.children.empty(); }
  const Predicate& suspects() const { return suspects_; }
  LogicalType type() const { return ToSqlType(altered_); }

 private:
  void Walk(Column& column, const Column& shape) {
    if (column.children.empty()) {
      if (!shape.children.empty()) return;
      const ScalarType to = RequireTypeName(shape.type);
      if (!MayOverflow(RequireTypeName(column.type), to)) return;
      const auto safe = SafeDaysOf(to.kind);
      suspects_.children.push_back(Compare(column, Predicate::Compare::kLess, safe.first));
      suspects_.children.push_back(Compare(column, Predicate::Compare::kGreater, safe.last));
      column.type = shape.type;
      return;
    }
    const bool by_name = column.type == TypeName({TypeKind::kStruct});
    for (size_t i = 0; i < column.children.size(); ++i) {
      const auto found = std::find_if(
          shape.children.begin(), shape.children.end(),
          [&](const Column& field) { return SameName(field.name, column.children[i].name); });
      if (by_name && found != shape.children.end()) Walk(column.children[i], *found);
      if (!by_name && i < shape.children.size()) Walk(column.children[i], shape.children[i]);
    }
  }

  Column altered_;
  Predicate suspects_;
};

/// Some of DuckDB's casts between timestamps say so by an exception when they are only tried.
bool Fits(duckdb::Vector& values, duckdb::idx_t count, const LogicalType& type) {
  duckdb::Vector cast(type, count);
  std::string message;
  try {
    return duckdb::VectorOperations::DefaultTryCast(values, cast, count, &message);
  } catch (const duckdb::ConversionException&) {
    return false;
  }
}

// Whether a time of day in some zone is beyond what a timestamp with a zone holds. Which zone a
// reader has is not known, and the cast here knows none.
bool LeavesRange(const Value& value, const LogicalType& type) {
  if (value.IsNull()) return false;
  if (type.id() == LogicalTypeId::TIMESTAMP_TZ) {
    constexpr int64_t kDay = int64_t{24} * 60 * 60 * 1'000'000;
    if (value.type().id() == LogicalTypeId::TIMESTAMP_TZ) return false;
    Value time;
    if (!value.DefaultTryCastAs(LogicalType::TIMESTAMP, time, nullptr)) return true;
    const auto micros = time.GetValue<duckdb::timestamp_t>();
    return duckdb::Timestamp::IsFinite(micros) &&
           (micros.value > std::numeric_limits<int64_t>::max() - kDay ||
            micros.value <
                duckdb::Timestamp::FromDatetime(duckdb::Date::FromDate(duckdb::Timestamp::MIN_YEAR,
                                                                       duckdb::Timestamp::MIN_MONTH,
                                                                       duckdb::Timestamp::MIN_DAY),
                                                duckdb::dtime_t(0))
                        .value +
                    kDay);
  }
  const auto any = [](const duckdb::vector<Value>& children, const auto& type_of) {
    for (size_t i = 0; i < children.size(); ++i) {
      if (LeavesRange(children[i], type_of(i))) return true;
    }
    return false;
  };
  switch (type.id()) {
    case LogicalTypeId::STRUCT:
      return any(duckdb::StructValue::GetChildren(value), [&](size_t i) -> const LogicalType& {
        return duckdb::StructType::GetChildType(type, i);
      });
    case LogicalTypeId::MAP:
    case LogicalTypeId::LIST:
      return any(duckdb::ListValue::GetChildren(value), [&](size_t) -> const LogicalType& {
        return duckdb::ListType::GetChildType(type);
      });
    case LogicalTypeId::ARRAY:
      return any(duckdb::ArrayValue::GetChildren(value), [&](size_t) -> const LogicalType& {
        return duckdb::ArrayType::GetChildType(type);
      });
    default:
      return false;
  }
}

[[noreturn]] void Refuse(const Column& column, const LogicalType& type, const Value& value) {
  throw Error(ErrorCode::kInvalid,
              "Cannot change type of column " + column.name + " to " + type.ToString() +
                  " - it has the value " + value.ToString() +
                  ", which that type cannot hold: replace such values with UPDATE, or delete those "
                  "rows, first.");
}

/// A filter on a field is computed before deleted rows are left out, so these must fit as well.
void RequireDeletedValuesFit(const Column& column, const LogicalType& type, const ScanPlan& plan) {
  for (const auto& file : plan.files) {
    if (file.deletes.empty() && file.deleted_positions.empty()) continue;
    throw Error(
        ErrorCode::kInvalid,
        "Cannot change type of column " + column.name + " to " + type.ToString() +
            " - its files still have deleted rows that may hold values which that type "
            "cannot hold: commit, let ducklake_rewrite_data_files(…, delete_threshold => 0) "
            "write them anew, and change the type then.");
  }
}

}  // namespace

void RequireValuesFit(duckdb::ClientContext& context, TarnTableEntry& table, duckdb::column_t index,
                      const Column& shape) {
  const Column& column = *table.FindColumn(index);
  const Search search(column, shape);
  if (search.empty()) return;
  TableScan question;
  question.table = table.shared_table();
  question.predicate = search.suspects();
  const auto plan = TarnTransaction::Get(context, table.lake_catalog()).kernel().PlanScan(question);
  if (plan.files.empty() && plan.inlined.empty() && plan.staged_rows.empty()) return;

  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, table.name);
  auto function = table.GetScanFunction(context, bind_data, lookup);
  const auto type = ToSqlType(column);
  const auto target = search.type();
  const bool has_zone = duckdb::TypeVisitor::Contains(target, LogicalTypeId::TIMESTAMP_TZ);
  duckdb::TableFilterSet filters;
  if (column.children.empty()) {
    const auto safe = SafeDaysOf(RequireTypeName(shape.type).kind);
    auto either = duckdb::make_uniq<duckdb::ConjunctionOrFilter>();
    either->child_filters.push_back(duckdb::make_uniq<duckdb::ConstantFilter>(
        ExpressionType::COMPARE_LESSTHAN, safe.first.DefaultCastAs(type)));
    either->child_filters.push_back(duckdb::make_uniq<duckdb::ConstantFilter>(
        ExpressionType::COMPARE_GREATERTHAN, safe.last.DefaultCastAs(type)));
    filters.filters[0] = std::move(either);
  }
  VisitScan(context, function, *bind_data, {index}, {type}, &filters, [&](duckdb::DataChunk& rows) {
    auto& values = rows.data[0];
    if (!has_zone && Fits(values, rows.size(), target)) return true;
    for (duckdb::idx_t row = 0; row < rows.size(); ++row) {
      auto value = values.GetValue(row);
      duckdb::Vector one(value);
      if (!Fits(one, 1, target) || LeavesRange(value, target)) Refuse(column, target, value);
    }
    return true;
  });
  if (!column.children.empty()) RequireDeletedValuesFit(column, target, plan);
}

}  // namespace tarn::engine
