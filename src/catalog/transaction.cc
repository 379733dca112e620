// Transactions: object rules (who may be created or dropped), staging, and handing a ChangeSet to
// the committer.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "base/environment.h"
#include "base/text.h"
#include "base/uuid.h"
#include "catalog/alter_table.h"
#include "catalog/catalog_view.h"
#include "catalog/flush.h"
#include "catalog/logical_types.h"
#include "catalog/registered_files.h"
#include "catalog/scan_planner.h"
#include "catalog/transaction_impl.h"
#include "format/paths.h"
#include "tarn/error.h"

namespace tarn {
namespace {

Error NoSuchSchema(const std::string& name) {
  return Error(ErrorCode::kNotFound, "Schema \"" + name + "\" not found");
}

}  // namespace

TransactionImpl::TransactionImpl(std::shared_ptr<LakeImpl> lake, Snapshot base,
                                 std::shared_ptr<const CatalogView> view, OptionSet options,
                                 bool read_only, std::function<bool()> interrupted)
    : lake_(std::move(lake)),
      base_(base),
      base_view_(view),
      read_only_(read_only),
      interrupted_(std::move(interrupted)),
      view_(std::move(view)),
      options_(std::move(options)),
      retry_(lake_->retry_options()) {}

std::shared_ptr<const CatalogView> TransactionImpl::view() const {
  std::shared_lock lock(mutex_);
  return view_;
}

bool TransactionImpl::has_changes() const {
  std::shared_lock lock(mutex_);
  if (finished_) return false;
  auto has_rows = [](const auto& item) { return !item.second.empty(); };
  if (std::any_of(staged_.begin(), staged_.end(), has_rows) || !option_changes_.empty() ||
      !expired_.empty())
    return true;
  return view_ != base_view_ && !DiffViews(*base_view_, *NetView()).empty();
}

void TransactionImpl::RequireWritable() const {
  if (finished_) throw Error(ErrorCode::kInvalid, "The transaction is over; begin another one");
  if (read_only_) {
    throw Error(ErrorCode::kInvalid,
                "Cannot write to the lake: it is opened in read-only mode or at an older snapshot");
  }
  lake_->RequireFolder();
}

void TransactionImpl::RequireChangeable() const {
  RequireWritable();
  if (compacts_) {
    throw Error(ErrorCode::kInvalid,
                "Transactions can either make changes OR perform compaction - not both: this one "
                "has merged or rewritten files. Commit it first.");
  }
}

std::shared_ptr<const Table> TransactionImpl::RequireTable(TableRef ref,
                                                           const char* purpose) const {
  std::shared_ptr<const Table> table = view_->FindTable(ref);
  if (table == nullptr)
    throw Error(ErrorCode::kNotFound, std::string("The table to ") + purpose + " does not exist");
  return table;
}

std::string TransactionImpl::NewUuidV4() const {
  return UuidV4([this] { return Random(lake_->environment()); });
}

std::string TransactionImpl::NewUuidV7() const {
  return UuidV7(Now(lake_->environment()), [this] { return Random(lake_->environment()); });
}

// --- objects ---

const CatalogView::SchemaEntries& TransactionImpl::RequireSchema(const std::string& name) const {
  const CatalogView::SchemaEntries* entries = view_->FindSchema(name);
  if (entries == nullptr) throw NoSuchSchema(name);
  return *entries;
}

/// Tables and views share their names.
void TransactionImpl::RequireFreeName(const CatalogView::SchemaEntries& entries,
                                      const std::string& name) const {
  const char* kind = entries.tables.count(name) > 0  ? "Table"
                     : entries.views.count(name) > 0 ? "View"
                                                     : nullptr;
  if (kind == nullptr) return;
  throw Error(ErrorCode::kAlreadyExists,
              std::string(kind) + " with name \"" + name + "\" already exists!",
              {{"schema", entries.schema->name}});
}

std::shared_ptr<const Schema> TransactionImpl::CreateSchema(const std::string& name) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  if (name.empty()) throw Error(ErrorCode::kInvalid, "A schema must have a name");
  if (view_->FindSchema(name) != nullptr)
    throw Error(ErrorCode::kAlreadyExists, "Schema with name \"" + name + "\" already exists!");
  auto schema = std::make_shared<Schema>();
  schema->ref = SchemaRef::New(NextOrdinal());
  schema->uuid = NewUuidV7();
  schema->name = name;
  schema->path = FolderFor(name, schema->uuid);
  view_ = view_->WithSchema(schema);
  return schema;
}

