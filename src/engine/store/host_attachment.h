// A DuckDB catalog file, attached to the host's own database instance.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "duckdb.hpp"
#include "engine/store/owned_attachment.h"

namespace tarn::engine {

class QueryLog;

/// What a lake's catalog in a DuckDB file is opened with.
struct HostStoreOptions {
  std::string path;           ///< METADATA_PATH without its scheme; ":memory:" too
  std::string database_name;  ///< `__ducklake_metadata_<lake>`, or METADATA_CATALOG
  bool hidden = true;         ///< false when the user named it: then listings show it
  std::string schema;         ///< METADATA_SCHEMA; empty: main
  bool read_only = false;
  bool create_if_absent = true;
  bool replace = false;  ///< ATTACH OR REPLACE: takes the name over from the lake that had it
  std::vector<std::pair<std::string, std::string>>
      parameters;                       ///< META_ options, for the file's own ATTACH
  std::shared_ptr<const QueryLog> log;  ///< null: nobody is told of queries
};

/// The file is attached as long as the object lives. A new file in which nothing was committed is
/// removed again. Thread safe.
class HostAttachment {
 public:
  /// Throws tarn::Error: kNotFound, kInvalid (also when the name or the file is in use),
  /// kUnavailable.
  HostAttachment(duckdb::DatabaseInstance& instance, const HostStoreOptions& options);
  ~HostAttachment();
  HostAttachment(const HostAttachment&) = delete;
  HostAttachment& operator=(const HostAttachment&) = delete;

  const std::string& name() const { return options_.database_name; }
  const std::string& schema() const { return options_.schema; }
  const HostStoreOptions& options() const { return options_; }
  bool read_only() const { return read_only_; }
  /// Files of older DuckDBs may have no VARIANT columns.
  bool stores_variant() const { return stores_variant_; }
  OwnedAttachment& attachment() { return *attachment_; }

  /// The instance; throws kUnavailable when it is gone.
  duckdb::shared_ptr<duckdb::DatabaseInstance> Instance() const { return attachment_->Instance(); }
  /// Makes the running transaction know the file by its name, whatever is attached under that name
  /// later, and fixes what it sees of it. Throws kUnavailable when the file is ours no longer.
  void UseIn(duckdb::ClientContext& context) const;
  /// Something was committed: the file stays, though this object made it.
  void MarkWritten() { written_ = true; }

 private:
  HostStoreOptions options_;
  std::shared_ptr<OwnedAttachment> attachment_;
  bool read_only_ = false;
  bool stores_variant_ = false;
  bool created_ = false;
  std::atomic<bool> written_ = false;
};

}  // namespace tarn::engine
