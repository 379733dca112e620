// See the header. The C API gives values of plain types; columns of others are cast to text by
// DuckDB itself, in a query around the query.
#include "store/duckdb/duckdb_query.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <thread>
#include <vector>

#include "base/text.h"
#include "base/time.h"
#include "store/sql_names.h"

namespace tarn::duckdb_c {
namespace {

/// DuckDB has one type for all of its catalog's errors: whether a table is missing or there
/// already, the tables tell.
Error CatalogError(const QueryContext& context, std::string_view sql, const std::string& detail,
                   Error::Context details) {
  const auto tables = TablesNamedIn(sql);
  const std::string table = tables.empty() ? std::string("?") : tables.front();
  if (LeadingKeyword(sql) == "CREATE") {
    return Error(
        ErrorCode::kAlreadyExists,
        fmt::format("The catalog database \"{}\" has a table \"{}\" already.", context.path, table),
        details);
  }
  details.emplace_back("detail", detail);
  return Error(ErrorCode::kNotFound,
               fmt::format("The catalog database \"{}\" has no table \"{}\".", context.path, table),
               details);
}

/// A failed preparation tells its words only; explaining the same statement fails in the same way
/// and tells the type.
Error PrepareError(const QueryContext& context, const std::string& sql, const char* words) {
  Result result;
  const bool fails =
      duckdb_query(context.connection, ("EXPLAIN " + sql).c_str(), result.get()) == DuckDBError;
  const auto type = fails ? duckdb_result_error_type(result.get()) : DUCKDB_ERROR_INTERNAL;
  return MakeError(context, type, words ? words : "", sql);
}

Prepared Prepare(const QueryContext& context, const std::string& sql) {
  Prepared prepared;
  if (duckdb_prepare(context.connection, sql.c_str(), prepared.out()) == DuckDBError) {
    throw PrepareError(context, sql, duckdb_prepare_error(prepared.get()));
  }
  return prepared;
}

void BindValues(const QueryContext& context, duckdb_prepared_statement prepared,
                const Statement& statement) {
  idx_t at = 0;
  for (const Value& value : statement.parameters) {
    ++at;
    const duckdb_state state = std::visit(
        [&](const auto& content) {
          using T = std::decay_t<decltype(content)>;
          if constexpr (std::is_same_v<T, std::monostate>) {
            return duckdb_bind_null(prepared, at);
          } else if constexpr (std::is_same_v<T, bool>) {
            return duckdb_bind_boolean(prepared, at, content);
          } else if constexpr (std::is_same_v<T, int64_t>) {
            return duckdb_bind_int64(prepared, at, content);
          } else if constexpr (std::is_same_v<T, double>) {
            return duckdb_bind_double(prepared, at, content);
          } else if constexpr (std::is_same_v<T, Blob>) {
            return duckdb_bind_blob(prepared, at, content.bytes.data(), content.bytes.size());
          } else if constexpr (std::is_same_v<T, Timestamp>) {
            return duckdb_bind_timestamp_tz(prepared, at, {content.time_since_epoch().count()});
          } else {
            return duckdb_bind_varchar_length(prepared, at, content.data(), content.size());
          }
        },
        value);
    if (state == DuckDBError)
      throw MakeError(context, DUCKDB_ERROR_INVALID_INPUT, "a value of this kind cannot be bound",
                      statement.text);
  }
}

[[noreturn]] void ThrowResultError(const QueryContext& context, Result& result,
                                   const std::string& sql) {
  const char* words = duckdb_result_error(result.get());
  throw MakeError(context, duckdb_result_error_type(result.get()), words ? words : "", sql);
}

/// Runs a query's tasks until there is something to fetch, with a look at the interrupt check in
/// between.
void ExecuteQuery(const QueryContext& context, duckdb_prepared_statement prepared,
                  const std::string& sql, Result& result) {
  Pending pending;
  if (duckdb_pending_prepared_streaming(prepared, pending.out()) == DuckDBError) {
    throw PrepareError(context, sql, duckdb_pending_error(pending.get()));
  }
  for (int idle = 0;;) {
    if (context.interrupted && context.interrupted()) {
      duckdb_interrupt(context.connection);
      throw MakeError(context, DUCKDB_ERROR_INTERRUPT, "", sql);
    }
    const duckdb_pending_state state = duckdb_pending_execute_task(pending.get());
    if (duckdb_pending_execution_is_finished(state) || state == DUCKDB_PENDING_ERROR) break;
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) {
      std::this_thread::sleep_for(std::chrono::microseconds(++idle < 20 ? 20 : 500));
    }
  }
  if (duckdb_execute_pending(pending.get(), result.get()) != DuckDBError) return;
  // What failed step by step tells its words only; a query does no harm when it is asked again, and
  // then it tells the type.
  Result again;
  if (duckdb_execute_prepared(prepared, again.get()) == DuckDBError)
    ThrowResultError(context, again, sql);
  ThrowResultError(context, result, sql);
}

bool IsPlain(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_BLOB:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
    case DUCKDB_TYPE_INVALID:  // known only when its parameters have values
    case DUCKDB_TYPE_SQLNULL:
      return true;
    default:
      return false;
  }
}

