// Opening a PostgreSQL database as a catalog.
#include <fmt/format.h>

#include "store/postgres/postgres_connection.h"
#include "store/postgres/postgres_driver.h"
#include "store/postgres/postgres_error.h"
#include "store/postgres/target.h"
#include "store/statement.h"

namespace tarn {
namespace postgres {
namespace {

class PostgresStore : public CatalogStore {
 public:
  explicit PostgresStore(const StoreOptions& options)
      : target_(std::make_shared<const Target>(MakeTarget(options))),
        dialect_(std::make_shared<const PostgresDialect>(target_->schema)) {
    // Whatever is wrong with the server, the role or the database shows here and not at the first
    // query. The connection is kept for whoever asks first.
    first_ = std::make_unique<PostgresConnection>(target_, dialect_);
    const auto rows = first_->Query({"SELECT pg_is_in_recovery()", {}});
    writable_ = rows->Next() && !rows->Bool(0) && !target_->read_only;
  }

  std::unique_ptr<StoreConnection> Connect() override {
    {
      std::lock_guard lock(mutex_);
      if (first_) return std::move(first_);
    }
    return std::make_unique<PostgresConnection>(target_, dialect_);
  }

  const Dialect& dialect() const override { return *dialect_; }
  std::string location() const override { return target_->shown; }
  bool writable() const override { return writable_; }

  void CreateSchemaIfAbsent() override {
    const auto connection = Connect();
    StatementBuilder look(*dialect_, "SELECT 1 FROM pg_namespace WHERE nspname = ");
    // A role that may not create schemas can use one that was made for it.
    if (connection->Query(look.Bind(dialect_->schema()).Build())->Next()) return;
    StatementBuilder create(*dialect_, "CREATE SCHEMA IF NOT EXISTS ");
    try {
      connection->Execute(create.Name(dialect_->schema()).Build());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kAlreadyExists) throw;  // another client was faster
    }
  }

 private:
  const std::shared_ptr<const Target> target_;
  const std::shared_ptr<const PostgresDialect> dialect_;
  bool writable_ = true;
  std::mutex mutex_;
  std::unique_ptr<PostgresConnection> first_;
};

}  // namespace
}  // namespace postgres

std::shared_ptr<CatalogStore> OpenPostgresStore(const StoreOptions& options) {
  return std::make_shared<postgres::PostgresStore>(options);
}

int64_t PostgresRoundTrips() { return postgres::RoundTrips(); }

void RegisterPostgresDriver() { RegisterStoreDriver("postgres", OpenPostgresStore); }

}  // namespace tarn
