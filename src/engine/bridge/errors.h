// The one place where Tarn's errors become DuckDB's exceptions: every entry point that DuckDB calls
// wraps its kernel calls in Guard().
#pragma once

#include <exception>
#include <utility>

#include "duckdb.hpp"
#include "tarn/error.h"

namespace tarn::engine {

/// Throws the DuckDB exception whose type matches the error's code; the sentence stays as it is.
[[noreturn]] void ThrowAsDuckDb(const Error& error);

/// The same as a value, for entry points that return errors (commit).
duckdb::ErrorData ToErrorData(const std::exception& error);

/// Runs `call` and translates what it throws. DuckDB's own exceptions pass through.
template <class Call>
auto Guard(Call&& call) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const Error& error) {
    ThrowAsDuckDb(error);
  }
}

}  // namespace tarn::engine
