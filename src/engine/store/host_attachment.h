// A DuckDB catalog file, attached to the host's own database instance.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/main/attached_database.hpp"

namespace tarn::engine {

/// What a lake's catalog in a DuckDB file is opened with.
struct HostStoreOptions {
  std::string path;           ///< METADATA_PATH without its scheme; ":memory:" too
  std::string database_name;  ///< `__ducklake_metadata_<lake>`, or METADATA_CATALOG
  bool hidden = true;         ///< false when the user named it: then listings show it
  std::string schema;         ///< METADATA_SCHEMA; empty: main
  bool read_only = false;
  bool create_if_absent = true;
  bool replace = false;       ///< ATTACH OR REPLACE: takes the name over from the lake that had it
  std::vector<std::pair<std::string, std::string>> parameters;  ///< META_ options, for the file's own ATTACH
};

/// Owns the attachment: made by Open, undone by the destructor (a lake lives until its last transaction is over, and so does this).
///
/// Holds no strong reference to the instance, and neither may anyone who waits inside a lake: the instance owns the lake, so it would never
/// be closed. Thread safe.
class HostAttachment {
 public:
  /// Throws tarn::Error: kNotFound, kInvalid, kAlreadyExists (the name or the file is in use), kUnavailable.
  static std::shared_ptr<HostAttachment> Open(duckdb::DatabaseInstance& instance, const HostStoreOptions& options);
  ~HostAttachment();
  HostAttachment(const HostAttachment&) = delete;
  HostAttachment& operator=(const HostAttachment&) = delete;

  const std::string& name() const { return options_.database_name; }
  const std::string& schema() const { return options_.schema; }
  const HostStoreOptions& options() const { return options_; }
  bool read_only() const { return read_only_; }

  /// The instance; throws kUnavailable when it is gone.
  duckdb::shared_ptr<duckdb::DatabaseInstance> Instance() const;
  /// Makes `connection`'s transaction know the file by its name, whatever is attached under that name later. Throws kUnavailable when it is ours
  /// no longer.
  void UseIn(duckdb::ClientContext& context) const;
  /// Something was committed: the file stays, though this object made it.
  void MarkWritten() { written_ = true; }

 private:
  HostAttachment(duckdb::DatabaseInstance& instance, const HostStoreOptions& options);
  void Attach();
  void Detach();
  bool IsOurs() const;

  HostStoreOptions options_;
  const duckdb::weak_ptr<duckdb::DatabaseInstance> instance_;
  duckdb::weak_ptr<duckdb::AttachedDatabase> database_;
  bool read_only_ = false;
  bool created_ = false;
  std::atomic<bool> written_ = false;
};

}  // namespace tarn::engine
