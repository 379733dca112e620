// See the header.
#include "store/postgres/postgres_error.h"

#include <fmt/format.h>

#include "base/text.h"
#include "store/postgres/connection_state.h"
#include "store/sql_names.h"

namespace tarn::postgres {
namespace {

constexpr const char* kStateKey = "sqlstate";

std::string FieldOf(const PGresult* result, int field) {
  const char* text = PQresultErrorField(result, field);
  return text ? text : "";
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      if (!line.empty() && line.back() != ' ') line += ' ';
    } else {
      line += c;
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

std::string Shown(const Target& target) { return QuoteIdentifier("postgres:" + target.shown); }

bool IsClass(std::string_view state, std::string_view prefix) { return state.starts_with(prefix); }

std::string FirstTable(std::string_view sql) {
  const auto tables = TablesNamedIn(sql);
  return tables.empty() ? std::string("?") : tables.front();
}

/// Of the tables that a statement names, the one that the server's words name too.
std::string MissingTable(std::string_view sql, const std::string& words) {
  for (const std::string& table : TablesNamedIn(sql)) {
    if (words.find(table) != std::string::npos) return table;
  }
  return FirstTable(sql);
}

struct Verdict {
  ErrorCode code;
  std::string sentence;
};

Verdict Judge(std::string_view state, const Target& target, std::string_view sql,
              const std::string& words) {
  const std::string where = Shown(target);
  if (state == "23505")
    return {ErrorCode::kAlreadyExists,
            fmt::format("A row with this key is already in {}: {}.", where, words)};
  if (state == "42P07" || state == "42P06" || state == "42710")
    return {ErrorCode::kAlreadyExists,
            fmt::format("The catalog database {} has a table {} already.", where,
                        QuoteIdentifier(FirstTable(sql)))};
  if (state == "42P01" || state == "3F000")
    return {ErrorCode::kNotFound, fmt::format("The catalog database {} has no table {}.", where,
                                              QuoteIdentifier(MissingTable(sql, words)))};
  if (state == "40001" || state == "40P01")
    return {ErrorCode::kConflict,
            fmt::format("Another writer of {} was faster: run the transaction again ({}).", where,
                        words)};
  if (state == "55P03")
    return {ErrorCode::kUnavailable,
            fmt::format("The catalog database {} stayed locked by other writers for {} ms: try "
                        "again, or wait longer with BUSY_TIMEOUT.",
                        where, target.busy_timeout.count())};
  if (state == "57014")
    return {ErrorCode::kUnavailable,
            fmt::format("The server of {} cancelled a statement: {}; try again, or raise its "
                        "statement_timeout.",
                        where, words)};
  if (state == "25006")
    return {ErrorCode::kInvalid,
            fmt::format("The catalog database {} cannot be written: {}.", where, words)};
  if (state == "42501")
    return {ErrorCode::kInvalid,
            fmt::format("The catalog database {} refuses its role: {}; grant that right to the "
                        "role, or connect as another one.",
                        where, words)};
  if (state == "53100")
    return {ErrorCode::kUnavailable,
            fmt::format("The server of {} has no space left: free some and try again.", where)};
  if (EndsConnection(state))
    return {ErrorCode::kUnavailable,
            fmt::format("The server of {} closed the connection: {}; try again.", where, words)};
  if (IsClass(state, "53") || IsClass(state, "58"))
    return {ErrorCode::kUnavailable,
            fmt::format("The server of {} cannot work now: {}; try again later.", where, words)};
  if (state == "XX001" || state == "XX002")
    return {ErrorCode::kCorrupt,
            fmt::format("The catalog database {} is damaged: {}; restore it from a backup.", where,
                        words)};
  if (IsClass(state, "22") || IsClass(state, "23") || IsClass(state, "54"))
    return {ErrorCode::kInvalid, fmt::format("A row cannot be stored in {}: {}.", where, words)};
  return {ErrorCode::kInternal,
          fmt::format("PostgreSQL refused a statement for {}: {}.", where, words)};
}

}  // namespace

bool EndsConnection(std::string_view state) {
  return IsClass(state, "08") || state == "57P01" || state == "57P02" || state == "57P03" ||
         state == "57P04" || state == "57P05" || state == "25P03";
}

bool ForgetsStatements(std::string_view state) { return state == "26000" || state == "0A000"; }

Error StatementError(const PGresult* result, const Target& target, std::string_view sql) {
  const std::string state = FieldOf(result, PG_DIAG_SQLSTATE);
  std::string words = OneLine(FieldOf(result, PG_DIAG_MESSAGE_PRIMARY));
  if (state.empty()) return ConnectionLost(target, PQresultErrorMessage(result));
  const std::string detail = OneLine(FieldOf(result, PG_DIAG_MESSAGE_DETAIL));
  Verdict verdict = Judge(state, target, sql, words);
  Error::Context context = {{kStateKey, state}, {"detail", detail.empty() ? words : detail}};
  if (!sql.empty()) context.emplace_back("sql", std::string(sql));
  return Error(verdict.code, std::move(verdict.sentence), std::move(context));
}

Error ConnectionLost(const Target& target, std::string_view detail) {
  return Error(ErrorCode::kUnavailable,
               fmt::format("The connection to the catalog database {} broke: {}; try again.",
                           Shown(target), OneLine(detail)),
               {{"detail", std::string(detail)}});
}

Error ConnectError(PGconn* connection, const Target& target) {
  const std::string state = ConnectSqlState(connection);
  const std::string words = OneLine(PQerrorMessage(connection));
  const char* user = PQuser(connection);
  const char* database = PQdb(connection);
  const std::string role = QuoteIdentifier(user ? user : "");
  const std::string where = Shown(target);
  Error::Context context = {{kStateKey, state}, {"detail", words}};
  if (PQconnectionNeedsPassword(connection)) {
    return Error(ErrorCode::kInvalid,
                 fmt::format("The server of {} wants a password of role {}: give one in the "
                             "connection string, a postgres secret, .pgpass or PGPASSWORD.",
                             where, role),
                 context);
  }
  if (state == "28P01") {
    return Error(ErrorCode::kInvalid,
                 fmt::format("The server of {} refused the password of role {}: correct it, or the "
                             "role's name.",
                             where, role),
                 context);
  }
  if (IsClass(state, "28")) {
    return Error(ErrorCode::kInvalid,
                 fmt::format("The server of {} refused role {}: {}.", where, role, words), context);
  }
  if (state == "3D000") {
    return Error(ErrorCode::kNotFound,
                 fmt::format("The server of {} has no database {}: create it, or name another.",
                             where, QuoteIdentifier(database ? database : "")),
                 context);
  }
  if (state == "42501") {
    return Error(ErrorCode::kInvalid,
                 fmt::format("Role {} may not connect to database {}: grant it CONNECT, or connect "
                             "as another role.",
                             role, QuoteIdentifier(database ? database : "")),
                 context);
  }
  if (state == "53300") {
    return Error(
        ErrorCode::kUnavailable,
        fmt::format("The server of {} has no connection left for role {}: use fewer threads "
                    "or sessions at a time, or raise its connection limit.",
                    where, role),
        context);
  }
  return Error(ErrorCode::kUnavailable,
               fmt::format("The PostgreSQL server of {} cannot be reached: {}.", where, words),
               context);
}

std::string SqlStateOf(const Error& error) {
  for (const auto& [key, value] : error.context()) {
    if (key == kStateKey) return value;
  }
  return {};
}

}  // namespace tarn::postgres
