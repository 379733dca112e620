// What deletes did to one data file of a change feed.
#pragma once

#include <functional>
#include <memory>

#include "data/deletion_history.h"
#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "tarn/file_system.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// Reads the delete files of `file`, a file of a feed's plan: which of its rows went in the range.
std::shared_ptr<const DeletionHistory> ReadDeletionHistory(duckdb::ClientContext& context,
                                                           FileSystem& file_system,
                                                           const ScanFile& file);

/// Rows that their own transaction took away again: they never came. Of a file whose rows are all
/// of one snapshot; empty otherwise.
DeleteMask ReadStillborn(duckdb::ClientContext& context, FileSystem& file_system,
                         const ScanFile& file);

}  // namespace tarn::engine
