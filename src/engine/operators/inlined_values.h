// Values of inlined rows as the catalog databases want them: bound in the form of the column, and
// refused where a database cannot hold them. See catalog/inlining.h for the forms.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "tarn/catalog_store.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// One column of `count` rows as values to bind, into column `target` of `rows`. NULLs leave the
/// value as it is.
void BindInlinedColumn(const Dialect& dialect, const Column& column, duckdb::Vector& values,
                       duckdb::idx_t count, std::span<std::vector<Value>> rows, size_t target);

/// Types of an inlined table's columns, its own three first.
std::vector<std::string> InlinedColumnTypes(const Dialect& dialect, const Table& table);

/// Whether the database can hold these values of the column, of which it can hold others.
bool FitsIntoColumn(const Dialect& dialect, const Column& column, duckdb::Vector& values,
                    duckdb::idx_t count);

}  // namespace tarn::engine
