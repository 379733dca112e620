// A whole lake once more, in another catalog database: all its snapshots, with the same ids.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tarn/catalog_store.h"
#include "tarn/lake.h"
#include "tarn/scan.h"

namespace tarn {

/// Moves the rows of one inlined table from a database to another that stores values in other
/// forms. The target has the table. `scan` names it and has its shape. Throws kUnsupported for a
/// value that the target cannot hold.
using CopyInlinedRows =
    std::function<void(StoreConnection& from, StoreConnection& to, const InlinedScan& scan,
                       const std::function<void(int64_t rows)>& done)>;

struct CopyOptions {
  std::string data_path;  ///< where files are copied to; empty: both lakes name the same files
  bool dry_run = false;   ///< only tell
  /// Empty: inlined rows can be copied only between databases of one kind, and not between DuckDB
  /// files, whose values only an engine can take whole.
  CopyInlinedRows copy_inlined;
  std::function<void(double fraction)> progress;  ///< this and the next: by one thread at a time
  std::function<bool()> interrupted;
};

/// What was copied, or would be.
struct CopyReport {
  int64_t snapshots = 0;
  int64_t tables = 0;        ///< all that ever were, as far as snapshots know them
  int64_t inlined_rows = 0;  ///< dead ones, too
  int64_t files = 0;         ///< data files and delete files
  int64_t bytes = 0;         ///< of them
  int64_t copied_files = 0;  ///< of them: written anew; less than `files` when a copy goes on
  int64_t shared_files = 0;  ///< of them: named by both lakes
  std::string data_path;     ///< of the new lake
};

/// Copies one state of the source, which others may change meanwhile, into a database without a
/// lake. The catalog comes last and in one transaction, so until then there is no lake: a copy that
/// was killed is run again, and finds the files that it has copied already.
///
/// With a data path, files below the source's are copied to the same places below the new one, with
/// their sizes checked; files from elsewhere (added ones) are named by both lakes.
///
/// Throws kAlreadyExists (the target has a lake), kInvalid (the source itself, data paths in one
/// another, a folder that holds other files), kUnsupported (inlined rows that the target cannot
/// hold), kCorrupt (files missing or cut).
CopyReport CopyLake(Lake& source, CatalogStore& target, const CopyOptions& options);

}  // namespace tarn