void TransactionImpl::DropSchema(SchemaRef ref, bool cascade) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  const CatalogView::SchemaEntries* entries = view_->FindEntries(ref);
  if (entries == nullptr) throw Error(ErrorCode::kNotFound, "The schema to drop does not exist");
  const bool empty = entries->tables.empty() && entries->views.empty() &&
                     entries->scalar_macros.empty() && entries->table_macros.empty();
  if (!empty && !cascade) {
    const std::string& name = entries->schema->name;
    std::string message =
        "Cannot drop schema \"" + name + "\" because there are entries that depend on it\n";
    auto add = [&](const char* kind, const std::string& entry) {
      message += std::string(kind) + " \"" + entry + "\" depends on schema \"" + name + "\".\n";
    };
    for (const auto& [key, table] : entries->tables) add("table", table->name);
    for (const auto& [key, view] : entries->views) add("view", view->name);
    for (const auto& [key, macro] : entries->scalar_macros) add("macro", macro->name);
    for (const auto& [key, macro] : entries->table_macros) add("macro", macro->name);
    throw Error(ErrorCode::kInvalid, message + "Use DROP...CASCADE to drop all dependents.");
  }
  std::erase_if(staged_,
                [&](const auto& item) { return view_->FindTable(item.first)->schema == ref; });
  view_ = view_->WithoutSchema(ref);
}

std::shared_ptr<const Table> TransactionImpl::CreateTable(TableDefinition definition) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  const CatalogView::SchemaEntries& entries = RequireSchema(definition.schema);
  if (definition.name.empty()) throw Error(ErrorCode::kInvalid, "A table must have a name");
  if (definition.columns.empty())
    throw Error(ErrorCode::kInvalid,
                "Table \"" + definition.name + "\" must have at least one column");
  RequireFreeName(entries, definition.name);
  CheckColumns(definition.columns, definition.name);
  auto table = std::make_shared<Table>();
  table->ref = TableRef::New(NextOrdinal());
  table->uuid = NewUuidV7();
  table->schema = entries.schema->ref;
  table->path = FolderFor(definition.name, table->uuid);
  table->name = std::move(definition.name);
  table->columns = std::move(definition.columns);
  int64_t next_id = 1;
  NumberColumns(table->columns, next_id);
  table->next_field_id = FieldId(next_id);
  WriteLogicalTypes(*table);
  view_ = view_->WithTable(table);
  return table;
}

void TransactionImpl::DropTable(TableRef ref) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  RequireTable(ref, "drop");
  view_ = view_->WithoutTable(ref);
  staged_.erase(ref);
}

// --- rows ---

void TransactionImpl::AddDataFiles(TableRef ref, std::vector<DataFile> files) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  std::shared_ptr<const Table> table = RequireTable(ref, "add files to");
  for (const DataFile& file : files) {
    if (file.path.empty() || file.record_count < 0 || file.file_size_bytes < 0) {
      throw Error(
          ErrorCode::kInvalid,
          "A data file for table \"" + table->name + "\" needs a path, a row count and a size",
          {{"path", file.path}});
    }
    if (lake_->encrypted() && !file.encryption_key) {
      throw Error(ErrorCode::kInvalid, "The lake is encrypted, but the data file \"" + file.path +
                                           "\" is not; write it encrypted");
    }
  }
  if (files.empty()) return;
  RefuseKnownFiles(files);
  RowChanges& changes = staged_[ref];
  for (DataFile& file : files) {
    file.id = {};
    file.begin_snapshot = {};
    file.end_snapshot.reset();
    file.row_id_start = changes.next_local_row_id;
    changes.next_local_row_id += file.record_count;
    changes.data_files.push_back(std::move(file));
  }
}

/// Of files that were there before: one that the lake has already, in this transaction or before.
void TransactionImpl::RefuseKnownFiles(const std::vector<DataFile>& files) {
  std::map<std::string, std::string> wanted;
  for (const DataFile& file : files) {
    if (file.registration) wanted.emplace(file.registration->real_path, file.path);
  }
  if (wanted.empty()) return;
  const auto refuse = [](const std::string& path, const std::string& where) {
    throw Error(ErrorCode::kInvalid,
                "File \"" + path + "\" is in the lake already: " + where +
                    ". A file can be added once; add a copy of it under another name.",
                {{"path", path}});
  };
  RealPaths paths(lake_->file_system());
  std::set<std::string> real_paths;
  for (const auto& [real_path, path] : wanted) real_paths.insert(real_path);
  for (const auto& [ref, rows] : staged_) {
    const std::shared_ptr<const Table> table = view_->FindTable(ref);
    for (const DataFile& file : rows.data_files) {
      const auto found = wanted.find(
          file.registration ? file.registration->real_path
                            : paths.Of(ResolveFilePath(lake_->TablePath(*view_, *table), file.path,
                                                       file.path_is_relative)));
      if (found != wanted.end()) refuse(found->second, "table \"" + table->name + "\" has it");
    }
  }
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  const auto known =
      FindKnownFile(*connection, {lake_->file_system(), lake_->data_path()}, real_paths);
  if (!known) return;
  refuse(known->path, known->table.empty() ? std::string("it waits to be deleted by clean-up")
                                           : "table \"" + known->table + "\" has it, or had it");
}

