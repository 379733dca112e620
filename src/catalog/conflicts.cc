// The conflict table, and the walk over what two transactions did to the same objects.
#include "catalog/conflicts.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace tarn {
namespace {

using enum Verdict;

// Rows: mine. Columns: theirs, committed first. The order of both is that of TableAct.
// clang-format off
constexpr Verdict kTable[kMyTableActs][kTableActs] = {
    //              alter      drop       insert inl.ins. delete     inl.del.   flush      merge      rewrite
    /* alter    */ {kConflict, kConflict, kShape, kShape, kFine,     kFine,     kFine,     kFine,     kFine},
    /* drop     */ {kFine,     kConflict, kFine,  kFine,  kFine,     kFine,     kFine,     kFine,     kFine},
    /* insert   */ {kShape,    kConflict, kFine,  kFine,  kFine,     kFine,     kFine,     kFine,     kFine},
    /* inl.ins. */ {kShape,    kConflict, kFine,  kFine,  kFine,     kFine,     kFine,     kFine,     kFine},
    /* delete   */ {kFine,     kConflict, kFine,  kFine,  kSameFile, kSameFile, kSameFile, kSameFile, kSameFile},
    /* inl.del. */ {kFine,     kConflict, kFine,  kFine,  kFine,     kRows,     kRows,     kFine,     kFine},
    /* flush    */ {kFine,     kConflict, kFine,  kFine,  kFine,     kFine,     kRows,     kFine,     kFine},
    /* merge    */ {kFine,     kConflict, kFine,  kFine,  kSameFile, kSameFile, kFine,     kSameFile, kSameFile},
    /* rewrite  */ {kShape,    kConflict, kFine,  kFine,  kSameFile, kSameFile, kFine,     kSameFile, kSameFile},
    /* read     */ {kConflict, kConflict, kRead,  kRead,  kConflict, kConflict, kFine,     kFine,     kFine},
};
// clang-format on

/// "insert into table": what a transaction attempted; "has inserted into it": what the other one
/// did.
constexpr const char* kAttempt[kMyTableActs] = {"alter table",
                                                "drop table",
                                                "insert into table",
                                                "insert into table",
                                                "delete from table",
                                                "delete from table",
                                                "flush inlined data of table",
                                                "merge files of table",
                                                "rewrite files of table",
                                                "commit what was read from table"};
constexpr const char* kDone[kTableActs] = {"has altered it",
                                           "has dropped it",
                                           "has inserted into it",
                                           "has inserted into it",
                                           "has deleted from it",
                                           "has deleted from it",
                                           "has flushed its inlined data",
                                           "has merged its files",
                                           "has rewritten its files"};

std::optional<TableAct> ActOf(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kInsertedIntoTable:
      return TableAct::kInsert;
    case ChangeKind::kInlinedInsert:
      return TableAct::kInlinedInsert;
    case ChangeKind::kDeletedFromTable:
      return TableAct::kDelete;
    case ChangeKind::kInlinedDelete:
      return TableAct::kInlinedDelete;
    case ChangeKind::kInlineFlush:
      return TableAct::kFlush;
    case ChangeKind::kMergeAdjacent:
      return TableAct::kMerge;
    case ChangeKind::kRewriteDelete:
      return TableAct::kRewrite;
    case ChangeKind::kCompactedTable:
      return TableAct::kRewrite;
    default:
      return std::nullopt;  // drops and alterations are seen in the views, where nothing is left
                            // out
  }
}

bool IsCatalogChange(ChangeKind kind) { return !ActOf(kind).has_value(); }

std::string Sentence(const std::string& attempt, const std::string& done, SnapshotId with) {
  std::string text =
      "Failed to commit DuckLake transaction. Transaction conflict - attempting to " + attempt +
      " - but another transaction " + done;
  if (with.valid()) text += " (snapshot " + std::to_string(with.value) + ")";
  return text + ". Nothing was written; run the transaction again.";
}

