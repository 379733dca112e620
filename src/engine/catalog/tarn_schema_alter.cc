// ALTER and COMMENT ON in a lake's schema: DuckDB's statements as changes of the kernel's objects.
// See tarn_schema_entry.h.
#include <string>
#include <utility>

#include "duckdb/parser/expression/cast_expression.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/parsed_data/alter_table_info.hpp"
#include "duckdb/parser/parsed_data/comment_on_column_info.hpp"
#include "duckdb/planner/binder.hpp"
#include "engine/bridge/default_values.h"
#include "engine/bridge/errors.h"
#include "engine/bridge/partition_clause.h"
#include "engine/bridge/sort_expressions.h"
#include "engine/bridge/types.h"
#include "engine/catalog/reserved_names.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/null_search.h"
#include "engine/operators/overflow_search.h"
#include "format/defaults.h"
#include "format/type_promotion.h"

namespace tarn::engine {
namespace {

/// What is refused has changed nothing, so the transaction may go on: DuckDB lets it after errors
/// of the catalog only.
template <class Call>
void GuardAlter(Call&& call) {
  Guard([&] {
    try {
      call();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalid && error.code() != ErrorCode::kUnsupported) throw;
      throw duckdb::CatalogException(error.message());
    }
  });
}

const char* KindOf(duckdb::CatalogType type) {
  return type == duckdb::CatalogType::VIEW_ENTRY ? "view" : "table";
}

[[noreturn]] void ThrowWrongKind(const char* statement, const std::string& name,
                                 duckdb::CatalogType wanted, const char* instead) {
  throw Error(ErrorCode::kInvalid, std::string("Cannot use ") + statement + " on entry " + name +
                                       " - it is not a " + KindOf(wanted) + ": use " + instead +
                                       ".");
}

/// One ALTER TABLE.
class TableAlter {
 public:
  TableAlter(duckdb::ClientContext& context, TarnTransaction& transaction, TarnTableEntry& entry)
      : context_(context), transaction_(transaction), entry_(entry), table_(entry.table()) {}

  void Run(duckdb::AlterTableInfo& info) {
    using duckdb::AlterTableType;
    switch (info.alter_table_type) {
      case AlterTableType::ADD_COLUMN: {
        auto& add = info.Cast<duckdb::AddColumnInfo>();
        return Add({}, add.new_column, add.if_column_not_exists);
      }
      case AlterTableType::ADD_FIELD: {
        auto& add = info.Cast<duckdb::AddFieldInfo>();
        return Add(ToPath(add.column_path), add.new_field, add.if_field_not_exists);
      }
      case AlterTableType::REMOVE_COLUMN: {
        auto& drop = info.Cast<duckdb::RemoveColumnInfo>();
        RefuseSortColumn(drop.removed_column);
        return Change(DropField{{drop.removed_column}, drop.if_column_exists});
      }
      case AlterTableType::REMOVE_FIELD: {
        auto& drop = info.Cast<duckdb::RemoveFieldInfo>();
        return Change(DropField{ToPath(drop.column_path), drop.if_column_exists});
      }
      case AlterTableType::RENAME_COLUMN: {
        auto& rename = info.Cast<duckdb::RenameColumnInfo>();
        return RenameColumn(rename.old_name, rename.new_name);
      }
      case AlterTableType::RENAME_FIELD: {
        auto& rename = info.Cast<duckdb::RenameFieldInfo>();
        return Change(RenameField{ToPath(rename.column_path), rename.new_name});
      }
      case AlterTableType::ALTER_COLUMN_TYPE:
        return ChangeType(info.Cast<duckdb::ChangeColumnTypeInfo>());
      case AlterTableType::SET_DEFAULT:
        return SetDefault(info.Cast<duckdb::SetDefaultInfo>());
      case AlterTableType::SET_NOT_NULL:
        return SetNotNull(info.Cast<duckdb::SetNotNullInfo>().column_name);
      case AlterTableType::DROP_NOT_NULL:
        return Change(SetFieldNulls{{info.Cast<duckdb::DropNotNullInfo>().column_name}, true});
      case AlterTableType::RENAME_TABLE:
        return Change(RenameTable{info.Cast<duckdb::RenameTableInfo>().new_table_name});
      case AlterTableType::SET_PARTITIONED_BY:
        return Change(ToPartitioning(info.Cast<duckdb::SetPartitionedByInfo>().partition_keys));
      case AlterTableType::SET_SORTED_BY:
        return SortBy(info.Cast<duckdb::SetSortedByInfo>().orders);
      case AlterTableType::SET_TABLE_OPTIONS:
      case AlterTableType::RESET_TABLE_OPTIONS:
        throw Error(ErrorCode::kUnsupported,
                    "ALTER TABLE with options is not supported in a lake: options are set with "
                    "ducklake_set_option.");
      default:
        throw Error(ErrorCode::kUnsupported,
                    "Adding indexes or constraints is not supported in DuckLake: NOT NULL is the "
                    "only constraint of a lake's columns.");
    }
  }

 private:
  void Change(const TableChange& change) { transaction_.kernel().AlterTable(table_.ref, change); }

