// Writes the rows of inlined tables, live and dead, into data files that embed their row ids and
// snapshots.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "duckdb.hpp"
#include "tarn/data_file.h"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn::engine {

class TarnCatalog;

/// Nothing, when another flush has moved rows of them meanwhile. Throws kUnsupported for a table
/// into which this version cannot write rows. The files are the transaction's pending ones until it
/// commits them.
std::optional<std::vector<FlushedTable>> WriteInlinedRows(duckdb::ClientContext& context,
                                                          TarnCatalog& catalog,
                                                          const std::shared_ptr<const Table>& table,
                                                          const std::vector<InlinedScan>& inlined);

}  // namespace tarn::engine
