// What DuckDB encrypts files with. By itself it can only decrypt; the extension httpfs brings the
// other half, and so does Tarn, so that encrypted lakes need no other extension.
#pragma once

#include "duckdb.hpp"

namespace tarn::engine {

/// Lends Tarn's ciphers to an instance that has none that write. One that is there stays. Thread
/// safe; what is lent lives as long as the process.
void LendEncryption(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
