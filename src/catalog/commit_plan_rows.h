// A commit plan's lists while they are filled: rows of one catalog table come together, so that
// they become few statements.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "catalog/commit_plan.h"

namespace tarn {

class PlanRows {
 protected:
  void Insert(const CatalogTable& table, std::vector<PlanValue> row) {
    TARN_ASSERT(row.size() == table.columns.size());
    auto insert = std::find_if(plan_.inserts.begin(), plan_.inserts.end(),
                               [&](const PlanInsert& i) { return i.table == &table; });
    if (insert == plan_.inserts.end())
      insert = plan_.inserts.insert(insert, PlanInsert{&table, {}});
    insert->rows.push_back(std::move(row));
  }

  /// Ends all live rows of `table` with this id in `id_column`. Ends that differ in the id only
  /// become one statement.
  void End(const CatalogTable& table, std::string_view id_column, Value id,
           std::vector<std::pair<std::string_view, Value>> fixed = {}) {
    for (PlanEnd& end : plan_.ends) {
      if (end.table == &table && end.id_column == id_column && end.fixed == fixed) {
        end.ids.push_back(std::move(id));
        return;
      }
    }
    plan_.ends.push_back({&table, std::move(fixed), id_column, {std::move(id)}, std::nullopt});
  }

  void Mark(const CatalogTable& table, std::string_view column, const std::string& text) {
    if (!plan_.mark) plan_.mark = PlanMark{&table, column, text};
  }

  /// The removals from one catalog table of one of the lake's.
  PlanRemoval& RemovalOf(const CatalogTable& table, TableId of, std::string_view id_column) {
    for (PlanRemoval& removal : plan_.removals) {
      if (removal.table == &table && removal.of == of) return removal;
    }
    return plan_.removals.emplace_back(PlanRemoval{&table, of, id_column, {}});
  }

  /// In the order of the format page, so that equal plans make equal statements.
  void SortInserts() {
    std::map<std::string_view, size_t> order;
    for (const CatalogTable& table : AllCatalogTables()) order.emplace(table.name, order.size());
    std::stable_sort(plan_.inserts.begin(), plan_.inserts.end(),
                     [&](const PlanInsert& a, const PlanInsert& b) {
                       return order.at(a.table->name) < order.at(b.table->name);
                     });
  }

  CommitPlan plan_;
};

}  // namespace tarn
