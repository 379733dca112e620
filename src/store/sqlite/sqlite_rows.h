// Values in and out of SQLite statements.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "store/sqlite/sqlite_handle.h"
#include "tarn/catalog_store.h"

namespace tarn::sqlite {

/// `copied`: SQLite keeps its own copy of texts and blobs; else the values must stay until the
/// statement is reset.
void BindValues(Handle& handle, sqlite3_stmt* statement, std::span<const Value> values,
                bool copied);

/// A running query. `on_error` is called before an exception leaves Next().
std::unique_ptr<Rows> MakeRows(std::shared_ptr<Handle> handle, StatementLoan statement,
                               std::string sql, std::function<void()> on_error);

}  // namespace tarn::sqlite
