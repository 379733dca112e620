// See the header. Values come as text: integers are as short that way as in binary form, and
// whatever type another client has chosen for a column can be read. Bytes come as hexadecimal
// digits.
#include "store/postgres/postgres_rows.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "base/text.h"
#include "base/time.h"
#include "store/postgres/parameters.h"

namespace tarn::postgres {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

class PostgresRows : public Rows {
 public:
  PostgresRows(Result result, std::shared_ptr<const Target> target, std::string sql)
      : result_(std::move(result)),
        target_(std::move(target)),
        sql_(std::move(sql)),
        bytes_(static_cast<size_t>(PQnfields(result_.get()))) {}

  bool Next() override { return ++row_ < PQntuples(result_.get()); }

  bool IsNull(int column) override { return PQgetisnull(result_.get(), row_, column) != 0; }

  int64_t Int64(int column) override {
    const std::string_view text = Raw(column);
    int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (IsNull(column) || failed != std::errc() || end != text.data() + text.size())
      throw Unexpected(column, "an integer");
    return value;
  }

  double Double(int column) override {
    const std::string_view text = Raw(column);
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    // What is too small or too large is read as far as it goes.
    const bool is_read = failed == std::errc() || failed == std::errc::result_out_of_range;
    if (IsNull(column) || !is_read || end != text.data() + text.size())
      throw Unexpected(column, "a number");
    return value;
  }

  bool Bool(int column) override {
    const std::string text = IsNull(column) ? std::string() : AsciiLower(Raw(column));
    if (text == "t" || text == "true" || text == "1") return true;
    if (text == "f" || text == "false" || text == "0") return false;
    throw Unexpected(column, "a boolean");
  }

  std::string_view Text(int column) override {
    if (IsNull(column)) throw Unexpected(column, "a text");
    const std::string_view text = Raw(column);
    const Oid type = PQftype(result_.get(), column);
    if (type == kBoolOid) return text == "t" ? "true" : "false";
    if (type == kIntervalOid) return WithoutPlus(column, text);
    return type == kByteaOid ? Bytes(column, text) : text;
  }

  Timestamp Time(int column) override {
    if (!IsNull(column)) {
      if (const auto time = ParseTimestampTz(Raw(column))) return *time;
    }
    throw Unexpected(column, "a time");
  }

  int column_count() const override { return PQnfields(result_.get()); }
  std::string column_name(int column) const override { return PQfname(result_.get(), column); }

 private:
  std::string_view Raw(int column) {
    return {PQgetvalue(result_.get(), row_, column),
            static_cast<size_t>(PQgetlength(result_.get(), row_, column))};
  }

  /// `-1 years +3 days`: readers of intervals know a minus, not a plus.
  std::string_view WithoutPlus(int column, std::string_view text) {
    std::string& result = bytes_[static_cast<size_t>(column)];
    result = text;
    std::erase(result, '+');
    return result;
  }

  /// `\x00ff`.
  std::string_view Bytes(int column, std::string_view text) {
    std::string& bytes = bytes_[static_cast<size_t>(column)];
    bytes.clear();
    if (!text.starts_with("\\x") || text.size() % 2 != 0) throw Unexpected(column, "bytes");
    bytes.reserve(text.size() / 2);
    for (size_t i = 2; i < text.size(); i += 2) {
      bytes += static_cast<char>(HexDigit(text[i]) << 4 | HexDigit(text[i + 1]));
    }
    return bytes;
  }

  Error Unexpected(int column, std::string_view expected) {
    return Error(
        ErrorCode::kCorrupt,
        fmt::format(
            "The catalog database \"postgres:{}\" holds {} in column \"{}\" where {} must be.",
            target_->shown, IsNull(column) ? "NULL" : fmt::format("\"{}\"", Raw(column)),
            column_name(column), expected),
        {{"sql", sql_}});
  }

  const Result result_;
  const std::shared_ptr<const Target> target_;
  const std::string sql_;
  std::vector<std::string> bytes_;  ///< of each column, decoded
  int row_ = -1;
};

}  // namespace

std::unique_ptr<Rows> MakeRows(Result result, std::shared_ptr<const Target> target,
                               std::string sql) {
  return std::make_unique<PostgresRows>(std::move(result), std::move(target), std::move(sql));
}

}  // namespace tarn::postgres
