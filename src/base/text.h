// Small text helpers: ASCII case, quoting for display, escapes. Names are compared ignoring ASCII
// case only, as the format does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tarn {

std::string AsciiLower(std::string_view text);
/// Negative, zero, positive; ASCII letters compare as lower case, all else bytewise. The order
/// behind NameLess.
int CompareIgnoreCase(std::string_view a, std::string_view b);
/// The equality behind SameName.
bool EqualsIgnoreCase(std::string_view a, std::string_view b);
std::string_view TrimSpace(std::string_view text);  ///< ASCII white space at both ends

/// "a""b": for display and for the format's own texts. SQL for a catalog database goes through
/// Dialect::Quote.
std::string QuoteIdentifier(std::string_view name);
/// 'it''s': for display and stored expressions. Values for a catalog database are bound, never
/// quoted.
std::string QuoteLiteral(std::string_view text);

/// Percent-escapes every byte that is not an ASCII letter, digit, `_`, `-`, `.` or `~`: as folder
/// names have it.
std::string UrlEscape(std::string_view text);
/// Undoes percent escapes; a `%` that starts none stays as it is.
std::string UrlUnescape(std::string_view text);

/// 0..15, or -1 for what is no hex digit.
int HexDigitValue(char c);
std::string HexUpper(std::string_view bytes);
/// Nullopt for an odd length or any other character than hex digits.
std::optional<std::string> FromHex(std::string_view text);

}  // namespace tarn