class DuckDbRows : public Rows {
 public:
  DuckDbRows(const QueryContext& context, const Statement& statement)
      : context_(context), sql_(statement.text) {
    Prepared prepared = Prepare(context, sql_);
    const idx_t columns = duckdb_prepared_statement_column_count(prepared.get());
    bool all_plain = true;
    std::string inner, outer;
    for (idx_t i = 0; i < columns; ++i) {
      const char* name = duckdb_prepared_statement_column_name(prepared.get(), i);
      names_.emplace_back(name ? name : "");
      duckdb_free(const_cast<char*>(name));
      const bool plain = IsPlain(duckdb_prepared_statement_column_type(prepared.get(), i));
      all_plain = all_plain && plain;
      const std::string alias = fmt::format("c{}", i);
      inner += (i ? ", " : "") + alias;
      outer += (i ? ", " : "") + (plain ? alias : fmt::format("CAST({} AS VARCHAR)", alias));
    }
    if (!all_plain &&
        duckdb_prepared_statement_type(prepared.get()) == DUCKDB_STATEMENT_TYPE_SELECT) {
      prepared = Prepare(context, fmt::format("SELECT {} FROM ({}) AS q({})", outer, sql_, inner));
    }
    BindValues(context, prepared.get(), statement);
    ExecuteQuery(context, prepared.get(), sql_, result_);
    // The result knows: a statement whose parameters decide its types is described only now.
    const idx_t result_columns = duckdb_column_count(result_.get());
    for (idx_t i = 0; i < result_columns; ++i) {
      types_.push_back(duckdb_column_type(result_.get(), i));
      if (i >= names_.size()) names_.emplace_back(duckdb_column_name(result_.get(), i));
    }
    texts_.resize(result_columns);
  }

  bool Next() override {
    if (++row_ < rows_in_chunk_) return true;
    if (context_.interrupted && context_.interrupted())
      Fail(MakeError(context_, DUCKDB_ERROR_INTERRUPT, "", sql_));
    Chunk chunk;
    *chunk.out() = duckdb_fetch_chunk(*result_.get());
    if (!chunk.get()) {
      const char* words = duckdb_result_error(result_.get());
      if (words && *words)
        Fail(MakeError(context_, duckdb_result_error_type(result_.get()), words, sql_));
    }
    chunk_ = std::move(chunk);
    row_ = 0;
    rows_in_chunk_ = chunk_.get() ? duckdb_data_chunk_get_size(chunk_.get()) : 0;
    return rows_in_chunk_ > 0;
  }

  bool IsNull(int column) override {
    uint64_t* validity = duckdb_vector_get_validity(Vector(column));
    return validity && !duckdb_validity_row_is_valid(validity, row_);
  }

