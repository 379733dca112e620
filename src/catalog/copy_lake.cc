// See include/tarn/copy_lake.h. What must not change while it is copied is read in one transaction;
// files, which take long, are copied before it, and in it only those that came meanwhile.
#include "tarn/copy_lake.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/copy_files.h"
#include "catalog/copy_rows.h"
#include "catalog/data_folder.h"
#include "catalog/inlined_tables.h"
#include "catalog/inlining.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/data_folder.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// What a row counts for in the progress, in bytes of files.
constexpr double kRowWeight = 200;

std::string NameOf(const CatalogStore& store) {
  return std::string(store.dialect().name()) + ":" + store.location();
}

int64_t CountRows(StoreConnection& connection, std::string_view table) {
  StatementBuilder sql(connection.dialect(), "SELECT count(*) FROM ");
  const auto rows = connection.Query(sql.Table(table).Build());
  rows->Next();
  return rows->Int64(0);
}

/// A table that holds rows of the catalog beside the 28, and goes with them.
struct InlinedPlan {
  InlinedScan scan;
  int64_t rows = 0;
};

class LakeCopy {
 public:
  LakeCopy(Lake& source, CatalogStore& target, const CopyOptions& options)
      : source_(source), target_(target), options_(options) {
    if (!options.data_path.empty()) {
      files_.emplace(source, options.data_path, Purpose(),
                     FileCopier::Progress{[this](int64_t bytes) { Step(double(bytes)); }});
    }
    // Absolute: the copy may lie elsewhere, where a relative path means another folder.
    report_.data_path =
        WithTrailingSlash(FromWorkingFolder(files_ ? options.data_path : source.data_path()));
  }

  CopyReport Run() {
    RequireOtherCatalog();
    RequireFolder(source_);
    const auto from = source_.store().Connect();
    from->SetInterruptCheck([this] { return IsInterrupted(); });
    {
      const ReadScope scope(*from);
      Measure(*from);
    }
    RequireNoLake(*target_.Connect());
    if (files_) files_->RequireFolder();
    if (options_.dry_run) return report_;
    if (!target_.writable()) {
      throw Error(ErrorCode::kInvalid,
                  fmt::format("The catalog database \"{}\" cannot be written.", NameOf(target_)));
    }
    target_.CreateSchemaIfAbsent();
    if (files_) {
      files_->Begin();
      if (target_.dialect().name() == "postgres") TryTarget();
      files_->CopyAhead(*from);
    }
    const ReadScope scope(*from);
    if (files_) files_->CopyRest(*from);
    Measure(*from);
    WriteCatalog(*from);
    if (files_) {
      files_->Finish();
      report_.copied_files = files_->copied_files();
    }
    return report_;
  }

 private:
  bool IsInterrupted() const { return options_.interrupted && options_.interrupted(); }

  void Step(double weight) {
    if (IsInterrupted())
      throw Error(ErrorCode::kInterrupted, "Cancelled: run it again, and it goes on.");
    done_ += weight;
    if (options_.progress && total_ > 0) options_.progress(std::min(done_ / total_, 1.0));
  }
  RowsDone StepRows() {
    return [this](int64_t rows) { Step(kRowWeight * static_cast<double>(rows)); };
  }

  /// Which copy this is, for whoever finds its beginning.
  std::string Purpose() const {
    const auto real = [&](const CatalogStore& store) {
      const bool is_file = store.dialect().name() != "postgres";
      return std::string(store.dialect().name()) + ":" +
             (is_file ? source_.file_system().RealPath(store.location()) : store.location()) + " " +
             store.dialect().QuoteTable("t");
    };
    return "tarn copy\nfrom " + real(source_.store()) + "\nto " + real(target_) + "\n";
  }

  void RequireOtherCatalog() const {
    const CatalogStore& source = source_.store();
    const bool is_same = source.dialect().name() == target_.dialect().name() &&
                         source.location() == target_.location() &&
                         (source.dialect().name() == "duckdb" ||
                          source.dialect().QuoteTable("t") == target_.dialect().QuoteTable("t"));
    if (!is_same) return;
    throw Error(ErrorCode::kInvalid,
                fmt::format("The lake at \"{}\" cannot be copied to itself: name another catalog.",
                            NameOf(target_)));
  }

  void RequireNoLake(StoreConnection& to) const {
    const ReadScope scope(to);
    for (const CatalogTable& table : AllCatalogTables()) {
      if (!to.TableExists(table.name)) continue;
      throw Error(ErrorCode::kAlreadyExists,
                  table.name == tables::Metadata::kTable.name
                      ? fmt::format("There is a lake at \"{}\" already: name another catalog, or "
                                    "remove that one first.",
                                    NameOf(target_))
                      : fmt::format("There is a table \"{}\" in \"{}\" already that is none of a "
                                    "lake: name another catalog, or rename it.",
                                    table.name, NameOf(target_)));
    }
  }

