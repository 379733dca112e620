// A catalog database behind a narrow door: connections that run statements with bound values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tarn/error.h"
#include "tarn/snapshot.h"

namespace tarn {

struct Blob {
  std::string bytes;
  friend bool operator==(const Blob&, const Blob&) = default;
};

/// A value bound to a statement. UUIDs are bound as text. std::monostate is NULL.
using Value = std::variant<std::monostate, bool, int64_t, double, std::string, Blob, Timestamp>;

/// SQL text with one placeholder per parameter, written through StatementBuilder
/// (src/store/statement.h). No value is ever pasted.
struct Statement {
  std::string text;
  std::vector<Value> parameters;
};

/// A forward cursor over a result. Columns count from 0. Texts stay valid until the next Next().
class Rows {
 public:
  virtual ~Rows() = default;
  virtual bool Next() = 0;
  virtual bool IsNull(int column) = 0;
  virtual int64_t Int64(int column) = 0;
  virtual double Double(int column) = 0;
  virtual bool Bool(int column) = 0;
  /// Text of any type, as the database casts it; blobs as raw bytes.
  virtual std::string_view Text(int column) = 0;
  virtual Timestamp Time(int column) = 0;
  virtual int column_count() const = 0;
  virtual std::string column_name(int column) const = 0;

  std::optional<int64_t> OptInt64(int column) {
    return IsNull(column) ? std::nullopt : std::optional<int64_t>(Int64(column));
  }
  std::optional<bool> OptBool(int column) {
    return IsNull(column) ? std::nullopt : std::optional<bool>(Bool(column));
  }
  std::optional<std::string> OptText(int column) {
    return IsNull(column) ? std::nullopt : std::optional<std::string>(Text(column));
  }
};

/// Types of columns in the 28 tables; a dialect knows its name for each.
enum class StoreType { kBigint, kVarchar, kBoolean, kTimestampTz, kUuid, kBlob };

/// How a catalog database's SQL differs from the others'.
class Dialect {
 public:
  virtual ~Dialect() = default;
  /// "duckdb", "sqlite", "postgres", "mysql": as ducklake_settings shows it.
  virtual std::string_view name() const = 0;
  /// A quoted identifier, inner quotes doubled.
  virtual std::string Quote(std::string_view identifier) const = 0;
  /// A quoted table name with the schema (and database) that the store was opened with.
  virtual std::string QuoteTable(std::string_view table) const = 0;
  virtual std::string TypeName(StoreType type) const = 0;
  /// The n-th placeholder, n from 1: "?" or "$1".
  virtual std::string Placeholder(int n) const = 0;
};

enum class TransactionMode {
  kRead,   ///< all queries see one state of the database; never waits behind a writer
  kWrite,  ///< may write; where writers exclude each other (SQLite) waits for its turn here
};

enum class CommitOutcome {
  kCommitted,
  kLostRace,  ///< surely not committed, another writer was first: try again
  kUnknown,   ///< the connection broke while committing
};

/// What became of a transaction that was sent as a whole.
struct WholeCommit {
  CommitOutcome outcome = CommitOutcome::kLostRace;
  std::unique_ptr<class Rows> rows;  ///< of its first statement, when it is committed
  /// Of an unknown outcome: the database works on it no more, so what is not there will not come.
  bool is_over = true;
};

/// One connection, used by one thread at a time. Destroying it, or an exception on the way, rolls
/// back. Errors are classified by native codes: kAlreadyExists for a unique violation, kConflict
/// for a lost write-write race, kUnavailable for a lock timeout or an unreachable database,
/// kNotFound for a missing table, kInterrupted when the interrupt check said so.
class StoreConnection {
 public:
  virtual ~StoreConnection() = default;
  virtual const Dialect& dialect() const = 0;

  virtual void Begin(TransactionMode mode) = 0;
  virtual CommitOutcome Commit() = 0;
  virtual void Rollback() noexcept = 0;
  virtual bool in_transaction() const = 0;

  /// The cursor must be gone before the next call on this connection.
  virtual std::unique_ptr<Rows> Query(const Statement& statement) = 0;
  /// The same for an answer of any size, in bounded memory; inside a transaction only.
  virtual std::unique_ptr<Rows> Stream(const Statement& statement) { return Query(statement); }
  /// Returns the number of affected rows.
  virtual int64_t Execute(const Statement& statement) = 0;
  /// The same for whoever does not ask for the number. Inside a transaction a driver may let the
  /// statement go together with later ones: its error then comes with one of them, at the latest
  /// with Commit. InsertRows may do so, too.
  virtual void Send(const Statement& statement) { Execute(statement); }
  /// Inserts rows as fast as the database can; each row has one value per column.
  virtual void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                          std::span<const std::vector<Value>> rows) = 0;
  /// The same for a table that is none of the 28, told what types its columns have, in the
  /// database's own words: drivers that send rows in bulk want to know.
  virtual void InsertTypedRows(std::string_view table, std::span<const std::string_view> columns,
                               std::span<const std::string> /*types*/,
                               std::span<const std::vector<Value>> rows) {
    InsertRows(table, columns, rows);
  }
  virtual bool TableExists(std::string_view table) = 0;
  virtual std::vector<std::string> ListTables() = 0;

  /// Whether CommitWhole is there: of databases that compute what the head decides, at a distance
  /// that makes it worth while.
  virtual bool commits_whole() const { return false; }
  /// A write transaction of these statements, sent and committed at once. Waits behind other
  /// writers as Begin does, and can be interrupted as long as nothing is committed.
  virtual WholeCommit CommitWhole(std::span<const Statement> /*statements*/) {
    throw Error(ErrorCode::kInternal, "This database commits step by step.");
  }
  /// Returns when all that this connection can see would outlast a crash of the database.
  virtual void AwaitDurable() {}

  /// Asked while waiting; true cancels the wait with kInterrupted.
  void SetInterruptCheck(std::function<bool()> check) { interrupted_ = std::move(check); }

 protected:
  bool Interrupted() const { return interrupted_ && interrupted_(); }

 private:
  std::function<bool()> interrupted_;
};

/// A catalog database: makes connections. Thread safe.
class CatalogStore {
 public:
  virtual ~CatalogStore() = default;
  virtual std::unique_ptr<StoreConnection> Connect() = 0;
  virtual const Dialect& dialect() const = 0;
  /// For messages and settings: the path or the connection string without passwords.
  virtual std::string location() const = 0;
  /// False when the database or its medium cannot be written.
  virtual bool writable() const = 0;
  /// Creates the schema that the catalog's tables live in, when it is absent. SQLite has none.
  virtual void CreateSchemaIfAbsent() = 0;
};

struct StoreOptions {
  std::string location;  ///< path or connection string, without the scheme
  std::string schema;    ///< METADATA_SCHEMA; empty: the database's usual one
  bool read_only = false;
  bool create_if_absent = true;  ///< may create the database file
  int64_t busy_timeout_ms = 5000;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< META_ options, lower-case keys
};

/// Opens stores by scheme ("sqlite", "duckdb", "postgres"); drivers register themselves through
/// RegisterStoreDriver so that the kernel names none.
using StoreDriver = std::function<std::shared_ptr<CatalogStore>(const StoreOptions&)>;
void RegisterStoreDriver(std::string scheme, StoreDriver driver);
std::shared_ptr<CatalogStore> OpenCatalogStore(const std::string& scheme,
                                               const StoreOptions& options);

}  // namespace tarn
