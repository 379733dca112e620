// What a new lake holds (format page, section 1), and what an existing one must say for us to open
// it.
#include "catalog/lake_opening.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/text.h"
#include "base/uuid.h"
#include "catalog/catalog_reader.h"
#include "catalog/data_folder.h"
#include "catalog/migrate.h"
#include "format/change_list.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/connection_string.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr const char* kDefaultCreatedBy = "Tarn 0.1.0";

bool IsLake(StoreConnection& connection) {
  return connection.TableExists(tables::Metadata::kTable.name);
}

/// `sqlite:lake.db`, as the user would write it; a DuckDB file has no prefix.
std::string CatalogName(const CatalogStore& store) {
  std::string_view scheme = store.dialect().name();
  return scheme == "duckdb" ? store.location() : std::string(scheme) + ":" + store.location();
}

/// Where a new lake's files go.
std::string NewDataPath(const CatalogStore& store, const LakeOptions& options) {
  if (!options.data_path.empty()) return WithTrailingSlash(options.data_path);
  std::string location = store.location();
  if (store.dialect().name() != "duckdb" || location.empty()) {
    throw Error(ErrorCode::kInvalid,
                "Attempting to create a new ducklake instance but data_path is not set - set the "
                "DATA_PATH parameter to the desired "
                "location of the data files (in `tarn`: --data-path FOLDER)");
  }
  // Beside the catalog file. Absolute, since the next user may start from another folder; a catalog
  // in memory has no next user.
  if (location != ":memory:" && !IsAbsolutePath(location))
    location = std::filesystem::absolute(location).lexically_normal().string();
  return location + ".files/";
}

void CreateTables(StoreConnection& connection) {
  for (const CatalogTable& table : AllCatalogTables())
    connection.Send({CreateTableSql(table, connection.dialect()), {}});
}

void InsertFirstRows(StoreConnection& connection, const LakeOptions& options,
                     const std::string& data_path) {
  auto insert = [&](const CatalogTable& table, std::vector<std::vector<Value>> rows) {
    connection.InsertRows(table.name, table.ColumnNames(), rows);
  };
  const std::string created_by =
      options.created_by.empty() ? kDefaultCreatedBy : options.created_by;
  auto metadata = [](const char* key, std::string value) -> std::vector<Value> {
    return {std::string(key), std::move(value), {}, {}};
  };
  insert(tables::Metadata::kTable,
         {metadata("version", kFormatVersion), metadata("created_by", created_by),
          metadata("data_path", data_path),
          metadata("encrypted", options.encrypted.value_or(false) ? "true" : "false")});
  insert(tables::Snapshot::kTable,
         {{int64_t{0}, Now(options.environment), int64_t{0}, int64_t{1}, int64_t{0}}});
  const Change created = Change::Created(ChangeKind::kCreatedSchema, {}, "main");
  insert(tables::SnapshotChanges::kTable, {{int64_t{0}, FormatChanges({&created, 1}), {}, {}, {}}});
  const std::string uuid = UuidV4([&] { return Random(options.environment); });
  insert(tables::Schema::kTable,
         {{int64_t{0}, uuid, int64_t{0}, {}, std::string("main"), std::string("main/"), true}});
}

/// False when another process made the lake in the meantime.
bool CreateLake(ConnectionPool& pool, const LakeOptions& options) {
  const std::string data_path = NewDataPath(pool.store(), options);
  pool.store().CreateSchemaIfAbsent();
  ConnectionPool::Lease connection = pool.Acquire();
  try {
    connection->Begin(TransactionMode::kWrite);
    if (IsLake(*connection)) return false;
    CreateTables(*connection);
    InsertFirstRows(*connection, options, data_path);
    return connection->Commit() == CommitOutcome::kCommitted;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kAlreadyExists || error.code() == ErrorCode::kConflict)
      return false;
    throw;
  }
}

// --- an existing lake ---

std::string MigrationFailure(const std::string& version) {
  return "Failed to migrate DuckLake from v" + version + " to v" + kFormatVersion + ": ";
}

