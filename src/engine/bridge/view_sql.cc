// SQL texts of views. See view_sql.h.
#include "engine/bridge/view_sql.h"

#include <functional>
#include <string_view>

#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/expression/subquery_expression.hpp"
#include "duckdb/parser/keyword_helper.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/query_node.hpp"
#include "duckdb/parser/tableref/basetableref.hpp"
#include "duckdb/parser/tableref/table_function_ref.hpp"

namespace tarn::engine {
namespace {

constexpr const char* kLakeMark = "{DUCKLAKE_CATALOG}";

bool Same(const std::string& a, const std::string& b) { return duckdb::StringUtil::CIEquals(a, b); }

/// A word that does not occur in `text`.
std::string UnusedWord(const std::string& text) {
  std::string word = "tarn_lake";
  while (duckdb::StringUtil::Contains(text, word)) word += "_";
  return word;
}

/// Walks all of a query and calls `qualifier` for what qualifies a table or function, `column` for
/// the parts of a column's name.
struct NameWalk {
  std::function<void(std::string& catalog, std::string& schema)> qualifier;
  std::function<void(duckdb::vector<std::string>& names)> column;
  std::function<void(const duckdb::TableRef& ref)> table;

  void Visit(duckdb::QueryNode& node) const {
    duckdb::ParsedExpressionIterator::EnumerateQueryNodeChildren(
        node, [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) { Visit(*child); },
        [&](duckdb::TableRef& ref) { Visit(ref); });
  }

  void Visit(duckdb::TableRef& ref) const {
    table(ref);
    if (ref.type == duckdb::TableReferenceType::BASE_TABLE) {
      auto& base = ref.Cast<duckdb::BaseTableRef>();
      qualifier(base.catalog_name, base.schema_name);
    }
  }

  void Visit(duckdb::ParsedExpression& expression) const {
    switch (expression.GetExpressionClass()) {
      case duckdb::ExpressionClass::FUNCTION: {
        auto& function = expression.Cast<duckdb::FunctionExpression>();
        if (!function.is_operator) qualifier(function.catalog, function.schema);
        break;
      }
      case duckdb::ExpressionClass::COLUMN_REF:
        column(expression.Cast<duckdb::ColumnRefExpression>().column_names);
        break;
      case duckdb::ExpressionClass::SUBQUERY:
        Visit(*expression.Cast<duckdb::SubqueryExpression>().subquery->node);
        break;
      default:
        break;
    }
    duckdb::ParsedExpressionIterator::EnumerateChildren(
        expression, [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) { Visit(*child); });
  }
};

/// `sql` with `word` for each mark outside of literals and quoted names.
std::string ReplaceMark(const std::string& sql, const std::string& word) {
  const std::string_view mark = kLakeMark;
  std::string result;
  char quote = 0;
  for (size_t i = 0; i < sql.size();) {
    if (quote == 0 && sql.compare(i, mark.size(), mark) == 0) {
      result += word;
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

/// True when some table of the query goes by this name, so that it may stand for the table.
bool IsTableName(duckdb::QueryNode& node, const std::string& name) {
  bool found = false;
  NameWalk walk;
  walk.qualifier = [](std::string&, std::string&) {};
  walk.column = [](duckdb::vector<std::string>&) {};
  walk.table = [&](const duckdb::TableRef& ref) {
    found |= Same(ref.alias, name);
    if (ref.type == duckdb::TableReferenceType::BASE_TABLE) {
      found |= Same(ref.Cast<duckdb::BaseTableRef>().table_name, name);
    }
  };
  walk.Visit(node);
  return found;
}

}  // namespace

std::string ToStoredViewSql(const duckdb::SelectStatement& query, const std::string& lake_name) {
  // The text needs a mark that no identifier could be printed as, so a plain word stands in for it
  // until then.
  const auto word = UnusedWord(query.ToString());
  auto copy = duckdb::unique_ptr_cast<duckdb::SQLStatement, duckdb::SelectStatement>(query.Copy());
  const bool is_table = IsTableName(*copy->node, lake_name);
  NameWalk walk;
  walk.qualifier = [&](std::string& catalog, std::string& schema) {
    auto& first = catalog.empty() ? schema : catalog;
    if (Same(first, lake_name)) first = word;
  };
  walk.column = [&](duckdb::vector<std::string>& names) {
    // lake.table.column or lake.schema.table.column; with two parts the first is a table.
    if (names.size() > 2 && !is_table && Same(names[0], lake_name)) names[0] = word;
  };
  walk.table = [](const duckdb::TableRef&) {};
  walk.Visit(*copy->node);
  return duckdb::StringUtil::Replace(copy->ToString(), word, kLakeMark);
}

duckdb::unique_ptr<duckdb::SelectStatement> FromStoredViewSql(const std::string& sql,
                                                              const std::string& lake_name) {
  const auto word = UnusedWord(sql);
  duckdb::Parser parser;
  parser.ParseQuery(ReplaceMark(sql, word));
  if (parser.statements.size() != 1 ||
      parser.statements[0]->type != duckdb::StatementType::SELECT_STATEMENT) {
    throw duckdb::ParserException("A view must be one SELECT statement.");
  }
  auto query = duckdb::unique_ptr_cast<duckdb::SQLStatement, duckdb::SelectStatement>(
      std::move(parser.statements[0]));
  NameWalk walk;
  walk.qualifier = [&](std::string& catalog, std::string& schema) {
    if (catalog.empty() && schema == word) {
      // Surely the catalog: a schema of the lake may have the name under which the lake is
      // attached.
      catalog = lake_name;
      schema.clear();
    } else if (catalog == word) {
      catalog = lake_name;
    }
  };
  walk.column = [&](duckdb::vector<std::string>& names) {
    if (names[0] == word) names[0] = lake_name;
  };
  walk.table = [](const duckdb::TableRef&) {};
  walk.Visit(*query->node);
  return query;
}

namespace {

NameWalk LakeRename(const std::function<bool(const std::string&)>& is_lake,
                    const std::string& lake_name) {
  NameWalk walk;
  walk.qualifier = [&](std::string& catalog, std::string& schema) {
    if (catalog.empty() && !schema.empty() && is_lake(schema)) {
      catalog = lake_name;
      schema.clear();
    } else if (!catalog.empty() && is_lake(catalog)) {
      catalog = lake_name;
    }
  };
  walk.column = [](duckdb::vector<std::string>&) {};
  walk.table = [](const duckdb::TableRef&) {};
  return walk;
}

}  // namespace

void RenameLake(duckdb::QueryNode& query, const std::function<bool(const std::string&)>& is_lake,
                const std::string& lake_name) {
  LakeRename(is_lake, lake_name).Visit(query);
}

void RenameLake(duckdb::ParsedExpression& expression,
                const std::function<bool(const std::string&)>& is_lake,
                const std::string& lake_name) {
  LakeRename(is_lake, lake_name).Visit(expression);
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
