// Proves a lake whole, or says what is wrong.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/file_system.h"
#include "tarn/lake.h"
#include "tarn/schema.h"

namespace tarn {

struct CheckFinding {
  bool is_error = true;  ///< false: worth knowing, the lake is whole (e.g. an unreferenced file)
  std::string what;      ///< one sentence that names table, file or row
};

struct CheckOptions {
  bool deep = false;  ///< open each file and compare it with what the catalog says
  /// Opens one data file and returns what is wrong with it, besides what its footer shows; given by
  /// whoever can read Parquet. Sentences need not name the file. Empty: `deep` reads footers only.
  std::function<std::vector<CheckFinding>(const std::string& path, const DataFile& file,
                                          const Table& table)>
      inspect_file;
  /// The same for a Parquet delete file of a data file of so many rows.
  std::function<std::vector<CheckFinding>(const std::string& path, const DeleteFile& file,
                                          int64_t row_count)>
      inspect_delete_file;
  std::function<void(double fraction)> progress;
};

struct CheckReport {
  std::vector<CheckFinding> findings;
  int64_t snapshots = 0, tables = 0, data_files = 0, delete_files = 0, rows = 0;
  bool clean() const;  ///< no error among the findings
};

CheckReport CheckLake(Lake& lake, const CheckOptions& options = {});

/// What is wrong with one data file by its own footer: rows, sizes, field ids and statistics
/// against the catalog's. `table` has all columns that the table ever had. Files with an encrypted
/// footer cannot be looked at so.
std::vector<CheckFinding> InspectDataFile(FileSystem& file_system, const std::string& path,
                                          const DataFile& file, const Table& table);
/// The same for a delete file of either format, for a data file of so many rows.
std::vector<CheckFinding> InspectDeleteFile(FileSystem& file_system, const std::string& path,
                                            const DeleteFile& file, int64_t row_count);

}  // namespace tarn
