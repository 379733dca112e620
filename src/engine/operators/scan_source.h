// What one scan reads: a table at a snapshot, in one transaction. Shared by all copies of the
// scan's bind data, so that the scans that DuckDB makes of one (late materialisation reads a table
// twice) see the same files under the same indexes.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn::engine {

class TarnTableEntry;

/// Thread safe. Must not outlive the client's connection; the entry lives as long as the
/// transaction that handed it out.
class ScanSource {
 public:
  ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry);

  TarnTableEntry& entry() const { return entry_; }
  const std::shared_ptr<const Table>& table() const { return table_; }
  /// "main.t": for messages.
  std::string table_name() const;
  duckdb::ClientContext& context() const { return context_; }

  /// One read of the catalog. The same predicate gives the same plan again.
  std::shared_ptr<const ScanPlan> Plan(const Predicate& predicate);

  /// What Plan() has given so far: among them, every file that rows came from.
  std::vector<std::shared_ptr<const ScanPlan>> plans();

  /// Statistics of the table as this scan sees it; null when there are none that hold for it (time
  /// travel).
  const TableStats* Stats();

 private:
  duckdb::ClientContext& context_;
  TarnTableEntry& entry_;
  const std::shared_ptr<const Table> table_;

  std::mutex mutex_;
  std::vector<std::pair<Predicate, std::shared_ptr<const ScanPlan>>> plans_;
  bool stats_loaded_ = false;
  std::optional<TableStats> stats_;
};

}  // namespace tarn::engine
