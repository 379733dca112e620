// Connections of one lake, kept open between uses.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tarn/catalog_store.h"

namespace tarn {

/// Thread safe. Each lease is one thread's at a time.
class ConnectionPool {
 public:
  explicit ConnectionPool(std::shared_ptr<CatalogStore> store) : store_(std::move(store)) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  /// A connection that goes back to the pool when the lease ends; any transaction left open on it
  /// is rolled back. A lease that an exception ends closes its connection, since nobody knows what
  /// state it is in.
  class Lease {
   public:
    Lease(ConnectionPool& pool, std::unique_ptr<StoreConnection> connection);
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    StoreConnection& operator*() const { return *connection_; }
    StoreConnection* operator->() const { return connection_.get(); }
    StoreConnection& get() const { return *connection_; }
    /// Closes the connection now instead of returning it.
    void Discard() { connection_.reset(); }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<StoreConnection> connection_;
    int exceptions_;
  };

  Lease Acquire(const std::function<bool()>& interrupted = {});
  /// A connection that nobody has used before, for looking at what became of a broken one.
  Lease AcquireFresh(const std::function<bool()>& interrupted = {});

  CatalogStore& store() const { return *store_; }

 private:
  void Return(std::unique_ptr<StoreConnection> connection) noexcept;

  std::shared_ptr<CatalogStore> store_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<StoreConnection>> idle_;
};

}  // namespace tarn
