// The log type DuckLakeMetadata: what is asked of a lake's catalog database, and how long it took.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "duckdb.hpp"
#include "tarn/catalog_store.h"

namespace tarn::engine {

/// Makes the type known to `enable_logging` and `duckdb_logs_parsed`.
void RegisterQueryLog(duckdb::DatabaseInstance& db);

/// Where the queries of one lake are told. Texts only: values are bound, and no log has them.
/// Thread safe.
class QueryLog {
 public:
  QueryLog(duckdb::DatabaseInstance& db, std::string lake_name);

  /// Tells of a query when it goes, however the query ended.
  class Timer {
   public:
    Timer(const QueryLog& log, std::string query);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    const QueryLog& log_;
    const std::string query_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  /// Null while nobody has asked for this log.
  [[nodiscard]] std::unique_ptr<Timer> Time(std::string_view query) const;
  /// The same for rows that go in without SQL.
  [[nodiscard]] std::unique_ptr<Timer> TimeRows(std::string_view table) const;

  /// A connection that does what `connection` does and tells of it.
  std::unique_ptr<StoreConnection> Watch(std::unique_ptr<StoreConnection> connection) const;

 private:
  bool IsOn() const;

  const duckdb::weak_ptr<duckdb::DatabaseInstance> db_;
  const std::string lake_name_;
};

}  // namespace tarn::engine