void TransactionImpl::StageRows(TableRef ref, std::shared_ptr<const StagedRows> rows) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  RequireTable(ref, "insert into");
  if (rows->count() > 0) staged_[ref].Stage(std::move(rows));
}

int64_t TransactionImpl::DeleteRows(TableRef ref, const RowRemoval& rows) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  std::shared_ptr<const Table> table = RequireTable(ref, "delete from");
  auto staged = staged_.find(ref);
  const size_t staged_files = staged == staged_.end() ? 0 : staged->second.data_files.size();
  const size_t batches = staged == staged_.end() ? 0 : staged->second.staged_rows.size();
  // All is checked before anything is changed.
  for (const RowRemoval::FromFile& from : rows.files) {
    const bool is_known =
        from.staged_index ? *from.staged_index < staged_files : from.file.valid() && !ref.is_new();
    TARN_ASSERT(is_known);
    const int64_t limit = from.staged_index
                              ? staged->second.data_files[*from.staged_index].record_count
                              : std::numeric_limits<int64_t>::max();
    for (int64_t position : from.positions) TARN_ASSERT(position >= 0 && position < limit);
  }
  for (const RowRemoval::FromStaged& from : rows.staged) {
    TARN_ASSERT(from.batch < batches);
    const int64_t limit = staged->second.staged_rows[from.batch].rows->count();
    for (int64_t row : from.rows) TARN_ASSERT(row >= 0 && row < limit);
  }
  if (!ref.is_new()) files_in_use_.Pin(ref.id(), base_.id);
  int64_t count = 0;
  for (const RowRemoval::FromFile& from : rows.files) {
    if (from.positions.empty()) continue;
    RowChanges& changes = staged_[ref];
    RemovedRows& removed =
        from.staged_index ? changes.removed_staged[*from.staged_index] : changes.removed[from.file];
    count += removed.Add(from.positions);
  }
  for (const RowRemoval::FromInlined& from : rows.inlined) {
    if (!from.row_ids.empty())
      count += staged_[ref].removed_inlined[from.table_name].Add(from.row_ids);
  }
  for (const RowRemoval::FromStaged& from : rows.staged)
    count += staged_[ref].staged_rows[from.batch].removed.Add(from.rows);
  return count;
}

std::optional<int64_t> TransactionImpl::DeleteAllRows(TableRef ref) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  TableScan scan;
  scan.table = RequireTable(ref, "delete from");
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  const ScanPlan plan = Plan(*connection, scan);
  if (!plan.row_count) return std::nullopt;
  if (plan.files.empty() && plan.inlined.empty() && plan.staged_rows.empty()) return 0;
  if (!ref.is_new()) files_in_use_.Pin(ref.id(), base_.id);
  RowChanges& changes = staged_[ref];
  for (const ScanFile& file : plan.files) {
    RemovedRows& removed = file.staged_index ? changes.removed_staged[*file.staged_index]
                                             : changes.removed[file.file.id];
    // The count is exact, so a file has one kind of committed deletes at most.
    int64_t deleted = static_cast<int64_t>(file.deleted_positions.size());
    for (const ScanDelete& entry : file.deletes) deleted += entry.file.delete_count;
    removed.AddAll(std::max<int64_t>(0, file.file.record_count - deleted));
  }
  for (const InlinedScan& inlined : plan.inlined)
    changes.removed_inlined[inlined.table_name].AddAll(inlined.row_count);
  for (const StagedScan& staged : plan.staged_rows)
    changes.staged_rows[staged.batch].removed.AddAll(staged.row_count);
  return plan.row_count;
}

std::map<TableRef, FlushPlan> TransactionImpl::PlanFlush(
    const std::vector<std::shared_ptr<const Table>>& tables) {
  std::unique_lock lock(mutex_);
  std::vector<std::shared_ptr<const Table>> open;
  for (const auto& table : tables) {
    auto staged = staged_.find(table->ref);
    if (staged == staged_.end() || !staged->second.flushes()) open.push_back(table);
  }
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  return PlanTableFlushes(*connection, open, base_.id);
}

void TransactionImpl::StageFlush(TableRef ref, std::vector<FlushedTable> flushed, bool deletes) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  RequireTable(ref, "flush inlined data of");
  TARN_ASSERT(!staged_[ref].flushes());
  staged_[ref].flush = Flush{std::move(flushed), deletes};
}

