// ALTER TABLE as a pure rule: a table and a change give the next table, or an error that says why
// not. No row is read and nothing is written here; what a commit writes is the difference of views.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tarn/schema.h"
#include "tarn/table_change.h"

namespace tarn {

/// The table after the change. Renames of the table are checked against other names by the caller.
/// New fields take their ids from the table's next_field_id, which `first_free_field` is asked for
/// at the first of them.
Table AlterTable(const Table& table, const TableChange& change,
                 const std::function<FieldId()>& first_free_field);

/// Names and types of columns at every level, as a new table or a new column must have them.
void CheckColumns(const std::vector<Column>& columns, const std::string& table);

/// Gives ids from `next` on, depth first, and orders equal to them. Defaults take their stored
/// form, so that a table looks the same before and after its commit.
void NumberColumns(std::vector<Column>& columns, int64_t& next);

/// A column's type as SQL says it, with the fields of nested ones.
std::string SqlTypeName(const Column& column);

}  // namespace tarn
