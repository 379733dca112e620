// Applies a ViewDiff with real ids.
#include "catalog/published_view.h"

#include <utility>

#include "catalog/catalog_view.h"

namespace tarn {
namespace {

/// Columns that the commit wrote begin at its snapshot: those that are new or whose row has
/// changed. Others begin when they did, whatever happened to them and was undone.
void MarkColumns(const Table* before, SnapshotId snapshot, std::vector<Column>& columns) {
  for (Column& column : columns) {
    const Column* old_column = before == nullptr ? nullptr : before->FindField(column.id);
    const bool is_same = old_column != nullptr && SameColumnRow(*old_column, column);
    column.begin_snapshot = is_same ? old_column->begin_snapshot : snapshot;
    MarkColumns(before, snapshot, column.children);
  }
}

class Publisher {
 public:
  Publisher(const CatalogView& head, const ChangeSet& changes, const RebasedPlan& plan)
      : plan_(plan), diff_(changes.catalog), builder_(head) {}

  std::shared_ptr<const CatalogView> Publish() {
    for (const auto& macro : diff_.dropped_macros) builder_.Remove(macro->ref);
    for (const auto& view : diff_.dropped_views) builder_.Remove(view->ref);
    for (const auto& table : diff_.dropped_tables) builder_.Remove(table->ref);
    for (const auto& schema : diff_.dropped_schemas) builder_.Remove(schema->ref);
    for (const auto& schema : diff_.created_schemas) {
      auto copy = std::make_shared<Schema>(*schema);
      copy->ref = plan_.Settle(copy->ref);
      copy->begin_snapshot = plan_.snapshot().id;
      builder_.Put(std::shared_ptr<const Schema>(std::move(copy)));
    }
    // All that change go first, so that names can swap.
    for (const auto& altered : diff_.altered_tables) builder_.Remove(altered.before->ref);
    for (const auto& altered : diff_.altered_views) builder_.Remove(altered.before->ref);
    for (const auto& table : diff_.created_tables) PutTable(nullptr, *table);
    for (const auto& [before, after] : diff_.altered_tables) PutTable(before.get(), *after);
    for (const auto& view : diff_.created_views) PutView(nullptr, *view);
    for (const auto& [before, after] : diff_.altered_views) PutView(before.get(), *after);
    for (const auto& [before, after] : diff_.altered_macros) builder_.Put(after);
    for (const auto& macro : diff_.created_macros) {
      auto copy = std::make_shared<Macro>(*macro);
      Settle(*copy);
      copy->begin_snapshot = plan_.snapshot().id;
      builder_.Put(std::shared_ptr<const Macro>(std::move(copy)));
    }
    return builder_.Build();
  }

 private:
  template <class Object>
  void Settle(Object& object) const {
    object.ref = plan_.Settle(object.ref);
    object.schema = plan_.Settle(object.schema);
  }

  void PutTable(const Table* before, const Table& after) {
    auto copy = std::make_shared<Table>(after);
    Settle(*copy);
    if (copy->partition) copy->partition->ref = plan_.Settle(copy->partition->ref);
    if (copy->sort) copy->sort->ref = plan_.Settle(copy->sort->ref);
    if (before == nullptr || CompareTables(*before, after).renamed)
      copy->begin_snapshot = plan_.snapshot().id;
    MarkColumns(before, plan_.snapshot().id, copy->columns);
    builder_.Put(std::shared_ptr<const Table>(std::move(copy)));
  }

  void PutView(const View* before, const View& after) {
    auto copy = std::make_shared<View>(after);
    Settle(*copy);
    if (before == nullptr || !SameViewRow(*before, after))
      copy->begin_snapshot = plan_.snapshot().id;
    builder_.Put(std::shared_ptr<const View>(std::move(copy)));
  }

  const RebasedPlan& plan_;
  const ViewDiff& diff_;
  CatalogViewBuilder builder_;
};

}  // namespace

std::shared_ptr<const CatalogView> PublishedView(const CatalogView& head, const ChangeSet& changes,
                                                 const RebasedPlan& plan) {
  return Publisher(head, changes, plan).Publish();
}

}  // namespace tarn
