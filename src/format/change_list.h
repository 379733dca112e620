// The words of ducklake_snapshot_changes.changes_made (format page, section 9): what a snapshot
// did, for conflict checks and listings.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

enum class ChangeKind : uint8_t {
  // By name.
  kCreatedSchema,
  kCreatedTable,
  kCreatedView,
  kCreatedScalarMacro,
  kCreatedTableMacro,
  // By id.
  kDroppedSchema,
  kDroppedTable,
  kDroppedView,
  kDroppedScalarMacro,
  kDroppedTableMacro,
  kAlteredTable,
  kAlteredView,
  kInsertedIntoTable,
  kDeletedFromTable,
  kInlinedInsert,
  kInlinedDelete,
  kInlineFlush,
  kMergeAdjacent,
  kRewriteDelete,
  kCompactedTable,  ///< older lakes: a merge or a rewrite
  kUnknown,         ///< a word of another program or version: kept as it is
};

struct Change {
  ChangeKind kind = ChangeKind::kUnknown;
  std::string schema;  ///< of created tables, views and macros
  std::string name;    ///< of created things
  int64_t id = -1;     ///< of all others
  std::string word;    ///< of kUnknown: the whole item

  static Change Created(ChangeKind kind, std::string schema, std::string name);
  static Change ById(ChangeKind kind, int64_t id);
  friend bool operator==(const Change&, const Change&) = default;
};

/// True for the five kinds that are logged by name.
bool IsByName(ChangeKind kind);
/// "created_table"; empty for kUnknown.
std::string_view ChangeWord(ChangeKind kind);

/// Never fails: what is not understood is kUnknown. Commas and quotes inside quoted names are part
/// of the name.
std::vector<Change> ParseChanges(std::string_view changes_made);
std::string FormatChanges(std::span<const Change> changes);

}  // namespace tarn
