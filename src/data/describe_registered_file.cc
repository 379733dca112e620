// Makes the catalog's description of a file that other programs wrote, from its footer and folders.
#include <utility>

#include "data/registered_columns.h"
#include "data/registered_partition.h"
#include "tarn/footer.h"
#include "tarn/registered_file.h"

namespace tarn {

RegisteredFile DescribeRegisteredFile(FileSystem& file_system, const FileToRegister& request,
                                      const Table& table) {
  const ParquetFooter footer = ReadParquetFooter(file_system, request.path);
  MatchedColumns matched = MatchColumns(footer, request, table);
  RegisteredFile registered;
  registered.names = std::move(matched.names);
  DataFile& file = registered.file;
  file.record_count = footer.row_count;
  file.file_size_bytes = footer.file_size_bytes;
  file.footer_size = footer.footer_size_bytes;
  file.stats = std::move(matched.stats);
  SetPartitionValues(request, table, file);
  return registered;
}

}  // namespace tarn
