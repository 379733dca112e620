// Counts what a table had before a commit and has after it, by the snapshots in the rows, so that
// the answer does not depend on when it is asked for. See include/tarn/maintenance.h.
#include <algorithm>
#include <set>
#include <utility>

#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/inlined_tables.h"
#include "catalog/lake_impl.h"
#include "format/change_list.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/maintenance.h"

namespace tarn {
namespace {

/// Files below the class that begins under this are all one class: writing so little anew costs
/// less than having many of them.
constexpr int64_t kSmallFile = 1'000'000;

bool ChangesRows(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kInsertedIntoTable:
    case ChangeKind::kDeletedFromTable:
    case ChangeKind::kInlinedInsert:
    case ChangeKind::kInlinedDelete:
      return true;
    default:
      return false;
  }
}

/// Largest last.
std::vector<FileSizes> SizeClasses(int64_t target, int64_t factor) {
  std::vector<FileSizes> classes;
  for (int64_t below = target; below > 0;) {
    const int64_t least = below <= kSmallFile ? 0 : below / factor;
    classes.push_back({least, below});
    below = least;
  }
  std::reverse(classes.begin(), classes.end());
  return classes;
}

class Counter {
 public:
  Counter(StoreConnection& connection, TableId table, SnapshotId head,
          std::optional<SnapshotId> commit)
      : connection_(connection), table_(table), after_(commit.value_or(head)), crosses_(commit) {}

  bool IsFlushDue(int64_t limit) { return limit > 0 && IsDue(CountRows(), limit); }

  std::vector<FileSizes> DueMerges(int64_t limit, int64_t target) {
    std::vector<FileSizes> due;
    if (limit <= 0) return due;
    limit = std::max<int64_t>(limit, 2);  // one file is merged with nothing
    const std::vector<FileSizes> classes = SizeClasses(target, limit);
    const std::vector<Counts> counts = CountFiles(classes);
    for (size_t i = 0; i < classes.size(); ++i) {
      if (IsDue(counts[i], limit)) due.push_back(classes[i]);
    }
    return due;
  }

 private:
  struct Counts {
    int64_t before = 0, after = 0;
  };

  bool IsDue(const Counts& counts, int64_t limit) const {
    return crosses_ ? counts.after / limit > counts.before / limit : counts.after >= limit;
  }

  SnapshotId before() const { return SnapshotId(after_.value - 1); }

  int64_t CountRowsUpTo(SnapshotId snapshot) {
    int64_t rows = 0;
    for (const InlinedTable& inlined : LoadBegunInlinedTables(connection_, table_, snapshot))
      rows += inlined.live_rows;
    for (const auto& [_, deletes] : CountInlinedDeletes(connection_, {table_}, snapshot))
      rows += deletes;
    return rows;
  }

  Counts CountRows() {
    Counts counts;
    counts.after = CountRowsUpTo(after_);
    if (crosses_ && counts.after > 0) counts.before = CountRowsUpTo(before());
    return counts;
  }

  void AppendCount(StatementBuilder& sql, const FileSizes& sizes, SnapshotId snapshot) {
    using T = tables::DataFile;
    sql.Text("sum(CASE WHEN").Text(" ").Name(T::kFileSizeBytes.name).Text(" >= ").Bind(sizes.least);
    sql.Text(" AND ").Name(T::kFileSizeBytes.name).Text(" < ").Bind(sizes.below).Text(" AND");
    AppendAlive(sql, snapshot);
    sql.Text(" THEN 1 ELSE 0 END)");
  }

  std::vector<Counts> CountFiles(const std::vector<FileSizes>& classes) {
    using T = tables::DataFile;
    StatementBuilder sql(connection_.dialect());
    const char* separator = "SELECT ";
    for (const FileSizes& sizes : classes) {
      for (SnapshotId snapshot : {before(), after_})
        AppendCount(sql.Text(std::exchange(separator, ", ")), sizes, snapshot);
    }
    sql.Text(" FROM ").Table(T::kTable.name).Text(" WHERE ").Name(T::kTableId.name).Text(" = ");
    std::vector<Counts> counts(classes.size());
    const std::unique_ptr<Rows> rows = connection_.Query(sql.Bind(table_).Build());
    if (!rows->Next()) return counts;
    for (size_t i = 0; i < classes.size(); ++i) {
      const int column = static_cast<int>(2 * i);
      counts[i] = {rows->OptInt64(column).value_or(0), rows->OptInt64(column + 1).value_or(0)};
    }
    return counts;
  }

  StoreConnection& connection_;
  const TableId table_;
  const SnapshotId after_;
  const bool crosses_;
};

}  // namespace

std::vector<TableId> TablesWithChangedRows(Lake& lake, SnapshotId commit) {
  const auto connection = static_cast<LakeImpl&>(lake).pool().Acquire();
  std::set<TableId> tables;
  for (const SnapshotInfo& info :
       CatalogReader(*connection).SnapshotsBetween(SnapshotId(commit.value - 1), commit)) {
    for (const Change& change : ParseChanges(info.changes_made)) {
      if (ChangesRows(change.kind)) tables.emplace(change.id);
    }
  }
  return {tables.begin(), tables.end()};
}

DueUpkeep FindDueUpkeep(Lake& lake, TableId table, const UpkeepLimits& limits,
                        std::optional<SnapshotId> commit) {
  const auto connection = static_cast<LakeImpl&>(lake).pool().Acquire();
  const ReadScope scope(*connection);
  const SnapshotId head = CatalogReader(*connection).ReadHead().snapshot.id;
  Counter counter(*connection, table, head, commit);
  DueUpkeep due;
  due.flush = counter.IsFlushDue(limits.flush_after_rows);
  due.merges = counter.DueMerges(limits.merge_after_files, limits.target_file_size);
  return due;
}

}  // namespace tarn
