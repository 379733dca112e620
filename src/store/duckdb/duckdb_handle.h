// Handles of DuckDB's C API that free themselves.
#pragma once

#include <duckdb.h>

#include <utility>

namespace tarn::duckdb_c {

/// Owns one handle; `Destroy` is the C API's function for it.
template <class Handle, auto Destroy>
class Owned {
 public:
  Owned() = default;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_) Destroy(&handle_);
  }

  Handle get() const { return handle_; }
  /// For functions that fill in a handle.
  Handle* out() { return &handle_; }

 private:
  Handle handle_ = nullptr;
};

using Database = Owned<duckdb_database, duckdb_close>;
using ConnectionHandle = Owned<duckdb_connection, duckdb_disconnect>;
using Config = Owned<duckdb_config, duckdb_destroy_config>;
using Prepared = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Pending = Owned<duckdb_pending_result, duckdb_destroy_pending>;
using Chunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using AppenderHandle = Owned<duckdb_appender, duckdb_appender_destroy>;
using ErrorDataHandle = Owned<duckdb_error_data, duckdb_destroy_error_data>;
using LogicalType = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;

/// A result is a struct of its own kind.
class Result {
 public:
  Result() = default;
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result() { duckdb_destroy_result(&result_); }
  duckdb_result* get() { return &result_; }

 private:
  duckdb_result result_ = {};
};

}  // namespace tarn::duckdb_c
