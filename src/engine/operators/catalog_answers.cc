// See catalog_answers.h. An aggregate over a scan becomes
//
//     answers of the catalog                                  if they are complete, else
//     aggregate of (answers UNION ALL the same aggregate over a scan of the rest)
//
// before DuckDB's own optimiser begins, while filters still stand as they were bound.
#include "engine/operators/catalog_answers.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "duckdb/catalog/catalog.hpp"
#include "duckdb/catalog/catalog_entry/aggregate_function_catalog_entry.hpp"
#include "duckdb/function/function_binder.hpp"
#include "duckdb/optimizer/column_binding_replacer.hpp"
#include "duckdb/optimizer/optimizer.hpp"
#include "duckdb/optimizer/optimizer_extension.hpp"
#include "duckdb/planner/binder.hpp"
#include "duckdb/planner/expression/bound_aggregate_expression.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_columnref_expression.hpp"
#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "duckdb/planner/operator/logical_aggregate.hpp"
#include "duckdb/planner/operator/logical_get.hpp"
#include "duckdb/planner/operator/logical_projection.hpp"
#include "duckdb/planner/operator/logical_set_operation.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/functions/settings.h"
#include "engine/operators/answer_source.h"
#include "engine/operators/scan.h"
#include "engine/operators/scan_file_list.h"
#include "engine/operators/scan_source.h"
#include "tarn/aggregates.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalOperator;
using duckdb::LogicalOperatorType;
using duckdb::LogicalType;
using Kind = AggregateQuestion::Aggregate::Kind;
using Plan = duckdb::unique_ptr<LogicalOperator>;

duckdb::unique_ptr<duckdb::Expression> ColumnOf(LogicalType type, duckdb::idx_t table,
                                                duckdb::idx_t column) {
  return duckdb::make_uniq<duckdb::BoundColumnRefExpression>(std::move(type),
                                                             duckdb::ColumnBinding(table, column));
}

/// An aggregate over a scan of a lake's table, through projections that only pass columns on.
class Question {
 public:
  /// Absent when the plan is another, or asks for what no catalog tells.
  static std::optional<Question> Read(duckdb::LogicalAggregate& aggregate) {
    Question question;
    if (aggregate.grouping_sets.size() > 1 || !aggregate.grouping_functions.empty() ||
        aggregate.children.size() != 1 || !question.FindScan(*aggregate.children[0])) {
      return std::nullopt;
    }
    for (const auto& group : aggregate.groups) {
      const auto* column = question.FindColumn(*group);
      if (column == nullptr) {
        return std::nullopt;
      }
      question.group_columns_.push_back(column);
      question.asked_.groups.push_back(column->id);
    }
    for (const auto& expression : aggregate.expressions) {
      if (!question.AddAggregate(*expression)) {
        return std::nullopt;
      }
    }
    if (aggregate.groups.empty() && aggregate.expressions.empty()) {
      return std::nullopt;
    }
    return question;
  }

  duckdb::LogicalGet& scan() const { return *scan_; }
  AggregateQuestion& asked() { return asked_; }
  const std::vector<const Column*>& group_columns() const { return group_columns_; }
  /// Of each aggregate; null for counts of all rows.
  const std::vector<const Column*>& columns() const { return columns_; }

 private:
  bool FindScan(LogicalOperator& below) {
    auto* op = &below;
    while (op->type == LogicalOperatorType::LOGICAL_PROJECTION && op->children.size() == 1) {
      auto& projection = op->Cast<duckdb::LogicalProjection>();
      projections_[projection.table_index] = &projection;
      op = op->children[0].get();
    }
    if (op->type != LogicalOperatorType::LOGICAL_GET) {
      return false;
    }
    scan_ = &op->Cast<duckdb::LogicalGet>();
    const auto* files = FindScannedFiles(*scan_);
    if (files == nullptr || !files->source()->reads_table() || !scan_->children.empty() ||
        !scan_->table_filters.filters.empty() || scan_->extra_info.sample_options ||
        scan_->dynamic_filters || scan_->ordinality_idx.IsValid()) {
      return false;
    }
    table_ = files->source()->table();
    return true;
  }

