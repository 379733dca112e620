// Listings of a lake, from the kernel's own view of it.
#include "shell/subcommands.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/lake_argument.h"
#include "shell/printer.h"
#include "tarn/error.h"
#include "tarn/transaction.h"

namespace tarn::shell {
namespace {

using engine::SessionResult;
using engine::SessionValue;
using Row = std::vector<SessionValue>;

void Show(engine::Session& session, OutputMode mode, const std::vector<std::string>& columns,
          const std::vector<Row>& rows) {
  Printer printer(mode);
  session.ShowRows(columns, rows, [&](SessionResult& result) { printer.Print(result); });
}

/// The snapshot that the arguments ask for. A time is read by the database, which knows zones.
SnapshotSelector Selector(engine::Session& session, const LakeArguments& arguments) {
  SnapshotSelector selector;
  if (arguments.snapshot) selector.version = SnapshotId(*arguments.snapshot);
  if (!arguments.at_time.empty()) {
    session.Run("SELECT epoch_us(CAST($1 AS TIMESTAMPTZ))", {arguments.at_time},
                [&](SessionResult& result) {
                  if (result.Next())
                    selector.time = Timestamp(
                        std::chrono::microseconds(std::stoll(std::string(*result.Text(0)))));
                });
  }
  return selector;
}

bool IsPinned(const LakeArguments& arguments) {
  return arguments.snapshot || !arguments.at_time.empty();
}

struct Totals {
  int64_t tables = 0, rows = 0, files = 0, bytes = 0;
};

/// The rows of a table, counted by whoever can read its files.
int64_t CountByReading(engine::Session& session, const std::string& schema,
                       const std::string& table, const Transaction& transaction, bool is_pinned) {
  auto sql = fmt::format("SELECT count(*) FROM {}.{}.{}", kLakeName, QuoteIdentifier(schema),
                         QuoteIdentifier(table));
  // A pinned lake shows no other snapshot anyway.
  if (!is_pinned) sql += fmt::format(" AT (VERSION => {})", transaction.base().id.value);
  int64_t rows = 0;
  session.Run(sql, {}, [&](SessionResult& result) {
    if (result.Next()) rows = std::stoll(std::string(result.Text(0).value_or("0")));
  });
  return rows;
}

/// One row per table, in the order of their names.
std::vector<Row> TableRows(engine::Session& session, Transaction& transaction, bool is_pinned,
                           Totals& totals) {
  const auto view = transaction.view();
  auto counts = transaction.RowCounts();
  std::map<SchemaRef, std::string> schemas;
  for (const auto& [name, entries] : view->schemas()) schemas[entries->schema->ref] = name;
  std::map<std::pair<std::string, std::string>, Row> rows;
  for (const auto& info : transaction.ListTableInfo()) {
    const auto& schema = schemas[info.table->schema];
    const auto& name = info.table->name;
    const int64_t bytes = info.file_size_bytes + info.delete_file_size_bytes;
    // Deletes in files and deletes in the catalog may be the same or not, and files that were
    // merged later hold rows of several snapshots: the catalog alone knows only a most.
    const bool is_exact = info.delete_file_count == 0 && !is_pinned;
    const int64_t row_count = is_exact
                                  ? counts[info.table->ref]
                                  : CountByReading(session, schema, name, transaction, is_pinned);
    rows[{schema, name}] = {schema,
                            name,
                            row_count,
                            info.file_count,
                            info.delete_file_count,
                            bytes,
                            info.table->ref.id().value};
    ++totals.tables;
    totals.rows += row_count;
    totals.files += info.file_count + info.delete_file_count;
    totals.bytes += bytes;
  }
  std::vector<Row> result;
  for (auto& [name, row] : rows) result.push_back(std::move(row));
  return result;
}

}  // namespace

void PrintSnapshots(engine::Session& session, const Arguments& arguments) {
  Printer printer(arguments.mode);
  session.Run(
      "SELECT snapshot_id, snapshot_time, author, commit_message, changes FROM tarn_snapshots($1) "
      "ORDER BY snapshot_id",
      {std::string(kLakeName)}, [&](SessionResult& result) { printer.Print(result); });
}

void PrintTables(engine::Session& session, const Arguments& arguments) {
  const auto transaction = session.FindLake(kLakeName)->Begin(Selector(session, arguments.lake));
  Totals totals;
  const auto rows = TableRows(session, *transaction, IsPinned(arguments.lake), totals);
  // The id is what the changes of a snapshot name a table by.
  Show(session, arguments.mode,
       {"schema", "table", "rows", "files", "delete_files", "size_bytes", "table_id"}, rows);
}

void PrintInfo(engine::Session& session, const Arguments& arguments) {
  const auto lake = session.FindLake(kLakeName);
  const auto transaction = lake->Begin(Selector(session, arguments.lake));
  Totals totals;
  TableRows(session, *transaction, IsPinned(arguments.lake), totals);
  const auto snapshots = lake->ListSnapshots();
  const std::vector<std::pair<std::string, SessionValue>> properties = {
      {"catalog", std::string(lake->store().dialect().name())},
      {"location", lake->store().location()},
      {"format_version", transaction->options().Find("version").value_or("1.0")},
      {"data_path", lake->data_path()},
      {"encrypted", lake->encrypted()},
      {"snapshots", static_cast<int64_t>(snapshots.size())},
      {"snapshot_id", transaction->base().id.value},
      {"snapshot_time", transaction->base().time},
      {"tables", totals.tables},
      {"rows", totals.rows},
      {"files", totals.files},
      {"size_bytes", totals.bytes},
  };
  std::vector<std::string> columns;
  Row row;
  for (const auto& [name, value] : properties) {
    columns.push_back(name);
    row.push_back(value);
  }
  const bool for_programs =
      arguments.mode == OutputMode::kJson || arguments.mode == OutputMode::kJsonLines;
  if (for_programs) return Show(session, arguments.mode, columns, {row});
  // For people, a line per property. The values become text, which the database writes as
  // everywhere else.
  std::vector<Row> lines;
  session.ShowRows(columns, {row}, [&](SessionResult& result) {
    if (!result.Next()) return;
    for (size_t i = 0; i < columns.size(); ++i)
      lines.push_back({columns[i], std::string(result.Text(i).value_or(""))});
  });
  Show(session, arguments.mode, {"property", "value"}, lines);
}

}  // namespace tarn::shell
