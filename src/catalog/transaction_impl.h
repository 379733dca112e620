// The one implementation of Transaction: a base view, the current view, staged files. The catalog
// database is touched by reads and by Commit only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "catalog/change_set.h"
#include "catalog/files_in_use.h"
#include "catalog/lake_impl.h"
#include "tarn/transaction.h"

namespace tarn {

class TransactionImpl final : public Transaction {
 public:
  TransactionImpl(std::shared_ptr<LakeImpl> lake, Snapshot base,
                  std::shared_ptr<const CatalogView> view, OptionSet options, bool read_only,
                  std::function<bool()> interrupted);

  const Snapshot& base() const override { return base_; }
  std::shared_ptr<const CatalogView> view() const override;
  const OptionSet& options() const override { return options_; }
  Lake& lake() override { return *lake_; }
  bool has_changes() const override;

  std::shared_ptr<const Schema> CreateSchema(const std::string& name) override;
  void DropSchema(SchemaRef schema, bool cascade) override;
  std::shared_ptr<const Table> CreateTable(TableDefinition definition) override;
  void DropTable(TableRef table) override;
  std::shared_ptr<const Table> AlterTable(TableRef table, const TableChange& change) override;
  std::shared_ptr<const Table> SetSortKeys(TableRef table, std::vector<SortKey> keys) override;
  bool FillAddedColumn(TableRef table, FieldId column,
                       const std::optional<std::string>& value) override;
  bool CanFillAddedColumn(TableRef table, FieldId column) const override;
  std::shared_ptr<const View> CreateView(ViewDefinition definition) override;
  void DropView(ViewRef view) override;
  void RenameView(ViewRef view, const std::string& name) override;
  void CommentOnView(ViewRef view, const std::optional<std::string>& comment) override;
  std::shared_ptr<const Macro> CreateMacro(MacroDefinition definition) override;
  void DropMacro(MacroRef macro) override;
  void CommentOnMacro(MacroRef macro, const std::optional<std::string>& comment) override;
  void AddDataFiles(TableRef table, std::vector<DataFile> files) override;
  void StageRows(TableRef table, std::shared_ptr<const StagedRows> rows) override;
  void SetInliningDefault(int64_t row_limit) override { inlining_default_ = row_limit; }
  int64_t DeleteRows(TableRef table, const RowRemoval& rows) override;
  std::optional<int64_t> DeleteAllRows(TableRef table) override;
  void RecordRead(TableRef table, const Predicate& predicate) override;

  ScanPlan PlanScan(const TableScan& scan) override;
  std::optional<AggregateAnswers> SettleAggregates(const AggregateQuestion& question) override;
  ScanPlan PlanChanges(const ChangeScan& scan) override;
  std::map<TableRef, FlushPlan> PlanFlush(
      const std::vector<std::shared_ptr<const Table>>& tables) override;
  void StageFlush(TableRef table, std::vector<FlushedTable> flushed, bool deletes) override;
  std::vector<CompactionUnit> PlanCompaction(
      const std::vector<CompactionRequest>& requests) override;
  void StageCompaction(const CompactionUnit& unit, std::optional<DataFile> file) override;
  RestorePlan PlanRestore(const RestoreRequest& request) override;
  void StageRestore(RestorePlan plan) override;
  std::optional<TableStats> Stats(TableRef table) override;
  std::vector<TableInfo> ListTableInfo() override;
  std::map<TableRef, int64_t> RowCounts() override;

  void SetOption(const std::string& key, const std::string& value,
                 const OptionScope& scope) override;
  std::vector<SnapshotInfo> ExpireSnapshots(const ExpiryRequest& request, bool dry_run) override;
  void SetCommitMessage(CommitMessage message) override;
  void SetRetryOptions(const RetryOptions& retry) override;
  std::optional<SnapshotId> Commit(DeleteFileWriter* writer) override;
  void Rollback() noexcept override;

 private:
  void RequireWritable() const;
  /// The same for what changes objects or rows: not in a transaction that has compacted.
  void RequireChangeable() const;
  const CatalogView::SchemaEntries& RequireSchema(const std::string& name) const;
  void RequireFreeName(const CatalogView::SchemaEntries& entries, const std::string& name) const;
  std::string NewUuidV4() const;
  std::string NewUuidV7() const;
  int64_t NextOrdinal() { return next_ordinal_++; }
  PartitionRef RefOfPartition(const Table& before, const std::vector<PartitionKey>& keys);
  /// The view without what left no trace: columns that were added and dropped again, where no file
  /// can hold values of them.
  std::shared_ptr<const CatalogView> NetView() const;
  /// Takes what was staged out of the transaction.
  ChangeSet TakeChangeSet();
  void Finish() noexcept;
  std::shared_ptr<const Table> RequireTable(TableRef table, const char* purpose) const;
  void RemoveEmptiedFiles() noexcept;
  void RefuseKnownFiles(const std::vector<DataFile>& files);
  /// The least id that no column of the table ever had, nor any of its files.
  FieldId FirstFreeField(const Table& table);
  bool MayFill(TableRef table, FieldId column) const;
  void PutTable(const Table& before, std::shared_ptr<const Table> after);
  std::shared_ptr<const View> RequireView(ViewRef view, const char* purpose) const;
  /// The caller holds the lock.
  ScanPlan Plan(StoreConnection& connection, const TableScan& scan) const;
  /// The caller holds the lock. `use` takes a PlanInput for the snapshot that is scanned.
  template <class Use>
  auto WithInput(StoreConnection& connection, const TableScan& scan, const Use& use) const;

  const std::shared_ptr<LakeImpl> lake_;
  const Snapshot base_;
  const std::shared_ptr<const CatalogView> base_view_;
  const bool read_only_;
  const std::function<bool()> interrupted_;

  mutable std::shared_mutex
      mutex_;  ///< guards view_ and staged_: scans plan and sinks stage in many threads
  std::shared_ptr<const CatalogView> view_;
  std::map<TableRef, RowChanges> staged_;
  std::map<TableRef, std::vector<Predicate>> reads_;
  mutable FilesInUse files_in_use_;

  OptionSet options_;
  std::vector<OptionChange> option_changes_;
  std::set<SnapshotId> expired_;
  CommitMessage message_;
  RetryOptions retry_;
  int64_t inlining_default_ = 0;
  int64_t next_ordinal_ = 0;
  std::set<TableRef> settled_fields_;  ///< whose next_field_id FirstFreeField has looked up
  bool compacts_ = false;
  std::optional<Restored> restored_;
  bool finished_ = false;
  std::vector<std::string> emptied_files_;  ///< resolved paths of staged files without live rows
};

}  // namespace tarn
