// Values in both directions. See values.h.
#include "engine/bridge/values.h"

#include <cstdint>
#include <vector>

#include "duckdb/common/exception/conversion_exception.hpp"
#include "duckdb/common/types/blob.hpp"
#include "tarn/error.h"

namespace tarn::engine {

duckdb::Value InitialDefault(const Column& column, const duckdb::LogicalType& type) {
  if (!column.initial_default) {
    return duckdb::Value(type);
  }
  duckdb::Value value(*column.initial_default);
  if (!value.DefaultTryCastAs(type)) {
    throw Error(ErrorCode::kCorrupt, "The initial default \"" + *column.initial_default +
                                         "\" of column \"" + column.name +
                                         "\" is no value of type " + column.type + ".");
  }
  return value;
}

std::optional<std::string> PredicateConstant(const ScalarType& type,
                                             const duckdb::LogicalType& logical_type,
                                             const duckdb::Value& value) {
  if (value.IsNull() || IsNested(type.kind)) {
    return std::nullopt;
  }
  auto typed = value;
  if (value.type() != logical_type) {
    // Lossless only: what comes back unchanged compares as the query means it.
    if (!typed.DefaultTryCastAs(logical_type)) {
      return std::nullopt;
    }
    auto back = typed;
    if (!back.DefaultTryCastAs(value.type()) || back != value) {
      return std::nullopt;
    }
  }
  const auto parsed = ParseValue(type, typed.ToString(), TextEncoding::kPlain);
  if (!parsed) {
    return std::nullopt;
  }
  return FormatValue(type, *parsed, TextEncoding::kFile);
}

std::optional<duckdb::Value> BoundValue(const ScalarType& type,
                                        const duckdb::LogicalType& logical_type,
                                        std::string_view text, BoundSide side) {
  const auto bound = ParseBound(type, text, side);
  if (!bound) {
    return std::nullopt;
  }
  duckdb::Value value(FormatValue(type, *bound, TextEncoding::kPlain));
  if (!value.DefaultTryCastAs(logical_type)) {
    return std::nullopt;
  }
  return value;
}

std::optional<duckdb::Value> ExactValue(const ScalarType& type,
                                        const duckdb::LogicalType& logical_type,
                                        std::string_view text) {
  const auto exact = ParseValue(type, text, TextEncoding::kFile);
  if (!exact) {
    return std::nullopt;
  }
  duckdb::Value value(FormatValue(type, *exact, TextEncoding::kPlain));
  if (!value.DefaultTryCastAs(logical_type)) {
    return std::nullopt;
  }
  const auto back = ParseValue(type, value.ToString(), TextEncoding::kPlain);
  return back && Compare(*back, *exact) == 0 ? std::optional(std::move(value)) : std::nullopt;
}

std::string FileKey(const std::optional<std::string>& base64, const std::string& path) {
  if (!base64 || base64->empty()) return "";
  std::vector<uint8_t> bytes;
  try {
    const duckdb::string_t text(*base64);
    bytes.resize(duckdb::Blob::FromBase64Size(text));
    duckdb::Blob::FromBase64(text, bytes.data(), bytes.size());
  } catch (const duckdb::ConversionException&) {
    bytes.clear();
  }
  if (bytes.size() != 16 && bytes.size() != 24 && bytes.size() != 32) {
    throw Error(ErrorCode::kCorrupt, "The key that the catalog has for the file \"" + path +
                                         "\" is no AES key in base64.");
  }
  return {bytes.begin(), bytes.end()};
}

std::string EncodeKey(const std::string& bytes) {
  const duckdb::string_t blob(bytes);
  std::string text(duckdb::Blob::ToBase64Size(blob), '\0');
  duckdb::Blob::ToBase64(blob, text.data());
  return text;
}

}  // namespace tarn::engine
