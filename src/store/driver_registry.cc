// Drivers by scheme. Each driver library has a function that registers it (RegisterSqliteDriver,
// ...), which a program calls at its start: initialisers of static objects would vanish with the
// unused object files of a static library.
#include <map>
#include <mutex>

#include "tarn/catalog_store.h"

namespace tarn {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, StoreDriver> drivers;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

void RegisterStoreDriver(std::string scheme, StoreDriver driver) {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  registry.drivers[std::move(scheme)] = std::move(driver);
}

std::shared_ptr<CatalogStore> OpenCatalogStore(const std::string& scheme,
                                               const StoreOptions& options) {
  StoreDriver driver;
  std::string known;
  {
    Registry& registry = TheRegistry();
    std::lock_guard lock(registry.mutex);
    if (auto found = registry.drivers.find(scheme); found != registry.drivers.end())
      driver = found->second;
    for (const auto& [name, unused] : registry.drivers) known += (known.empty() ? "" : ", ") + name;
  }
  if (!driver) {
    throw Error(ErrorCode::kUnsupported,
                "There is no driver for catalog databases of kind \"" + scheme + "\"; " +
                    (known.empty() ? std::string("this program has none at all.")
                                   : "this program can open: " + known + "."),
                {{"scheme", scheme}});
  }
  return driver(options);
}

}  // namespace tarn
