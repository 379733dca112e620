// How a change feed reads files: as a scan does, but rows that came in its range instead of rows
// that are alive, and rows that went, with the snapshot that took them.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "duckdb.hpp"
#include "engine/operators/change_types.h"
#include "engine/operators/scan_reader.h"

namespace tarn::engine {

/// Which changes of one feed are updates; found when first asked. Thread safe.
class FeedUpdates {
 public:
  std::shared_ptr<const RowsBySnapshot> Get(duckdb::ClientContext& context, ScanSource& source);

 private:
  std::mutex mutex_;
  std::shared_ptr<const RowsBySnapshot> updates_;
};

/// Where the columns of a feed that tells changes lie; the table's own follow.
inline constexpr duckdb::idx_t kFeedSnapshotColumn = 0;
inline constexpr duckdb::idx_t kFeedRowIdColumn = 1;
inline constexpr duckdb::idx_t kFeedChangeTypeColumn = 2;

/// Used by many threads at once.
class FeedReader : public ScanReader {
 public:
  explicit FeedReader(std::shared_ptr<ScanSource> source, std::shared_ptr<FeedUpdates> updates);

  bool Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
            duckdb::vector<duckdb::LogicalType>& types, duckdb::vector<std::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override;
  duckdb::ReaderInitializeType InitializeReader(
      duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
      const duckdb::vector<duckdb::ColumnIndex>& column_ids,
      duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
      duckdb::MultiFileGlobalState& state) override;
  duckdb::unique_ptr<duckdb::Expression> GetVirtualColumnExpression(
      duckdb::ClientContext& context, duckdb::MultiFileReaderData& reader_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns,
      duckdb::idx_t& column_id, const duckdb::LogicalType& type,
      duckdb::MultiFileLocalIndex local_index,
      duckdb::optional_ptr<duckdb::MultiFileColumnDefinition>& embedded) override;
  duckdb::unique_ptr<duckdb::MultiFileReader> Copy() const override;

 protected:
  void PrepareRows(duckdb::ClientContext& context, const ScanFileInfo& info,
                   duckdb::BaseFileReader& reader) override;
  void LimitRows(duckdb::ClientContext& context, const ScanFileInfo& info,
                 duckdb::BaseFileReader& reader) override;

 private:
  duckdb::unique_ptr<duckdb::Expression> ChangeType(
      duckdb::ClientContext& context, const ScanFileInfo& info,
      duckdb::unique_ptr<duckdb::Expression> row_id,
      duckdb::unique_ptr<duckdb::Expression> snapshot);

  const std::shared_ptr<FeedUpdates> updates_;
};

}  // namespace tarn::engine
