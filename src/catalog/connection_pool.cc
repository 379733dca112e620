// Lends and takes back connections.
#include "catalog/connection_pool.h"

#include <exception>
#include <utility>

namespace tarn {
namespace {

/// More idle connections than this are closed: a burst of readers should not hold files and sockets
/// for ever.
constexpr size_t kMaxIdle = 8;

}  // namespace

ConnectionPool::Lease::Lease(ConnectionPool& pool, std::unique_ptr<StoreConnection> connection)
    : pool_(&pool), connection_(std::move(connection)), exceptions_(std::uncaught_exceptions()) {}

ConnectionPool::Lease::~Lease() {
  if (connection_ == nullptr || std::uncaught_exceptions() > exceptions_) return;
  if (connection_->in_transaction()) connection_->Rollback();
  connection_->SetInterruptCheck({});
  pool_->Return(std::move(connection_));
}

ConnectionPool::Lease ConnectionPool::Acquire(const std::function<bool()>& interrupted) {
  std::unique_ptr<StoreConnection> connection;
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      connection = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (connection == nullptr) return AcquireFresh(interrupted);
  connection->SetInterruptCheck(interrupted);
  return Lease(*this, std::move(connection));
}

ConnectionPool::Lease ConnectionPool::AcquireFresh(const std::function<bool()>& interrupted) {
  std::unique_ptr<StoreConnection> connection = store_->Connect();
  connection->SetInterruptCheck(interrupted);
  return Lease(*this, std::move(connection));
}

void ConnectionPool::Return(std::unique_ptr<StoreConnection> connection) noexcept {
  std::lock_guard lock(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(connection));
}

}  // namespace tarn
