// What a Parquet file's footer says: schema and statistics, read without an engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/file_system.h"
#include "tarn/schema.h"

namespace tarn {

/// A node of a Parquet schema: a leaf has a physical type.
struct ParquetField {
  std::string name;
  /// What readers of name mappings call it: of a list's element the name of the repeated group,
  /// else the name in the file.
  std::string source_name;
  std::optional<int64_t> field_id;
  std::string physical_type;  ///< "INT32", "BYTE_ARRAY", ...; empty for groups
  std::string
      type;  ///< the format's type name it is read as ("int32", "varchar", "list", "struct", ...)
  bool optional = true;
  std::optional<size_t> leaf;  ///< of a leaf: which of ParquetFooter::stats is its own
  std::vector<ParquetField> children;
};

struct ParquetFooter {
  int64_t row_count = 0;
  int64_t footer_size_bytes = 0;  ///< without the 8 bytes after it
  int64_t file_size_bytes = 0;
  std::vector<ParquetField> fields;
  /// Statistics of all leaves, folded over row groups, in the format's encoding, each in the type
  /// of its leaf; `field` is the leaf's own field id, if it has one.
  std::vector<ColumnStats> stats;
};

/// Reads the footer of a plain Parquet file. Throws kCorrupt with the file's name for anything that
/// is not one, kUnsupported for an encrypted footer.
ParquetFooter ReadParquetFooter(FileSystem& file_system, const std::string& path);

/// A DataFile for a file already written for this table, ready for Transaction::AddDataFiles:
/// counts, sizes and statistics from its footer. The file must carry the table's field ids. Throws
/// kInvalid when its columns do not fit the table.
DataFile DescribeDataFile(FileSystem& file_system, const std::string& path, const Table& table);

}  // namespace tarn