std::string Named(const CatalogView& view, SchemaRef schema, const std::string& name) {
  const Schema* found = view.FindSchema(schema);
  std::string quoted = QuoteIdentifier(name);
  return found == nullptr ? quoted : QuoteIdentifier(found->name) + "." + quoted;
}

/// True when rows that are inserted, written for the table as it was before, are right under the
/// definition after.
bool RowsSurvive(const std::vector<Column>& before, const std::vector<Column>& after,
                 const RowChanges& rows) {
  const std::vector<DataFile>& files = rows.data_files;
  for (const Column& column : after) {
    auto old_column = std::find_if(before.begin(), before.end(),
                                   [&](const Column& c) { return c.id == column.id; });
    if (old_column == before.end()) {
      if (!column.nulls_allowed && !column.initial_default)
        return false;  // the files' rows would read as NULL
      continue;
    }
    if (old_column->type != column.type) return false;  // their bounds are in the old type
    if (old_column->nulls_allowed && !column.nulls_allowed) {
      if (rows.inserts_inlined()) return false;  // nobody has counted their NULLs
      for (const DataFile& file : files) {
        auto stats = std::find_if(file.stats.begin(), file.stats.end(),
                                  [&](const ColumnStats& s) { return s.field == column.id; });
        if (stats == file.stats.end() || stats->null_count != 0) return false;
      }
    }
    if (!RowsSurvive(old_column->children, column.children, rows)) return false;
  }
  return true;
}

/// Goes over both sides once; each Check* returns at the first conflict.
class ConflictFinder {
 public:
  ConflictFinder(const ChangeSet& mine, const TheirChanges& theirs)
      : mine_(mine), theirs_(theirs) {}

  std::optional<Conflict> Find() const {
    if (auto conflict = CheckRestore()) return conflict;
    if (auto conflict = CheckTables()) return conflict;
    if (auto conflict = CheckViews()) return conflict;
    if (auto conflict = CheckMacros()) return conflict;
    if (auto conflict = CheckSchemas()) return conflict;
    return CheckNames();
  }

 private:
  SnapshotId SnapshotOf(std::initializer_list<ChangeKind> kinds, int64_t id) const {
    for (const TheirChanges::Word& word : theirs_.words) {
      if (word.change.id == id &&
          std::find(kinds.begin(), kinds.end(), word.change.kind) != kinds.end())
        return word.snapshot;
    }
    return {};
  }

  template <class Object>
  static const Object* FindByRef(const std::vector<std::shared_ptr<const Object>>& objects,
                                 auto ref) {
    for (const auto& object : objects) {
      if (object->ref == ref) return object.get();
    }
    return nullptr;
  }
  template <class Object>
  static const Altered<Object>* FindAltered(const std::vector<Altered<Object>>& objects, auto ref) {
    for (const Altered<Object>& object : objects) {
      if (object.before->ref == ref) return &object;
    }
    return nullptr;
  }

  // --- a restore, which wants to be alone ---

  std::optional<Conflict> CheckRestore() const {
    if (!mine_.restored) return std::nullopt;
    const std::vector<TableRef>& only = mine_.restored->only;
    if (only.empty()) {
      if (theirs_.words.empty()) return std::nullopt;
      const SnapshotId with = theirs_.words.front().snapshot;
      return Conflict{with, Sentence("restore the lake", "has changed it", with)};
    }
    for (TableRef ref : only) {
      if (auto conflict = CheckRestoreOf(ref)) return conflict;
    }
    return std::nullopt;
  }

