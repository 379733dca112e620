// How column defaults are stored (format page, section 1): "none" is the text NULL of type literal, an expression is SQL text.
#pragma once

#include <optional>
#include <string>

#include "tarn/schema.h"

namespace tarn {

enum class DefaultKind { kNone, kLiteral, kExpression };

/// What a column's stored default means.
DefaultKind KindOfDefault(const Column& column);

/// Each fills the four default members of a column; `initial_default` only where `is_added` (ALTER TABLE ADD COLUMN on rows that exist).
void SetNoDefault(Column& column);
/// `text` is the literal's plain text. A varchar whose default is the word NULL is stored as the expression 'NULL', since as a literal it would
/// read back as none.
void SetLiteralDefault(Column& column, std::string text);
void SetExpressionDefault(Column& column, std::string sql);

}  // namespace tarn
