// See the header.
#include "store/postgres/bulk_insert.h"

#include <algorithm>

#include "base/assert.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn::postgres {
namespace {

/// Fewer rows than this are parsed faster as VALUES.
constexpr size_t kFewRows = 8;
/// A statement takes 65535 parameters at most.
constexpr size_t kMaxParameters = 30'000;
/// Rows in one statement's arrays.
constexpr size_t kRowsInArrays = 20'000;

const CatalogTable* FindTable(std::string_view name) {
  for (const CatalogTable& table : AllCatalogTables()) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

}  // namespace

BulkInsert::BulkInsert(const PostgresDialect& dialect, std::string_view table,
                       std::span<const std::string_view> columns,
                       std::span<const std::vector<Value>> rows, std::span<const std::string> types)
    : dialect_(dialect), columns_(columns), rows_(rows) {
  StatementBuilder sql(dialect, "INSERT INTO ");
  head_ = sql.Table(table).Text(" (").Names(columns).Text(") ").Build().text;
  if (rows.size() < kFewRows) return;
  types_.assign(types.begin(), types.end());
  const CatalogTable* known = FindTable(table);
  if (!types_.empty() || known == nullptr) return;
  for (const std::string_view column : columns) {
    const int position = known->Position(column);
    if (position < 0) {
      types_.clear();
      return;
    }
    types_.push_back(dialect.TypeName(known->columns[static_cast<size_t>(position)].type));
  }
}

size_t BulkInsert::RowsAtOnce() const {
  if (!types_.empty()) return kRowsInArrays;
  return std::max<size_t>(kMaxParameters / std::max<size_t>(columns_.size(), 1), 1);
}

bool BulkInsert::Next() {
  if (next_ >= rows_.size()) return false;
  const auto rows = rows_.subspan(next_, std::min(RowsAtOnce(), rows_.size() - next_));
  next_ += rows.size();
  for (const std::vector<Value>& row : rows) TARN_ASSERT(row.size() == columns_.size());
  sql_ = head_;
  parameters_ = Parameters();
  types_.empty() ? MakeValues(rows) : MakeArrays(rows);
  return true;
}

/// `SELECT c1::BIGINT, c2::UUID FROM unnest($1::bigint[], $2::text[]) AS a (c1, c2)`.
void BulkInsert::MakeArrays(std::span<const std::vector<Value>> rows) {
  std::string select, arrays, names;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Oid element = ElementType(rows, i);
    const std::string separator = i == 0 ? "" : ", ";
    const std::string name = "c" + std::to_string(i + 1);
    select += separator + name + "::" + types_[i];
    arrays +=
        separator + dialect_.Placeholder(static_cast<int>(i) + 1) + "::" + ArrayTypeName(element);
    names += separator + name;
    parameters_.AddArray(element, rows, i);
  }
  sql_ += "SELECT " + select + " FROM unnest(" + arrays + ") AS a (" + names + ")";
}

void BulkInsert::MakeValues(std::span<const std::vector<Value>> rows) {
  sql_ += "VALUES ";
  for (size_t row = 0; row < rows.size(); ++row) {
    sql_ += row == 0 ? "(" : ", (";
    for (size_t i = 0; i < columns_.size(); ++i) {
      parameters_.Add(rows[row][i]);
      if (i > 0) sql_ += ", ";
      sql_ += dialect_.Placeholder(parameters_.count());
    }
    sql_ += ")";
  }
}

}  // namespace tarn::postgres