  std::optional<Conflict> CheckRestoreOf(TableRef ref) const {
    const bool stays = mine_.after->FindTable(ref) != nullptr;
    const CatalogView& view = stays ? *mine_.after : *mine_.before;
    const Table& table = *view.FindTable(ref);
    const std::string attempt = "restore table " + Named(view, table.schema, table.name);
    const auto conflict = [&](const char* done, SnapshotId with) {
      return Conflict{with, Sentence(attempt, done, with)};
    };
    for (const TheirChanges::Word& word : theirs_.words) {
      const std::optional<TableAct> act = ActOf(word.change.kind);
      if (act && TableRef(TableId(word.change.id)) == ref)
        return conflict(kDone[static_cast<int>(*act)], word.snapshot);
    }
    if (FindByRef(theirs_.catalog.dropped_tables, ref) != nullptr)
      return conflict("has dropped it", SnapshotOf({ChangeKind::kDroppedTable}, ref.id().value));
    if (const Table* created = FindByRef(theirs_.catalog.created_tables, ref))
      return conflict("has brought it back", created->begin_snapshot);
    const auto* altered = FindAltered(theirs_.catalog.altered_tables, ref);
    if (altered == nullptr) return std::nullopt;
    const SnapshotId with = SnapshotOf({ChangeKind::kAlteredTable}, ref.id().value);
    // A rename leaves no word with the table's id.
    return conflict("has altered it", with.valid() ? with : altered->after->begin_snapshot);
  }

  // --- one table, each pair of acts ---

  std::optional<Conflict> CheckTables() const {
    for (const auto& table : mine_.catalog.dropped_tables) {
      if (auto conflict = CheckTable(*table, TableAct::kDrop)) return conflict;
    }
    for (const auto& [before, after] : mine_.catalog.altered_tables) {
      if (auto conflict = CheckTable(*before, TableAct::kAlter)) return conflict;
    }
    for (const auto& [ref, rows] : mine_.rows) {
      // One that a restore brings back has been touched by nobody: CheckRestore has seen to that.
      if (ref.is_new() || mine_.before->FindTable(ref) == nullptr) continue;
      const Table& table = *mine_.before->FindTable(ref);
      if (rows.inserts()) {
        if (auto conflict = CheckTable(table, TableAct::kInsert)) return conflict;
      }
      if (rows.deletes_from_files()) {
        if (auto conflict = CheckTable(table, TableAct::kDelete)) return conflict;
      }
      if (rows.deletes_inlined()) {
        if (auto conflict = CheckTable(table, TableAct::kInlinedDelete)) return conflict;
      }
      if (rows.flushes()) {
        if (auto conflict = CheckTable(table, TableAct::kFlush)) return conflict;
      }
      if (rows.compacts(CompactionKind::kMerge)) {
        if (auto conflict = CheckTable(table, TableAct::kMerge)) return conflict;
      }
      if (rows.compacts(CompactionKind::kRewrite)) {
        if (auto conflict = CheckTable(table, TableAct::kRewrite)) return conflict;
      }
    }
    for (const auto& [ref, reads] : mine_.reads) {
      if (const Table* table = mine_.before->FindTable(ref).get()) {
        if (auto conflict = CheckTable(*table, TableAct::kRead)) return conflict;
      }
    }
    return std::nullopt;
  }

  std::optional<Conflict> CheckTable(const Table& table, TableAct my_act) const {
    TableId id = table.ref.id();
    if (FindByRef(theirs_.catalog.dropped_tables, table.ref) != nullptr) {
      SnapshotId with = SnapshotOf({ChangeKind::kDroppedTable}, id.value);
      if (auto conflict = CheckPair(table, my_act, TableAct::kDrop, with)) return conflict;
    }
    if (const Altered<Table>* altered = FindAltered(theirs_.catalog.altered_tables, table.ref)) {
      SnapshotId with = SnapshotOf({ChangeKind::kAlteredTable}, id.value);
      // A rename leaves no word with the table's id, but it does leave a new row.
      if (!with.valid() && altered->after->begin_snapshot > mine_.base.id)
        with = altered->after->begin_snapshot;
      if (auto conflict = CheckPair(table, my_act, TableAct::kAlter, with)) return conflict;
      // What is dropped is dropped by its name, which now is another's or nobody's.
      if (my_act == TableAct::kDrop && CompareTables(*altered->before, *altered->after).renamed)
        return ConflictBetween(table, my_act, "has renamed it", altered->after->begin_snapshot);
    }
    for (const TheirChanges::Word& word : theirs_.words) {
      std::optional<TableAct> their_act = ActOf(word.change.kind);
      if (!their_act || word.change.id != id.value) continue;
      if (auto conflict = CheckPair(table, my_act, *their_act, word.snapshot)) return conflict;
    }
    // Files change hands without a word that we know, too.
    auto touched = theirs_.touched_files.find(id);
    const bool needs_files =
        my_act == TableAct::kDelete || my_act == TableAct::kMerge || my_act == TableAct::kRewrite;
    if (needs_files && touched != theirs_.touched_files.end() && !touched->second.empty()) {
      const std::set<SnapshotId>& when = touched->second.begin()->second;
      return ConflictBetween(table, my_act, "has changed files of it",
                             when.empty() ? SnapshotId() : *when.begin());
    }
    return std::nullopt;
  }

