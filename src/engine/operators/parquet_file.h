// Reads one whole Parquet file through DuckDB's reader, outside any plan: delete files.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "duckdb/function/copy_function.hpp"

namespace tarn::engine {

struct ParquetFile {
  std::string path;  ///< taken as it is, never as a glob
  int64_t size_bytes = 0;
  std::optional<int64_t> footer_size;
  std::string encryption_key;  ///< raw bytes; empty: not encrypted
};

/// Calls `visit` with chunks of `columns`, which are found by field id, in file order.
void ReadParquetFile(duckdb::ClientContext& context, const ParquetFile& file,
                     const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                     const std::function<void(duckdb::DataChunk&)>& visit);

/// DuckDB's own parquet_scan, to be adapted.
duckdb::TableFunction ParquetScan(duckdb::ClientContext& context);

/// DuckDB's own writer of Parquet files.
duckdb::CopyFunction ParquetWriter(duckdb::ClientContext& context);

/// The extended information of an OpenFileInfo for a file whose sizes are known: spares a remote
/// file's requests for them.
void DescribeParquetFile(const ParquetFile& file, duckdb::ExtendedOpenFileInfo& info);

}  // namespace tarn::engine
