// A catalog in a SQLite file, filled row by row: for tests of what reads catalogs, which must also
// read rows that Tarn would never write.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "format/tables.h"
#include "store/sqlite/sqlite_driver.h"
#include "store/statement.h"
#include "tarn/catalog_store.h"

namespace tarn::test {

class CatalogFixture : public testing::Test {
 protected:
  using Fields = std::map<std::string, Value>;

  void SetUp() override {
    static int counter = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("tarn_catalog_" + std::to_string(::getpid()) + "_" + std::to_string(++counter));
    std::filesystem::create_directories(folder_);
    StoreOptions options;
    options.location = (folder_ / "lake.db").string();
    store_ = OpenSqliteStore(options);
    connection_ = store_->Connect();
    Write([&] {
      for (const CatalogTable& table : AllCatalogTables())
        Execute(CreateTableSql(table, connection_->dialect()));
    });
  }
  void TearDown() override {
    connection_.reset();
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  /// In one transaction; inside another Write in that one, since each commit waits for the disk.
  template <class Work>
  void Write(Work work) {
    if (connection_->in_transaction()) return work();
    connection_->Begin(TransactionMode::kWrite);
    work();
    ASSERT_EQ(connection_->Commit(), CommitOutcome::kCommitted);
  }
  /// Names and values come from the test itself, so plain text will do.
  void Execute(const std::string& sql) { connection_->Execute(Statement{sql, {}}); }
  void Sql(const std::string& sql) {
    Write([&] { Execute(sql); });
  }

  /// Inserts one row; columns that are not named are NULL.
  void Add(std::string_view table, const Fields& fields) {
    for (const CatalogTable& description : AllCatalogTables()) {
      if (description.name != table) continue;
      std::vector<std::string_view> names = description.ColumnNames();
      std::vector<Value> row;
      size_t used = 0;
      for (std::string_view name : names) {
        auto found = fields.find(std::string(name));
        used += found != fields.end();
        row.push_back(found == fields.end() ? Value() : found->second);
      }
      ASSERT_EQ(used, fields.size()) << "a column that " << table << " does not have";
      Write(
          [&] { connection_->InsertRows(table, names, std::vector<std::vector<Value>>(1, row)); });
      return;
    }
    FAIL() << "no table " << table;
  }

  static Value I(int64_t value) { return value; }
  static Value T(std::string text) { return text; }

  void AddSnapshot(int64_t id, int64_t schema_version = 1) {
    Add("ducklake_snapshot",
        {{"snapshot_id", I(id)},
         {"snapshot_time", Timestamp(std::chrono::seconds(1'700'000'000 + id))},
         {"schema_version", I(schema_version)},
         {"next_catalog_id", I(100)},
         {"next_file_id", I(100)}});
  }
  void AddColumn(int64_t table, int64_t id, const std::string& name, const std::string& type,
                 int64_t begin, Value end = {}, Fields more = {}) {
    more.insert({{"column_id", I(id)},
                 {"begin_snapshot", I(begin)},
                 {"end_snapshot", end},
                 {"table_id", I(table)},
                 {"column_order", I(id)},
                 {"column_name", T(name)},
                 {"column_type", T(type)},
                 {"nulls_allowed", true},
                 {"default_value", T("NULL")},
                 {"default_value_type", T("literal")}});
    Add("ducklake_column", more);
  }
  void AddFile(int64_t id, int64_t table, int64_t begin, int64_t records, Fields more = {}) {
    more.insert({{"data_file_id", I(id)},
                 {"table_id", I(table)},
                 {"begin_snapshot", I(begin)},
                 {"path", T("f" + std::to_string(id) + ".parquet")},
                 {"path_is_relative", true},
                 {"file_format", T("parquet")},
                 {"record_count", I(records)},
                 {"file_size_bytes", I(1000 + id)},
                 {"footer_size", I(100)},
                 {"row_id_start", I(id * 1000)}});
    Add("ducklake_data_file", more);
  }
  void AddDeleteFile(int64_t id, int64_t table, int64_t data_file, int64_t begin, int64_t deletes,
                     Fields more = {}) {
    more.insert({{"delete_file_id", I(id)},
                 {"table_id", I(table)},
                 {"data_file_id", I(data_file)},
                 {"begin_snapshot", I(begin)},
                 {"path", T("d" + std::to_string(id) + ".parquet")},
                 {"path_is_relative", true},
                 {"format", T("parquet")},
                 {"delete_count", I(deletes)},
                 {"file_size_bytes", I(10)},
                 {"footer_size", I(5)}});
    Add("ducklake_delete_file", more);
  }
  void AddFileStats(int64_t file, int64_t table, int64_t column, Value min, Value max,
                    int64_t values, int64_t nulls = 0, Value nan = {}) {
    Add("ducklake_file_column_stats", {{"data_file_id", I(file)},
                                       {"table_id", I(table)},
                                       {"column_id", I(column)},
                                       {"column_size_bytes", I(8)},
                                       {"value_count", I(values)},
                                       {"null_count", I(nulls)},
                                       {"min_value", min},
                                       {"max_value", max},
                                       {"contains_nan", nan}});
  }

  std::filesystem::path folder_;
  std::shared_ptr<CatalogStore> store_;
  std::unique_ptr<StoreConnection> connection_;
};

}  // namespace tarn::test