  std::optional<Conflict> CheckPair(const Table& table, TableAct mine, TableAct theirs,
                                    SnapshotId with) const {
    switch (Judge(mine, theirs)) {
      case kFine:
        return std::nullopt;
      case kShape:
        if (mine == TableAct::kAlter ? MyShapeAcceptsTheirRows(table)
                                     : TheirShapeAcceptsMyRows(table))
          return std::nullopt;
        break;
      case kSameFile:
        if (!TouchSameFile(table, with)) return std::nullopt;
        break;
      case kRows:
        return std::nullopt;  // shows when the rows are ended
      case kRead: {
        auto first = theirs_.matching_inserts.find(table.ref.id());
        if (first == theirs_.matching_inserts.end()) return std::nullopt;
        with = first->second;
        break;
      }
      case kConflict:
        break;
    }
    return ConflictBetween(table, mine, kDone[static_cast<int>(theirs)], with);
  }

  std::optional<Conflict> ConflictBetween(const Table& table, TableAct mine, const char* done,
                                          SnapshotId with) const {
    std::string name = Named(*mine_.before, table.schema, table.name);
    return Conflict{
        with, Sentence(std::string(kAttempt[static_cast<int>(mine)]) + " " + name, done, with),
        mine == TableAct::kFlush ? std::optional(table.ref) : std::nullopt};
  }

  /// My alteration against rows that others wrote for the table as it was: their files are read
  /// like any older file, so only new promises about all rows can break.
  bool MyShapeAcceptsTheirRows(const Table& table) const {
    const Altered<Table>* altered = FindAltered(mine_.catalog.altered_tables, table.ref);
    if (altered == nullptr) return true;
    const TableAlterations made = CompareTables(*altered->before, *altered->after);
    return !made.not_null_set && !made.values_may_overflow;
  }

  bool TheirShapeAcceptsMyRows(const Table& table) const {
    const Altered<Table>* altered = FindAltered(theirs_.catalog.altered_tables, table.ref);
    auto rows = mine_.rows.find(table.ref);
    if (altered == nullptr || rows == mine_.rows.end()) return true;
    if (rows->second.inserts() &&
        CompareTables(*altered->before, *altered->after).partition_changed)
      return false;
    return RowsSurvive(altered->before->columns, altered->after->columns, rows->second);
  }

  /// `by`: the snapshot whose word it is.
  bool TouchSameFile(const Table& table, SnapshotId by) const {
    auto mine = mine_.rows.find(table.ref);
    auto theirs = theirs_.touched_files.find(table.ref.id());
    if (mine == mine_.rows.end() || theirs == theirs_.touched_files.end()) return true;
    return std::any_of(theirs->second.begin(), theirs->second.end(), [&](const auto& touched) {
      const bool is_mine = mine->second.removed.count(touched.first) > 0 ||
                           mine->second.compacted.count(touched.first) > 0;
      return is_mine && (touched.second.empty() || touched.second.count(by) > 0);
    });
  }

  // --- views, macros, schemas by id ---

