// SQLite's result codes as Tarn's errors.
#pragma once

#include <string>
#include <string_view>

#include "tarn/error.h"

struct sqlite3;

namespace tarn::sqlite {

/// What a result code says, by the code alone. `sql`: the failed statement, empty when there was
/// none; a plain SQLITE_ERROR is looked into with it, since SQLite has no code of its own for a
/// missing table. `db` may be null when the file could not be opened at all.
Error MakeError(int result_code, sqlite3* db, const std::string& path, std::string_view sql);

/// The code that MakeError was given; 0 for any other error.
int ResultCodeOf(const Error& error);

}  // namespace tarn::sqlite
