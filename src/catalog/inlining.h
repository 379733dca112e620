// Which rows may be kept in the catalog database, and what its tables for them look like (format
// page, section 7).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/change_set.h"
#include "tarn/catalog_store.h"
#include "tarn/lake.h"
#include "tarn/schema.h"

namespace tarn {

/// The most rows of one insert, or deletes of one file, that are kept in the catalog: the stored
/// option at table, schema or lake, else `otherwise`, which comes from the attachment or session.
int64_t InliningLimit(const OptionSet& options, SchemaRef schema, std::optional<TableRef> table,
                      int64_t otherwise);

/// What a top-level column's values are bound as.
enum class InlinedForm {
  kInteger,  ///< of at most 64 bits; booleans where the database has none
  kBoolean,
  kDouble,
  kBytes,  ///< blobs, and texts where the database's own cannot hold all of them
  kText,   ///< a plain cast
};
InlinedForm InlinedFormOf(const Dialect& dialect, const Column& column);

/// The column's type in an inlined table.
std::string InlinedColumnType(const Dialect& dialect, const Column& column);

/// Whether every client can read rows of such a table that are kept in such a database. (Single
/// values may still not fit: StagedRows is made by whoever has looked.)
bool CanInline(const Dialect& dialect, const Table& table);

/// Makes an inlined table; fine if it is there.
void CreateInlinedTable(StoreConnection& connection, const std::string& name, const Table& table);
void CreateInlinedDeleteTable(StoreConnection& connection, TableId table);

/// Names of the three columns before a table's own.
std::vector<std::string_view> InlinedColumnNames(const Table& table);

/// Where new inlined rows of a committed table go, as the catalog has it.
struct InlinedTarget {
  int64_t schema_version = 0;
  bool is_registered = false;
};
/// For those tables of the changes that get inlined rows and exist already, with their shape
/// unchanged. One query.
std::map<TableRef, InlinedTarget> LoadInlinedTargets(StoreConnection& connection,
                                                     const ChangeSet& changes,
                                                     const Snapshot& head);

}  // namespace tarn
