// The rules of ALTER TABLE, one function per change.
#include "catalog/alter_table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "catalog/logical_types.h"
#include "format/defaults.h"
#include "format/logical_type.h"
#include "format/stats_value.h"
#include "format/transform.h"
#include "format/type_names.h"
#include "format/type_promotion.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr size_t kNamesShown = 12;

std::string Shown(const FieldPath& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : ".") + name;
  return text;
}

std::string Listed(const std::vector<Column>& columns) {
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i == kNamesShown) return text + ", …";
    text += (i == 0 ? "" : ", ") + columns[i].name;
  }
  return text;
}

Column* FindByName(std::vector<Column>& columns, const std::string& name) {
  auto found = std::find_if(columns.begin(), columns.end(),
                            [&](const Column& column) { return SameName(column.name, name); });
  return found == columns.end() ? nullptr : &*found;
}

bool IsStruct(const Column& column) {
  return RequireTypeName(column.type).kind == TypeKind::kStruct;
}

bool Contains(const Column& column, FieldId field) {
  return column.id == field ||
         std::any_of(column.children.begin(), column.children.end(),
                     [&](const Column& child) { return Contains(child, field); });
}

void ForgetTags(const Column& column, Table& table) {
  table.column_tags.erase(column.id);
  for (const Column& child : column.children) ForgetTags(child, table);
}

class Alteration {
 public:
  Alteration(const Table& table, const std::function<FieldId()>& first_free_field)
      : table_(table), first_free_field_(first_free_field) {}

  Table Apply(const TableChange& change) {
    const Table before = table_;
    std::visit([this](const auto& one) { Make(one); }, change);
    ForgetBegins(before, table_.columns);
    WriteLogicalTypes(table_);
    return std::move(table_);
  }

 private:
  /// What is not in the catalog as it is now has no snapshot: readers of older rows see by that
  /// that they need the shape of then.
  static void ForgetBegins(const Table& before, std::vector<Column>& columns) {
    for (Column& column : columns) {
      const Column* old = before.FindField(column.id);
      const bool same = old != nullptr && old->name == column.name && old->type == column.type &&
                        std::equal(old->children.begin(), old->children.end(),
                                   column.children.begin(), column.children.end(),
                                   [](const Column& a, const Column& b) { return a.id == b.id; });
      if (!same) column.begin_snapshot = {};
      ForgetBegins(before, column.children);
    }
  }

  // --- finding ---

  /// The columns that the last name of a path is one of.
  std::vector<Column>& Siblings(const FieldPath& path) {
    FieldPath parent(path.begin(), path.end() - 1);
    return parent.empty() ? table_.columns : Require(parent).children;
  }

  /// Throws kNotFound.
  Column& Require(const FieldPath& path) {
    std::vector<Column>* columns = &table_.columns;
    Column* found = nullptr;
    for (size_t i = 0; i < path.size(); ++i) {
      found = FindByName(*columns, path[i]);
      if (found == nullptr) ThrowMissing(path, i, *columns);
      columns = &found->children;
    }
    return *found;
  }

  Column* Find(const FieldPath& path) {
    std::vector<Column>* columns = &table_.columns;
    Column* found = nullptr;
    for (const std::string& name : path) {
      found = FindByName(*columns, name);
      if (found == nullptr) return nullptr;
      columns = &found->children;
    }
    return found;
  }

  [[noreturn]] void ThrowMissing(const FieldPath& path, size_t at,
                                 const std::vector<Column>& present) const {
    if (at == 0) {
      throw Error(ErrorCode::kNotFound, "Table \"" + table_.name +
                                            "\" does not have a column with name \"" + path[0] +
                                            "\": its columns are " + Listed(present) + ".");
    }
    const std::string in = Shown(FieldPath(path.begin(), path.begin() + static_cast<long>(at)));
    const std::string what = "Column \"" + in + "\" of table \"" + table_.name +
                             "\" does not have a field with name \"" + path[at] + "\": ";
    throw Error(
        ErrorCode::kNotFound,
        what + (present.empty() ? "it has no fields." : "its fields are " + Listed(present) + "."));
  }

