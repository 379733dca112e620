// How DuckDB's multi-file reader reads a lake's files: columns by field id, deletes taken out, row
// ids and snapshots of rows.
#pragma once

#include <memory>
#include <string>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "engine/operators/scan_source.h"
#include "engine/operators/sql_types.h"
#include "tarn/snapshot.h"

namespace tarn::engine {

struct ScanFileInfo;

/// The source travels in the table function's info: DuckDB makes readers from that alone.
struct ScanFunctionInfo : duckdb::TableFunctionInfo {
  explicit ScanFunctionInfo(std::shared_ptr<ScanSource> source) : source(std::move(source)) {}
  std::shared_ptr<ScanSource> source;
};

/// What types the columns of a scan have: those of SQL, or those that they are stored with, for
/// rows that are only written again.
enum class ScanTypes { kSql, kStored };

/// Used by many threads at once; holds nothing that changes.
class ScanReader : public duckdb::MultiFileReader {
 public:
  explicit ScanReader(std::shared_ptr<ScanSource> source, ScanTypes types = ScanTypes::kSql);

  duckdb::shared_ptr<duckdb::MultiFileList> CreateFileList(
      duckdb::ClientContext& context, const duckdb::vector<std::string>& paths,
      const duckdb::FileGlobInput& glob) override;
  bool Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
            duckdb::vector<duckdb::LogicalType>& types, duckdb::vector<std::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override;
  duckdb::shared_ptr<duckdb::BaseFileReader> CreateReader(
      duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& state,
      const duckdb::OpenFileInfo& file, duckdb::idx_t file_index,
      const duckdb::MultiFileBindData& bind_data) override;
  duckdb::ReaderInitializeType InitializeReader(
      duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
      const duckdb::vector<duckdb::ColumnIndex>& column_ids,
      duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
      duckdb::MultiFileGlobalState& state) override;
  void FinalizeChunk(duckdb::ClientContext& context, const duckdb::MultiFileBindData& bind_data,
                     duckdb::BaseFileReader& reader, const duckdb::MultiFileReaderData& reader_data,
                     duckdb::DataChunk& rows, duckdb::DataChunk& result,
                     duckdb::ExpressionExecutor& executor,
                     duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> state) override;
  duckdb::unique_ptr<duckdb::Expression> GetVirtualColumnExpression(
      duckdb::ClientContext& context, duckdb::MultiFileReaderData& reader_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns,
      duckdb::idx_t& column_id, const duckdb::LogicalType& type,
      duckdb::MultiFileLocalIndex local_index,
      duckdb::optional_ptr<duckdb::MultiFileColumnDefinition>& embedded) override;
  duckdb::unique_ptr<duckdb::MultiFileReader> Copy() const override;

 protected:
  /// Makes ready what the columns of a file are computed from; before they are mapped.
  virtual void PrepareRows(duckdb::ClientContext& context, const ScanFileInfo& info,
                           duckdb::BaseFileReader& reader);
  /// Leaves out rows that this scan must not show; after the columns were mapped.
  virtual void LimitRows(duckdb::ClientContext& context, const ScanFileInfo& info,
                         duckdb::BaseFileReader& reader);

  const std::shared_ptr<ScanSource>& source() const { return source_; }

 private:
  std::shared_ptr<ScanSource> source_;
  ScanTypes types_;
  SqlTypes sql_types_;
  duckdb::MultiFileColumnDefinition row_id_column_;
  duckdb::MultiFileColumnDefinition snapshot_column_;
};

/// Keeps only rows whose embedded snapshot passes `filter`: the reader reads that column and
/// filters by it. Throws kCorrupt for a file without the column.
void FilterSnapshots(duckdb::unique_ptr<duckdb::TableFilter> filter, const std::string& path,
                     duckdb::BaseFileReader& reader);
/// One comparison of the embedded snapshot.
duckdb::unique_ptr<duckdb::TableFilter> CompareSnapshot(duckdb::ExpressionType comparison,
                                                        SnapshotId snapshot);

/// Rethrows what went wrong with a file as one sentence that names it and the table; cancellations
/// and the like pass as they are. To be called in a catch block.
[[noreturn]] void RethrowFileError(const ScanSource& source, const std::string& path, bool has_key);

}  // namespace tarn::engine
