// Writes delete files for the kernel's commit: positional ones by DuckDB's Parquet writer, deletion
// vectors as the bytes that they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/main/connection.hpp"
#include "engine/catalog/pending_files.h"
#include "tarn/lake.h"
#include "tarn/transaction.h"

namespace tarn::engine {

class TarnCatalog;

/// Used by one thread, for one commit. The transaction that commits is none any more to DuckDB, so
/// files are read and written on a connection of our own, made when there is a first one.
class DeleteWriter : public DeleteFileWriter {
 public:
  DeleteWriter(duckdb::DatabaseInstance& db, TarnCatalog& catalog, const OptionSet& options,
               PendingFiles& files, bool prefers_deletion_vectors);
  ~DeleteWriter() override;

  DeleteFile Write(const PendingDelete& pending, SnapshotId snapshot) override;
  void Discard(const PendingDelete& pending, const DeleteFile& file) noexcept override;
  std::vector<int64_t> ReadPositions(const PendingDelete& pending) override;
  bool prefers_deletion_vectors() const override { return prefers_deletion_vectors_; }

 private:
  struct DeletedRow {
    int64_t position;
    int64_t snapshot;
  };

  duckdb::ClientContext& Context();
  /// Sorted by position, each once.
  std::vector<DeletedRow> Rows(const PendingDelete& pending, SnapshotId snapshot);
  void AddEndedRows(const PendingDelete& pending, std::vector<DeletedRow>& rows);
  void WriteParquet(const PendingDelete& pending, const std::vector<DeletedRow>& rows,
                    const std::string& path, DeleteFile& file);
  void WriteVector(const std::vector<DeletedRow>& rows, const std::string& path, DeleteFile& file);

  duckdb::DatabaseInstance& db_;
  TarnCatalog& catalog_;
  const OptionSet& options_;
  PendingFiles& files_;
  const bool prefers_deletion_vectors_;
  std::unique_ptr<duckdb::Connection> connection_;
};

}  // namespace tarn::engine