  // --- changes ---

  void Make(const AddField& add) {
    Column* parent = nullptr;
    if (!add.parent.empty()) {
      parent = &Require(add.parent);
      if (!IsStruct(*parent)) {
        throw Error(ErrorCode::kInvalid, "Fields can only be added to structs - " +
                                             Shown(add.parent) + " is a " + SqlTypeName(*parent) +
                                             InsideHint(*parent));
      }
    }
    std::vector<Column>& columns = parent == nullptr ? table_.columns : parent->children;
    if (FindByName(columns, add.field.name) != nullptr) {
      if (add.if_not_exists) return;
      throw Error(ErrorCode::kAlreadyExists,
                  parent == nullptr ? "Column with name " + add.field.name + " already exists!"
                                    : "Failed to add field - field \"" + add.field.name +
                                          "\" already exists in column \"" + parent->name + "\"");
    }
    std::vector<Column> added{add.field};
    CheckColumns(added, table_.name);
    Number(added);
    columns.push_back(std::move(added.front()));
  }

  static std::string InsideHint(const Column& column) {
    switch (RequireTypeName(column.type).kind) {
      case TypeKind::kList:
        return ". Those of its elements are reached through " + column.name + ".element.";
      case TypeKind::kMap:
        return ". Those of its values are reached through " + column.name + ".value.";
      default:
        return ".";
    }
  }

  void Make(const DropField& drop) {
    const Column* found = drop.if_exists ? Find(drop.path) : &Require(drop.path);
    if (found == nullptr) return;
    std::vector<Column>& columns = Siblings(drop.path);
    if (drop.path.size() > 1) {
      RequireStructAround(drop.path, "Cannot drop field");
      if (columns.size() == 1) {
        throw Error(ErrorCode::kInvalid, "Cannot drop field \"" + found->name +
                                             "\" from column \"" + ParentName(drop.path) +
                                             "\" - it is the struct's last field. Drop the whole "
                                             "column instead.");
      }
    } else if (columns.size() == 1) {
      throw Error(ErrorCode::kInvalid,
                  "Cannot drop column: table only has one column remaining! Drop the table "
                  "instead, or add another column first.");
    }
    RequireNotPartitionedBy(*found);
    ForgetTags(*found, table_);
    std::erase_if(columns, [id = found->id](const Column& column) { return column.id == id; });
  }

  void RequireNotPartitionedBy(const Column& column) const {
    if (!table_.partition) return;
    for (const PartitionKey& key : table_.partition->keys) {
      if (!Contains(column, key.field)) continue;
      throw Error(ErrorCode::kInvalid,
                  "Cannot drop column \"" + column.name +
                      "\" - the table is partitioned by this column. Reset or change the "
                      "partitioning on this table in order to drop this column");
    }
  }

  void RequireStructAround(const FieldPath& path, const char* attempt) {
    const FieldPath parent(path.begin(), path.end() - 1);
    if (IsStruct(Require(parent))) return;
    throw Error(ErrorCode::kInvalid, std::string(attempt) + " '" + path.back() + "' of column '" +
                                         Shown(parent) +
                                         "' - it's not a struct: its parts have fixed names.");
  }

  std::string ParentName(const FieldPath& path) {
    return Require(FieldPath(path.begin(), path.end() - 1)).name;
  }

  void Make(const RenameField& rename) {
    Column& column = Require(rename.path);
    if (rename.path.size() > 1) RequireStructAround(rename.path, "Cannot rename field");
    if (rename.name.empty())
      throw Error(ErrorCode::kInvalid, "Column \"" + column.name + "\" must have a name");
    const Column* taken = FindByName(Siblings(rename.path), rename.name);
    if (taken != nullptr && taken->id != column.id) {
      throw Error(ErrorCode::kAlreadyExists,
                  rename.path.size() == 1
                      ? "Column with name " + rename.name + " already exists!"
                      : "Failed to rename field - field \"" + rename.name +
                            "\" already exists in column \"" + ParentName(rename.path) + "\"");
    }
    column.name = rename.name;
  }

