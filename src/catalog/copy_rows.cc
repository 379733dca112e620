// See copy_rows.h.
#include "catalog/copy_rows.h"

#include <memory>
#include <string>
#include <utility>

#include "catalog/inlining.h"
#include "store/statement.h"

namespace tarn {
namespace {

/// Enough that a batch costs little, few enough that it takes little memory.
constexpr size_t kRowsInBatch = 5'000;

Value ReadValue(Rows& rows, int column, StoreType type) {
  if (rows.IsNull(column)) return {};
  switch (type) {
    case StoreType::kBigint:
      return rows.Int64(column);
    case StoreType::kBoolean:
      return rows.Bool(column);
    case StoreType::kTimestampTz:
      return rows.Time(column);
    case StoreType::kBlob:
      return Blob{std::string(rows.Text(column))};
    case StoreType::kVarchar:
    case StoreType::kUuid:
      break;
  }
  return std::string(rows.Text(column));
}

Value ReadInlined(Rows& rows, int column, InlinedForm form) {
  if (rows.IsNull(column)) return {};
  switch (form) {
    case InlinedForm::kInteger:
      return rows.Int64(column);
    case InlinedForm::kBoolean:
      return rows.Bool(column);
    case InlinedForm::kDouble:
      return rows.Double(column);
    case InlinedForm::kBytes:
      return Blob{std::string(rows.Text(column))};
    case InlinedForm::kText:
      break;
  }
  return std::string(rows.Text(column));
}

/// Collects rows and hands them on in batches.
class Batches {
 public:
  using Insert = std::function<void(std::span<const std::vector<Value>>)>;
  Batches(Insert insert, const RowsDone& done) : insert_(std::move(insert)), done_(done) {}

  void Add(std::vector<Value> row) {
    rows_.push_back(std::move(row));
    if (rows_.size() >= kRowsInBatch) Flush();
  }
  void Flush() {
    if (!rows_.empty()) insert_(rows_);
    done_(static_cast<int64_t>(rows_.size()));
    rows_.clear();
  }

 private:
  const Insert insert_;
  const RowsDone& done_;
  std::vector<std::vector<Value>> rows_;
};

}  // namespace

void CopyRows(StoreConnection& from, StoreConnection& to, std::string_view table,
              std::span<const CatalogColumn> columns,
              const std::function<bool(std::vector<Value>&)>& change, const RowsDone& done) {
  StatementBuilder sql(from.dialect(), "SELECT ");
  sql.Text(ColumnList(columns, from.dialect())).Text(" FROM ").Table(table);
  std::vector<std::string_view> names;
  for (const CatalogColumn& column : columns) names.push_back(column.name);
  Batches batches([&](auto rows) { to.InsertRows(table, names, rows); }, done);
  const std::unique_ptr<Rows> rows = from.Stream(sql.Build());
  while (rows->Next()) {
    std::vector<Value> row;
    row.reserve(columns.size());
    for (size_t i = 0; i < columns.size(); ++i)
      row.push_back(ReadValue(*rows, static_cast<int>(i), columns[i].type));
    if (!change || change(row)) batches.Add(std::move(row));
  }
  batches.Flush();
}

void CopyInlinedTable(StoreConnection& from, StoreConnection& to, const InlinedScan& scan,
                      const RowsDone& done) {
  const std::vector<std::string_view> names = InlinedColumnNames(*scan.shape);
  std::vector<InlinedForm> forms(names.size() - scan.shape->columns.size(), InlinedForm::kInteger);
  std::vector<std::string> types(forms.size(), to.dialect().TypeName(StoreType::kBigint));
  for (const Column& column : scan.shape->columns) {
    forms.push_back(InlinedFormOf(to.dialect(), column));
    types.push_back(InlinedColumnType(to.dialect(), column));
  }
  StatementBuilder sql(from.dialect(), "SELECT ");
  sql.Names(names).Text(" FROM ").Table(scan.table_name);
  Batches batches([&](auto rows) { to.InsertTypedRows(scan.table_name, names, types, rows); },
                  done);
  const std::unique_ptr<Rows> rows = from.Stream(sql.Build());
  while (rows->Next()) {
    std::vector<Value> row;
    row.reserve(forms.size());
    for (size_t i = 0; i < forms.size(); ++i)
      row.push_back(ReadInlined(*rows, static_cast<int>(i), forms[i]));
    batches.Add(std::move(row));
  }
  batches.Flush();
}

}  // namespace tarn
