// Tarn's errors as DuckDB's exceptions. See errors.h.
#include "engine/bridge/errors.h"

#include <string>

#include "duckdb/common/exception/catalog_exception.hpp"
#include "duckdb/common/exception/transaction_exception.hpp"

namespace tarn::engine {
namespace {

/// The type decides what DuckDB does next: errors of the catalog leave the transaction usable,
/// others end it.
duckdb::ExceptionType TypeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return duckdb::ExceptionType::INVALID_INPUT;
    case ErrorCode::kNotFound:
    case ErrorCode::kAlreadyExists:
      return duckdb::ExceptionType::CATALOG;
    case ErrorCode::kConflict:
    case ErrorCode::kUnknownOutcome:
      return duckdb::ExceptionType::TRANSACTION;
    case ErrorCode::kUnsupported:
      return duckdb::ExceptionType::NOT_IMPLEMENTED;
    case ErrorCode::kUnavailable:
    case ErrorCode::kCorrupt:
      return duckdb::ExceptionType::IO;
    case ErrorCode::kInterrupted:
      return duckdb::ExceptionType::INTERRUPT;
    case ErrorCode::kInternal:
      // Ends the transaction, not the client's other databases, which DuckDB's own internal errors
      // do.
      return duckdb::ExceptionType::IO;
  }
  return duckdb::ExceptionType::IO;
}

std::string Message(const Error& error) {
  if (error.code() != ErrorCode::kInternal) return error.message();
  return "Internal error in Tarn, which should be reported: " + error.message();
}

}  // namespace

void ThrowAsDuckDb(const Error& error) {
  // Messages are data: they may hold '%', so they never pass as a format.
  const auto message = Message(error);
  switch (TypeOf(error.code())) {
    case duckdb::ExceptionType::INVALID_INPUT:
      throw duckdb::InvalidInputException(message);
    case duckdb::ExceptionType::CATALOG:
      throw duckdb::CatalogException(message);
    case duckdb::ExceptionType::TRANSACTION:
      throw duckdb::TransactionException(message);
    case duckdb::ExceptionType::NOT_IMPLEMENTED:
      throw duckdb::NotImplementedException(message);
    case duckdb::ExceptionType::INTERRUPT:
      throw duckdb::InterruptException();
    default:
      throw duckdb::IOException(message);
  }
}

duckdb::ErrorData ToErrorData(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) {
    return duckdb::ErrorData(TypeOf(own->code()), Message(*own));
  }
  return duckdb::ErrorData(error);
}

}  // namespace tarn::engine