  void Make(const ChangeFieldType& change) {
    Column& column = Require(change.path);
    std::vector<Column> shape{change.shape};
    shape.front().name = column.name;
    CheckColumns(shape, table_.name);
    ChangeType(column, shape.front(), Shown(change.path));
  }

  void ChangeType(Column& column, const Column& shape, const std::string& path) {
    const ScalarType from = RequireTypeName(column.type);
    const ScalarType to = RequireTypeName(shape.type);
    if (IsNested(from.kind) && IsNested(to.kind)) {
      if (from.kind != to.kind) ThrowOtherKind(column, shape, path);
      ChangeLogicalType(column, shape, path);
      if (from.kind == TypeKind::kStruct) {
        ChangeFields(column, shape, path);
        return;
      }
      for (size_t i = 0; i < column.children.size() && i < shape.children.size(); ++i)
        ChangeType(column.children[i], shape.children[i], path + "." + column.children[i].name);
      return;
    }
    if (from == to) {
      ChangeLogicalType(column, shape, path);
      return;
    }
    if (IsNested(from.kind)) ThrowOtherKind(column, shape, path);
    if (!CanPromote(from, to)) {
      throw Error(ErrorCode::kInvalid,
                  "Cannot change type of column " + path + " from " + SqlTypeName(column) + " to " +
                      SqlTypeName(shape) +
                      " - only widening type promotions are allowed: add another column and fill "
                      "it with UPDATE, or create the table anew.");
    }
    column.type = shape.type;
    // No row reads one that the type does not hold: then the engine refuses the change.
    if (column.initial_default && MayOverflow(from, to) &&
        !ParseValue(to, *column.initial_default, TextEncoding::kPlain))
      column.initial_default.reset();
    // Readers cast these texts to the column's type, and the words of a boolean are no number.
    if (from.kind == TypeKind::kBoolean) {
      column.initial_default = AsNumber(std::move(column.initial_default));
      if (KindOfDefault(column) == DefaultKind::kLiteral)
        column.default_value = AsNumber(std::move(column.default_value));
    }
  }

  /// The stored type is the same, or one of the same kind: what is written already must fit.
  static void ChangeLogicalType(Column& column, const Column& shape, const std::string& path) {
    if (column.logical_type == shape.logical_type) return;
    if (!shape.logical_type.empty()) {
      const TypeKind stored = RequireTypeName(column.type).kind;
      const auto from = ParseLogicalType(column.logical_type, stored);
      const auto to = ParseLogicalType(shape.logical_type, stored);
      if (!from || !to || !IsWidening(*from, *to)) {
        throw Error(ErrorCode::kInvalid,
                    "Cannot change type of column " + path + " from " + SqlTypeName(column) +
                        " to " + SqlTypeName(shape) +
                        " - an ENUM can get more values and must keep those it has, and become "
                        "VARCHAR; an array can become a list: for anything else add another column "
                        "and fill it with UPDATE.");
      }
    }
    column.logical_type = shape.logical_type;
  }

  static std::optional<std::string> AsNumber(std::optional<std::string> text) {
    if (!text) return text;
    for (const char* word : {"true", "t", "1"}) {
      if (EqualsIgnoreCase(*text, word)) return "1";
    }
    return "0";
  }

  [[noreturn]] static void ThrowOtherKind(const Column& column, const Column& shape,
                                          const std::string& path) {
    throw Error(ErrorCode::kInvalid, "Type evolution is not supported from type " +
                                         SqlTypeName(column) + " to type " + SqlTypeName(shape) +
                                         " (column " + path + "): add another column instead.");
  }

