// One statement's writing of rows into one table: few rows are kept for the catalog; for more it
// opens data files under the table's folder, has DuckDB's Parquet writer fill them, starts a new
// one when one is big enough. All is staged in the transaction when all is written.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/function/copy_function.hpp"
#include "duckdb/parser/parsed_data/copy_info.hpp"
#include "engine/operators/inline_buffer.h"
#include "engine/operators/partition_keys.h"
#include "tarn/data_file.h"
#include "tarn/lake.h"
#include "tarn/schema.h"

namespace tarn::engine {

class TarnCatalog;

/// Options of DuckDB's Parquet writer.
using ParquetOptions = duckdb::case_insensitive_map_t<duckdb::vector<duckdb::Value>>;

/// The options of a lake that files are written by.
struct WriteOptions {
  int64_t target_file_size = 0;
  bool per_thread_output = false;
  bool hive_folders = false;  ///< partitions lie in folders that tell their values
  bool sorts = false;         ///< rows are sorted where the table has an order
  /// Files carry the ids of their rows: the rows written have them as one more column, the last.
  bool embed_row_ids = false;
  /// And the snapshots that they came with, after that: what a flush writes. Such files are not
  /// staged; TakeFiles gives them.
  bool embed_snapshots = false;
  ParquetOptions parquet;
};

/// How the lake's options want the files of a table (or of the lake, for a new one) compressed and
/// laid out.
ParquetOptions ReadParquetOptions(const OptionSet& options, const Table* table);
int64_t StoredTargetFileSize(const OptionSet& options, const Table* table);
/// The stored options of the table (or of the lake, for a new one) under the session's settings.
WriteOptions ReadWriteOptions(duckdb::ClientContext& context, TarnCatalog& catalog,
                              const Table* table);

/// Whether rows are sorted, or parted, before they are written into the table.
bool ArrangesRows(const Table& table, const WriteOptions& options);

/// Throws kUnsupported for a table into which this version cannot write rows: one that another
/// client partitioned in a way of its own.
void RequireRowsWritable(const Table& table);
/// The writer's option `encryption_config` for one key.
duckdb::Value EncryptionConfig(const std::string& key);

/// A file while it is written.
struct OutputFile {
  std::string name;                                    ///< in the table's folder
  FilePartition partition;                             ///< of all its rows
  std::string encryption_key;                          ///< raw; empty: not encrypted
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;  ///< what the writer was bound to
  duckdb::unique_ptr<duckdb::GlobalFunctionData> state;
  duckdb::CopyFunctionFileStatistics written;
  int64_t users = 0;  ///< of the stream it belongs to, under its mutex
  bool is_retired = false;
};

/// Thread safe. Lives as long as the physical plan; Start() begins one run of it.
class WriteJob {
 public:
  WriteJob(duckdb::ClientContext& context, TarnCatalog& catalog, WriteOptions options);

  /// Settles the table before any row is written.
  void Start(duckdb::ClientContext& context, std::shared_ptr<const Table> table);
  /// The same for rows that have another shape than the table has now: the files have theirs, and
  /// are partitioned and sorted as it says.
  void Start(duckdb::ClientContext& context, std::shared_ptr<const Table> shape,
             std::shared_ptr<const Table> layout);

  const duckdb::CopyFunction& writer() const { return writer_; }
  const WriteOptions& options() const { return options_; }
  TarnCatalog& catalog() const { return catalog_; }
  /// The table as it is now.
  const Table& layout() const { return *layout_; }
  bool writes_own_shape() const { return table_ == layout_; }
  bool arranges() const { return ArrangesRows(*layout_, options_); }
  /// Of the rows that are written: the table's columns and those that are embedded.
  duckdb::vector<duckdb::LogicalType> WrittenTypes() const;
  /// For thread-local parts of the writer.
  duckdb::FunctionData& bind_data() { return *bind_data_; }

  std::shared_ptr<OutputFile> Open(duckdb::ClientContext& context, const FilePartition& partition);
  /// Writes the footer; the file is complete. Each file once.
  void Close(duckdb::ClientContext& context, OutputFile& file);
  /// The rows so far, while they are few.
  InlineBuffer& buffer() { return buffer_; }
  /// Hands rows that were kept to the transaction, as the buffer has them; false, and does nothing,
  /// when the catalog database cannot hold one of them.
  bool KeepRows(duckdb::ClientContext& context, const RowCollection& rows);
  /// Hands all closed files to the transaction.
  void Stage(duckdb::ClientContext& context);
  /// All closed files, in the order in which they were opened.
  std::vector<DataFile> TakeFiles();

 private:
  /// The table's columns and those that are embedded.
  std::vector<Column> WrittenColumns() const;
  duckdb::unique_ptr<duckdb::FunctionData> Bind(duckdb::ClientContext& context,
                                                const std::string& encryption_key);

  TarnCatalog& catalog_;
  const WriteOptions options_;
  duckdb::CopyFunction writer_;

  std::shared_ptr<const Table> table_;  ///< its columns are the files'
  std::shared_ptr<const Table> layout_;
  std::string folder_;
  duckdb::unique_ptr<duckdb::FunctionData> bind_data_;

  InlineBuffer buffer_;
  std::mutex mutex_;
  std::set<std::string> existing_folders_;  ///< below the table's
  std::vector<DataFile> files_;
};

}  // namespace tarn::engine
