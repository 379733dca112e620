// SQL texts of views. See view_sql.h.
#include "engine/bridge/view_sql.h"

#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/expression/subquery_expression.hpp"
#include "duckdb/parser/keyword_helper.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"
#include "duckdb/parser/query_node.hpp"
#include "duckdb/parser/tableref/basetableref.hpp"
#include "duckdb/parser/tableref/table_function_ref.hpp"

namespace tarn::engine {
namespace {

constexpr const char* kLakeMark = "{DUCKLAKE_CATALOG}";

bool Same(const std::string& a, const std::string& b) { return duckdb::StringUtil::CIEquals(a, b); }

/// Walks all of a query and puts `marker` where the lake's name qualifies something.
class Qualifier {
 public:
  Qualifier(const std::string& lake_name, std::string marker) : lake_(lake_name), marker_(std::move(marker)) {}

  void Rewrite(duckdb::QueryNode& node) {
    collect_ = true;
    Visit(node);
    collect_ = false;
    Visit(node);
  }

 private:
  void Visit(duckdb::QueryNode& node) {
    duckdb::ParsedExpressionIterator::EnumerateQueryNodeChildren(
        node, [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) { Visit(*child); },
        [&](duckdb::TableRef& ref) { Visit(ref); });
  }

  void Visit(duckdb::TableRef& ref) {
    if (collect_ && Same(ref.alias, lake_)) lake_is_alias_ = true;
    if (ref.type == duckdb::TableReferenceType::BASE_TABLE) {
      auto& table = ref.Cast<duckdb::BaseTableRef>();
      if (collect_) {
        if (Same(table.table_name, lake_)) lake_is_alias_ = true;
      } else {
        Mark(table.catalog_name, table.schema_name);
      }
    }
  }

  void Visit(duckdb::ParsedExpression& expression) {
    if (!collect_) {
      if (expression.GetExpressionClass() == duckdb::ExpressionClass::FUNCTION) {
        auto& function = expression.Cast<duckdb::FunctionExpression>();
        if (!function.is_operator) Mark(function.catalog, function.schema);
      } else if (expression.GetExpressionClass() == duckdb::ExpressionClass::COLUMN_REF) {
        // lake.table.column or lake.schema.table.column; with two parts the first is a table or its alias.
        auto& names = expression.Cast<duckdb::ColumnRefExpression>().column_names;
        if (names.size() > 2 && !lake_is_alias_ && Same(names[0], lake_)) names[0] = marker_;
      }
    }
    if (expression.GetExpressionClass() == duckdb::ExpressionClass::SUBQUERY) {
      Visit(*expression.Cast<duckdb::SubqueryExpression>().subquery->node);
    }
    duckdb::ParsedExpressionIterator::EnumerateChildren(
        expression, [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) { Visit(*child); });
  }

  void Mark(std::string& catalog, std::string& schema) const {
    auto& first = catalog.empty() ? schema : catalog;
    if (Same(first, lake_)) first = marker_;
  }

  const std::string& lake_;
  const std::string marker_;
  bool collect_ = true;         ///< first pass: only look for aliases
  bool lake_is_alias_ = false;  ///< some table of the query goes by the lake's name
};

}  // namespace

std::string ToStoredViewSql(const duckdb::SelectStatement& query, const std::string& lake_name) {
  const auto original = query.ToString();
  // The text needs a mark that no identifier could be printed as, so a plain word stands in for it until then.
  std::string marker = "tarn_lake";
  while (duckdb::StringUtil::Contains(original, marker)) marker += "_";
  auto copy = duckdb::unique_ptr_cast<duckdb::SQLStatement, duckdb::SelectStatement>(query.Copy());
  Qualifier(lake_name, marker).Rewrite(*copy->node);
  return duckdb::StringUtil::Replace(copy->ToString(), marker, kLakeMark);
}

std::string FromStoredViewSql(const std::string& sql, const std::string& lake_name) {
  const auto name = duckdb::KeywordHelper::WriteQuoted(lake_name, '"');
  const std::string_view mark = kLakeMark;
  std::string result;
  char quote = 0;
  for (size_t i = 0; i < sql.size();) {
    if (quote == 0 && sql.compare(i, mark.size(), mark) == 0) {
      result += name;
      i += mark.size();
      continue;
    }
    const char c = sql[i++];
    // A doubled quote closes and opens again, which comes to the same.
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    result += c;
  }
  return result;
}

std::string ToColumnAliases(const duckdb::vector<std::string>& aliases) {
  std::string result;
  for (const auto& alias : aliases) {
    if (!result.empty()) result += ",";
    result += duckdb::KeywordHelper::WriteQuoted(alias, '"');
  }
  return result;
}

duckdb::vector<std::string> FromColumnAliases(const std::string& text) {
  duckdb::vector<std::string> result;
  std::string current;
  bool any = false;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        current += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        current += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = any = true;
    } else if (c == ',') {
      if (any) result.push_back(std::move(current));
      current.clear();
      any = false;
    } else if (c != '(' && c != ')' && c != ' ') {
      current += c;
      any = true;
    }
  }
  if (any) result.push_back(std::move(current));
  return result;
}

}  // namespace tarn::engine
