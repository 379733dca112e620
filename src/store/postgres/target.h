// Which database a store connects to, and how.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tarn/catalog_store.h"

namespace tarn::postgres {

/// Immutable; shared by all connections of a store.
struct Target {
  std::string connection_string;  ///< as given, with its secrets
  std::string shown;              ///< the same without them
  std::vector<std::pair<std::string, std::string>>
      defaults;          ///< keywords that the string wins over
  std::string database;  ///< for a string that names none
  std::string schema;
  bool read_only = false;
  std::chrono::milliseconds busy_timeout{5000};
};

/// Reads the connection string and the META_ options; throws kInvalid for what libpq would not
/// take.
Target MakeTarget(const StoreOptions& options);

}  // namespace tarn::postgres
