// Proves a lake whole, or says what is wrong.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/lake.h"
#include "tarn/schema.h"

namespace tarn {

struct CheckFinding {
  bool is_error = true;  ///< false: worth knowing, the lake is whole (e.g. an unreferenced file)
  std::string what;      ///< one sentence that names table, file or row
};

struct CheckOptions {
  bool deep = false;  ///< open each file and compare it with what the catalog says
  /// Opens one data file and returns what is wrong with it; given by whoever can read Parquet. Empty: `deep` reads footers only.
  std::function<std::vector<CheckFinding>(const std::string& path, const DataFile& file, const Table& table)> inspect_file;
  std::function<void(double fraction)> progress;
};

struct CheckReport {
  std::vector<CheckFinding> findings;
  int64_t snapshots = 0, tables = 0, data_files = 0, delete_files = 0, rows = 0;
  bool clean() const;  ///< no error among the findings
};

CheckReport CheckLake(Lake& lake, const CheckOptions& options = {});

}  // namespace tarn