  static FieldPath ToPath(const duckdb::vector<std::string>& names) {
    return FieldPath(names.begin(), names.end());
  }

  /// Throws as the kernel does for a name that is not there.
  const Column& RequireColumn(const std::string& name) {
    const auto* column = table_.FindColumn(name);
    if (column == nullptr) Change(RenameField{{name}, name});
    return *column;
  }

  void RefuseReserved(const std::string& name) {
    Column column;
    column.name = name;
    RefuseReservedNames(context_, transaction_, table_.schema, table_.ref, {column});
  }

  void Add(FieldPath parent, const duckdb::ColumnDefinition& definition, bool if_not_exists) {
    if (parent.empty()) {
      RefuseReserved(definition.Name());
    } else {
      RequireFieldType(definition.Name(), definition.Type());
    }
    auto column = ToColumn(definition);
    if (definition.HasDefaultValue() && KindOfDefault(column) == DefaultKind::kExpression)
      EvaluateInitialDefault(definition, column);
    Change(AddField{std::move(parent), std::move(column), if_not_exists});
  }

  void EvaluateInitialDefault(const duckdb::ColumnDefinition& definition, Column& column) {
    const auto value =
        EvaluateDefault(context_, definition.DefaultValue(), definition.Type(), column.name);
    if (!value) {
      throw Error(ErrorCode::kUnsupported,
                  "The default " + definition.DefaultValue().ToString() + " of column \"" +
                      column.name +
                      "\" gives another value for each row: add the column without it, fill it "
                      "with UPDATE, and set the default with ALTER COLUMN … SET DEFAULT.");
    }
    if (!value->IsNull()) column.initial_default = value->ToString();
  }

  void RefuseSortColumn(const std::string& name) {
    if (!table_.sort || !SortsByColumn(table_.sort->keys, name)) return;
    throw Error(ErrorCode::kInvalid,
                "Cannot drop column \"" + name +
                    "\" - the table is sorted by this column. Reset or change the sort order of "
                    "this table in order to drop this column");
  }

  void RenameColumn(const std::string& old_name, const std::string& new_name) {
    if (!SameName(old_name, new_name)) RefuseReserved(new_name);
    const auto column = RequireColumn(old_name).name;
    Change(RenameField{{old_name}, new_name});
    if (!table_.sort) return;
    auto keys = RenameInSortKeys(table_.sort->keys, column, new_name);
    transaction_.kernel().SetSortKeys(table_.ref, std::move(keys));
  }

  void SortBy(const duckdb::vector<duckdb::OrderByNode>& orders) {
    auto keys = ToSortKeys(context_, entry_.lake_catalog(), entry_.schema.name, table_, orders);
    transaction_.kernel().SetSortKeys(table_.ref, std::move(keys));
  }

  void ChangeType(duckdb::ChangeColumnTypeInfo& info) {
    const auto& column = RequireColumn(info.column_name);
    if (!IsPlainCast(info)) {
      throw Error(ErrorCode::kUnsupported,
                  "Column type cannot be modified using an expression: add another column, fill it "
                  "with UPDATE, and drop column \"" +
                      column.name + "\".");
    }
    const auto shape = ToColumn(column.name, info.target_type);
    RequireValuesFit(context_, entry_, IndexOf(column), shape);
    if (MayOverflow(RequireTypeName(column.type), RequireTypeName(shape.type)))
      RequireDefaultFits(column, info.target_type);
    Change(ChangeFieldType{{info.column_name}, shape});
  }

  duckdb::column_t IndexOf(const Column& column) const {
    return static_cast<duckdb::column_t>(&column - table_.columns.data());
  }

  static void RequireDefaultFits(const Column& column, const duckdb::LogicalType& type) {
    if (KindOfDefault(column) != DefaultKind::kLiteral) return;
    duckdb::Value value(*column.default_value);
    if (value.DefaultTryCastAs(type)) return;
    throw Error(ErrorCode::kInvalid, "Cannot change type of column " + column.name + " to " +
                                         type.ToString() + " - its default " +
                                         *column.default_value +
                                         " has no value of that type: set another one, or drop it, "
                                         "first.");
  }

  /// What the parser makes of a statement without USING, or what says the same.
  bool IsPlainCast(duckdb::ChangeColumnTypeInfo& info) {
    if (!info.expression) return true;
    if (info.expression->GetExpressionClass() != duckdb::ExpressionClass::CAST) return false;
    auto& cast = info.expression->Cast<duckdb::CastExpression>();
    if (cast.child->GetExpressionClass() != duckdb::ExpressionClass::COLUMN_REF) return false;
    const auto& names = cast.child->Cast<duckdb::ColumnRefExpression>().column_names;
    if (!SameName(names.back(), info.column_name)) return false;
    auto type = cast.cast_type;
    duckdb::Binder::CreateBinder(context_)->BindLogicalType(type);
    return type == info.target_type;
  }

