// Which tables a statement names. Some databases report a missing table only in words; asking them
// which of the named tables exist classifies such an error without reading its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarn {

/// Names that follow FROM, JOIN, INTO, UPDATE or TABLE, unquoted, without schema, in order of
/// appearance. Not a parser: good enough for the statements that a StatementBuilder writes.
std::vector<std::string> TablesNamedIn(std::string_view sql);

/// The statement's first word in upper case: `CREATE`, `SELECT`.
std::string LeadingKeyword(std::string_view sql);

}  // namespace tarn
