// Stores of every kind that this build has, each in a folder of its own, for the contract that all
// of them must keep.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "store/statement.h"
#include "tarn/catalog_store.h"

namespace tarn::test {

struct StoreKind {
  std::string name;  ///< of the test instance
  std::string scheme;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool one_writer_at_a_time =
      false;  ///< Begin(kWrite) waits for other writers; else conflicts show later
  bool many_processes = false;  ///< several processes may have it open
  /// A server, not a file: its connection string.
  std::string server = {};
  /// Begin travels with the first statement: the state that is read is fixed by it, and it is what
  /// waits.
  bool begins_lazily = false;
};

/// The kinds that this program has drivers for; registers them. The kernel's are in kinds.cc, the
/// engine's in host/.
std::vector<StoreKind> AllStoreKinds();

inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }
std::string KindName(const testing::TestParamInfo<StoreKind>& info);

/// A folder that goes away with the object.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  std::string Path(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class StoreTest : public testing::TestWithParam<StoreKind> {
 protected:
  StoreTest();
  ~StoreTest() override;
  StoreOptions Options() const;
  bool is_file() const { return GetParam().server.empty(); }
  std::shared_ptr<CatalogStore> Open() { return OpenCatalogStore(GetParam().scheme, Options()); }
  std::shared_ptr<CatalogStore> Open(const StoreOptions& options) {
    return OpenCatalogStore(GetParam().scheme, options);
  }
  std::string file() const { return folder_.Path("catalog.db"); }

  TempFolder folder_;
  std::string schema_;  ///< of this test alone, on a server
};

/// Begins a transaction that has surely begun: one that travels with its first statement is given
/// one.
void BeginNow(StoreConnection& connection, TransactionMode mode);

/// `CREATE TABLE name (id BIGINT PRIMARY KEY, name VARCHAR)`.
void CreateNamedTable(StoreConnection& connection, std::string_view table = "t");
void InsertNamed(StoreConnection& connection, int64_t id, std::string_view name,
                 std::string_view table = "t");
int64_t Count(StoreConnection& connection, std::string_view table = "t");

/// Expects `work` to throw an Error of this code; returns its message.
std::string ExpectError(ErrorCode code, const std::function<void()>& work);

/// The machine's own rights apply even when the tests run as root: true when `work` ran as an
/// ordinary user.
bool AsOrdinaryUser(const std::function<void()>& work);

}  // namespace tarn::test
