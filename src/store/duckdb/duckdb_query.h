// Running statements through the C API, and reading what they answer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "store/duckdb/duckdb_handle.h"
#include "tarn/catalog_store.h"

namespace tarn::duckdb_c {

/// What a statement needs to know of its connection. Outlives every statement.
struct QueryContext {
  duckdb_connection connection = nullptr;
  std::string path;                   ///< for messages
  std::function<bool()> interrupted;  ///< asked while a statement runs
  std::function<void()> on_error;     ///< called before an exception leaves a cursor
};

/// By the error's type, never by its text. `sql`: the failed statement.
Error MakeError(const QueryContext& context, duckdb_error_type type, const std::string& detail,
                std::string_view sql);

/// Runs a statement without parameters and drops its result.
void RunPlain(const QueryContext& context, const char* sql);
/// Runs a statement to its end; returns the number of changed rows.
int64_t RunToEnd(const QueryContext& context, const Statement& statement);
/// Starts a query; its rows stream.
std::unique_ptr<Rows> StartQuery(const QueryContext& context, const Statement& statement);

}  // namespace tarn::duckdb_c
