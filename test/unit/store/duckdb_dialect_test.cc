// Which files may have VARIANT columns.
#include "store/duckdb_dialect.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(DuckDbDialect, VariantColumnsAreOfFilesFromOneFiveOn) {
  for (const char* version : {"v1.5.0+", "v1.5.5", "v1.10.0+", "v2.0.0+", kDuckDbStorageVersion})
    EXPECT_TRUE(StoresVariant(version)) << version;
  for (const char* version :
       {"v1.0.0+", "v1.4.3+", "v0.10.2", "", "v", "v1", "v1.", "1.5.0", "new"})
    EXPECT_FALSE(StoresVariant(version)) << version;
}

TEST(DuckDbDialect, SaysWhatItsFileStores) {
  EXPECT_TRUE(DuckDbDialect("a", "b", true).has_variant());
  EXPECT_FALSE(DuckDbDialect("a", "b", false).has_variant());
}

}  // namespace
}  // namespace tarn