  // The table's column that an expression is, and no more than that.
  const Column* FindColumn(const duckdb::Expression& expression) const {
    if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_COLUMN_REF) {
      return nullptr;
    }
    const auto& reference = expression.Cast<duckdb::BoundColumnRefExpression>();
    if (reference.depth > 0) {
      return nullptr;
    }
    const auto& binding = reference.binding;
    if (const auto found = projections_.find(binding.table_index); found != projections_.end()) {
      const auto& expressions = found->second->expressions;
      return binding.column_index < expressions.size()
                 ? FindColumn(*expressions[binding.column_index])
                 : nullptr;
    }
    const auto& ids = scan_->GetColumnIds();
    if (binding.table_index != scan_->table_index || binding.column_index >= ids.size()) {
      return nullptr;
    }
    const auto& id = ids[binding.column_index];
    if (id.IsVirtualColumn() || id.HasChildren() || !id.HasPrimaryIndex() ||
        id.GetPrimaryIndex() >= table_->columns.size()) {
      return nullptr;
    }
    return &table_->columns[id.GetPrimaryIndex()];
  }

  bool AddAggregate(const duckdb::Expression& expression) {
    if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_AGGREGATE) {
      return false;
    }
    const auto& aggregate = expression.Cast<duckdb::BoundAggregateExpression>();
    const auto& name = aggregate.function.name;
    if (aggregate.filter || aggregate.order_bys) {
      return false;
    }
    if (name == "count_star") {
      return Add(Kind::kCountRows, nullptr);
    }
    const bool is_count = name == "count";
    if ((!is_count && name != "min" && name != "max") || aggregate.children.size() != 1 ||
        (is_count && aggregate.IsDistinct())) {
      return false;
    }
    const auto& child = *aggregate.children[0];
    if (is_count && child.GetExpressionClass() == duckdb::ExpressionClass::BOUND_CONSTANT) {
      return !child.Cast<duckdb::BoundConstantExpression>().value.IsNull() &&
             Add(Kind::kCountRows, nullptr);
    }
    const auto* column = FindColumn(child);
    if (column == nullptr) {
      return false;
    }
    if (is_count) {
      return Add(Kind::kCount, column);
    }
    return aggregate.return_type == ToSqlType(*column) &&
           Add(name == "min" ? Kind::kMin : Kind::kMax, column);
  }

  bool Add(Kind kind, const Column* column) {
    asked_.aggregates.push_back({kind, column == nullptr ? FieldId() : column->id});
    columns_.push_back(column);
    return true;
  }

  duckdb::LogicalGet* scan_ = nullptr;
  std::shared_ptr<const Table> table_;
  std::map<duckdb::idx_t, const duckdb::LogicalProjection*> projections_;
  AggregateQuestion asked_;
  std::vector<const Column*> group_columns_;
  std::vector<const Column*> columns_;
};

/// A value as the aggregate gives it; absent when the text is none of the column's type.
std::optional<duckdb::Value> ToValue(const Column& column, const std::optional<std::string>& text) {
  const auto type = ToLogicalType(column);
  if (!text) {
    return duckdb::Value(type);
  }
  return ExactValue(RequireTypeName(column.type), type, *text);
}

bool AddRows(const Question& question, const AggregateQuestion& asked,
             const AggregateAnswers& answers, CatalogAnswer& answer) {
  for (const auto& group : answers.groups) {
    auto& row = answer.rows.emplace_back();
    for (size_t i = 0; i < group.keys.size(); ++i) {
      auto key = ToValue(*question.group_columns()[i], group.keys[i]);
      if (!key) {
        return false;
      }
      row.push_back(std::move(*key));
    }
    for (size_t i = 0; i < group.answers.size(); ++i) {
      const auto kind = asked.aggregates[i].kind;
      if (kind == Kind::kCountRows || kind == Kind::kCount) {
        row.push_back(duckdb::Value::BIGINT(group.answers[i].count));
        continue;
      }
      auto extreme = ToValue(*question.columns()[i], group.answers[i].value);
      if (!extreme) {
        return false;
      }
      row.push_back(std::move(*extreme));
    }
  }
  return true;
}

