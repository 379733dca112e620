// Lake: an opened DuckLake 1.0 catalog. The entry point of the kernel.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/file_system.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

class Transaction;

struct RetryOptions {
  int64_t max_attempts = 10;  ///< 0 and 1: fail at the first lost race
  int64_t wait_ms = 100;
  double backoff = 1.5;
};

/// Where time, randomness and sleep come from, so that any test can be replayed.
struct Environment {
  std::function<Timestamp()> now;              ///< empty: the system clock
  std::function<uint64_t()> random;            ///< empty: std::random_device
  std::function<void(int64_t wait_ms)> sleep;  ///< empty: the real thing
};

struct LakeOptions {
  std::shared_ptr<CatalogStore> store;
  std::shared_ptr<FileSystem> file_system;  ///< empty: the local one

  std::string data_path;            ///< DATA_PATH as the user gave it; empty: the stored one
  bool override_data_path = false;  ///< use data_path though another is stored
  bool create_if_absent = true;
  bool read_only = false;
  std::optional<bool> encrypted;
  bool automatic_migration = false;
  std::string created_by;  ///< for ducklake_metadata.created_by; empty: "Tarn <version>"

  Environment environment;
  RetryOptions retry;
};

/// Where an option of ducklake_metadata applies.
struct OptionScope {
  std::optional<SchemaRef> schema;
  std::optional<TableRef> table;
};

/// A row of ducklake_metadata.
struct OptionEntry {
  std::string key;
  std::string value;
  std::string scope;  ///< "" (global), "schema", "table"
  int64_t scope_id = 0;
};

/// The options as they were when a transaction began; the most specific scope wins.
class OptionSet {
 public:
  OptionSet() = default;
  explicit OptionSet(std::vector<OptionEntry> entries) : entries_(std::move(entries)) {}
  const std::vector<OptionEntry>& entries() const { return entries_; }
  /// Table, then its schema, then global.
  std::optional<std::string> Find(std::string_view key, std::optional<SchemaRef> schema = {},
                                  std::optional<TableRef> table = {}) const;
  /// Adds the entry or replaces the one of the same key and scope.
  void Set(OptionEntry entry);
  /// How `scope_id` names a schema or table: its id, or a negative number for one that is new in
  /// this transaction.
  template <class IdType>
  static int64_t ScopeId(Ref<IdType> ref) {
    return ref.is_new() ? -1 - ref.ordinal() : ref.id().value;
  }

 private:
  std::vector<OptionEntry> entries_;
};

/// Row of `ducklake_table_info`.
struct TableInfo {
  std::shared_ptr<const Table> table;
  int64_t file_count = 0;
  int64_t file_size_bytes = 0;
  int64_t delete_file_count = 0;
  int64_t delete_file_size_bytes = 0;
};

/// An opened lake. Thread safe; lives as long as someone holds it. Connections are pooled.
class Lake : public std::enable_shared_from_this<Lake> {
 public:
  /// Opens, or creates when allowed. Throws kNotFound (absent and not to be created), kInvalid
  /// (data path, encryption), kUnsupported (another version), kUnavailable (database out of reach).
  static std::shared_ptr<Lake> Open(LakeOptions options);
  virtual ~Lake() = default;

  /// Starts a transaction on the newest snapshot, or a read-only one on `at`. One round trip when
  /// the lake is unchanged.
  virtual std::unique_ptr<Transaction> Begin(const SnapshotSelector& at = {},
                                             std::function<bool()> interrupted = {}) = 0;

  /// Throws kNotFound: "No snapshot found at version 9".
  virtual Snapshot FindSnapshot(const SnapshotSelector& selector) = 0;
  /// The first one at or after a time; throws kNotFound when all are older.
  virtual Snapshot FirstSnapshotFrom(Timestamp time) = 0;
  virtual std::vector<SnapshotInfo> ListSnapshots() = 0;
  /// Objects alive at a snapshot; cached by schema version.
  virtual std::shared_ptr<const CatalogView> ViewAt(const Snapshot& snapshot) = 0;
  /// The newest snapshot committed through this object; absent before any.
  virtual std::optional<SnapshotId> last_committed() const = 0;

  /// How many bytes of memory may be kept for the files of tables that were read, and what is known
  /// of them; 0: none. 512 MiB unless told.
  virtual void SetMetadataCacheSize(int64_t bytes) = 0;

  virtual const std::string& data_path() const = 0;  ///< in force; ends in "/"
  virtual bool encrypted() const = 0;
  virtual bool read_only() const = 0;
  virtual CatalogStore& store() = 0;
  virtual FileSystem& file_system() = 0;
  virtual const Environment& environment() const = 0;

  /// Resolved folder of a table, ends in "/".
  virtual std::string TablePath(const CatalogView& view, const Table& table) const = 0;
};

}  // namespace tarn