  int64_t Int64(int column) override {
    if (!IsNull(column)) {
      if (types_[column] == DUCKDB_TYPE_BIGINT) return Read<int64_t>(column);
      if (types_[column] == DUCKDB_TYPE_INTEGER) return Read<int32_t>(column);
      if (types_[column] == DUCKDB_TYPE_HUGEINT) {  // what DuckDB's sum() makes of integers
        const auto value = Read<duckdb_hugeint>(column);
        const auto low = static_cast<int64_t>(value.lower);
        if (value.upper == (low < 0 ? -1 : 0)) return low;
      }
      if (types_[column] == DUCKDB_TYPE_VARCHAR) {
        const std::string_view text = Text(column);
        int64_t value = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failed == std::errc() && end == text.data() + text.size()) return value;
      }
    }
    throw Unexpected(column, "an integer");
  }

  double Double(int column) override {
    if (!IsNull(column)) {
      if (types_[column] == DUCKDB_TYPE_DOUBLE) return Read<double>(column);
      if (types_[column] == DUCKDB_TYPE_BIGINT) return static_cast<double>(Read<int64_t>(column));
      if (types_[column] == DUCKDB_TYPE_INTEGER) return Read<int32_t>(column);
      if (types_[column] == DUCKDB_TYPE_VARCHAR) {
        const std::string_view text = Text(column);
        double value = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failed == std::errc() && end == text.data() + text.size()) return value;
      }
    }
    throw Unexpected(column, "a number");
  }

  bool Bool(int column) override {
    if (!IsNull(column)) {
      if (types_[column] == DUCKDB_TYPE_BOOLEAN) return Read<bool>(column);
      if (types_[column] == DUCKDB_TYPE_BIGINT) return Read<int64_t>(column) != 0;
      if (types_[column] == DUCKDB_TYPE_INTEGER) return Read<int32_t>(column) != 0;
      const std::string text = AsciiLower(Text(column));
      if (text == "true" || text == "false") return text == "true";
    }
    throw Unexpected(column, "a boolean");
  }

  std::string_view Text(int column) override {
    if (IsNull(column)) throw Unexpected(column, "a text");
    switch (types_[column]) {
      case DUCKDB_TYPE_VARCHAR:
      case DUCKDB_TYPE_BLOB: {
        auto* strings = static_cast<duckdb_string_t*>(duckdb_vector_get_data(Vector(column)));
        return {duckdb_string_t_data(&strings[row_]), duckdb_string_t_length(strings[row_])};
      }
      case DUCKDB_TYPE_BIGINT:
        return Keep(column, std::to_string(Read<int64_t>(column)));
      case DUCKDB_TYPE_INTEGER:
        return Keep(column, std::to_string(Read<int32_t>(column)));
      case DUCKDB_TYPE_BOOLEAN:
        return Keep(column, Read<bool>(column) ? "true" : "false");
      case DUCKDB_TYPE_DOUBLE:
        return Keep(column, fmt::format("{}", Read<double>(column)));
      case DUCKDB_TYPE_TIMESTAMP_TZ:
        return Keep(column, FormatTimestampTz(Time(column)));
      default:
        throw Unexpected(column, "a text");
    }
  }

  Timestamp Time(int column) override {
    if (!IsNull(column)) {
      if (types_[column] == DUCKDB_TYPE_TIMESTAMP_TZ)
        return Timestamp(std::chrono::microseconds(Read<int64_t>(column)));
      if (types_[column] == DUCKDB_TYPE_VARCHAR) {
        if (const auto time = ParseTimestampTz(Text(column))) return *time;
      }
    }
    throw Unexpected(column, "a time");
  }

  int column_count() const override { return static_cast<int>(names_.size()); }
  std::string column_name(int column) const override { return names_[column]; }

 private:
  duckdb_vector Vector(int column) const {
    return duckdb_data_chunk_get_vector(chunk_.get(), static_cast<idx_t>(column));
  }
  template <class T>
  T Read(int column) const {
    return static_cast<const T*>(duckdb_vector_get_data(Vector(column)))[row_];
  }
  std::string_view Keep(int column, std::string text) { return texts_[column] = std::move(text); }

  [[noreturn]] void Fail(const Error& error) {
    context_.on_error();
    throw error;
  }

  Error Unexpected(int column, std::string_view expected) {
    const bool is_text = !IsNull(column) && types_[column] == DUCKDB_TYPE_VARCHAR;
    return Error(
        ErrorCode::kCorrupt,
        fmt::format("The catalog database \"{}\" holds {} in column \"{}\" where {} must be.",
                    context_.path,
                    IsNull(column)
                        ? "NULL"
                        : (is_text ? fmt::format("\"{}\"", Text(column)) : "another type"),
                    names_[column], expected),
        {{"sql", sql_}});
  }

  const QueryContext& context_;
  const std::string sql_;
  Result result_;
  std::vector<std::string> names_;
  std::vector<duckdb_type> types_;
  std::vector<std::string> texts_;
  Chunk chunk_;
  idx_t rows_in_chunk_ = 0;
  idx_t row_ = 0;
};

}  // namespace

