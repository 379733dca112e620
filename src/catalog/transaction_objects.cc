// A transaction's changes to objects that are there, and views and macros. See transaction.cc.
#include <algorithm>
#include <utility>

#include "catalog/alter_table.h"
#include "catalog/catalog_view.h"
#include "catalog/column_history.h"
#include "catalog/transaction_impl.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// Fields that only the transaction knew: in `before`, but neither in `after` nor in the lake.
void CollectLost(const std::vector<Column>& columns, std::optional<FieldId> parent,
                 const Table& after, const Table* base, std::vector<LostField>& lost) {
  for (const Column& column : columns) {
    const bool is_known = base != nullptr && base->FindField(column.id) != nullptr;
    if (!is_known && after.FindField(column.id) == nullptr) {
      lost.push_back({column, parent});
      lost.back().column.children.clear();
    }
    CollectLost(column.children, column.id, after, base, lost);
  }
}

template <class Object>
std::shared_ptr<const Object> WithComment(const Object& object,
                                          const std::optional<std::string>& comment) {
  auto copy = std::make_shared<Object>(object);
  if (comment) {
    copy->tags["comment"] = *comment;
  } else {
    copy->tags.erase("comment");
  }
  return copy;
}

bool IsTableKind(const MacroImplementation& implementation) {
  return implementation.type == "table";
}

}  // namespace

// --- tables ---

FieldId TransactionImpl::FirstFreeField(const Table& table) {
  if (table.ref.is_new() || !settled_fields_.insert(table.ref).second) return table.next_field_id;
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  return FirstUnusedField(*connection, table.ref.id(), table.next_field_id);
}

void TransactionImpl::PutTable(const Table& before, std::shared_ptr<const Table> after) {
  auto staged = staged_.find(before.ref);
  if (staged != staged_.end() && !staged->second.data_files.empty()) {
    CollectLost(before.columns, std::nullopt, *after, base_view_->FindTable(before.ref).get(),
                staged->second.lost_fields);
  }
  view_ = view_->WithTable(std::move(after));
}

std::shared_ptr<const CatalogView> TransactionImpl::NetView() const {
  std::shared_ptr<const CatalogView> view = view_;
  for (TableRef ref : settled_fields_) {
    std::shared_ptr<const Table> before = base_view_->FindTable(ref);
    std::shared_ptr<const Table> after = view_->FindTable(ref);
    if (before == nullptr || after == nullptr) continue;
    auto staged = staged_.find(ref);
    if (staged != staged_.end() && !staged->second.lost_fields.empty() &&
        !staged->second.data_files.empty())
      continue;
    TableAlterations changed = CompareTables(*before, *after);
    changed.fields_taken = false;
    if (!changed.any()) view = view->WithTable(std::move(before));
  }
  return view;
}

std::shared_ptr<const Table> TransactionImpl::AlterTable(TableRef ref, const TableChange& change) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  std::shared_ptr<const Table> before = RequireTable(ref, "alter");
  if (const auto* rename = std::get_if<RenameTable>(&change)) {
    // A change of case only takes no other name.
    if (!SameName(rename->name, before->name))
      RequireFreeName(*view_->FindEntries(before->schema), rename->name);
  }
  auto after = std::make_shared<Table>(
      tarn::AlterTable(*before, change, [&] { return FirstFreeField(*before); }));
  if (after->partition && !after->partition->ref.valid())
    after->partition->ref = RefOfPartition(*before, after->partition->keys);
  if (!CompareTables(*before, *after).any()) return before;
  PutTable(*before, after);
  return after;
}

/// Keys that the table has already, or had before this transaction, make no new spec.
PartitionRef TransactionImpl::RefOfPartition(const Table& before,
                                             const std::vector<PartitionKey>& keys) {
  if (before.partition && before.partition->keys == keys) return before.partition->ref;
  std::shared_ptr<const Table> base = base_view_->FindTable(before.ref);
  if (base != nullptr && base->partition && base->partition->keys == keys)
    return base->partition->ref;
  return PartitionRef::New(NextOrdinal());
}

std::shared_ptr<const Table> TransactionImpl::SetSortKeys(TableRef ref, std::vector<SortKey> keys) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  std::shared_ptr<const Table> before = RequireTable(ref, "sort");
  if (before->sort ? before->sort->keys == keys : keys.empty()) return before;
  auto after = std::make_shared<Table>(*before);
  after->sort.reset();
  std::shared_ptr<const Table> base = base_view_->FindTable(ref);
  if (base != nullptr && base->sort && base->sort->keys == keys) {
    after->sort = base->sort;
  } else if (!keys.empty()) {
    after->sort = SortOrder{SortRef::New(NextOrdinal()), std::move(keys)};
  }
  view_ = view_->WithTable(after);
  return after;
}