std::string ReadVersion(StoreConnection& connection) {
  // Nothing but key and value is read: older versions have fewer columns.
  using M = tables::Metadata;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ")
      .Name(M::kValue.name)
      .Text(" FROM ")
      .Table(M::kTable.name)
      .Text(" WHERE ")
      .Name(M::kKey.name)
      .Text(" = ");
  sql.Bind("version");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  if (!rows->Next())
    throw Error(ErrorCode::kCorrupt,
                "The catalog has a table ducklake_metadata without a version; it is no DuckLake");
  return std::string(rows->Text(0));
}

/// For those who have never attached anything.
std::string MigrationAdvice(const CatalogStore& store) {
  return " From the command line: tarn -c \"ATTACH " +
         QuoteLiteral("ducklake:" + WithoutPasswords(CatalogName(store))) +
         " AS l (AUTOMATIC_MIGRATION)\"";
}

/// Whether the catalog must be migrated first; throws when it cannot be opened at all.
bool MustMigrate(const std::string& version, const CatalogStore& store,
                 const LakeOptions& options) {
  if (version == kFormatVersion) return false;
  const bool older = IsOlderVersion(version);
  if (!options.automatic_migration) {
    throw Error(
        ErrorCode::kUnsupported,
        "DuckLake catalog version mismatch: catalog version is " + version +
            ", but the extension requires version " + kFormatVersion + ". " +
            (older ? "To automatically migrate, set AUTOMATIC_MIGRATION to TRUE when attaching." +
                         MigrationAdvice(store)
                   : "A newer client wrote this lake: open it with one."));
  }
  if (!older) {
    throw Error(ErrorCode::kUnsupported,
                "Only DuckLake versions 0.1, 0.2, 0.3-dev1, 0.3, 0.4-dev1, 0.4, 1.0 are supported, "
                "and this catalog is of version " +
                    version);
  }
  if (options.read_only || !store.writable()) {
    throw Error(ErrorCode::kInvalid, MigrationFailure(version) +
                                         "the lake is open read-only. Attach it once for writing, "
                                         "with AUTOMATIC_MIGRATION.");
  }
  return true;
}

std::string SettleDataPath(const std::optional<std::string>& stored, const LakeOptions& options) {
  if (!stored || stored->empty()) {
    if (!options.data_path.empty()) return WithTrailingSlash(options.data_path);
    throw Error(ErrorCode::kCorrupt,
                "The catalog has no data_path in ducklake_metadata; give one with DATA_PATH");
  }
  const std::string in_catalog = WithTrailingSlash(*stored);
  if (options.data_path.empty()) return in_catalog;
  const std::string wanted = WithTrailingSlash(options.data_path);
  if (wanted == in_catalog || NormalPath(wanted) == NormalPath(in_catalog)) return in_catalog;
  // A whole path says more than a relative one.
  if (IsSameFolder(wanted, in_catalog)) return IsAbsolutePath(wanted) ? wanted : in_catalog;
  if (options.override_data_path) return wanted;
  throw Error(ErrorCode::kInvalid,
              "DATA_PATH parameter \"" + wanted +
                  "\" does not match existing data path in the catalog \"" + in_catalog +
                  "\".\nLeave DATA_PATH out: the lake knows its folder. Only if its files have "
                  "moved, set OVERRIDE_DATA_PATH to True (in `tarn`: --override-data-path).");
}

bool SettleEncryption(const std::optional<std::string>& stored, const LakeOptions& options) {
  const bool encrypted = stored == "true";
  if (options.encrypted && *options.encrypted != encrypted) {
    throw Error(ErrorCode::kInvalid, encrypted
                                         ? "Failed to set encryption - the database is encrypted "
                                           "but we requested an unencrypted database"
                                         : "Failed to set encryption - the database is not "
                                           "encrypted but we requested an encrypted database");
  }
  return encrypted;
}