  void SetDefault(duckdb::SetDefaultInfo& info) {
    auto value = RequireColumn(info.column_name);
    const auto type = ToSqlType(value);
    engine::SetDefault(value, type, info.expression.get());
    // Not to be kept, but it tells now whether rows to come can have it.
    if (KindOfDefault(value) == DefaultKind::kExpression)
      EvaluateDefault(context_, *info.expression, type, value.name);
    Change(SetFieldDefault{{info.column_name}, std::move(value)});
  }

  void SetNotNull(const std::string& name) {
    const auto& column = RequireColumn(name);
    if (!column.nulls_allowed) return;
    if (HasNulls(context_, entry_, IndexOf(column))) {
      throw Error(ErrorCode::kInvalid, "Cannot SET NOT NULL on column " + column.name +
                                           " - the column has NULL values: replace them with "
                                           "UPDATE, or delete those rows, first.");
    }
    Change(SetFieldNulls{{name}, false});
  }

  duckdb::ClientContext& context_;
  TarnTransaction& transaction_;
  TarnTableEntry& entry_;
  const Table& table_;
};

}  // namespace

void TarnSchemaEntry::Alter(duckdb::CatalogTransaction transaction, duckdb::AlterInfo& info) {
  GuardAlter([&] {
    auto& own = transaction.transaction->Cast<TarnTransaction>();
    auto& schema = Changeable(own);
    switch (info.type) {
      case duckdb::AlterType::ALTER_TABLE: {
        auto* entry = schema.FindTableOrView(info.name);
        if (!entry) return;
        if (entry->type != duckdb::CatalogType::TABLE_ENTRY)
          ThrowWrongKind("ALTER TABLE", info.name, duckdb::CatalogType::TABLE_ENTRY, "ALTER VIEW");
        TableAlter(transaction.GetContext(), own, entry->Cast<TarnTableEntry>())
            .Run(info.Cast<duckdb::AlterTableInfo>());
        return;
      }
      case duckdb::AlterType::ALTER_VIEW: {
        auto& alter = info.Cast<duckdb::AlterViewInfo>();
        const auto view = own.kernel().view()->FindView(schema.name, info.name);
        if (!view)
          ThrowWrongKind("ALTER VIEW", info.name, duckdb::CatalogType::VIEW_ENTRY, "ALTER TABLE");
        own.kernel().RenameView(view->ref, alter.Cast<duckdb::RenameViewInfo>().new_view_name);
        return;
      }
      case duckdb::AlterType::SET_COMMENT:
        return schema.SetComment(own, info.Cast<duckdb::SetCommentInfo>());
      case duckdb::AlterType::SET_COLUMN_COMMENT: {
        auto& comment = info.Cast<duckdb::SetColumnCommentInfo>();
        const auto* entry = schema.FindTableOrView(info.name);
        if (!entry) return;
        if (entry->type != duckdb::CatalogType::TABLE_ENTRY) {
          throw Error(ErrorCode::kUnsupported,
                      "A lake has no place for comments on columns of views: comment on view \"" +
                          info.name + "\" itself, or on the column of its table.");
        }
        own.kernel().AlterTable(
            entry->Cast<TarnTableEntry>().table().ref,
            SetFieldComment{{comment.column_name}, CommentOf(comment.comment_value)});
        return;
      }
      default:
        throw Error(ErrorCode::kUnsupported,
                    "A lake's objects have no owners and no other properties to alter.");
    }
  });
}

void TarnSchemaEntry::SetComment(TarnTransaction& transaction, duckdb::SetCommentInfo& info) {
  auto& kernel = transaction.kernel();
  const auto comment = CommentOf(info.comment_value);
  switch (info.entry_catalog_type) {
    case duckdb::CatalogType::TABLE_ENTRY: {
      const auto table = kernel.view()->FindTable(name, info.name);
      if (!table) {
        ThrowWrongKind("COMMENT ON TABLE", info.name, duckdb::CatalogType::TABLE_ENTRY,
                       "COMMENT ON VIEW");
      }
      kernel.AlterTable(table->ref, SetTableComment{comment});
      return;
    }
    case duckdb::CatalogType::VIEW_ENTRY: {
      const auto view = kernel.view()->FindView(name, info.name);
      if (!view) {
        ThrowWrongKind("COMMENT ON VIEW", info.name, duckdb::CatalogType::VIEW_ENTRY,
                       "COMMENT ON TABLE");
      }
      kernel.CommentOnView(view->ref, comment);
      return;
    }
    case duckdb::CatalogType::MACRO_ENTRY:
    case duckdb::CatalogType::TABLE_MACRO_ENTRY: {
      const bool is_table = info.entry_catalog_type == duckdb::CatalogType::TABLE_MACRO_ENTRY;
      const auto& names = is_table ? entries_->table_macros : entries_->scalar_macros;
      const auto macro = names.find(info.name);
      if (macro == names.end()) {
        throw Error(ErrorCode::kNotFound, "Macro with name " + info.name + " does not exist!");
      }
      kernel.CommentOnMacro(macro->second->ref, comment);
      return;
    }
    default:
      throw Error(ErrorCode::kUnsupported,
                  "Comments in a lake are for tables, their columns, views and macros.");
  }
}

}  // namespace tarn::engine
