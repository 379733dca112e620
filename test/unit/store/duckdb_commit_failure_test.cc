// A failed COMMIT of DuckDB: its words tell a lost race from a failing disk.
#include "store/duckdb_commit_failure.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(DuckDbCommitFailure, OtherTransactions) {
  EXPECT_TRUE(TellsOfOtherTransaction(
      "Failed to commit: PRIMARY KEY or UNIQUE constraint violation: duplicate key \"7\""));
  EXPECT_TRUE(TellsOfOtherTransaction("Failed to commit: Conflict on tuple deletion!"));
  EXPECT_TRUE(
      TellsOfOtherTransaction("Failed to commit: Attempting to modify table t but another "
                              "transaction has dropped this table"));
}

TEST(DuckDbCommitFailure, Storage) {
  EXPECT_FALSE(
      TellsOfOtherTransaction("Failed to commit: Could not write all bytes to file "
                              "\"lake.db.wal\": No space left on device"));
  EXPECT_FALSE(TellsOfOtherTransaction("Failed to commit: fsync failed!"));
}

}  // namespace
}  // namespace tarn