  /// Whether a role may make tables there is better known before files are copied for hours. Of a
  /// file it is known, and trying would leave an empty one behind.
  void TryTarget() const {
    const auto to = target_.Connect();
    to->Begin(TransactionMode::kWrite);
    const CatalogTable& table = tables::Metadata::kTable;
    to->Execute({CreateTableSql(table, to->dialect()), {}});
    to->Rollback();
  }

  /// Counts what there is, and plans what to do with inlined tables.
  void Measure(StoreConnection& from) {
    const std::string data_path = report_.data_path;
    report_ = {};
    report_.data_path = data_path;
    report_.snapshots = CountRows(from, tables::Snapshot::kTable.name);
    {
      StatementBuilder sql(from.dialect(), "SELECT count(DISTINCT table_id) FROM ");
      const auto rows = from.Query(sql.Table(tables::Table::kTable.name).Build());
      rows->Next();
      report_.tables = rows->Int64(0);
    }
    const FileTotals files = MeasureFiles(from, source_.data_path());
    report_.files = files.files;
    report_.bytes = files.bytes;
    report_.shared_files = files_ ? files.outside_files : files.files;
    PlanInlined(from);

    int64_t rows = report_.inlined_rows;
    for (const CatalogTable& table : AllCatalogTables()) rows += CountRows(from, table.name);
    total_ = kRowWeight * static_cast<double>(rows);
    if (files_) total_ += static_cast<double>(files.bytes - files.outside_bytes);
  }

  void PlanInlined(StoreConnection& from) {
    inlined_.clear();
    inlined_deletes_.clear();
    kept_tables_.clear();
    std::map<std::string, std::pair<TableId, int64_t>> registered;
    {
      StatementBuilder sql(from.dialect(), "SELECT table_id, table_name, schema_version FROM ");
      const auto rows = from.Query(sql.Table(tables::InlinedDataTables::kTable.name).Build());
      while (rows->Next()) {
        registered.try_emplace(std::string(rows->Text(1)), TableId(rows->Int64(0)),
                               rows->OptInt64(2).value_or(0));
      }
    }
    for (const auto& [name, entry] : registered) {
      InlinedPlan plan;
      plan.scan = DescribeInlinedTable(from, entry.first, name, entry.second);
      plan.rows = CountInlined(from, name);
      report_.inlined_rows += plan.rows;
      if (!IsSameKind() && !CanInline(target_.dialect(), *plan.scan.shape)) {
        if (plan.rows > 0) throw CannotHold(from, entry.first);
        continue;  // whoever inlines nothing there needs no table for it
      }
      kept_tables_.insert(name);
      inlined_.push_back(std::move(plan));
    }
    constexpr std::string_view kDeletes = "ducklake_inlined_delete_";
    for (const std::string& name : from.ListTables()) {
      if (!name.starts_with(kDeletes)) continue;
      const std::string number = name.substr(kDeletes.size());
      int64_t id = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
      if (error != std::errc() || end != number.data() + number.size()) continue;
      inlined_deletes_.push_back(TableId(id));
      report_.inlined_rows += CountRows(from, name);
    }
  }

  static int64_t CountInlined(StoreConnection& from, const std::string& name) {
    try {
      return CountRows(from, name);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
      throw Error(ErrorCode::kCorrupt,
                  "The catalog lists a table of inlined rows that is missing: " + error.message(),
                  error.context());
    }
  }

  bool IsSameKind() const { return source_.store().dialect().name() == target_.dialect().name(); }

  Error CannotHold(StoreConnection& from, TableId table) const {
    StatementBuilder sql(from.dialect(), "SELECT s.schema_name, t.table_name FROM ");
    sql.Table(tables::Table::kTable.name).Text(" t JOIN ").Table(tables::Schema::kTable.name);
    sql.Text(" s ON s.schema_id = t.schema_id WHERE t.table_id = ").Bind(table);
    sql.Text(" ORDER BY t.begin_snapshot DESC");
    const auto rows = from.Query(sql.Build());
    const std::string name = rows->Next() ? QuoteIdentifier(std::string(rows->Text(0))) + "." +
                                                QuoteIdentifier(std::string(rows->Text(1)))
                                          : std::to_string(table.value);
    return Error(ErrorCode::kUnsupported,
                 fmt::format("Table {} has rows in the catalog that a catalog in {} cannot hold: "
                             "move them into files first, with `tarn flush`.",
                             name, target_.dialect().name()));
  }