LakeImpl::Settled OpenExisting(StoreConnection& connection, const CatalogStore& store,
                               const LakeOptions& options, bool is_new) {
  const CatalogReader::Head head = CatalogReader(connection).ReadHead();
  LakeImpl::Settled settled;
  settled.data_path = SettleDataPath(head.options.Find("data_path"), options);
  settled.encrypted = SettleEncryption(head.options.Find("encrypted"), options);
  settled.read_only = options.read_only || !store.writable();
  if (!is_new) settled.data_path = PlaceDataPath(settled.data_path, store);
  if (!settled.read_only && !options.override_data_path)
    settled.lost_folder = DescribeLostFolder(connection, settled.data_path, store);
  return settled;
}

/// Migrates the lake and opens it, in one transaction: a lake that these options would not open
/// afterwards keeps its version. Nothing when another process changed it in the meantime.
std::optional<LakeImpl::Settled> MigrateLake(ConnectionPool& pool, const LakeOptions& options) {
  ConnectionPool::Lease connection = pool.Acquire();
  connection->Begin(TransactionMode::kWrite);
  const std::string version = ReadVersion(*connection);
  if (!MustMigrate(version, pool.store(), options)) return std::nullopt;
  LakeImpl::Settled settled;
  try {
    MigrateCatalog(*connection, version);
    settled = OpenExisting(*connection, pool.store(), options, /*is_new=*/false);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kConflict) return std::nullopt;
    // A table that an old catalog should have is not there: that is no lake to be made anew.
    const ErrorCode code =
        error.code() == ErrorCode::kNotFound ? ErrorCode::kCorrupt : error.code();
    throw Error(code, MigrationFailure(version) + error.message(), error.context());
  }
  if (connection->Commit() != CommitOutcome::kCommitted) return std::nullopt;
  return settled;
}

/// Names what stands in the way of a lake that could not be created.
void RefuseForeignTables(ConnectionPool& pool) {
  ConnectionPool::Lease connection = pool.Acquire();
  for (const CatalogTable& table : AllCatalogTables()) {
    if (!connection->TableExists(table.name)) continue;
    throw Error(ErrorCode::kInvalid,
                "The lake at metadata catalog \"" + CatalogName(pool.store()) +
                    "\" cannot be created: there is a table \"" + std::string(table.name) +
                    "\" already that is not a lake's. Rename it, or put the lake elsewhere, with "
                    "METADATA_SCHEMA for example.");
  }
}

}  // namespace

LakeImpl::Settled OpenOrCreateLake(ConnectionPool& pool, const LakeOptions& options) {
  // A lake that was made or migrated by someone faster is looked at again; one that changes under
  // our eyes every time is given up.
  constexpr int kLooks = 3;
  bool is_there = false, is_new = false;
  for (int look = 0; look < kLooks; ++look) {
    is_there = false;
    {
      ConnectionPool::Lease connection = pool.Acquire();
      connection->Begin(TransactionMode::kRead);
      is_there = IsLake(*connection);
      if (is_there && !MustMigrate(ReadVersion(*connection), pool.store(), options))
        return OpenExisting(*connection, pool.store(), options, is_new);
    }
    if (is_there) {
      if (std::optional<LakeImpl::Settled> settled = MigrateLake(pool, options)) return *settled;
      continue;
    }
    if (look > 0) break;
    if (!options.create_if_absent || options.read_only || !pool.store().writable()) {
      throw Error(ErrorCode::kNotFound,
                  "Existing DuckLake at metadata catalog \"" + CatalogName(pool.store()) +
                      "\" does not exist - and creating a new DuckLake is explicitly disabled");
    }
    is_new = CreateLake(pool, options);
  }
  if (!is_there) RefuseForeignTables(pool);
  throw Error(ErrorCode::kUnavailable, "The lake at metadata catalog \"" +
                                           CatalogName(pool.store()) + "\" could not be " +
                                           (is_there ? "migrated, and nobody else has migrated it"
                                                     : "created, and nobody else has created it") +
                                           "; try again");
}

}  // namespace tarn
