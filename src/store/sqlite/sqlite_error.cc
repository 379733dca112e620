// Codes first: SQLite's own text only completes a sentence, it never decides anything.
#include "store/sqlite/sqlite_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdlib>

#include "store/sql_names.h"

namespace tarn::sqlite {
namespace {

constexpr const char* kCodeKey = "sqlite_code";

/// 1, 0, or -1 when the schema cannot be asked.
int TableKnown(sqlite3* db, const std::string& table) {
  sqlite3_stmt* statement = nullptr;
  int known = -1;
  if (sqlite3_prepare_v2(db, "SELECT count(*) FROM sqlite_master WHERE name = ?1 COLLATE NOCASE",
                         -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_text64(statement, 1, table.data(), table.size(), SQLITE_STATIC, SQLITE_UTF8);
    if (sqlite3_step(statement) == SQLITE_ROW) known = sqlite3_column_int(statement, 0) > 0 ? 1 : 0;
  }
  sqlite3_finalize(statement);
  return known;
}

Error PlainError(sqlite3* db, const std::string& path, std::string_view sql,
                 const std::string& detail, Error::Context context) {
  const bool creates = LeadingKeyword(sql) == "CREATE";
  for (const std::string& table : db ? TablesNamedIn(sql) : std::vector<std::string>()) {
    if (table == "sqlite_master" || table == "sqlite_schema") continue;
    const int known = TableKnown(db, table);
    context.emplace_back("table", table);
    if (known == 0 && !creates) {
      return Error(ErrorCode::kNotFound,
                   fmt::format("The catalog database \"{}\" has no table \"{}\".", path, table),
                   context);
    }
    if (known == 1 && creates) {
      return Error(
          ErrorCode::kAlreadyExists,
          fmt::format("The catalog database \"{}\" has a table \"{}\" already.", path, table),
          context);
    }
    context.pop_back();
  }
  return Error(ErrorCode::kInternal,
               fmt::format("SQLite refused a statement for \"{}\": {}.", path, detail), context);
}

}  // namespace

Error MakeError(int result_code, sqlite3* db, const std::string& path, std::string_view sql) {
  const std::string detail = db ? sqlite3_errmsg(db) : sqlite3_errstr(result_code);
  Error::Context context = {
      {"path", path}, {kCodeKey, std::to_string(result_code)}, {"detail", detail}};
  if (!sql.empty()) context.emplace_back("sql", std::string(sql));

  switch (result_code) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID:
      return Error(ErrorCode::kAlreadyExists,
                   fmt::format("A row with this key is already in \"{}\": {}.", path, detail),
                   context);
    case SQLITE_BUSY_SNAPSHOT:
      return Error(
          ErrorCode::kConflict,
          fmt::format("Another writer changed \"{}\" since this transaction began: run it again.",
                      path),
          context);
    case SQLITE_READONLY_DBMOVED:
      return Error(ErrorCode::kUnavailable,
                   fmt::format("The catalog database \"{}\" was moved or removed while it was "
                               "open: attach the lake again.",
                               path),
                   context);
    default:
      break;
  }

  switch (result_code & 0xff) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_RANGE:
      return Error(ErrorCode::kInvalid,
                   fmt::format("A row cannot be stored in \"{}\": {}.", path, detail), context);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return Error(ErrorCode::kUnavailable,
                   fmt::format("The catalog database \"{}\" stayed locked by another connection: "
                               "try again, or wait longer with "
                               "BUSY_TIMEOUT.",
                               path),
                   context);
    case SQLITE_INTERRUPT:
    case SQLITE_ABORT:
      return Error(ErrorCode::kInterrupted, "Interrupted while working on the catalog database.",
                   context);
    case SQLITE_NOTADB:
      return Error(ErrorCode::kInvalid, fmt::format("\"{}\" is not a SQLite database.", path),
                   context);
    case SQLITE_CORRUPT:
      return Error(ErrorCode::kCorrupt,
                   fmt::format("The SQLite database \"{}\" is damaged: {}; restore it from a copy.",
                               path, detail),
                   context);
    case SQLITE_READONLY:
      return Error(
          ErrorCode::kInvalid,
          fmt::format("The catalog database \"{}\" cannot be written: it is read-only.", path),
          context);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Error(ErrorCode::kUnavailable,
                   fmt::format("The catalog database \"{}\" cannot be opened: check that its "
                               "folder exists and may be used.",
                               path),
                   context);
    case SQLITE_FULL:
      return Error(
          ErrorCode::kUnavailable,
          fmt::format("No space is left for the catalog database \"{}\": free some and try again.",
                      path),
          context);
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
      return Error(
          ErrorCode::kUnavailable,
          fmt::format("Reading or writing the catalog database \"{}\" failed: {}.", path, detail),
          context);
    default:
      return PlainError(db, path, sql, detail, std::move(context));
  }
}

int ResultCodeOf(const Error& error) {
  for (const auto& [key, value] : error.context()) {
    if (key == kCodeKey) return std::atoi(value.c_str());
  }
  return SQLITE_OK;
}

}  // namespace tarn::sqlite
