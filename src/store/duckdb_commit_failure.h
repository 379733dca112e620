// What a failed COMMIT of DuckDB means: its error type says "transaction" whatever went wrong, so
// only the words tell a lost race from a full disk.
#pragma once

#include <string_view>

namespace tarn {

/// Whether the message of a COMMIT that failed with DuckDB's transaction error tells of another
/// transaction; otherwise it tells of the storage. Nothing was committed either way.
bool TellsOfOtherTransaction(std::string_view message);

}  // namespace tarn
