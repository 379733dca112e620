// Catalog objects as immutable values: Column, Table, View, Macro, Schema, and CatalogView, all of
// them at one snapshot.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/ids.h"
#include "tarn/shared_map.h"
#include "tarn/snapshot.h"

namespace tarn {

/// A column or nested field. A row of ducklake_column, with its children in order.
struct Column {
  FieldId id;
  int64_t order = 0;  ///< column_order: position among its siblings as stored
  std::string name;
  std::string type;  ///< the format's type name: "int32", "decimal(10,2)", "list", "struct", "map"
  /// What SQL says of it, where the format has no such type: an ENUM or an array. The text of the
  /// tag that keeps it (format/logical_type.h); empty for all others.
  std::string logical_type;
  bool nulls_allowed = true;
  /// What rows written before the column existed read as; absent: NULL.
  std::optional<std::string> initial_default;
  /// The default as stored: SQL NULL (absent) for nested columns' missing one, the text "NULL" for
  /// "none" with kind "literal".
  std::optional<std::string> default_value;
  std::optional<std::string> default_value_type;     ///< "literal", "expression"
  std::optional<std::string> default_value_dialect;  ///< "duckdb"
  SnapshotId begin_snapshot;                         ///< invalid while uncommitted
  std::vector<Column> children;  ///< list: element; map: key, value; struct: its fields

  /// True when a default exists (literal other than the stored word NULL, or an expression).
  bool HasDefault() const;
  friend bool operator==(const Column&, const Column&) = default;
};

/// A column that a table has no more, while files may hold values under its id.
struct LostField {
  Column column;  ///< without its children
  std::optional<FieldId> parent;
};

/// One key of a partition spec: ducklake_partition_column.
struct PartitionKey {
  FieldId field;
  std::string transform;  ///< identity, year, month, day, hour, bucket(N)
  friend bool operator==(const PartitionKey&, const PartitionKey&) = default;
};
struct PartitionSpec {
  PartitionRef ref;
  std::vector<PartitionKey> keys;
  friend bool operator==(const PartitionSpec&, const PartitionSpec&) = default;
};

/// One key of a sort order: ducklake_sort_expression.
struct SortKey {
  std::string expression;
  std::string dialect = "duckdb";
  bool descending = false;
  bool nulls_first = false;
  friend bool operator==(const SortKey&, const SortKey&) = default;
};
struct SortOrder {
  SortRef ref;
  std::vector<SortKey> keys;
  friend bool operator==(const SortOrder&, const SortOrder&) = default;
};

using Tags =
    std::map<std::string, std::string>;  ///< live tags with a value: "comment" and other programs'

struct Table {
  TableRef ref;
  std::string uuid;
  SchemaRef schema;
  std::string name;
  std::string path;  ///< as stored, ends in "/"
  bool path_is_relative = true;
  SnapshotId begin_snapshot;    ///< of the live ducklake_table row; invalid while uncommitted
  std::vector<Column> columns;  ///< top level, in order
  FieldId next_field_id;        ///< the next unused column id, over all its history
  std::optional<PartitionSpec> partition;
  std::optional<SortOrder> sort;
  Tags tags;
  std::map<FieldId, Tags> column_tags;

