// Snapshots, options, and the catalog's objects: ids, names, lives and parents.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/text.h"
#include "catalog/check.h"
#include "format/change_list.h"
#include "format/transform.h"
#include "format/type_names.h"

namespace tarn::check {
namespace {

/// Of rows that may not live at the same time, names each pair that does. Takes (life, name of the
/// row).
struct Living {
  Life life;
  std::string name;
};
template <class Key, class Report>
void FindMeeting(std::map<Key, std::vector<Living>>& groups, Report report) {
  for (auto& [key, rows] : groups) {
    std::sort(rows.begin(), rows.end(),
              [](const Living& a, const Living& b) { return a.life.begin < b.life.begin; });
    for (size_t i = 1; i < rows.size(); ++i) {
      if (rows[i - 1].life.Meets(rows[i].life)) report(key, rows[i - 1], rows[i]);
    }
  }
}

void CheckChangeWords(const Model& model, int64_t snapshot, const std::string& changes,
                      Findings& findings) {
  for (const Change& change : ParseChanges(changes)) {
    if (change.kind == ChangeKind::kUnknown) {
      findings.Error(
          fmt::format("Snapshot {} says that it did \"{}\", which is no change of format 1.0.",
                      snapshot, change.word));
    } else if (!IsByName(change.kind) && change.id >= model.head_snapshot()->next_catalog_id) {
      findings.Error(fmt::format("Snapshot {} says \"{}:{}\", an id that was never given out.",
                                 snapshot, ChangeWord(change.kind), change.id));
    }
  }
}

bool IsNamed(ObjectKind kind) {
  return kind != ObjectKind::kPartitionSpec && kind != ObjectKind::kSortOrder;
}

/// Tables and views share names; scalar and table macros do not.
std::string NameSpace(const Model& model, const ObjectRow& row) {
  switch (row.kind) {
    case ObjectKind::kTable:
    case ObjectKind::kView:
      return "relation";
    case ObjectKind::kMacro: {
      auto types = model.macro_types.find(row.id);
      return "macro " + (types == model.macro_types.end() ? "" : types->second.front());
    }
    default:
      return "schema";
  }
}

void CheckObjectIds(const Model& model, Findings& findings) {
  std::map<std::pair<ObjectKind, int64_t>, std::vector<Living>> by_id;
  std::map<int64_t, std::set<ObjectKind>> kinds;
  for (const ObjectRow& row : model.objects) {
    by_id[{row.kind, row.id}].push_back({row.life, model.Name(row.kind, row.id)});
    kinds[row.id].insert(row.kind);
  }
  FindMeeting(by_id, [&](const auto&, const Living& a, const Living& b) {
    findings.Error(fmt::format("Two rows of {} are alive at snapshot {}.", a.name, b.life.begin));
  });
  for (const auto& [id, of_id] : kinds) {
    if (of_id.size() > 1) {
      findings.Error(fmt::format("The id {} belongs to both {} and {}.", id,
                                 model.Name(*of_id.begin(), id), model.Name(*of_id.rbegin(), id)));
    }
    if (id >= model.head_snapshot()->next_catalog_id) {
      findings.Error(
          fmt::format("{} has the id {}, but the newest snapshot would give out {} next.",
                      model.Name(*of_id.begin(), id), id, model.head_snapshot()->next_catalog_id),
          {RepairKind::kNextIds});
    }
    if (id < 0) findings.Error(fmt::format("A {} has no id.", KindName(*of_id.begin())));
  }
}

/// Whether any snapshot that is kept falls into it.
bool IsSeen(const Model& model, const Life& life) {
  return std::any_of(model.snapshots.begin(), model.snapshots.end(),
                     [&](const Snapshot& snapshot) { return life.IsAliveAt(snapshot.id.value); });
}

}  // namespace

void CheckLife(const Model& model, const std::string& name, const Life& life, Findings& findings) {
  if (life.begin < 0) {
    findings.Error(fmt::format("The begin snapshot of {} is missing.", name));
  } else if (life.begin > model.head) {
    findings.Error(fmt::format("{} begins at snapshot {}, but the newest one is {}.", name,
                               life.begin, model.head));
  }
  if (life.end && *life.end <= life.begin) {
    findings.Error(fmt::format("{} ends at snapshot {}, not after it begins ({}).", name, *life.end,
                               life.begin));
  } else if (life.end && *life.end > model.head) {
    findings.Error(fmt::format("{} ends at snapshot {}, but the newest one is {}.", name, *life.end,
                               model.head));
  }
}

void CheckSnapshots(const Model& model, Findings& findings) {
  const Snapshot* previous = nullptr;
  for (const Snapshot& snapshot : model.snapshots) {
    int64_t id = snapshot.id.value;
    if (previous != nullptr) {
      if (snapshot.id == previous->id)
        findings.Error(fmt::format("There are two snapshots {}.", id));
      if (snapshot.time < previous->time) {
        findings.Error(fmt::format("Snapshot {} is older than snapshot {} before it.", id,
                                   previous->id.value));
      }
      if (snapshot.schema_version < previous->schema_version) {
        findings.Error(fmt::format("The schema version goes back from snapshot {} to {}.",
                                   previous->id.value, id));
      }
      if (snapshot.next_catalog_id < previous->next_catalog_id ||
          snapshot.next_file_id < previous->next_file_id) {
        findings.Error(fmt::format("A counter of ids goes back from snapshot {} to {}.",
                                   previous->id.value, id),
                       {RepairKind::kNextIds});
      }
    }
    previous = &snapshot;
    auto changes = model.changes.find(id);
    if (changes == model.changes.end()) {
      findings.Error(fmt::format(
          "Snapshot {} has no row of changes, so commits cannot be checked against it.", id));
    } else {
      CheckChangeWords(model, id, changes->second, findings);
    }
  }
  std::set<int64_t> ids;
  for (const Snapshot& snapshot : model.snapshots) ids.insert(snapshot.id.value);
  for (const auto& [id, changes] : model.changes) {
    if (!ids.contains(id))
      findings.Error(
          fmt::format("There is a row of changes of snapshot {}, but no such snapshot.", id),
          {RepairKind::kChangesRow, id});
  }
  for (const auto& [begin, version] : model.schema_versions) {
    if (begin > model.head || version > model.head_snapshot()->schema_version) {
      findings.Error(fmt::format(
          "Schema version {} of snapshot {} is newer than the newest snapshot.", version, begin));
    }
  }
}

void CheckOptionRows(const Model& model, Findings& findings) {
  std::map<std::tuple<std::string, std::string, int64_t>, int> counts;
  for (const OptionRow& option : model.options)
    ++counts[{option.key, option.scope, option.scope_id}];
  for (const auto& [key, count] : counts) {
    if (count > 1)
      findings.Error(
          fmt::format("The option \"{}\" is set {} times at one place.", std::get<0>(key), count),
          {RepairKind::kOption, -1, -1, std::get<0>(key)});
  }
  auto value = [&](const char* key) -> std::optional<std::string> {
    for (const OptionRow& option : model.options) {
      if (option.key == key && option.scope.empty()) return option.value;
    }
    return std::nullopt;
  };
  if (value("version") != "1.0") {
    findings.Error(fmt::format("The catalog says version \"{}\" where 1.0 belongs.",
                               value("version").value_or("")));
  }
  std::optional<std::string> data_path = value("data_path");
  if (!data_path || !data_path->ends_with('/')) {
    findings.Error(
        fmt::format("The stored data path \"{}\" does not end in a slash.", data_path.value_or("")),
        {RepairKind::kDataPath});
  }
}

void CheckObjects(const Model& model, Findings& findings) {
  CheckObjectIds(model, findings);
  std::map<std::tuple<int64_t, std::string, std::string>, std::vector<Living>> by_name;
  std::set<int64_t> with_columns;
  for (const auto& [table, entries] : model.columns) {
    for (const ColumnHistory::Entry& entry : entries) {
      if (!entry.end_snapshot) with_columns.insert(table);
    }
  }
  for (const ObjectRow& row : model.objects) {
    std::string name = model.Name(row.kind, row.id);
    CheckLife(model, name, row.life, findings);
    if (IsNamed(row.kind)) {
      by_name[{row.parent, NameSpace(model, row), AsciiLower(row.name)}].push_back(
          {row.life, name});
    }
    if (row.kind != ObjectKind::kSchema) {
      ObjectKind parent_kind = IsNamed(row.kind) ? ObjectKind::kSchema : ObjectKind::kTable;
      std::optional<Life> parent = model.LifeOf(parent_kind, row.parent);
      if (!parent && !IsSeen(model, row.life)) {
        // Rows of former names stay as long as the table does; the schema of then may have expired.
      } else if (!parent) {
        findings.Error(fmt::format("{} belongs to a {} that does not exist ({}).", name,
                                   KindName(parent_kind), row.parent));
      } else if (!parent->Covers(row.life)) {
        findings.Error(fmt::format("{} is alive when its {} is not.", name,
                                   model.Name(parent_kind, row.parent)));
      }
    }
    if (row.kind == ObjectKind::kMacro && !model.macro_types.contains(row.id)) {
      findings.Error(fmt::format("{} has no implementation.", name));
    }
    if (row.kind == ObjectKind::kTable && row.life.IsAliveAt(model.head) &&
        !with_columns.contains(row.id)) {
      findings.Error(fmt::format("{} has no columns.", name));
    }
  }
  FindMeeting(by_name, [&](const auto&, const Living& a, const Living& b) {
    findings.Error(
        fmt::format("{} and {} have one name at snapshot {}.", a.name, b.name, b.life.begin));
  });
}

void CheckColumns(const Model& model, Findings& findings) {
  for (const auto& [table, entries] : model.columns) {
    std::string table_name = model.TableName(table);
    std::optional<Life> table_life = model.LifeOf(ObjectKind::kTable, table);
    if (!table_life) {
      findings.Error(fmt::format("There are columns of a table that does not exist ({}).", table));
      continue;
    }
    std::map<int64_t, std::vector<Living>> by_id;
    std::map<std::pair<int64_t, std::string>, std::vector<Living>> by_name;
    std::map<int64_t, Life> lives;
    std::map<int64_t, int> live_children;
    auto life_of = [](const ColumnHistory::Entry& entry) {
      Life life{entry.column.begin_snapshot.value, {}};
      if (entry.end_snapshot) life.end = entry.end_snapshot->value;
      return life;
    };
    for (const ColumnHistory::Entry& entry : entries) {
      int64_t id = entry.column.id.value;
      Life life = life_of(entry);
      if (life.end == life.begin) continue;
      auto [found, is_new] = lives.emplace(id, life);
      if (!is_new) found->second.Extend(life);
      if (entry.parent && life.IsAliveAt(model.head)) ++live_children[entry.parent->value];
    }
    for (const ColumnHistory::Entry& entry : entries) {
      int64_t id = entry.column.id.value;
      Life life = life_of(entry);
      // Alive at no snapshot: it only keeps an id from being given away again.
      if (life.end == life.begin && life.begin <= model.head) continue;
      std::string name = fmt::format("Column {} (id {}) of {}", QuoteIdentifier(entry.column.name),
                                     id, table_name);
      CheckLife(model, name, life, findings);
      by_id[id].push_back({life, name});
      by_name[{entry.parent ? entry.parent->value : -1, AsciiLower(entry.column.name)}].push_back(
          {life, name});
      if (!table_life->Covers(life))
        findings.Error(fmt::format("{} is alive when its table is not.", name));

      std::optional<ScalarType> type = ParseTypeName(entry.column.type);
      if (!type) {
        findings.Error(fmt::format("{} has the type \"{}\", which format 1.0 does not have.", name,
                                   entry.column.type));
      } else if (life.IsAliveAt(model.head)) {
        auto found = live_children.find(id);
        int children = found == live_children.end() ? 0 : found->second;
        bool fits = type->kind == TypeKind::kList     ? children == 1
                    : type->kind == TypeKind::kMap    ? children == 2
                    : type->kind == TypeKind::kStruct ? children > 0
                                                      : children == 0;
        if (!fits)
          findings.Error(
              fmt::format("{} is a {} with {} children.", name, entry.column.type, children));
      }
      if (entry.parent) {
        auto parent = lives.find(entry.parent->value);
        if (parent == lives.end()) {
          findings.Error(fmt::format("{} lies in a column that does not exist ({}).", name,
                                     entry.parent->value));
        } else if (!parent->second.Covers(life)) {
          findings.Error(fmt::format("{} is alive when the column that it lies in ({}) is not.",
                                     name, entry.parent->value));
        }
      }
    }
    FindMeeting(by_id, [&](const auto&, const Living& a, const Living& b) {
      findings.Error(fmt::format("Two rows of {} are alive at snapshot {}.", a.name, b.life.begin));
    });
    FindMeeting(by_name, [&](const auto&, const Living& a, const Living& b) {
      if (a.name != b.name)
        findings.Error(
            fmt::format("{} and {} have one name at snapshot {}.", a.name, b.name, b.life.begin));
    });
  }
}

void CheckSpecs(const Model& model, Findings& findings) {
  std::map<std::pair<ObjectKind, int64_t>, std::vector<Living>> by_table;
  for (const ObjectRow& row : model.objects) {
    if (!IsNamed(row.kind))
      by_table[{row.kind, row.parent}].push_back({row.life, model.Name(row.kind, row.id)});
  }
  FindMeeting(by_table, [&](const auto&, const Living& a, const Living& b) {
    findings.Error(
        fmt::format("{} and {} are both alive at snapshot {}.", a.name, b.name, b.life.begin));
  });
  for (const PartitionKeyRow& key : model.partition_keys) {
    std::string name = model.Name(ObjectKind::kPartitionSpec, key.partition);
    if (!model.LifeOf(ObjectKind::kPartitionSpec, key.partition)) {
      findings.Error(
          fmt::format("A key belongs to a partition spec that does not exist ({}).", key.partition),
          {RepairKind::kPartitionKeys, key.partition});
      continue;
    }
    if (!model.HasColumn(key.table, key.column)) {
      findings.Error(
          fmt::format("{} has a key on column {}, which the table never had.", name, key.column));
    }
    if (!ParseTransform(key.transform)) {
      findings.Error(fmt::format("{} has the transform \"{}\", which format 1.0 does not have.",
                                 name, key.transform));
    }
  }
  for (const auto& [sort, count] : model.sort_key_counts) {
    if (!model.LifeOf(ObjectKind::kSortOrder, sort)) {
      findings.Error(fmt::format("A key belongs to a sort order that does not exist ({}).", sort),
                     {RepairKind::kSortKeys, sort});
    }
  }
}

void CheckTags(const Model& model, Findings& findings) {
  std::map<std::tuple<int64_t, int64_t, std::string>, std::vector<Living>> by_key;
  auto check = [&](const TagRow& tag, const std::string& name, bool owner_exists) {
    CheckLife(model, name, tag.life, findings);
    by_key[{tag.object, tag.column, tag.key}].push_back({tag.life, name});
    if (owner_exists) return;
    const RepairKind kind = tag.column < 0 ? RepairKind::kTags : RepairKind::kColumnTags;
    findings.Error(fmt::format("{} has no owner.", name), {kind, tag.object, tag.column});
  };
  for (const TagRow& tag : model.tags) {
    bool exists = false;
    for (ObjectKind kind :
         {ObjectKind::kSchema, ObjectKind::kTable, ObjectKind::kView, ObjectKind::kMacro}) {
      exists = exists || model.LifeOf(kind, tag.object).has_value();
    }
    check(tag, fmt::format("The tag \"{}\" of object {}", tag.key, tag.object), exists);
  }
  for (const TagRow& tag : model.column_tags) {
    check(tag,
          fmt::format("The tag \"{}\" of column {} of {}", tag.key, tag.column,
                      model.TableName(tag.object)),
          model.HasColumn(tag.object, tag.column));
  }
  FindMeeting(by_key, [&](const auto&, const Living& a, const Living& b) {
    findings.Error(fmt::format("{} has two values at snapshot {}.", a.name, b.life.begin));
  });
}

}  // namespace tarn::check
