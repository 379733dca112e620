// See file_errors.h.
#include "engine/operators/file_errors.h"

#include "duckdb.hpp"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

std::string Explain(const std::string& reason, bool has_key) {
  if (has_key) {
    return "it is encrypted, and was changed or cut since it was written, or the catalog's key is "
           "that of another file (" +
           reason + ")";
  }
  if (reason.find("is encrypted, but 'encryption_config' was not set") != std::string::npos) {
    return "it is encrypted, but the catalog has no key for it";
  }
  return reason;
}

}  // namespace

std::optional<std::string> ReasonInFile(const std::exception& error, bool has_key) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) {
    if (own->code() == ErrorCode::kCorrupt || own->code() == ErrorCode::kNotFound) {
      return own->message();
    }
    return std::nullopt;
  }
  const duckdb::ErrorData data(error);
  switch (data.Type()) {
    case duckdb::ExceptionType::IO:
    case duckdb::ExceptionType::CONVERSION:
      return data.RawMessage();
    case duckdb::ExceptionType::INVALID_INPUT:
    case duckdb::ExceptionType::SERIALIZATION:
    case duckdb::ExceptionType::UNKNOWN_TYPE:
      return Explain(data.RawMessage(), has_key);
    case duckdb::ExceptionType::INTERNAL:
      // Lengths inside of an encrypted file are believed before its tags are checked. What comes of
      // that must not end the whole instance, as internal errors do.
      if (has_key) return Explain("a length in it is wrong", has_key);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace tarn::engine