  void ChangeFields(Column& column, const Column& shape, const std::string& path) {
    std::erase_if(column.children, [&](const Column& child) {
      const bool stays = std::any_of(shape.children.begin(), shape.children.end(),
                                     [&](const Column& c) { return SameName(c.name, child.name); });
      if (!stays) ForgetTags(child, table_);
      return !stays;
    });
    std::vector<Column> added;
    for (const Column& wanted : shape.children) {
      if (Column* child = FindByName(column.children, wanted.name)) {
        ChangeType(*child, wanted, path + "." + child->name);
      } else {
        added.push_back(wanted);
      }
    }
    if (added.empty()) return;
    Number(added);
    std::move(added.begin(), added.end(), std::back_inserter(column.children));
  }

  void Make(const SetFieldDefault& set) {
    Column& column = Require(set.path);
    column.default_value = set.value.default_value;
    column.default_value_type = set.value.default_value_type;
    column.default_value_dialect = set.value.default_value_dialect;
  }

  void Make(const SetFieldNulls& set) {
    Column& column = Require(set.path);
    if (set.allowed && column.nulls_allowed) {
      throw Error(ErrorCode::kInvalid, "Cannot DROP NULL on column " + column.name +
                                           " - it has no NOT NULL constraint defined");
    }
    column.nulls_allowed = set.allowed;
  }

  static void SetComment(Tags& tags, const std::optional<std::string>& comment) {
    if (comment) {
      tags["comment"] = *comment;
    } else {
      tags.erase("comment");
    }
  }

  void Make(const SetFieldComment& set) {
    const FieldId field = Require(set.path).id;
    SetComment(table_.column_tags[field], set.comment);
    if (table_.column_tags[field].empty()) table_.column_tags.erase(field);
  }

  void Make(const SetTableComment& set) { SetComment(table_.tags, set.comment); }

  void Make(const RenameTable& rename) {
    if (rename.name.empty()) throw Error(ErrorCode::kInvalid, "A table must have a name");
    table_.name = rename.name;
  }

  /// The spec gets its reference from the transaction.
  void Make(const SetPartitioning& set) {
    PartitionSpec spec;
    for (const SetPartitioning::Key& key : set.keys) {
      const Column* column = table_.FindColumn(key.column);
      if (column == nullptr) {
        throw Error(ErrorCode::kInvalid, "Unexpected partition key - column \"" + key.column +
                                             "\" does not exist: the columns of table \"" +
                                             table_.name + "\" are " + Listed(table_.columns) +
                                             ".");
      }
      PartitionKey made{column->id, RequireTransform(key.transform, *column)};
      if (std::find(spec.keys.begin(), spec.keys.end(), made) != spec.keys.end()) {
        throw Error(ErrorCode::kInvalid,
                    "Table \"" + table_.name + "\" cannot be partitioned twice by " +
                        ShownKey(made.transform, *column) + ": name each partition key once.");
      }
      spec.keys.push_back(std::move(made));
    }
    if (spec.keys.empty()) {
      table_.partition.reset();
    } else {
      table_.partition.emplace(std::move(spec));
    }
  }

  static std::string RequireTransform(const std::string& text, const Column& column) {
    const std::optional<Transform> transform = ParseTransform(text);
    if (!transform) {
      throw Error(ErrorCode::kUnsupported,
                  "Unsupported partition function " + text +
                      " - only year, month, day, hour, and bucket are supported");
    }
    const std::string stored = FormatTransform(*transform);
    if (!TransformApplies(*transform, RequireTypeName(column.type))) {
      throw Error(ErrorCode::kInvalid, "A table cannot be partitioned by " +
                                           ShownKey(stored, column) + ": column \"" + column.name +
                                           "\" is of type " + SqlTypeName(column) + ". " +
                                           TransformHint(transform->kind));
    }
    return stored;
  }

  static std::string ShownKey(const std::string& transform, const Column& column) {
    if (transform == "identity") return column.name;
    if (!transform.ends_with(')')) return transform + "(" + column.name + ")";
    return transform.substr(0, transform.size() - 1) + ", " + column.name + ")";
  }

