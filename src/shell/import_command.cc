// tarn import: new tables, or more rows, from files.
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/import_plan.h"
#include "shell/lake_argument.h"
#include "shell/subcommands.h"
#include "tarn/error.h"
#include "tarn/transaction.h"

namespace tarn::shell {
namespace {

using engine::SessionResult;
using engine::SessionValue;

/// Columns as CREATE TABLE has them, inferred from the files.
std::string ColumnsOf(engine::Session& session, const ImportTable& table) {
  std::vector<SessionValue> parameters;
  const auto select = SelectFiles(table, parameters);
  std::string columns;
  session.Run("FROM (" + select + ") LIMIT 0", parameters, [&](SessionResult& result) {
    for (const auto& column : result.columns()) {
      columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", QuoteIdentifier(column.name),
                             column.type);
    }
  });
  return columns;
}

class Import {
 public:
  Import(engine::Session& session, const ImportArguments& arguments)
      : session_(session), arguments_(arguments) {}

  /// False for a table that is to be made. Throws kAlreadyExists for one that is there and was not
  /// meant to be added to.
  bool Exists(const ImportTable& table) {
    const auto lake = session_.FindLake(kLakeName);
    const auto found = lake->Begin({})->view()->FindTable(arguments_.schema, table.name);
    if (found && !arguments_.append) {
      throw Error(
          ErrorCode::kAlreadyExists,
          fmt::format("There is a table \"{}\".\"{}\" already: give --append to add rows to "
                      "it, or another name with --table.",
                      arguments_.schema, table.name));
    }
    return found != nullptr;
  }

  /// Returns how many rows came in.
  int64_t Run(const ImportTable& table, bool exists) {
    const auto name = fmt::format("{}.{}.{}", kLakeName, QuoteIdentifier(arguments_.schema),
                                  QuoteIdentifier(table.name));
    std::vector<SessionValue> parameters;
    const auto select = SelectFiles(table, parameters);
    const int64_t before = exists ? Count(name) : 0;
    session_.Run(exists ? fmt::format("INSERT INTO {} BY NAME {}", name, select)
                        : fmt::format("CREATE TABLE {} AS {}", name, select),
                 parameters, [](SessionResult&) {});
    return Count(name) - before;
  }

  void Execute(const std::string& sql) {
    session_.Run(sql, false, [](SessionResult&) {});
  }

 private:
  int64_t Count(const std::string& name) {
    int64_t rows = 0;
    session_.Run("SELECT count(*) FROM " + name, {}, [&](SessionResult& result) {
      if (result.Next()) rows = std::stoll(std::string(result.Text(0).value_or("0")));
    });
    return rows;
  }

  engine::Session& session_;
  const ImportArguments& arguments_;
};

}  // namespace

void InferColumns(engine::Session& session, std::vector<ImportTable>& plan) {
  for (auto& table : plan) table.columns = ColumnsOf(session, table);
}

void PrintImport(engine::Session& session, const Arguments& arguments,
                 const std::vector<ImportTable>& plan, bool has_lake) {
  Import import(session, arguments.import);
  std::vector<std::vector<SessionValue>> rows;
  for (const auto& table : plan) {
    const bool exists = has_lake && import.Exists(table);
    rows.push_back({arguments.import.schema, table.name, std::string(exists ? "append" : "create"),
                    static_cast<int64_t>(table.files.size()), table.columns});
  }
  Printer printer(arguments.mode);
  session.ShowRows({"schema", "table", "action", "files", "columns"}, rows,
                   [&](SessionResult& result) { printer.Print(result); });
}

void RunImport(engine::Session& session, const Arguments& arguments,
               const std::vector<ImportTable>& plan) {
  Import import(session, arguments.import);
  std::vector<bool> exists;
  for (const auto& table : plan) exists.push_back(import.Exists(table));
  std::vector<std::vector<SessionValue>> rows;
  import.Execute("BEGIN");
  try {
    import.Execute(fmt::format("CREATE SCHEMA IF NOT EXISTS {}.{}", kLakeName,
                               QuoteIdentifier(arguments.import.schema)));
    for (size_t i = 0; i < plan.size(); ++i) {
      const auto count = import.Run(plan[i], exists[i]);
      rows.push_back({arguments.import.schema, plan[i].name,
                      std::string(exists[i] ? "append" : "create"),
                      static_cast<int64_t>(plan[i].files.size()), count});
    }
    import.Execute("COMMIT");
  } catch (const Error&) {
    if (session.in_transaction()) import.Execute("ROLLBACK");
    throw;
  }
  Printer printer(arguments.mode);
  session.ShowRows({"schema", "table", "action", "files", "rows"}, rows,
                   [&](SessionResult& result) { printer.Print(result); });
}

}  // namespace tarn::shell
