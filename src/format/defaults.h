// How column defaults are stored (format page, section 1): "none" is the text NULL of type literal,
// an expression is SQL text.
#pragma once

#include <optional>
#include <string>

#include "tarn/schema.h"

namespace tarn {

enum class DefaultKind { kNone, kLiteral, kExpression };

/// What a column's stored default means.
DefaultKind KindOfDefault(const Column& column);

// Each of these sets default_value, its type and its dialect. `initial_default` is fixed when a
// column is made, by CREATE TABLE as by ADD COLUMN: the value of a literal cast to the column's
// type, as text; absent for no default and for expressions.

/// Nested columns get an empty type, as the format has it.
void SetNoDefault(Column& column);
/// `text` is the literal's plain text. A text default that is the word NULL is stored as the
/// expression 'NULL', since as a literal it would read back as none.
void SetLiteralDefault(Column& column, std::string text);
void SetExpressionDefault(Column& column, std::string sql);

}  // namespace tarn