  void WriteCatalog(StoreConnection& from) {
    const auto to = target_.Connect();
    to->SetInterruptCheck([this] { return IsInterrupted(); });
    CommitOutcome outcome = CommitOutcome::kLostRace;
    try {
      to->Begin(TransactionMode::kWrite);
      RequireNoLake(*to);
      for (const CatalogTable& table : AllCatalogTables())
        to->Send({CreateTableSql(table, to->dialect()), {}});
      for (const CatalogTable& table : AllCatalogTables()) CopyTable(from, *to, table);
      for (const InlinedPlan& plan : inlined_) CopyInlined(from, *to, plan);
      for (const TableId table : inlined_deletes_) CopyInlinedDeletes(from, *to, table);
      outcome = to->Commit();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kConflict) throw;
    }
    if (outcome == CommitOutcome::kUnknown &&
        target_.Connect()->TableExists(tables::Metadata::kTable.name)) {
      outcome = CommitOutcome::kCommitted;
    }
    if (outcome == CommitOutcome::kCommitted) return;
    throw Error(ErrorCode::kUnavailable,
                fmt::format("The lake at \"{}\" was not made: somebody else writes there, or the "
                            "connection broke. Run it again, and it goes on.",
                            NameOf(target_)));
  }

  void CopyTable(StoreConnection& from, StoreConnection& to, const CatalogTable& table) {
    const int path = table.Position("path");
    const int path_is_relative = table.Position("path_is_relative");
    std::function<bool(std::vector<Value>&)> change;
    if (table.name == tables::Metadata::kTable.name) {
      change = [this](std::vector<Value>& row) { return ChangeOption(row); };
    } else if (table.name == tables::InlinedDataTables::kTable.name) {
      const int name = table.Position("table_name");
      change = [this, name](std::vector<Value>& row) {
        const auto* text = std::get_if<std::string>(&row[static_cast<size_t>(name)]);
        return text != nullptr && kept_tables_.contains(*text);
      };
    } else if (files_ && path >= 0) {
      change = [this, path, path_is_relative](std::vector<Value>& row) {
        auto* text = std::get_if<std::string>(&row[static_cast<size_t>(path)]);
        const auto* relative = std::get_if<bool>(&row[static_cast<size_t>(path_is_relative)]);
        if (text == nullptr) return true;
        if (const auto moved = files_->Moved(*text, relative == nullptr || *relative))
          *text = *moved;
        return true;
      };
    }
    CopyRows(from, to, table.name, table.columns, change, StepRows());
    const bool lacks_path = table.name == tables::Metadata::kTable.name && !has_data_path_;
    if (!lacks_path) return;
    const std::vector<Value> row = {std::string("data_path"), report_.data_path, {}, {}};
    to.InsertRows(table.name, table.ColumnNames(), {&row, 1});
  }

  /// The lake's data path is the one that is in force, however the source was opened.
  bool ChangeOption(std::vector<Value>& row) {
    const auto* key = std::get_if<std::string>(&row[0]);
    const bool is_global = std::holds_alternative<std::monostate>(row[2]);
    if (key == nullptr || *key != "data_path" || !is_global) return true;
    has_data_path_ = true;
    auto* value = std::get_if<std::string>(&row[1]);
    if (value == nullptr || WithTrailingSlash(*value) != report_.data_path)
      row[1] = report_.data_path;
    return true;
  }

  void CopyInlined(StoreConnection& from, StoreConnection& to, const InlinedPlan& plan) {
    CreateInlinedTable(to, plan.scan.table_name, *plan.scan.shape);
    if (plan.rows == 0) return;
    try {
      if (IsSameKind() && from.dialect().name() != "duckdb") {
        CopyInlinedTable(from, to, plan.scan, StepRows());
      } else if (options_.copy_inlined) {
        options_.copy_inlined(from, to, plan.scan, StepRows());
      } else {
        throw Error(ErrorCode::kUnsupported,
                    "Rows that the catalog keeps can be copied from or to a DuckDB file only by "
                    "the tarn command: use it, or flush them first.");
      }
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInternal) throw UnreadableInlinedTable(error);
      throw;
    }
  }

  void CopyInlinedDeletes(StoreConnection& from, StoreConnection& to, TableId table) {
    static constexpr CatalogColumn kColumns[] = {
        tables::Bigint("file_id"), tables::Bigint("row_id"), tables::Bigint("begin_snapshot")};
    CreateInlinedDeleteTable(to, table);
    CopyRows(from, to, InlinedDeleteTableName(table), kColumns, {}, StepRows());
  }

  Lake& source_;
  CatalogStore& target_;
  const CopyOptions& options_;
  std::optional<FileCopier> files_;
  CopyReport report_;
  std::vector<InlinedPlan> inlined_;
  std::vector<TableId> inlined_deletes_;
  std::set<std::string> kept_tables_;  ///< of inlined rows, that the target has, too
  bool has_data_path_ = false;
  double done_ = 0;
  double total_ = 0;
};

}  // namespace

CopyReport CopyLake(Lake& source, CatalogStore& target, const CopyOptions& options) {
  return LakeCopy(source, target, options).Run();
}

}  // namespace tarn
