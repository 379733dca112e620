// Transactions that go back to an older version. DDL is the difference of two views, so the objects
// are restored by taking the old view; files and rows are staged as others are.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/text.h"
#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/restore.h"
#include "catalog/restored_view.h"
#include "catalog/transaction_impl.h"
#include "catalog/view_diff.h"
#include "tarn/error.h"

namespace tarn {
namespace {

Error NoSuchTableThen(const RestoreRequest& request, const Snapshot& version) {
  return Error(ErrorCode::kNotFound, "There was no table \"" + *request.table + "\" in schema \"" +
                                         request.schema + "\" at version " +
                                         std::to_string(version.id.value) +
                                         "; name one that was there.");
}

/// What bore the name at the version; or else what bears it now, under whatever name it was there.
std::shared_ptr<const Table> FindTableThen(const RestoreRequest& request, const Snapshot& version,
                                           const CatalogView& base, const CatalogView& old) {
  std::shared_ptr<const Table> table = old.FindTable(request.schema, *request.table);
  if (table == nullptr && !request.dropped) {
    if (const auto present = base.FindTable(request.schema, *request.table))
      table = old.FindTable(present->ref);
  }
  if (table == nullptr) throw NoSuchTableThen(request, version);
  return table;
}

void AddDropped(const CatalogView& base, const ViewDiff& diff, RestorePlan& plan) {
  for (const auto& table : diff.dropped_tables) {
    RestoredTable& dropped = plan.tables.emplace_back();
    dropped.change = RestoredTable::Change::kDropped;
    dropped.schema = base.FindSchema(table->schema)->name;
    dropped.table = table;
  }
}

bool IsChanged(const RestoredTable& table, const CatalogView& base) {
  return table.table != base.FindTable(table.table->ref) || !table.files.empty() ||
         !table.inlined.empty() || !table.ended_files.empty() || !table.ended_inlined.empty();
}

}  // namespace

RestorePlan TransactionImpl::PlanRestore(const RestoreRequest& request) {
  if (has_changes()) {
    throw Error(ErrorCode::kInvalid,
                "A transaction that has made changes cannot go back to another version; commit it "
                "or roll it back first.");
  }
  std::unique_lock lock(mutex_);
  if (finished_) throw Error(ErrorCode::kInvalid, "The transaction is over; begin another one");
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  ReadScope scope(*connection);
  SnapshotSelector at = request.at;
  if (request.dropped && !at.version && !at.time) {
    at.version =
        FindDroppedTable(*connection, request.schema, request.table.value_or(""), base_.id).version;
  }
  std::optional<Snapshot> version = CatalogReader(*connection).FindSnapshot(at);
  // What others have committed since is not there for this transaction.
  if (version && version->id > base_.id) version = at.version ? std::nullopt : std::optional(base_);
  if (!version) throw NoSuchSnapshot(at, *connection);
  const std::shared_ptr<const CatalogView> old = lake_->ViewAt(*connection, *version);

  RestorePlan plan;
  plan.version = *version;
  plan.view = base_view_;
  const ViewsToRestore views{*base_view_, *old, [this] { return NextOrdinal(); },
                             [this] { return NewUuidV7(); }};
  RestoredView restored;
  if (request.table) {
    const std::shared_ptr<const Table> table = FindTableThen(request, *version, *base_view_, *old);
    if (request.dropped && base_view_->FindTable(table->ref) != nullptr) {
      throw Error(ErrorCode::kAlreadyExists,
                  "Table \"" + table->name +
                      "\" has not been dropped; to have its rows of an older version, restore it.");
    }
    restored = RestoreObject(views, *table, /*replaces=*/!request.dropped);
    plan.view = restored.view;
    plan.only.push_back(restored.tables.begin()->second);
  } else if (version->id != base_.id) {
    restored = RestoreObjects(views);
    plan.view = restored.view;
  }
  const ViewDiff diff = DiffViews(*base_view_, *plan.view);
  if (diff.empty()) plan.view = base_view_;
  const RestoreInput input{base_, *base_view_, *version, *old, *plan.view, lake_->data_path()};
  for (const auto& [ref, now] : restored.tables) {
    RestoredTable table = PlanRestoredRows(*connection, ref, now, input);
    if (IsChanged(table, *base_view_)) plan.tables.push_back(std::move(table));
  }
  AddDropped(*base_view_, diff, plan);
  if (request.table) {
    for (const auto& table : diff.dropped_tables) plan.only.push_back(table->ref);
  }
  std::sort(plan.tables.begin(), plan.tables.end(),
            [](const RestoredTable& a, const RestoredTable& b) {
              const int order = CompareIgnoreCase(a.schema, b.schema);
              return order != 0 ? order < 0 : NameLess()(a.table->name, b.table->name);
            });
  return plan;
}

void TransactionImpl::StageRestore(RestorePlan plan) {
  TARN_ASSERT(!has_changes());
  std::unique_lock lock(mutex_);
  RequireChangeable();
  view_ = plan.view;
  for (RestoredTable& table : plan.tables) {
    if (table.change == RestoredTable::Change::kDropped) continue;
    RowChanges changes;
    changes.first_row_id = table.first_row_id;
    changes.lost_fields = std::move(table.lost_fields);
    for (const auto& [file, alive] : table.ended_files) changes.removed[file].AddAll(alive);
    for (auto& [name, row_ids] : table.ended_inlined)
      changes.removed_inlined[name].Add(std::move(row_ids));
    for (RevivedFile& revived : table.files) {
      DataFile file = std::move(revived.source.file);
      TARN_ASSERT(!revived.path.empty());
      file.path = std::move(revived.path);
      file.path_is_relative = true;
      file.id = {};
      file.begin_snapshot = {};
      file.end_snapshot.reset();
      // All its rows are of the new snapshot now.
      file.partial_max.reset();
      file.is_revived = true;
      if (!revived.dead.empty())
        changes.removed_staged[changes.data_files.size()].Add(std::move(revived.dead));
      changes.data_files.push_back(std::move(file));
    }
    // Rows that are staged afterwards may be the first ones of a new table.
    if (!changes.empty() || changes.first_row_id > 0)
      staged_[table.table->ref] = std::move(changes);
  }
  restored_ = Restored{plan.version.id, std::move(plan.only)};
}

}  // namespace tarn
