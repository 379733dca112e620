// What turned one CatalogView into another. DDL is not logged: this difference is what a
// transaction did to the catalog, so any chain of changes nets out by itself; and the difference
// between a transaction's base and the head is what others did meanwhile.
#pragma once

#include <memory>
#include <vector>

#include "tarn/schema.h"

namespace tarn {

template <class Object>
struct Altered {
  std::shared_ptr<const Object> before;
  std::shared_ptr<const Object> after;
};

/// New objects come in the order they were made, others by id.
struct ViewDiff {
  std::vector<std::shared_ptr<const Schema>> created_schemas, dropped_schemas;
  std::vector<std::shared_ptr<const Table>> created_tables, dropped_tables;
  std::vector<Altered<Table>> altered_tables;
  std::vector<std::shared_ptr<const View>> created_views, dropped_views;
  std::vector<Altered<View>> altered_views;
  std::vector<std::shared_ptr<const Macro>> created_macros, dropped_macros;
  std::vector<Altered<Macro>> altered_macros;  ///< in their tags: a macro is never changed

  bool empty() const;
};

/// Objects that both views share by pointer cost nothing.
ViewDiff DiffViews(const CatalogView& before, const CatalogView& after);

/// What differs between two versions of one table. `begin_snapshot` and the path of rows already
/// written do not count.
struct TableAlterations {
  bool renamed = false;  ///< also a change of case only, or of schema
  bool columns_added = false;
  bool columns_dropped = false;
  bool columns_renamed = false;
  bool types_changed = false;
  bool values_may_overflow = false;  ///< a type that does not hold all values of the one before
  bool not_null_set = false;         ///< a column no longer takes NULLs
  bool not_null_dropped = false;
  bool defaults_changed = false;
  bool partition_changed = false;
  bool sort_changed = false;
  bool tags_changed = false;  ///< comments, of columns too
  bool fields_taken = false;  ///< column ids were given away, whatever became of the columns

  /// A change that starts a new shape of the table: a row in ducklake_schema_versions.
  bool reshaped() const {
    return renamed || columns_added || columns_dropped || columns_renamed || types_changed ||
           not_null_set || not_null_dropped || defaults_changed || partition_changed;
  }
  bool any() const { return reshaped() || sort_changed || tags_changed || fields_taken; }
};
TableAlterations CompareTables(const Table& before, const Table& after);

/// True when the rows of two versions of a column (a column never moves to another parent), or of a
/// view, are the same.
bool SameColumnRow(const Column& a, const Column& b);
bool SameViewRow(const View& a, const View& b);

}  // namespace tarn