  /// By name, ignoring case; null when absent.
  const Column* FindColumn(std::string_view name) const;
  /// By field id at any depth; null when absent.
  const Column* FindField(FieldId id) const;
};

struct View {
  ViewRef ref;
  std::string uuid;
  SchemaRef schema;
  std::string name;
  std::string dialect = "duckdb";
  std::string sql;             ///< SELECT text without the lake's own name
  std::string column_aliases;  ///< "" or a parenthesised list
  SnapshotId begin_snapshot;
  Tags tags;
};

struct MacroParameter {
  std::string name;
  std::string type = "unknown";
  std::optional<std::string> default_value;
  std::string default_value_type = "unknown";
  friend bool operator==(const MacroParameter&, const MacroParameter&) = default;
};
struct MacroImplementation {
  std::string dialect = "duckdb";
  std::string sql;
  std::string type;  ///< "scalar" or "table"
  std::vector<MacroParameter> parameters;
  friend bool operator==(const MacroImplementation&, const MacroImplementation&) = default;
};
struct Macro {
  MacroRef ref;
  SchemaRef schema;
  std::string name;
  std::vector<MacroImplementation> implementations;
  SnapshotId begin_snapshot;
  Tags tags;
  bool is_table_macro() const {
    return !implementations.empty() && implementations.front().type == "table";
  }
};

struct Schema {
  SchemaRef ref;
  std::string uuid;
  std::string name;
  std::string path;
  bool path_is_relative = true;
  SnapshotId begin_snapshot;
};

/// Compares names as the format does: ignoring ASCII case.
struct NameLess {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};
bool SameName(std::string_view a, std::string_view b);

/// All objects alive at one snapshot (plus, inside a transaction, its own changes). Immutable and
/// shared between threads; its maps share what they have in common with the view that it was made
/// from. A transaction's DDL makes a new view from the old one; what it wrote is the difference of
/// the two.
class CatalogView {
 public:
  struct SchemaEntries {
    std::shared_ptr<const Schema> schema;
    SharedMap<std::string, std::shared_ptr<const Table>, NameLess> tables;
    SharedMap<std::string, std::shared_ptr<const View>, NameLess> views;
    SharedMap<std::string, std::shared_ptr<const Macro>, NameLess> scalar_macros;
    SharedMap<std::string, std::shared_ptr<const Macro>, NameLess> table_macros;
  };
  using SchemaMap = SharedMap<std::string, std::shared_ptr<const SchemaEntries>, NameLess>;

  const SchemaMap& schemas() const { return schemas_; }
  const SchemaEntries* FindSchema(std::string_view name) const;
  const Schema* FindSchema(SchemaRef ref) const;
  const SchemaEntries* FindEntries(SchemaRef ref) const;
  std::shared_ptr<const Table> FindTable(std::string_view schema, std::string_view name) const;
  std::shared_ptr<const Table> FindTable(TableRef ref) const;
  std::shared_ptr<const View> FindView(std::string_view schema, std::string_view name) const;
  std::shared_ptr<const View> FindView(ViewRef ref) const;
  /// By reference: those of the lake by id, then this transaction's new ones in the order they were
  /// made.
  const SharedMap<SchemaRef, std::shared_ptr<const SchemaEntries>>& schemas_by_ref() const {
    return schemas_by_ref_;
  }
  const SharedMap<TableRef, std::shared_ptr<const Table>>& tables() const { return tables_; }
  const SharedMap<ViewRef, std::shared_ptr<const View>>& views() const { return views_; }
  const SharedMap<MacroRef, std::shared_ptr<const Macro>>& macros() const { return macros_; }

  /// Building blocks of transactions: each returns a changed copy.
  std::shared_ptr<const CatalogView> WithSchema(std::shared_ptr<const Schema> schema) const;
  std::shared_ptr<const CatalogView> WithoutSchema(SchemaRef ref) const;  ///< with all its entries
  std::shared_ptr<const CatalogView> WithTable(
      std::shared_ptr<const Table> table) const;  ///< adds or replaces by ref
  std::shared_ptr<const CatalogView> WithoutTable(TableRef ref) const;
  std::shared_ptr<const CatalogView> WithView(std::shared_ptr<const View> view) const;
  std::shared_ptr<const CatalogView> WithoutView(ViewRef ref) const;
  std::shared_ptr<const CatalogView> WithMacro(std::shared_ptr<const Macro> macro) const;
  std::shared_ptr<const CatalogView> WithoutMacro(MacroRef ref) const;

 private:
  friend class CatalogViewBuilder;  // src/catalog/catalog_view.h: the one place that fills or
                                    // changes a view
  SchemaMap schemas_;
  SharedMap<SchemaRef, std::shared_ptr<const SchemaEntries>> schemas_by_ref_;
  SharedMap<TableRef, std::shared_ptr<const Table>> tables_;
  SharedMap<ViewRef, std::shared_ptr<const View>> views_;
  SharedMap<MacroRef, std::shared_ptr<const Macro>> macros_;
};

}  // namespace tarn
