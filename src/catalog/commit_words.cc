// A change set as words.
#include "catalog/commit_words.h"

#include <algorithm>
#include <utility>

namespace tarn {
namespace {

const PlanValue kNull = Value();

class WordBuilder {
 public:
  WordBuilder(const ChangeSet& changes, const SettledDeletes& deletes,
              const std::map<int64_t, int64_t>& new_objects)
      : changes_(changes), deletes_(deletes), new_objects_(new_objects), diff_(changes.catalog) {}

  /// In the order that other clients write them.
  std::vector<PlanWord> Build() {
    for (const auto& schema : diff_.dropped_schemas)
      WordById(ChangeKind::kDroppedSchema, IdOf(schema->ref));
    for (const auto& table : diff_.dropped_tables)
      WordById(ChangeKind::kDroppedTable, IdOf(table->ref));
    for (const auto& view : diff_.dropped_views)
      WordById(ChangeKind::kDroppedView, IdOf(view->ref));
    for (const auto& schema : diff_.created_schemas) {
      words_.push_back({ChangeKind::kCreatedSchema, {}, schema->name, kNull});
    }
    AddCreatedRelations();
    AddMacroWords(diff_.created_macros, [&](const Macro& macro) {
      ChangeKind kind =
          macro.is_table_macro() ? ChangeKind::kCreatedTableMacro : ChangeKind::kCreatedScalarMacro;
      words_.push_back({kind, SchemaName(macro.schema), macro.name, kNull});
    });
    AddMacroWords(diff_.dropped_macros, [&](const Macro& macro) {
      WordById(
          macro.is_table_macro() ? ChangeKind::kDroppedTableMacro : ChangeKind::kDroppedScalarMacro,
          IdOf(macro.ref));
    });
    for (const auto& [ref, rows] : changes_.rows) {
      if (rows.inserts_files()) WordById(ChangeKind::kInsertedIntoTable, IdOf(ref));
    }
    for (const auto& [ref, rows] : changes_.rows) {
      if (DeletesInFiles(ref)) WordById(ChangeKind::kDeletedFromTable, IdOf(ref));
    }
    for (const auto& [before, after] : diff_.altered_tables) {
      TableAlterations changed = CompareTables(*before, *after);
      changed.renamed = false;  // logged as created, and as nothing else
      if (changed.any()) WordById(ChangeKind::kAlteredTable, IdOf(after->ref));
    }
    for (const auto& [before, after] : diff_.altered_views) {
      if (before->name == after->name && before->schema == after->schema)
        WordById(ChangeKind::kAlteredView, IdOf(after->ref));
    }
    for (const auto& [ref, rows] : changes_.rows) {
      if (rows.inserts_inlined()) WordById(ChangeKind::kInlinedInsert, IdOf(ref));
    }
    for (const auto& [ref, rows] : changes_.rows) {
      if (rows.deletes_inlined() || deletes_.inlined.contains(ref))
        WordById(ChangeKind::kInlinedDelete, IdOf(ref));
    }
    for (const auto& [ref, rows] : changes_.rows) {
      if (rows.flush && !rows.flush->tables.empty()) WordById(ChangeKind::kInlineFlush, IdOf(ref));
    }
    for (const auto& [ref, rows] : changes_.rows) {
      if (rows.compacts(CompactionKind::kMerge)) WordById(ChangeKind::kMergeAdjacent, IdOf(ref));
    }
    for (const auto& [ref, rows] : changes_.rows) {
      if (rows.compacts(CompactionKind::kRewrite)) WordById(ChangeKind::kRewriteDelete, IdOf(ref));
    }
    return std::move(words_);
  }

 private:
  template <class IdType>
  PlanValue IdOf(Ref<IdType> ref) const {
    return PlannedId(ref, new_objects_);
  }

  void WordById(ChangeKind kind, PlanValue id) { words_.push_back({kind, {}, {}, std::move(id)}); }

  const std::string& SchemaName(SchemaRef ref) const {
    const Schema* schema = changes_.after->FindSchema(ref);
    TARN_ASSERT(schema != nullptr);
    return schema->name;
  }

  /// Deletes of a committed table that are not rows of the catalog.
  bool DeletesInFiles(TableRef ref) const {
    return deletes_.ended_files.contains(ref) ||
           std::any_of(deletes_.written.begin(), deletes_.written.end(), [&](const auto& written) {
             return written.table == ref && !written.staged_index && !written.flushed;
           });
  }

  /// Tables and views that take a name, renamed ones among them: by schema, then by name.
  void AddCreatedRelations() {
    struct Created {
      SchemaRef schema;
      std::string name;
      ChangeKind kind;
    };
    std::vector<Created> created;
    for (const auto& table : diff_.created_tables)
      created.push_back({table->schema, table->name, ChangeKind::kCreatedTable});
    for (const auto& view : diff_.created_views)
      created.push_back({view->schema, view->name, ChangeKind::kCreatedView});
    for (const auto& [before, after] : diff_.altered_tables) {
      if (CompareTables(*before, *after).renamed)
        created.push_back({after->schema, after->name, ChangeKind::kCreatedTable});
    }
    for (const auto& [before, after] : diff_.altered_views) {
      bool renamed = before->name != after->name || before->schema != after->schema;
      if (renamed) created.push_back({after->schema, after->name, ChangeKind::kCreatedView});
    }
    std::stable_sort(created.begin(), created.end(), [](const Created& a, const Created& b) {
      return a.schema != b.schema ? a.schema < b.schema : NameLess()(a.name, b.name);
    });
    for (Created& item : created)
      words_.push_back({item.kind, SchemaName(item.schema), std::move(item.name), kNull});
  }

  /// Scalar macros before table macros.
  template <class AddWord>
  static void AddMacroWords(const std::vector<std::shared_ptr<const Macro>>& macros, AddWord add) {
    for (bool table_macros : {false, true}) {
      for (const auto& macro : macros) {
        if (macro->is_table_macro() == table_macros) add(*macro);
      }
    }
  }

  const ChangeSet& changes_;
  const SettledDeletes& deletes_;
  const std::map<int64_t, int64_t>& new_objects_;
  const ViewDiff& diff_;
  std::vector<PlanWord> words_;
};

}  // namespace

std::vector<PlanWord> BuildWords(const ChangeSet& changes, const SettledDeletes& deletes,
                                 const std::map<int64_t, int64_t>& new_objects) {
  return WordBuilder(changes, deletes, new_objects).Build();
}

}  // namespace tarn
