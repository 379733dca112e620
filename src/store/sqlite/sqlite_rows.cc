// SQLite types belong to values, not to columns, and other programs write to the same tables: each
// read checks what it finds.
#include "store/sqlite/sqlite_rows.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "base/time.h"

namespace tarn::sqlite {
namespace {

class SqliteRows : public Rows {
 public:
  SqliteRows(std::shared_ptr<Handle> handle, StatementLoan statement, std::string sql,
             std::function<void()> on_error)
      : handle_(std::move(handle)),
        statement_(std::move(statement)),
        sql_(std::move(sql)),
        on_error_(std::move(on_error)) {}

  bool Next() override {
    const int result = sqlite3_step(get());
    const bool is_first = std::exchange(is_first_, false);
    if (result == SQLITE_ROW && !is_first) return true;
    // What has been read of a frozen file is right only if it still is what it was.
    const bool is_read = result == SQLITE_ROW || result == SQLITE_DONE;
    if (is_read && !handle_->Thawed()) return result == SQLITE_ROW;
    const Error error = handle_->ToError(result, sql_);
    on_error_();
    throw error;
  }

  bool IsNull(int column) override { return sqlite3_column_type(get(), column) == SQLITE_NULL; }

  int64_t Int64(int column) override {
    switch (sqlite3_column_type(get(), column)) {
      case SQLITE_INTEGER:
        return sqlite3_column_int64(get(), column);
      case SQLITE_FLOAT: {
        const double value = sqlite3_column_double(get(), column);
        if (value == std::floor(value) && std::abs(value) < 9.2e18)
          return static_cast<int64_t>(value);
        break;
      }
      case SQLITE_TEXT: {
        const std::string_view text = Text(column);
        int64_t value = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failed == std::errc() && end == text.data() + text.size()) return value;
        break;
      }
      default:
        break;
    }
    throw Unexpected(column, "an integer");
  }

  double Double(int column) override {
    const int type = sqlite3_column_type(get(), column);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT && type != SQLITE_TEXT)
      throw Unexpected(column, "a number");
    return sqlite3_column_double(get(), column);
  }

  bool Bool(int column) override {
    const int type = sqlite3_column_type(get(), column);
    if (type == SQLITE_INTEGER) return sqlite3_column_int64(get(), column) != 0;
    if (type == SQLITE_TEXT) {
      const std::string text = AsciiLower(Text(column));
      if (text == "true" || text == "t" || text == "1") return true;
      if (text == "false" || text == "f" || text == "0") return false;
    }
    throw Unexpected(column, "a boolean");
  }

  std::string_view Text(int column) override {
    if (sqlite3_column_type(get(), column) == SQLITE_BLOB) {
      const void* bytes = sqlite3_column_blob(get(), column);
      return {static_cast<const char*>(bytes),
              static_cast<size_t>(sqlite3_column_bytes(get(), column))};
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(get(), column));
    if (!text) throw Unexpected(column, "a text");
    return {text, static_cast<size_t>(sqlite3_column_bytes(get(), column))};
  }

  Timestamp Time(int column) override {
    if (sqlite3_column_type(get(), column) == SQLITE_TEXT) {
      if (const auto time = ParseTimestampTz(Text(column))) return *time;
    }
    throw Unexpected(column, "a time");
  }

  int column_count() const override { return sqlite3_column_count(get()); }
  std::string column_name(int column) const override { return sqlite3_column_name(get(), column); }

 private:
  sqlite3_stmt* get() const { return statement_.get(); }

  Error Unexpected(int column, std::string_view expected) {
    const bool is_null = IsNull(column);
    return Error(
        ErrorCode::kCorrupt,
        fmt::format("The catalog database \"{}\" holds {} in column \"{}\" where {} must be.",
                    handle_->path(), is_null ? "NULL" : fmt::format("\"{}\"", Text(column)),
                    column_name(column), expected),
        {{"sql", sql_}});
  }

  const std::shared_ptr<Handle> handle_;
  const StatementLoan statement_;
  const std::string sql_;
  const std::function<void()> on_error_;
  bool is_first_ = true;
};

}  // namespace

void BindValues(Handle& handle, sqlite3_stmt* statement, std::span<const Value> values,
                bool copied) {
  const auto lifetime = copied ? SQLITE_TRANSIENT : SQLITE_STATIC;
  int at = 0;
  for (const Value& value : values) {
    ++at;
    const int result = std::visit(
        [&](const auto& content) {
          using T = std::decay_t<decltype(content)>;
          if constexpr (std::is_same_v<T, std::monostate>) {
            return sqlite3_bind_null(statement, at);
          } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int64_t>) {
            return sqlite3_bind_int64(statement, at, content);
          } else if constexpr (std::is_same_v<T, double>) {
            return sqlite3_bind_double(statement, at, content);
          } else if constexpr (std::is_same_v<T, std::string>) {
            return sqlite3_bind_text64(statement, at, content.data(), content.size(), lifetime,
                                       SQLITE_UTF8);
          } else if constexpr (std::is_same_v<T, Blob>) {
            return sqlite3_bind_blob64(statement, at, content.bytes.data(), content.bytes.size(),
                                       lifetime);
          } else {
            const std::string text = FormatTimestampTz(content);
            return sqlite3_bind_text64(statement, at, text.data(), text.size(), SQLITE_TRANSIENT,
                                       SQLITE_UTF8);
          }
        },
        value);
    if (result != SQLITE_OK) handle.Throw(result, {});
  }
}

std::unique_ptr<Rows> MakeRows(std::shared_ptr<Handle> handle, StatementLoan statement,
                               std::string sql, std::function<void()> on_error) {
  return std::make_unique<SqliteRows>(std::move(handle), std::move(statement), std::move(sql),
                                      std::move(on_error));
}

}  // namespace tarn::sqlite
