// See restore_rows.h.
#include "engine/operators/restore_rows.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/uuid.h"
#include "catalog/inlining.h"
#include "data/delete_mask.h"
#include "engine/bridge/types.h"
#include "engine/catalog/pending_files.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/collected_rows.h"
#include "engine/operators/delete_filter.h"
#include "engine/operators/inlined_rows.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/scan_file_list.h"
#include "engine/progress.h"
#include "format/paths.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

void RequireNotInterrupted(duckdb::ClientContext& context) {
  if (context.interrupted) throw duckdb::InterruptException();
}

// The folders below the table's that a file lay in. Of a file from elsewhere those that may tell
// values: its name map may read them.
std::string SubfolderOf(const DataFile& file) {
  const auto& path = file.path;
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  if (file.path_is_relative && !IsAbsolutePath(path)) return path.substr(0, slash + 1);
  std::string folders;
  for (size_t start = 0; start <= slash;) {
    const auto end = path.find('/', start);
    const auto folder = path.substr(start, end - start);
    if (folder.find('=') != std::string::npos) folders += folder + "/";
    start = end + 1;
  }
  return folders;
}

// Rows that the old version did not have: deleted by then, or written later into the same file.
std::vector<int64_t> DeadPositions(duckdb::ClientContext& context, FileSystem& file_system,
                                   const ScanFile& file) {
  auto dead = ReadDeletes(context, file_system, file);
  if (file.row_snapshot_limit) {
    duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
    columns.push_back(EmbeddedColumn(kSnapshotIdName, kSnapshotIdField));
    int64_t position = 0;
    ReadParquetFile(context, ToParquetFile(file), columns, [&](duckdb::DataChunk& chunk) {
      duckdb::UnifiedVectorFormat snapshots;
      chunk.data[0].ToUnifiedFormat(chunk.size(), snapshots);
      const auto* values = duckdb::UnifiedVectorFormat::GetData<int64_t>(snapshots);
      for (duckdb::idx_t row = 0; row < chunk.size(); ++row, ++position) {
        const auto index = snapshots.sel->get_index(row);
        if (!snapshots.validity.RowIsValid(index)) {
          throw Error(ErrorCode::kCorrupt,
                      "The file \"" + file.path +
                          "\" holds rows of several snapshots, but does not tell which row is of "
                          "which.");
        }
        if (values[index] > file.row_snapshot_limit->value) dead.Add(position);
      }
    });
  }
  return dead.Positions();
}

std::shared_ptr<const StagedRows> ReadInlinedRows(duckdb::ClientContext& context, Lake& lake,
                                                  const Table& table, const InlinedScan& scan) {
  if (!CanInline(lake.store().dialect(), table)) {
    throw Error(ErrorCode::kUnsupported,
                "Table \"" + table.name +
                    "\" had rows in the catalog that its columns of then could not be kept with; "
                    "flush its inlined data, then restore it.");
  }
  std::vector<size_t> wanted;
  duckdb::vector<duckdb::LogicalType> types;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    wanted.push_back(i);
    types.push_back(ToLogicalType(scan.shape->columns[i]));
  }
  wanted.push_back(RowSource::kRowId);
  types.push_back(duckdb::LogicalType::BIGINT);
  auto rows = MakeRowCollection(types);
  InlinedRowSource source(lake, scan, std::move(wanted));
  duckdb::DataChunk chunk;
  chunk.Initialize(duckdb::BufferAllocator::Get(context), types);
  for (;;) {
    RequireNotInterrupted(context);
    chunk.Reset();
    source.Read(chunk);
    if (chunk.size() == 0) break;
    rows->Append(chunk);
  }
  if (source.missing() > 0) throw RowsMoved(table.name);
  return std::make_shared<CollectedRows>(scan.shape, std::move(rows), /*keeps_row_ids=*/true);
}

// Makes files and reads rows; until all is there, nothing is staged.
class Restorer {
 public:
  Restorer(duckdb::ClientContext& context, TarnCatalog& catalog, RestorePlan plan)
      : context_(context),
        transaction_(TarnTransaction::Get(context, catalog)),
        lake_(catalog.lake()),
        plan_(std::move(plan)) {
    for (const auto& table : plan_.tables) files_left_ += table.files.size();
    files_ = files_left_;
  }

  void Run() {
    try {
      for (auto& table : plan_.tables) Prepare(table);
      for (const auto& folder : folders_) lake_.file_system().SyncFolder(folder);
    } catch (...) {
      for (const auto& path : made_) transaction_.pending_files().Drop(path);
      throw;
    }
    transaction_.kernel().StageRestore(std::move(plan_));
    for (auto& [table, rows] : rows_) transaction_.kernel().StageRows(table, std::move(rows));
  }

 private:
  void Prepare(RestoredTable& table) {
    if (table.change == RestoredTable::Change::kDropped) return;
    const auto folder = lake_.TablePath(*plan_.view, *table.table);
    for (auto& file : table.files) Revive(*table.table, folder, file);
    for (const auto& scan : table.inlined)
      rows_.emplace_back(table.table->ref, ReadInlinedRows(context_, lake_, *table.table, scan));
  }

  void Revive(const Table& table, const std::string& folder, RevivedFile& file) {
    RequireNotInterrupted(context_);
    auto& file_system = lake_.file_system();
    file.dead = DeadPositions(context_, file_system, file.source);
    const auto subfolder = SubfolderOf(file.source.file);
    const auto random = [this] { return Random(lake_.environment()); };
    file.path = subfolder + DataFileName(UuidV7(Now(lake_.environment()), random));
    const auto path = folder + file.path;
    if (folders_.insert(folder + subfolder).second)
      file_system.CreateDirectories(folder + subfolder);
    transaction_.pending_files().Add(path);
    made_.push_back(path);
    try {
      file_system.Link(file.source.path, path);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
      throw Error(ErrorCode::kNotFound,
                  "Table \"" + table.name + "\" cannot go back to version " +
                      std::to_string(plan_.version.id.value) + ": its file \"" + file.source.path +
                      "\" is gone.",
                  {{"path", file.source.path}});
    }
    --files_left_;
    ReportProgress(context_, 1 - static_cast<double>(files_left_) / static_cast<double>(files_));
  }

  duckdb::ClientContext& context_;
  TarnTransaction& transaction_;
  Lake& lake_;
  RestorePlan plan_;
  size_t files_ = 0, files_left_ = 0;
  std::vector<std::string> made_;
  std::set<std::string> folders_;  // that they lie in
  std::vector<std::pair<TableRef, std::shared_ptr<const StagedRows>>> rows_;
};

}  // namespace

void CarryOutRestore(duckdb::ClientContext& context, TarnCatalog& catalog, RestorePlan plan) {
  Restorer(context, catalog, std::move(plan)).Run();
}

}  // namespace tarn::engine
