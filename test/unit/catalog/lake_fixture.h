// Lakes for the kernel's tests: on SQLite, in a folder of their own, with a clock and random
// numbers that repeat.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tarn/lake.h"
#include "tarn/transaction.h"

namespace tarn::test {

/// A time in 2026, then one second later with each call.
Environment RepeatableEnvironment();

Column MakeColumn(std::string name, std::string type, std::vector<Column> children = {});
/// A file of `rows` rows with statistics for the given columns.
DataFile MakeFile(std::string path, int64_t rows, std::vector<ColumnStats> stats = {});
ColumnStats MakeStats(int64_t field, int64_t values, int64_t nulls,
                      std::optional<std::string> min = {}, std::optional<std::string> max = {});

/// Expects `work` to throw an Error of this code; returns its message.
std::string ErrorOf(ErrorCode code, const std::function<void()>& work);

class LakeTest : public testing::Test {
 protected:
  LakeTest();
  ~LakeTest() override;

  StoreOptions StoreOptionsFor(const std::string& file) const;
  LakeOptions Options(const std::string& file = "lake.db");
  std::shared_ptr<Lake> OpenLake() { return Lake::Open(Options()); }

  /// Begins, runs `work`, commits.
  static std::optional<SnapshotId> Run(Lake& lake, const std::function<void(Transaction&)>& work);
  static std::shared_ptr<const Table> AddTable(Transaction& transaction, const std::string& name,
                                               const std::string& schema = "main");
  static void Insert(Transaction& transaction, const std::string& table,
                     std::vector<DataFile> files, const std::string& schema = "main");

  /// All rows of a query, values separated by `|`, NULL as `-`.
  std::vector<std::string> Query(const std::string& sql, const std::string& file = "lake.db") const;
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

}  // namespace tarn::test
