// A StoreConnection on a SQLite file, and the store that makes them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/sqlite_handle.h"
#include "store/sqlite/writer_queue.h"
#include "tarn/catalog_store.h"

namespace tarn::sqlite {

/// What all connections of a store share. Immutable.
struct StoreState {
  std::string path;  ///< absolute
  bool writable = true;
  bool may_create = true;
  std::optional<std::string> journal_mode;  ///< absent: WAL for new files, else what the file has
  std::chrono::milliseconds busy_timeout{5000};
  std::shared_ptr<WriterQueue> queue;
};

/// Opens its file at the first use, and again when the path has come to lead to another file.
class SqliteConnection : public StoreConnection {
 public:
  explicit SqliteConnection(std::shared_ptr<const StoreState> state) : state_(std::move(state)) {}
  ~SqliteConnection() override { Rollback(); }

  const Dialect& dialect() const override;
  void Begin(TransactionMode mode) override;
  CommitOutcome Commit() override;
  void Rollback() noexcept override;
  bool in_transaction() const override { return mode_.has_value(); }
  std::unique_ptr<Rows> Query(const Statement& statement) override;
  int64_t Execute(const Statement& statement) override;
  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override;
  bool TableExists(std::string_view table) override;
  std::vector<std::string> ListTables() override;

  /// Opens the file, or what stands in for it, as the next statement needs it.
  Handle& Ready(bool for_write);

 private:
  template <class Work>
  auto RollingBackOnError(Work work) -> decltype(work());
  std::unique_ptr<Handle> OpenForReading();
  Error UnfinishedWrite() const;
  void ReadHead(Handle& handle);
  void BeginWrite();
  void ChooseJournalMode(Handle& handle);

  const std::shared_ptr<const StoreState> state_;
  const std::function<bool()> interrupt_check_ = [this] { return Interrupted(); };
  std::shared_ptr<Handle> handle_;
  std::optional<TransactionMode> mode_;
  std::unique_ptr<WriterQueue::Turn> turn_;
  bool journal_mode_chosen_ = false;
};

class SqliteStore : public CatalogStore {
 public:
  explicit SqliteStore(const StoreOptions& options);

  std::unique_ptr<StoreConnection> Connect() override {
    return std::make_unique<SqliteConnection>(state_);
  }
  const Dialect& dialect() const override;
  std::string location() const override { return location_; }
  bool writable() const override { return state_->writable; }
  void CreateSchemaIfAbsent() override;

 private:
  std::string location_;
  std::string schema_;
  std::shared_ptr<const StoreState> state_;
};

}  // namespace tarn::sqlite
