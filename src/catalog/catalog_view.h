// Fills and changes CatalogViews: the one place that keeps a view's indexes in step.
#pragma once

#include <map>
#include <memory>

#include "tarn/schema.h"

namespace tarn {

/// Makes one view out of another (or of nothing) by any number of changes. Entries of a schema are
/// copied once, at the first change in it; schemas that are not touched are shared with the view it
/// started from.
class CatalogViewBuilder {
 public:
  CatalogViewBuilder() = default;
  explicit CatalogViewBuilder(const CatalogView& from) : view_(from) {}

  /// Each adds an object or replaces the one with the same ref, whatever its name or schema was.
  /// The schema must be there: kCorrupt else.
  void Put(std::shared_ptr<const Schema> schema);
  void Put(std::shared_ptr<const Table> table);
  void Put(std::shared_ptr<const View> view);
  void Put(std::shared_ptr<const Macro> macro);
  /// An absent object is left out silently. A schema goes with all its entries.
  void Remove(SchemaRef ref);
  void Remove(TableRef ref);
  void Remove(ViewRef ref);
  void Remove(MacroRef ref);

  const CatalogView& view() const { return view_; }
  /// The view; the builder is empty afterwards.
  std::shared_ptr<const CatalogView> Build();

 private:
  using SchemaEntries = CatalogView::SchemaEntries;
  /// The schema's entries as this builder's own copy.
  SchemaEntries& Edit(SchemaRef ref, const std::string& what);

  CatalogView view_;
  std::map<SchemaRef, std::shared_ptr<SchemaEntries>> own_;
};

}  // namespace tarn
