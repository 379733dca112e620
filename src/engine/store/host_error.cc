// See the header.
#include "engine/store/host_error.h"

#include "duckdb/common/error_data.hpp"
#include "duckdb/common/string_util.hpp"

namespace tarn::engine {
namespace {

std::string Detail(const duckdb::ErrorData& error, std::string_view key) {
  const auto& info = error.ExtraInfo();
  const auto found = info.find(std::string(key));
  return found == info.end() ? std::string() : found->second;
}

}  // namespace

Error ToStoreError(const duckdb::ErrorData& error, const std::string& where, std::string_view sql) {
  using duckdb::ExceptionType;
  Error::Context context = {{"database", where}, {"detail", error.RawMessage()}};
  if (!sql.empty()) context.emplace_back("sql", std::string(sql));
  const std::string& detail = error.RawMessage();

  switch (error.Type()) {
    case ExceptionType::CATALOG: {
      const std::string kind = Detail(error, "error_subtype");
      const std::string name = Detail(error, "name");
      if (kind == "MISSING_ENTRY") {
        return Error(ErrorCode::kNotFound,
                     duckdb::StringUtil::Format("The catalog database \"%s\" has no table \"%s\".",
                                                where, name),
                     context);
      }
      if (kind == "ENTRY_ALREADY_EXISTS") {
        return Error(ErrorCode::kAlreadyExists,
                     duckdb::StringUtil::Format(
                         "The catalog database \"%s\" has a table \"%s\" already.", where, name),
                     context);
      }
      break;
    }
    case ExceptionType::CONSTRAINT:
      return Error(
          ErrorCode::kAlreadyExists,
          duckdb::StringUtil::Format("A row with this key is already in \"%s\": %s", where, detail),
          context);
    case ExceptionType::TRANSACTION:
      return Error(
          ErrorCode::kConflict,
          duckdb::StringUtil::Format(
              "Another writer changed \"%s\" since this transaction began: run it again.", where),
          context);
    case ExceptionType::INTERRUPT:
      return Error(ErrorCode::kInterrupted, "Interrupted while working on the catalog database.",
                   context);
    case ExceptionType::PERMISSION:
    case ExceptionType::INVALID_INPUT:
    case ExceptionType::CONVERSION:
    case ExceptionType::OUT_OF_RANGE:
    case ExceptionType::MISMATCH_TYPE:
      return Error(ErrorCode::kInvalid,
                   duckdb::StringUtil::Format("The catalog database \"%s\" refused a value: %s",
                                              where, detail),
                   context);
    case ExceptionType::IO:
    case ExceptionType::OUT_OF_MEMORY:
    case ExceptionType::FATAL:
    case ExceptionType::CONNECTION:
    case ExceptionType::NETWORK:
    case ExceptionType::HTTP:
      return Error(ErrorCode::kUnavailable,
                   duckdb::StringUtil::Format("The catalog database \"%s\" cannot be used: %s",
                                              where, detail),
                   context);
    default:
      break;
  }
  return Error(
      ErrorCode::kInternal,
      duckdb::StringUtil::Format("DuckDB refused a statement for \"%s\": %s", where, detail),
      context);
}

}  // namespace tarn::engine
