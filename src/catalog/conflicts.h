// Which changes of two transactions cannot both be: one table of my change x their change (format
// page, section 9).
//
// Where the format's own table and this one differ, this one is stricter only where other clients
// would lose a change (renames are alterations, a table and a view cannot share a name, one name is
// one name in any case), and more lenient where nothing is lost: an insert never minds rows that
// others wrote or deleted, nor an alteration that its files survive.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/change_set.h"
#include "catalog/view_diff.h"
#include "format/change_list.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What can be done to a table, as far as two transactions care.
enum class TableAct : uint8_t {
  kAlter,
  kDrop,
  kInsert,         ///< rows in data files
  kInlinedInsert,  ///< rows in the catalog
  kDelete,         ///< delete files, or whole files
  kInlinedDelete,  ///< deletes kept in the catalog, of inlined rows or of rows in files
  kFlush,
  kMerge,
  kRewrite,
  kRead,  ///< reads that a serialisable transaction depends on; leave no word, so only ever mine
};
inline constexpr int kTableActs = 9;     ///< that others can have done
inline constexpr int kMyTableActs = 10;  ///< with kRead

enum class Verdict : uint8_t {
  kFine,
  kConflict,
  kSameFile,  ///< a conflict if both touched one data file, or it is not known which
  kShape,     ///< a conflict if the alteration makes the other's rows wrong
  kRows,      ///< a conflict if they ended the same rows, which the commit sees when it ends them
  kRead,      ///< a conflict if their rows may match what was read
};

/// The table: what happens to `mine` when `theirs` was committed first, on one and the same table.
Verdict Judge(TableAct mine, TableAct theirs);

/// What was committed after a transaction's base.
struct TheirChanges {
  struct Word {
    SnapshotId snapshot;
    Change change;
  };
  std::vector<Word> words;
  /// From my base to the head. Empty when `words` show that nothing there can touch my changes.
  ViewDiff catalog;
  /// Which of the data files that I delete from they touched, and in which snapshots; tables that
  /// are absent are not known.
  std::map<TableId, std::map<DataFileId, std::set<SnapshotId>>> touched_files;
  /// Tables that I have read and that got rows which my reads may match, and the first snapshot
  /// that brought some. Only for serialisable transactions.
  std::map<TableId, SnapshotId> matching_inserts;
};

struct Conflict {
  SnapshotId with;      ///< the first snapshot that stands in the way, when it is known
  std::string message;  ///< for people; begins with the reference's sentence
  /// It is only a flush that cannot be, of this table: the rest may do without it.
  std::optional<TableRef> lost_flush = {};
};

/// The words of snapshots after the base, parsed.
std::vector<TheirChanges::Word> ParseWords(const std::vector<SnapshotInfo>& snapshots);

/// False when their words alone prove that their catalog changes cannot touch mine, so that nobody
/// needs to load the view at the head.
bool NeedsTheirCatalog(const ChangeSet& mine, const std::vector<TheirChanges::Word>& theirs);

std::optional<Conflict> FindConflict(const ChangeSet& mine, const TheirChanges& theirs);

/// The tables of whose rows in files I delete some, or whose files I compact, while they did
/// something with theirs: for these FindConflict wants touched_files.
std::vector<TableId> TablesWithTouchedFiles(const ChangeSet& mine,
                                            const std::vector<TheirChanges::Word>& theirs);
/// The tables that I read and they inserted into: for these it wants matching_inserts.
std::vector<TableId> TablesWithReadInserts(const ChangeSet& mine,
                                           const std::vector<TheirChanges::Word>& theirs);

/// The conflict that shows when a row to delete or to flush is not there any more as it was.
Conflict ConflictOverRows(const ChangeSet& mine, const std::vector<TheirChanges::Word>& theirs,
                          const LostRows& lost);

/// The conflict with a snapshot that was expired: what it did cannot be known any more.
Conflict ConflictWithMissingSnapshots(const ChangeSet& mine, SnapshotId first_missing);

}  // namespace tarn
