// The files of a scan as DuckDB's multi-file reader walks them: data files first, then inlined
// tables and rows that the transaction keeps in memory, as if they were files. Planned when first
// asked, so that a query with filters is planned once, with them.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_list.hpp"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_source.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// What our readers need to know of the file they open; every OpenFileInfo of a ScanFileList
/// carries one.
struct ScanFileInfo : duckdb::ExtendedOpenFileInfo {
  std::shared_ptr<ScanSource> source;
  std::shared_ptr<const ScanPlan> plan;
  const ScanFile* file = nullptr;  ///< one of these three, owned by `plan`
  const InlinedScan* inlined = nullptr;
  const StagedScan* staged = nullptr;
  int64_t ordinal = 0;  ///< file_index: the place in the unpruned plan
};
const ScanFileInfo& InfoOf(const duckdb::OpenFileInfo& file);
/// Whether the catalog has a key for it.
bool HasKey(const duckdb::OpenFileInfo& file);

/// A data file as ReadParquetFile takes it.
ParquetFile ToParquetFile(const ScanFile& scan_file);

/// Thread safe.
class ScanFileList : public duckdb::MultiFileList {
 public:
  ScanFileList(std::shared_ptr<ScanSource> source, Predicate predicate);

  const std::shared_ptr<ScanSource>& source() const { return source_; }
  const std::shared_ptr<const ScanPlan>& plan() const;
  /// The plan, perhaps without its files: as long as nobody walks over all files of a table, nobody
  /// has to list them.
  std::shared_ptr<const ScanPlan> counts() const;
  size_t file_count() const;     ///< data files left after pruning
  size_t inlined_count() const;  ///< inlined tables left, and rows in memory

  duckdb::unique_ptr<duckdb::MultiFileList> ComplexFilterPushdown(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& options,
      duckdb::MultiFilePushdownInfo& info,
      duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& filters) const override;
  duckdb::unique_ptr<duckdb::MultiFileList> DynamicFilterPushdown(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& options,
      const duckdb::vector<std::string>& names, const duckdb::vector<duckdb::LogicalType>& types,
      const duckdb::vector<duckdb::column_t>& column_ids,
      duckdb::TableFilterSet& filters) const override;

  duckdb::vector<duckdb::OpenFileInfo> GetAllFiles() const override;
  duckdb::FileExpandResult GetExpandResult() const override;
  duckdb::idx_t GetTotalFileCount() const override;
  duckdb::unique_ptr<duckdb::NodeStatistics> GetCardinality(
      duckdb::ClientContext& context) const override;
  duckdb::unique_ptr<duckdb::MultiFileList> Copy() const override;

 protected:
  duckdb::OpenFileInfo GetFile(duckdb::idx_t index) const override;

 private:
  /// Filled once; shared by copies.
  struct Planned {
    std::mutex mutex;
    std::shared_ptr<const ScanPlan> plan;
    std::vector<duckdb::OpenFileInfo> files;
    size_t data_files = 0;
  };

  ScanFileList(std::shared_ptr<ScanSource> source, Predicate predicate,
               std::shared_ptr<Planned> planned);
  const Planned& Get() const;
  /// No predicate has been given and no file been asked for.
  bool is_open() const;
  std::vector<duckdb::OpenFileInfo> OpenInfos(const std::shared_ptr<const ScanPlan>& plan) const;

  std::shared_ptr<ScanSource> source_;
  Predicate predicate_;
  std::shared_ptr<Planned> planned_;
};

}  // namespace tarn::engine