  std::optional<Conflict> CheckViews() const {
    auto check = [&](const View& view, const char* attempt,
                     bool alteration_matters) -> std::optional<Conflict> {
      std::string name =
          std::string(attempt) + " view " + Named(*mine_.before, view.schema, view.name);
      int64_t id = view.ref.id().value;
      if (FindByRef(theirs_.catalog.dropped_views, view.ref) != nullptr) {
        SnapshotId with = SnapshotOf({ChangeKind::kDroppedView}, id);
        return Conflict{with, Sentence(name, "has dropped it", with)};
      }
      const Altered<View>* altered = FindAltered(theirs_.catalog.altered_views, view.ref);
      if (altered == nullptr) return std::nullopt;
      if (!alteration_matters && altered->before->name == altered->after->name) return std::nullopt;
      SnapshotId with = SnapshotOf({ChangeKind::kAlteredView}, id);
      if (!with.valid() && altered->after->begin_snapshot > mine_.base.id)
        with = altered->after->begin_snapshot;
      return Conflict{with, Sentence(name, "has altered it", with)};
    };
    for (const auto& view : mine_.catalog.dropped_views) {
      if (auto conflict = check(*view, "drop", false)) return conflict;
    }
    for (const auto& altered : mine_.catalog.altered_views) {
      if (auto conflict = check(*altered.before, "alter", true)) return conflict;
    }
    return std::nullopt;
  }

  std::optional<Conflict> CheckMacros() const {
    for (const auto& macro : mine_.catalog.dropped_macros) {
      if (FindByRef(theirs_.catalog.dropped_macros, macro->ref) == nullptr) continue;
      SnapshotId with = SnapshotOf(
          {ChangeKind::kDroppedScalarMacro, ChangeKind::kDroppedTableMacro}, macro->ref.id().value);
      return Conflict{with,
                      Sentence("drop macro " + Named(*mine_.before, macro->schema, macro->name),
                               "has dropped it", with)};
    }
    for (const auto& altered : mine_.catalog.altered_macros) {
      const Macro& macro = *altered.before;
      const bool dropped = FindByRef(theirs_.catalog.dropped_macros, macro.ref) != nullptr;
      if (!dropped && FindAltered(theirs_.catalog.altered_macros, macro.ref) == nullptr) continue;
      return Conflict{{},
                      Sentence("comment on macro " + Named(*mine_.before, macro.schema, macro.name),
                               dropped ? "has dropped it" : "has commented on it", {})};
    }
    return std::nullopt;
  }

  /// A schema that one side drops and the other uses.
  std::optional<Conflict> CheckSchemas() const {
    for (const auto& schema : theirs_.catalog.dropped_schemas) {
      SnapshotId with = SnapshotOf({ChangeKind::kDroppedSchema}, schema->ref.id().value);
      std::string name = QuoteIdentifier(schema->name);
      if (FindByRef(mine_.catalog.dropped_schemas, schema->ref) != nullptr) {
        return Conflict{with, Sentence("drop schema " + name, "has dropped it", with)};
      }
      if (std::optional<std::string> entry = EntryCreatedIn(mine_.catalog, schema->ref)) {
        return Conflict{with, Sentence("create " + *entry + " in schema " + name,
                                       "has dropped that schema", with)};
      }
    }
    for (const auto& schema : mine_.catalog.dropped_schemas) {
      SnapshotId with;
      std::optional<std::string> entry = EntryCreatedIn(theirs_.catalog, schema->ref, &with);
      if (!entry) continue;
      return Conflict{with, Sentence("drop schema " + QuoteIdentifier(schema->name),
                                     "has created " + *entry + " in it", with)};
    }
    return std::nullopt;
  }