/// The column is new, and no row that the transaction wrote has it.
bool TransactionImpl::MayFill(TableRef ref, FieldId field) const {
  std::shared_ptr<const Table> table = view_->FindTable(ref);
  if (table == nullptr) return false;
  auto column = std::find_if(table->columns.begin(), table->columns.end(),
                             [&](const Column& own) { return own.id == field; });
  std::shared_ptr<const Table> base = base_view_->FindTable(ref);
  const bool is_added =
      column != table->columns.end() && (base == nullptr || base->FindField(field) == nullptr);
  if (!is_added || column->initial_default || !column->children.empty()) return false;
  auto staged = staged_.find(ref);
  // A new table without rows has none that are older than its columns.
  if (staged == staged_.end()) return base != nullptr;
  for (const StagedBatch& batch : staged->second.staged_rows) {
    if (batch.rows->shape()->FindField(field) != nullptr) return false;
  }
  return std::none_of(staged->second.data_files.begin(), staged->second.data_files.end(),
                      [&](const DataFile& file) {
                        // Without any statistics nobody knows what is in it.
                        return file.stats.empty() ||
                               std::any_of(
                                   file.stats.begin(), file.stats.end(),
                                   [&](const ColumnStats& stats) { return stats.field == field; });
                      });
}

bool TransactionImpl::CanFillAddedColumn(TableRef ref, FieldId field) const {
  std::shared_lock lock(mutex_);
  return !finished_ && !read_only_ && MayFill(ref, field);
}

bool TransactionImpl::FillAddedColumn(TableRef ref, FieldId field,
                                      const std::optional<std::string>& value) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  if (!MayFill(ref, field)) return false;
  auto after = std::make_shared<Table>(*RequireTable(ref, "update"));
  for (Column& column : after->columns) {
    if (column.id == field) column.initial_default = value;
  }
  view_ = view_->WithTable(std::move(after));
  return true;
}

// --- views ---

std::shared_ptr<const View> TransactionImpl::RequireView(ViewRef ref, const char* purpose) const {
  std::shared_ptr<const View> view = view_->FindView(ref);
  if (view == nullptr)
    throw Error(ErrorCode::kNotFound, std::string("The view to ") + purpose + " does not exist");
  return view;
}

std::shared_ptr<const View> TransactionImpl::CreateView(ViewDefinition definition) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  const CatalogView::SchemaEntries& entries = RequireSchema(definition.schema);
  if (definition.name.empty()) throw Error(ErrorCode::kInvalid, "A view must have a name");
  RequireFreeName(entries, definition.name);
  auto view = std::make_shared<View>();
  view->ref = ViewRef::New(NextOrdinal());
  view->uuid = NewUuidV4();
  view->schema = entries.schema->ref;
  view->name = std::move(definition.name);
  view->sql = std::move(definition.sql);
  view->column_aliases = std::move(definition.column_aliases);
  view_ = view_->WithView(view);
  return view;
}

void TransactionImpl::DropView(ViewRef ref) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  RequireView(ref, "drop");
  view_ = view_->WithoutView(ref);
}

void TransactionImpl::RenameView(ViewRef ref, const std::string& name) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  std::shared_ptr<const View> before = RequireView(ref, "rename");
  if (name.empty()) throw Error(ErrorCode::kInvalid, "A view must have a name");
  if (!SameName(name, before->name)) RequireFreeName(*view_->FindEntries(before->schema), name);
  auto after = std::make_shared<View>(*before);
  after->name = name;
  view_ = view_->WithView(std::move(after));
}

void TransactionImpl::CommentOnView(ViewRef ref, const std::optional<std::string>& comment) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  view_ = view_->WithView(WithComment(*RequireView(ref, "comment on"), comment));
}

// --- macros ---

std::shared_ptr<const Macro> TransactionImpl::CreateMacro(MacroDefinition definition) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  const CatalogView::SchemaEntries& entries = RequireSchema(definition.schema);
  const std::vector<MacroImplementation>& parts = definition.implementations;
  if (definition.name.empty() || parts.empty())
    throw Error(ErrorCode::kInvalid, "A macro must have a name and a definition");
  const bool is_table = IsTableKind(parts.front());
  if (!std::all_of(parts.begin(), parts.end(),
                   [&](const auto& part) { return IsTableKind(part) == is_table; })) {
    throw Error(ErrorCode::kInvalid, "The overloads of macro \"" + definition.name +
                                         "\" must all be scalar or all return tables");
  }
  const auto& names = is_table ? entries.table_macros : entries.scalar_macros;
  if (names.count(definition.name) > 0) {
    throw Error(ErrorCode::kAlreadyExists,
                "Macro with name \"" + definition.name + "\" already exists!",
                {{"schema", entries.schema->name}});
  }
  auto macro = std::make_shared<Macro>();
  macro->ref = MacroRef::New(NextOrdinal());
  macro->schema = entries.schema->ref;
  macro->name = std::move(definition.name);
  macro->implementations = std::move(definition.implementations);
  view_ = view_->WithMacro(macro);
  return macro;
}

void TransactionImpl::DropMacro(MacroRef ref) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  if (view_->macros().count(ref) == 0)
    throw Error(ErrorCode::kNotFound, "The macro to drop does not exist");
  view_ = view_->WithoutMacro(ref);
}

void TransactionImpl::CommentOnMacro(MacroRef ref, const std::optional<std::string>& comment) {
  std::unique_lock lock(mutex_);
  RequireChangeable();
  auto macro = view_->macros().find(ref);
  if (macro == view_->macros().end())
    throw Error(ErrorCode::kNotFound, "The macro to comment on does not exist");
  view_ = view_->WithMacro(WithComment(*macro->second, comment));
}

}  // namespace tarn