/// Puts answers into one plan.
class Answerer {
 public:
  Answerer(duckdb::OptimizerExtensionInput& input, Plan& root)
      : context_(input.context), optimizer_(input.optimizer), root_(root) {}

  void Visit(Plan& plan) {
    for (auto& child : plan->children) {
      Visit(child);
    }
    if (plan->type == LogicalOperatorType::LOGICAL_AGGREGATE_AND_GROUP_BY) {
      Answer(plan);
    }
  }

 private:
  void Answer(Plan& plan) {
    auto& aggregate = plan->Cast<duckdb::LogicalAggregate>();
    auto question = Question::Read(aggregate);
    if (!question || !AnswersFromCatalog(context_)) {
      return;
    }
    auto& source = *FindScannedFiles(question->scan())->source();
    auto& asked = question->asked();
    asked.scan.predicate = Predicate::True();
    auto settled = Guard([&] { return source.Settle(asked); });
    if (!settled || (settled->settled_files == 0 && !settled->is_complete())) {
      return;
    }
    CatalogAnswer answer;
    answer.table = source.entry().name;
    if (source.entry().at()) {
      answer.snapshot = std::to_string(source.entry().at()->id.value);
    }
    answer.settled_files = settled->settled_files;
    answer.total_files = settled->rest.total_files;
    plan->ResolveOperatorTypes();
    answer.types = plan->types;
    for (size_t i = 0; i < answer.types.size(); ++i) {
      answer.names.push_back("c" + std::to_string(i));
    }
    if (!AddRows(*question, asked, *settled, answer)) {
      return;
    }
    if (answer.rows.empty() && aggregate.groups.empty() && settled->is_complete()) {
      answer.rows.push_back(OfNoRows(asked, answer.types));
    }
    Replace(plan, aggregate, *question, std::move(*settled), std::move(answer));
  }

  static std::vector<duckdb::Value> OfNoRows(const AggregateQuestion& asked,
                                             const duckdb::vector<LogicalType>& types) {
    std::vector<duckdb::Value> row;
    for (size_t i = 0; i < types.size(); ++i) {
      const auto kind = asked.aggregates[i].kind;
      row.push_back(kind == Kind::kMin || kind == Kind::kMax ? duckdb::Value(types[i])
                                                             : duckdb::Value::BIGINT(0));
    }
    return row;
  }

  void Replace(Plan& plan, duckdb::LogicalAggregate& aggregate, const Question& question,
               AggregateAnswers settled, CatalogAnswer answer) {
    const auto types = answer.types;
    const auto old_bindings = aggregate.GetColumnBindings();
    auto table_index = optimizer_.binder.GenerateTableIndex();
    const bool is_complete = settled.is_complete();
    Plan result = MakeAnswerSource(table_index, std::move(answer));
    if (!is_complete) {
      ReadRest(question, std::move(settled));
      result = Combine(std::move(result), std::move(plan), aggregate, types);
      table_index = result->Cast<duckdb::LogicalProjection>().table_index;
    }
    result->ResolveOperatorTypes();
    // The rest keeps its own: nothing above it knows them any more.
    plan = std::move(result);
    duckdb::ColumnBindingReplacer replacer;
    for (size_t i = 0; i < old_bindings.size(); ++i) {
      replacer.replacement_bindings.emplace_back(old_bindings[i],
                                                 duckdb::ColumnBinding(table_index, i));
    }
    replacer.stop_operator = plan.get();
    replacer.VisitOperator(*root_);
  }

  // Lets the scan read what is not settled.
  void ReadRest(const Question& question, AggregateAnswers settled) {
    auto& scan = question.scan();
    const auto& source = FindScannedFiles(scan)->source();
    auto rest = std::make_shared<ScanSource>(
        context_, source->entry(), std::make_shared<const ScanPlan>(std::move(settled.rest)));
    duckdb::unique_ptr<duckdb::FunctionData> bind_data;
    scan.function = MakeScanFunction(context_, std::move(rest), bind_data);
    scan.bind_data = std::move(bind_data);
  }