  static const char* TransformHint(Transform::Kind kind) {
    switch (kind) {
      case Transform::Kind::kIdentity:
      case Transform::Kind::kBucket:
        return "Partition by a column of a type that is not nested.";
      case Transform::Kind::kHour:
        return "Hours are of dates, times and timestamps.";
      default:
        return "Years, months and days are of dates and timestamps.";
    }
  }

  void Number(std::vector<Column>& added) {
    int64_t next = first_free_field_().value;
    next = std::max(next, table_.next_field_id.value);
    NumberColumns(added, next);
    table_.next_field_id = FieldId(next);
  }

  Table table_;
  const std::function<FieldId()>& first_free_field_;
};

}  // namespace

Table AlterTable(const Table& table, const TableChange& change,
                 const std::function<FieldId()>& first_free_field) {
  return Alteration(table, first_free_field).Apply(change);
}

void CheckColumns(const std::vector<Column>& columns, const std::string& table) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (column.name.empty())
      throw Error(ErrorCode::kInvalid, "A column of table \"" + table + "\" has no name");
    for (size_t k = 0; k < i; ++k) {
      if (SameName(columns[k].name, column.name)) {
        throw Error(ErrorCode::kInvalid, "Column with name " + column.name + " already exists!",
                    {{"table", table}});
      }
    }
    std::optional<ScalarType> type = ParseTypeName(column.type);
    if (!type) {
      throw Error(ErrorCode::kUnsupported, "Column \"" + column.name + "\" has the type \"" +
                                               column.type + "\", which DuckLake does not have");
    }
    const size_t least = type->kind == TypeKind::kMap ? 2 : IsNested(type->kind) ? 1 : 0;
    const size_t most = type->kind == TypeKind::kStruct ? column.children.size() : least;
    if (column.children.size() < least || column.children.size() > most) {
      throw Error(ErrorCode::kInvalid, "Column \"" + column.name + "\" of type " + column.type +
                                           " has " + std::to_string(column.children.size()) +
                                           " fields");
    }
    CheckColumns(column.children, table);
  }
}

void NumberColumns(std::vector<Column>& columns, int64_t& next) {
  for (Column& column : columns) {
    if (!column.default_value) SetNoDefault(column);
    if (!column.default_value_dialect) column.default_value_dialect = "duckdb";
    column.id = FieldId(next);
    column.order = next++;
    column.begin_snapshot = {};
    NumberColumns(column.children, next);
  }
}

namespace {

std::string EnumName(const LogicalTypeName& type) {
  std::string text = "ENUM(";
  for (size_t i = 0; i < type.enum_values.size(); ++i) {
    if (i == kNamesShown) return text + ", …)";
    text += i == 0 ? "'" : ", '";
    for (const char c : type.enum_values[i]) text += c == '\'' ? "''" : std::string(1, c);
    text += "'";
  }
  return text + ")";
}

}  // namespace

std::string SqlTypeName(const Column& column) {
  const ScalarType type = RequireTypeName(column.type);
  const auto child = [&](size_t i) {
    return i < column.children.size() ? SqlTypeName(column.children[i]) : std::string("?");
  };
  const auto logical = ParseLogicalType(column.logical_type, type.kind);
  if (logical && logical->is_enum()) return EnumName(*logical);
  switch (type.kind) {
    case TypeKind::kList:
      return child(0) + "[" + (logical ? std::to_string(logical->array_size) : "") + "]";
    case TypeKind::kMap:
      return "MAP(" + child(0) + ", " + child(1) + ")";
    case TypeKind::kStruct: {
      std::string text = "STRUCT(";
      for (size_t i = 0; i < column.children.size(); ++i)
        text += (i == 0 ? "" : ", ") + column.children[i].name + " " + child(i);
      return text + ")";
    }
    default:
      return SqlTypeName(type);
  }
}

}  // namespace tarn