  static std::optional<std::string> EntryCreatedIn(const ViewDiff& diff, SchemaRef schema,
                                                   SnapshotId* when = nullptr) {
    std::optional<std::string> found;
    auto look = [&](const auto& object) {
      if (found || object.schema != schema) return;
      found = QuoteIdentifier(object.name);
      if (when != nullptr) *when = object.begin_snapshot;
    };
    for (const auto& table : diff.created_tables) look(*table);
    for (const auto& view : diff.created_views) look(*view);
    for (const auto& macro : diff.created_macros) look(*macro);
    for (const auto& altered : diff.altered_tables) {
      if (altered.before->name != altered.after->name || altered.before->schema != schema)
        look(*altered.after);
    }
    for (const auto& altered : diff.altered_views) {
      if (altered.before->name != altered.after->name || altered.before->schema != schema)
        look(*altered.after);
    }
    return found;
  }

  // --- names ---

  /// What a name is taken by. Tables and views share their names; the two kinds of macro do not.
  enum class NameSpace { kSchema, kRelation, kScalarMacro, kTableMacro };
  struct Slot {
    NameSpace space;
    SchemaRef schema;
    std::string name;
    const char* kind;
    SnapshotId since;
    auto Key() const { return std::tuple(space, schema, AsciiLower(name)); }
  };

  /// Names that a difference takes: of new objects and of renamed ones.
  static std::vector<Slot> TakenNames(const ViewDiff& diff) {
    std::vector<Slot> slots;
    auto take = [&](NameSpace space, const char* kind, const auto& object) {
      slots.push_back({space, object.schema, object.name, kind, object.begin_snapshot});
    };
    for (const auto& schema : diff.created_schemas) {
      slots.push_back({NameSpace::kSchema, {}, schema->name, "schema", schema->begin_snapshot});
    }
    for (const auto& table : diff.created_tables) take(NameSpace::kRelation, "table", *table);
    for (const auto& view : diff.created_views) take(NameSpace::kRelation, "view", *view);
    for (const auto& macro : diff.created_macros) {
      take(macro->is_table_macro() ? NameSpace::kTableMacro : NameSpace::kScalarMacro, "macro",
           *macro);
    }
    for (const auto& altered : diff.altered_tables) {
      if (altered.before->name != altered.after->name)
        take(NameSpace::kRelation, "table", *altered.after);
    }
    for (const auto& altered : diff.altered_views) {
      if (altered.before->name != altered.after->name)
        take(NameSpace::kRelation, "view", *altered.after);
    }
    return slots;
  }

  std::optional<Conflict> CheckNames() const {
    std::vector<Slot> my_names = TakenNames(mine_.catalog);
    if (my_names.empty()) return std::nullopt;
    std::map<std::tuple<NameSpace, SchemaRef, std::string>, Slot> their_names;
    for (Slot& slot : TakenNames(theirs_.catalog)) their_names.emplace(slot.Key(), std::move(slot));
    for (const Slot& slot : my_names) {
      auto taken = their_names.find(slot.Key());
      if (taken == their_names.end()) continue;
      std::string name = slot.space == NameSpace::kSchema
                             ? QuoteIdentifier(slot.name)
                             : Named(*mine_.after, slot.schema, slot.name);
      return Conflict{taken->second.since, Sentence(std::string("create ") + slot.kind + " " + name,
                                                    std::string("has created a ") +
                                                        taken->second.kind + " with that name",
                                                    taken->second.since)};
    }
    return std::nullopt;
  }

  const ChangeSet& mine_;
  const TheirChanges& theirs_;
};

}  // namespace

Verdict Judge(TableAct mine, TableAct theirs) {
  return kTable[static_cast<int>(mine)][static_cast<int>(theirs)];
}

std::vector<TheirChanges::Word> ParseWords(const std::vector<SnapshotInfo>& snapshots) {
  std::vector<TheirChanges::Word> words;
  for (const SnapshotInfo& info : snapshots) {
    for (Change& change : ParseChanges(info.changes_made))
      words.push_back({info.snapshot.id, std::move(change)});
  }
  return words;
}