  // Answers and the aggregate of the rest have the same columns: groups, then aggregates.
  Plan Combine(Plan answers, Plan rest, const duckdb::LogicalAggregate& aggregate,
               const duckdb::vector<LogicalType>& types) {
    auto& binder = optimizer_.binder;
    const auto both = binder.GenerateTableIndex();
    const auto groups = aggregate.groups.size();
    auto combined = duckdb::make_uniq<duckdb::LogicalAggregate>(
        binder.GenerateTableIndex(), binder.GenerateTableIndex(),
        duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>());
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> columns;
    for (size_t i = 0; i < groups; ++i) {
      combined->groups.push_back(ColumnOf(types[i], both, i));
      columns.push_back(ColumnOf(types[i], combined->group_index, i));
    }
    combined->grouping_sets = aggregate.grouping_sets;
    for (size_t i = 0; i < aggregate.expressions.size(); ++i) {
      const auto& type = types[groups + i];
      const auto& one = aggregate.expressions[i]->Cast<duckdb::BoundAggregateExpression>();
      auto part = ColumnOf(type, both, groups + i);
      const bool is_extreme = one.function.name == "min" || one.function.name == "max";
      auto whole = is_extreme ? Again(one, std::move(part)) : Sum(std::move(part));
      auto column = ColumnOf(whole->return_type, combined->aggregate_index, i);
      columns.push_back(
          duckdb::BoundCastExpression::AddCastToType(context_, std::move(column), type));
      combined->expressions.push_back(std::move(whole));
    }
    // A union counts columns, while the optimiser takes out of an aggregate what is there twice: so
    // each side of it names its columns.
    combined->children.push_back(duckdb::make_uniq<duckdb::LogicalSetOperation>(
        both, types.size(), std::move(answers), ByName(std::move(rest), types),
        LogicalOperatorType::LOGICAL_UNION, true));
    auto result = duckdb::make_uniq<duckdb::LogicalProjection>(binder.GenerateTableIndex(),
                                                               std::move(columns));
    result->children.push_back(std::move(combined));
    return result;
  }

  Plan ByName(Plan plan, const duckdb::vector<LogicalType>& types) {
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> columns;
    const auto bindings = plan->GetColumnBindings();
    for (size_t i = 0; i < bindings.size(); ++i) {
      columns.push_back(ColumnOf(types[i], bindings[i].table_index, bindings[i].column_index));
    }
    auto result = duckdb::make_uniq<duckdb::LogicalProjection>(
        optimizer_.binder.GenerateTableIndex(), std::move(columns));
    result->children.push_back(std::move(plan));
    return result;
  }

  static duckdb::unique_ptr<duckdb::Expression> Again(
      const duckdb::BoundAggregateExpression& aggregate,
      duckdb::unique_ptr<duckdb::Expression> column) {
    auto copy = aggregate.Copy();
    copy->Cast<duckdb::BoundAggregateExpression>().children[0] = std::move(column);
    return copy;
  }

  duckdb::unique_ptr<duckdb::Expression> Sum(duckdb::unique_ptr<duckdb::Expression> column) {
    auto& entry =
        duckdb::Catalog::GetSystemCatalog(context_).GetEntry<duckdb::AggregateFunctionCatalogEntry>(
            context_, DEFAULT_SCHEMA, "sum");
    const auto function = entry.functions.GetFunctionByArguments(context_, {column->return_type});
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> children;
    children.push_back(std::move(column));
    return duckdb::FunctionBinder(context_).BindAggregateFunction(function, std::move(children));
  }

  duckdb::ClientContext& context_;
  duckdb::Optimizer& optimizer_;
  Plan& root_;
};

void AnswerPlan(duckdb::OptimizerExtensionInput& input, Plan& plan) {
  Answerer(input, plan).Visit(plan);
}

}  // namespace

void RegisterCatalogAnswers(duckdb::DatabaseInstance& db) {
  duckdb::OptimizerExtension extension;
  extension.pre_optimize_function = AnswerPlan;
  duckdb::OptimizerExtension::Register(duckdb::DBConfig::GetConfig(db), std::move(extension));
}

}  // namespace tarn::engine
