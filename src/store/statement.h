// Writes SQL with bound values: text is what we typed, names are quoted by the dialect, values
// become placeholders.
#pragma once

#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tarn/catalog_store.h"
#include "tarn/ids.h"

namespace tarn {

/// Builds one Statement. A chain reads like the SQL that it makes:
///
///   StatementBuilder sql(connection.dialect());
///   sql.Text("SELECT path FROM ").Table("ducklake_data_file").Text(" WHERE table_id =
///   ").Bind(table.id()); auto rows = connection.Query(sql.Build());
class StatementBuilder {
 public:
  explicit StatementBuilder(const Dialect& dialect) : dialect_(dialect) {}
  StatementBuilder(const Dialect& dialect, std::string_view text) : dialect_(dialect) {
    Text(text);
  }

  /// SQL as it stands; never anything that came from outside.
  StatementBuilder& Text(std::string_view sql) {
    statement_.text += sql;
    return *this;
  }
  /// A quoted identifier.
  StatementBuilder& Name(std::string_view identifier) { return Text(dialect_.Quote(identifier)); }
  /// A table of the catalog, with the schema that the store was opened with.
  StatementBuilder& Table(std::string_view table) { return Text(dialect_.QuoteTable(table)); }
  /// `"a", "b"`: quoted identifiers with commas between them.
  StatementBuilder& Names(std::initializer_list<std::string_view> identifiers) {
    return Names<std::initializer_list<std::string_view>>(identifiers);
  }
  template <std::ranges::input_range Range>
  StatementBuilder& Names(const Range& identifiers) {
    return Separated(identifiers, [this](const auto& identifier) { Name(identifier); });
  }

  /// A placeholder for a value. Takes what Value takes, and also ids, optionals (empty: NULL) and
  /// string views.
  template <class T>
  StatementBuilder& Bind(T&& value) {
    statement_.parameters.push_back(ToValue(std::forward<T>(value)));
    return Text(dialect_.Placeholder(static_cast<int>(statement_.parameters.size())));
  }
  StatementBuilder& BindNull() { return Bind(Value()); }
  /// `?, ?, ?`: placeholders with commas between them. The list must not be empty: `IN ()` is no
  /// SQL.
  template <class T>
  StatementBuilder& BindList(std::initializer_list<T> values) {
    return BindList<std::initializer_list<T>>(values);
  }
  template <std::ranges::input_range Range>
  StatementBuilder& BindList(const Range& values) {
    return Separated(values, [this](const auto& value) { Bind(value); });
  }

  const Dialect& dialect() const { return dialect_; }
  /// The statement so far. The builder is empty afterwards.
  Statement Build() { return std::exchange(statement_, Statement()); }

  /// What Bind makes of its argument; also of use for rows of StoreConnection::InsertRows.
  template <class T>
  static Value ToValue(T&& value) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<Plain, Value>) {
      return std::forward<T>(value);
    } else if constexpr (requires {
                           value.has_value();
                           value.value();
                         }) {
      return value.has_value() ? ToValue(*std::forward<T>(value)) : Value();
    } else if constexpr (requires {
                           { value.value } -> std::convertible_to<int64_t>;
                           value.valid();
                         }) {
      return Value(static_cast<int64_t>(value.value));
    } else if constexpr (std::is_same_v<Plain, bool>) {
      return Value(value);
    } else if constexpr (std::is_integral_v<Plain>) {
      return Value(static_cast<int64_t>(value));
    } else if constexpr (std::is_floating_point_v<Plain>) {
      return Value(static_cast<double>(value));
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      return Value(std::string(std::string_view(value)));
    } else {
      return Value(std::forward<T>(value));
    }
  }

 private:
  template <class Range, class Write>
  StatementBuilder& Separated(const Range& range, Write write) {
    bool first = true;
    for (const auto& item : range) {
      if (!std::exchange(first, false)) Text(", ");
      write(item);
    }
    return *this;
  }

  const Dialect& dialect_;
  Statement statement_;
};

}  // namespace tarn