bool NeedsTheirCatalog(const ChangeSet& mine, const std::vector<TheirChanges::Word>& theirs) {
  return std::any_of(theirs.begin(), theirs.end(), [&](const TheirChanges::Word& word) {
    // A rename leaves no word with the table's id.
    if (mine.restored && IsCatalogChange(word.change.kind)) return true;
    switch (word.change.kind) {
      case ChangeKind::kUnknown:
        return true;
      case ChangeKind::kDroppedTable:
      case ChangeKind::kAlteredTable:
        return !mine.catalog.empty() || mine.rows.count(TableId(word.change.id)) > 0 ||
               mine.reads.count(TableId(word.change.id)) > 0;
      default:
        return IsCatalogChange(word.change.kind) && !mine.catalog.empty();
    }
  });
}

std::optional<Conflict> FindConflict(const ChangeSet& mine, const TheirChanges& theirs) {
  return ConflictFinder(mine, theirs).Find();
}

std::vector<TableId> TablesWithTouchedFiles(const ChangeSet& mine,
                                            const std::vector<TheirChanges::Word>& theirs) {
  std::vector<TableId> tables;
  for (const auto& [ref, rows] : mine.rows) {
    const bool may_meet = std::any_of(theirs.begin(), theirs.end(), [&](const auto& word) {
      if (word.change.kind == ChangeKind::kUnknown) return true;
      std::optional<TableAct> act = ActOf(word.change.kind);
      return act && *act != TableAct::kInsert && *act != TableAct::kInlinedInsert &&
             TableRef(TableId(word.change.id)) == ref;
    });
    if (may_meet && (rows.deletes_from_files() || rows.compacts())) tables.push_back(ref.id());
  }
  return tables;
}

std::vector<TableId> TablesWithReadInserts(const ChangeSet& mine,
                                           const std::vector<TheirChanges::Word>& theirs) {
  std::vector<TableId> tables;
  for (const auto& [ref, reads] : mine.reads) {
    const bool inserted = std::any_of(theirs.begin(), theirs.end(), [&](const auto& word) {
      return (word.change.kind == ChangeKind::kInsertedIntoTable ||
              word.change.kind == ChangeKind::kInlinedInsert) &&
             TableRef(TableId(word.change.id)) == ref;
    });
    if (inserted) tables.push_back(ref.id());
  }
  return tables;
}

Conflict ConflictOverRows(const ChangeSet& mine, const std::vector<TheirChanges::Word>& theirs,
                          const LostRows& lost) {
  const TableId table = lost.table.id();
  SnapshotId with;
  const char* done = "has changed rows of it";
  for (const TheirChanges::Word& word : theirs) {
    std::optional<TableAct> act = ActOf(word.change.kind);
    if (!act || word.change.id != table.value || Judge(TableAct::kDelete, *act) == kFine) continue;
    with = word.snapshot;
    done = kDone[static_cast<int>(*act)];
    break;
  }
  auto rows = mine.rows.find(table);
  TableAct act = lost.by_flush ? TableAct::kFlush : TableAct::kDelete;
  if (rows != mine.rows.end() && rows->second.compacts()) {
    act = rows->second.compacts(CompactionKind::kMerge) ? TableAct::kMerge : TableAct::kRewrite;
  }
  const char* attempt = kAttempt[static_cast<int>(act)];
  std::shared_ptr<const Table> object = mine.before->FindTable(table);
  std::string name = object == nullptr ? "with index \"" + std::to_string(table.value) + "\""
                                       : Named(*mine.before, object->schema, object->name);
  return {with, Sentence(std::string(attempt) + " " + name, done, with),
          lost.by_flush ? std::optional(lost.table) : std::nullopt};
}

Conflict ConflictWithMissingSnapshots(const ChangeSet& mine, SnapshotId first_missing) {
  return {first_missing,
          "Failed to commit DuckLake transaction. Transaction conflict - attempting to commit "
          "changes based on snapshot " +
              std::to_string(mine.base.id.value) + " - but snapshot " +
              std::to_string(first_missing.value) +
              " after it has been expired, so what it changed is not known. Nothing was written; "
              "run the transaction again."};
}

}  // namespace tarn