void TransactionImpl::SetOption(const std::string& key, const std::string& value,
                                const OptionScope& scope) {
  RequireWritable();
  for (const char* fixed : {"version", "created_by", "data_path", "encrypted"}) {
    if (key == fixed)
      throw Error(ErrorCode::kInvalid,
                  "Unsupported option " + key + ": it is fixed when a lake is created");
  }
  OptionEntry entry{key, value, "", 0};
  if (scope.table) {
    entry.scope = "table";
    entry.scope_id = OptionSet::ScopeId(*scope.table);
  } else if (scope.schema) {
    entry.scope = "schema";
    entry.scope_id = OptionSet::ScopeId(*scope.schema);
  }
  options_.Set(std::move(entry));
  std::erase_if(option_changes_, [&](const OptionChange& change) {
    return change.key == key && change.scope.table == scope.table &&
           change.scope.schema == scope.schema;
  });
  option_changes_.push_back({key, value, scope});
}

std::vector<SnapshotInfo> TransactionImpl::ExpireSnapshots(const ExpiryRequest& request,
                                                           bool dry_run) {
  std::unique_lock lock(mutex_);
  if (!dry_run) RequireWritable();
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  std::vector<SnapshotInfo> snapshots = FindExpired(*connection, request);
  std::erase_if(snapshots,
                [&](const SnapshotInfo& info) { return expired_.contains(info.snapshot.id); });
  if (!dry_run) {
    for (const SnapshotInfo& info : snapshots) expired_.insert(info.snapshot.id);
  }
  return snapshots;
}

void TransactionImpl::SetCommitMessage(CommitMessage message) {
  RequireWritable();
  message_ = std::move(message);
}

void TransactionImpl::SetRetryOptions(const RetryOptions& retry) { retry_ = retry; }

ChangeSet TransactionImpl::TakeChangeSet() {
  ChangeSet changes;
  changes.base = base_;
  changes.before = base_view_;
  changes.after = NetView();
  changes.catalog = DiffViews(*base_view_, *changes.after);
  for (auto& [ref, rows] : staged_) {
    for (DataFile& file : rows.TakeEmptied()) {
      if (file.registration) continue;  // not ours to remove
      emptied_files_.push_back(ResolveFilePath(lake_->TablePath(*view_, *view_->FindTable(ref)),
                                               file.path, file.path_is_relative));
    }
    if (const auto table = changes.after->FindTable(ref))
      rows.ForgetOtherNewSpecs(table->partition);
    if (!rows.empty()) changes.rows.emplace(ref, std::move(rows));
  }
  changes.reads = reads_;
  changes.restored = restored_;
  for (const OptionChange& option : option_changes_) {
    // The scope may have been created and dropped in this transaction.
    if (option.scope.table && option.scope.table->is_new() &&
        view_->FindTable(*option.scope.table) == nullptr)
      continue;
    if (option.scope.schema && option.scope.schema->is_new() &&
        view_->FindSchema(*option.scope.schema) == nullptr)
      continue;
    changes.options.push_back(option);
  }
  changes.inlining = {options_, inlining_default_};
  changes.expiry = {{expired_.begin(), expired_.end()}, lake_->data_path()};
  changes.message = message_;
  return changes;
}

std::optional<SnapshotId> TransactionImpl::Commit(DeleteFileWriter* writer) {
  std::unique_lock lock(mutex_);
  if (finished_) throw Error(ErrorCode::kInvalid, "The transaction is over; begin another one");
  ChangeSet changes = TakeChangeSet();
  Finish();
  if (changes.MakesSnapshot() && options_.Find("require_commit_message") == "true" &&
      !message_.author && !message_.message) {
    throw Error(ErrorCode::kInvalid,
                "Failed to commit DuckLake transaction.\nCommit Information for the snapshot is "
                "required but has not been provided. \n"
                " * Provide the information with \"CALL ducklake.set_commit_message('author_name', "
                "'commit_message'); \n"
                " * Set the required commit message to false with \"CALL "
                "ducklake.set_option('require_commit_message', False)\"");
  }
  std::optional<SnapshotId> snapshot;
  if (!changes.empty()) snapshot = lake_->Commit(changes, writer, options_, retry_, interrupted_);
  for (const auto& [ref, file] : changes.unused_files) {
    emptied_files_.push_back(
        ResolveFilePath(lake_->TablePath(*changes.before, *changes.before->FindTable(ref)),
                        file.path, file.path_is_relative));
  }
  RemoveEmptiedFiles();
  return snapshot;
}

/// What cannot be removed stays as an orphan.
void TransactionImpl::RemoveEmptiedFiles() noexcept {
  for (const std::string& path : emptied_files_) {
    try {
      lake_->file_system().Remove(path);
    } catch (const Error&) {
    }
  }
  emptied_files_.clear();
}

void TransactionImpl::Finish() noexcept {
  finished_ = true;
  staged_.clear();
  reads_.clear();
  option_changes_.clear();
  expired_.clear();
}

void TransactionImpl::Rollback() noexcept {
  std::unique_lock lock(mutex_);
  Finish();
  view_ = base_view_;
}

}  // namespace tarn
