// The catalog store for DuckDB files inside DuckDB: the file is attached to the host's own instance
// and queried there, because a second copy of DuckDB on one file would not see the first one's
// locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/common/types/data_chunk.hpp"
#include "duckdb/main/connection.hpp"
#include "engine/store/host_attachment.h"
#include "engine/store/query_log.h"
#include "tarn/catalog_store.h"

namespace tarn::engine {

/// The file is attached while the store lives. DETACH of the lake needs no more than letting go of
/// the lake. A new file in which nothing was committed is removed again.
class HostDuckDbStore : public CatalogStore {
 public:
  HostDuckDbStore(duckdb::DatabaseInstance& instance, const HostStoreOptions& options);
  ~HostDuckDbStore() override;

  std::unique_ptr<StoreConnection> Connect() override;
  const Dialect& dialect() const override;
  std::string location() const override;
  bool writable() const override;
  void CreateSchemaIfAbsent() override;
  OwnedAttachment& attachment() { return attachment_->attachment(); }

 private:
  const std::shared_ptr<HostAttachment> attachment_;
  const std::shared_ptr<const Dialect> dialect_;
};

/// Result chunks of a query, one after the other, in DuckDB's own types.
class ChunkReader {
 public:
  virtual ~ChunkReader() = default;
  virtual const duckdb::vector<duckdb::LogicalType>& types() const = 0;
  virtual const duckdb::vector<duckdb::string>& names() const = 0;
  /// Null at the end. Chunks are flat and the reader's no longer.
  virtual duckdb::unique_ptr<duckdb::DataChunk> Next() = 0;
};

/// Idle, it is an empty object: a DuckDB connection that outlived its query would keep the
/// instance, which owns the lake, alive for ever.
///
/// A StoreConnection of unknown kind offers chunks if `dynamic_cast<HostDuckDbConnection*>` says
/// so.
class HostDuckDbConnection : public StoreConnection {
 public:
  HostDuckDbConnection(std::shared_ptr<HostAttachment> attachment,
                       std::shared_ptr<const Dialect> dialect);
  ~HostDuckDbConnection() override;

  const Dialect& dialect() const override { return *dialect_; }
  void Begin(TransactionMode mode) override;
  CommitOutcome Commit() override;
  void Rollback() noexcept override;
  bool in_transaction() const override { return connection_ != nullptr; }
  std::unique_ptr<Rows> Query(const Statement& statement) override;
  int64_t Execute(const Statement& statement) override;
  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override;
  bool TableExists(std::string_view table) override;
  std::vector<std::string> ListTables() override;

  /// As InsertRows, of whole chunks that have all columns of the table. `next` gives one after the
  /// other, each good until the next call, and then null.
  void AppendChunks(std::string_view table, const std::function<duckdb::DataChunk*()>& next);
  /// As Query, for whoever wants to stay in DuckDB's types.
  std::unique_ptr<ChunkReader> QueryChunks(const Statement& statement);

 private:
  std::unique_ptr<QueryLog::Timer> Timed(std::string_view query) const;
  void RequireTable(std::string_view table);
  std::shared_ptr<duckdb::Connection> OpenConnection(TransactionMode mode);
  template <class Work>
  auto InTransaction(TransactionMode mode, Work work)
      -> decltype(work(std::declval<duckdb::Connection&>()));

  const std::shared_ptr<HostAttachment> attachment_;
  const std::shared_ptr<const Dialect> dialect_;
  const std::function<bool()> interrupt_check_ = [this] { return Interrupted(); };
  std::shared_ptr<duckdb::Connection> connection_;  ///< of the open transaction
  TransactionMode mode_ = TransactionMode::kRead;
};

}  // namespace tarn::engine
