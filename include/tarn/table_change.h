// What ALTER TABLE can do to one table. Plain values; the rules are in Transaction::AlterTable.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tarn/schema.h"

namespace tarn {

/// Names a column, or a field inside of it: names from the top level down, compared ignoring case.
/// Inside lists and maps the format's own names stand: {"l", "element", "x"}, {"m", "value"}.
using FieldPath = std::vector<std::string>;

/// Adds a column, or a field to a struct. It gets ids that the table never had before.
struct AddField {
  FieldPath parent;  ///< empty: a column of the table
  Column field;      ///< with its defaults and children; ids are given by the transaction
  bool if_not_exists = false;
};
struct DropField {
  FieldPath path;
  bool if_exists = false;
};
struct RenameField {
  FieldPath path;
  std::string name;
};
/// Gives a column a wider type: a scalar one that holds all values of the old, or a nested one of
/// the same kind whose fields differ. Of structs, fields of the same name stay (and may widen in
/// turn), others are dropped, and new ones come last.
struct ChangeFieldType {
  FieldPath path;
  Column shape;  ///< type and children
};
/// The default of rows to come; what older rows read as stays.
struct SetFieldDefault {
  FieldPath path;
  Column value;  ///< default_value, its type and its dialect
};
/// NOT NULL, or not any more. That no row has a NULL is for the caller to find out.
struct SetFieldNulls {
  FieldPath path;
  bool allowed = true;
};
struct SetFieldComment {
  FieldPath path;
  std::optional<std::string> comment;  ///< absent: none
};
struct SetTableComment {
  std::optional<std::string> comment;
};
struct RenameTable {
  std::string name;
};
/// How files to come are partitioned; files that are there stay as they are.
struct SetPartitioning {
  struct Key {
    std::string column;     ///< of the top level
    std::string transform;  ///< identity, year, month, day, hour, bucket(N)
  };
  std::vector<Key> keys;  ///< none: not at all
};

using TableChange =
    std::variant<AddField, DropField, RenameField, ChangeFieldType, SetFieldDefault, SetFieldNulls,
                 SetFieldComment, SetTableComment, RenameTable, SetPartitioning>;

}  // namespace tarn