Error MakeError(const QueryContext& context, duckdb_error_type type, const std::string& detail,
                std::string_view sql) {
  Error::Context details = {{"path", context.path}, {"duckdb_type", std::to_string(type)}};
  if (!sql.empty()) details.emplace_back("sql", std::string(sql));
  switch (type) {
    case DUCKDB_ERROR_CATALOG:
      return CatalogError(context, sql, detail, std::move(details));
    case DUCKDB_ERROR_CONSTRAINT:
      return Error(
          ErrorCode::kAlreadyExists,
          fmt::format("A row with this key is already in \"{}\": {}", context.path, detail),
          details);
    case DUCKDB_ERROR_TRANSACTION:
      return Error(
          ErrorCode::kConflict,
          fmt::format("Another writer changed \"{}\" since this transaction began: run it again.",
                      context.path),
          details);
    case DUCKDB_ERROR_INTERRUPT:
      return Error(ErrorCode::kInterrupted, "Interrupted while working on the catalog database.",
                   details);
    case DUCKDB_ERROR_INVALID_INPUT:
    case DUCKDB_ERROR_CONVERSION:
    case DUCKDB_ERROR_OUT_OF_RANGE:
    case DUCKDB_ERROR_MISMATCH_TYPE:
    case DUCKDB_ERROR_PERMISSION:
      return Error(
          ErrorCode::kInvalid,
          fmt::format("The catalog database \"{}\" refused a value: {}", context.path, detail),
          details);
    case DUCKDB_ERROR_IO:
    case DUCKDB_ERROR_FATAL:
    case DUCKDB_ERROR_OUT_OF_MEMORY:
    case DUCKDB_ERROR_CONNECTION:
      return Error(
          ErrorCode::kUnavailable,
          fmt::format("The catalog database \"{}\" cannot be used: {}", context.path, detail),
          details);
    default:
      return Error(ErrorCode::kInternal,
                   fmt::format("DuckDB refused a statement for \"{}\": {}", context.path, detail),
                   details);
  }
}

void RunPlain(const QueryContext& context, const char* sql) {
  Result result;
  if (duckdb_query(context.connection, sql, result.get()) == DuckDBError) {
    const char* words = duckdb_result_error(result.get());
    throw MakeError(context, duckdb_result_error_type(result.get()), words ? words : "", sql);
  }
}

int64_t RunToEnd(const QueryContext& context, const Statement& statement) {
  const Prepared prepared = Prepare(context, statement.text);
  BindValues(context, prepared.get(), statement);
  Result result;
  // At once, not in steps: the steps would lose the type of an error. Changes of a catalog are
  // short, and DuckDB waits for no lock in them.
  if (duckdb_execute_prepared(prepared.get(), result.get()) == DuckDBError)
    ThrowResultError(context, result, statement.text);
  return static_cast<int64_t>(duckdb_rows_changed(result.get()));
}

std::unique_ptr<Rows> StartQuery(const QueryContext& context, const Statement& statement) {
  return std::make_unique<DuckDbRows>(context, statement);
}

}  // namespace tarn::duckdb_c
