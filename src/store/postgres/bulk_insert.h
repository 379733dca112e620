// Many rows as few statements.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/parameters.h"
#include "store/postgres/postgres_dialect.h"
#include "tarn/catalog_store.h"

namespace tarn::postgres {

/// Rows of the 28 catalog tables, and of others whose types are given, travel as one array per
/// column; few rows, and those of tables that nothing is known of, as a list of VALUES.
class BulkInsert {
 public:
  /// The arguments must stay as long as this object.
  BulkInsert(const PostgresDialect& dialect, std::string_view table,
             std::span<const std::string_view> columns, std::span<const std::vector<Value>> rows,
             std::span<const std::string> types = {});

  /// Makes the next statement; false when there is none.
  bool Next();
  const std::string& sql() const { return sql_; }
  const Parameters& parameters() const { return parameters_; }

 private:
  size_t RowsAtOnce() const;
  void MakeArrays(std::span<const std::vector<Value>> rows);
  void MakeValues(std::span<const std::vector<Value>> rows);

  const PostgresDialect& dialect_;
  const std::span<const std::string_view> columns_;
  const std::span<const std::vector<Value>> rows_;
  std::string head_;                ///< `INSERT INTO t (a, b) `
  std::vector<std::string> types_;  ///< of the columns; empty when not known
  size_t next_ = 0;
  std::string sql_;
  Parameters parameters_;
};

}  // namespace tarn::postgres
