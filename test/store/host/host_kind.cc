// DuckDB files through the host's own instance: the engine's store, under the same contract as the
// kernel's drivers.
#include <atomic>

#include "duckdb.hpp"
#include "engine/store/host_duckdb_store.h"
#include "store/store_fixture.h"

namespace tarn::test {
namespace {

/// The one instance that all stores of this program are attached to, as in a client.
duckdb::DuckDB& Host() {
  static duckdb::DuckDB host(nullptr);
  return host;
}

std::shared_ptr<CatalogStore> OpenHostStore(const StoreOptions& options) {
  static std::atomic<int> count = 0;
  engine::HostStoreOptions host;
  host.path = options.location;
  host.database_name = "__ducklake_metadata_l" + std::to_string(++count);
  host.schema = options.schema;
  host.read_only = options.read_only;
  host.create_if_absent = options.create_if_absent;
  host.parameters = options.parameters;
  return std::make_shared<engine::HostDuckDbStore>(*Host().instance, host);
}

}  // namespace

std::vector<StoreKind> AllStoreKinds() {
  RegisterStoreDriver("duckdb", OpenHostStore);
  return {{"HostDuckDb", "duckdb", {}, false, false}};
}

}  // namespace tarn::test
