// DuckDB's catalog entries for one CatalogView: made when they are asked for, then kept and shared.
// DuckDB holds plain references to entries while it plans and runs, so whoever hands one out keeps
// the set alive (TarnTransaction does).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "duckdb.hpp"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn::engine {

class TarnCatalog;
class TarnSchemaEntry;

/// Thread safe; entries are immutable.
class EntrySet {
 public:
  /// `at`: the snapshot of an AT clause that all entries read from; absent: the transaction's own.
  EntrySet(TarnCatalog& catalog, std::shared_ptr<const CatalogView> view,
           std::optional<Snapshot> at);
  ~EntrySet();

  const std::shared_ptr<const CatalogView>& view() const { return view_; }
  const std::optional<Snapshot>& at() const { return at_; }
  TarnCatalog& catalog() const { return catalog_; }

  /// Null when there is no such schema.
  TarnSchemaEntry* FindSchema(const std::string& name);
  void VisitSchemas(const std::function<void(TarnSchemaEntry&)>& visit);

 private:
  TarnSchemaEntry& EntryOf(const std::shared_ptr<const CatalogView::SchemaEntries>& entries);

  TarnCatalog& catalog_;
  const std::shared_ptr<const CatalogView> view_;
  const std::optional<Snapshot> at_;
  std::mutex mutex_;
  std::map<SchemaRef, std::unique_ptr<TarnSchemaEntry>> schemas_;
};

}  // namespace tarn::engine
