// What is kept of a table's files must always be what the catalog would say if it were asked anew,
// whatever was committed in between; and it must be asked little.
#include "catalog/table_files_cache.h"

#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "catalog/catalog_sql.h"
#include "catalog/scan_planner.h"
#include "catalog/table_files_loader.h"
#include "tarn/error.h"
#include "unit/catalog/catalog_fixture.h"

namespace tarn {
namespace {

constexpr TableId kTable{1};

class TableFilesCacheTest : public test::CatalogFixture {
 protected:
  void SetUp() override {
    CatalogFixture::SetUp();
    Write([&] {
      Execute(
          "CREATE TABLE ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, "
          "begin_snapshot BIGINT)");
      Execute(
          "CREATE TABLE ducklake_inlined_data_1_1 (row_id BIGINT, begin_snapshot BIGINT, "
          "end_snapshot BIGINT)");
      Add("ducklake_inlined_data_tables", {{"table_id", I(1)},
                                           {"table_name", T("ducklake_inlined_data_1_1")},
                                           {"schema_version", I(1)}});
      Commit("created_table:\"main\".\"t\"");
    });
  }

  /// The next snapshot; what it did has been or will be written with its id.
  void Commit(const std::string& words) {
    ++head_;
    AddSnapshot(head_);
    Add("ducklake_snapshot_changes", {{"snapshot_id", I(head_)}, {"changes_made", T(words)}});
  }
  Snapshot At(int64_t id) {
    Snapshot snapshot;
    snapshot.id = SnapshotId(id);
    snapshot.time = Timestamp(std::chrono::seconds(1'700'000'000 + id));
    return snapshot;
  }
  std::shared_ptr<const TableFiles> Get(int64_t snapshot) {
    ReadScope scope(*connection_);
    return cache_.Get(*connection_, kTable, At(snapshot));
  }
  std::shared_ptr<const TableFiles> Load(int64_t snapshot) {
    ReadScope scope(*connection_);
    return LoadTableFiles(*connection_, kTable, At(snapshot));
  }
  void Insert(int64_t records, test::CatalogFixture::Fields more = {}) {
    AddFile(next_file_++, 1, head_ + 1, records, std::move(more));
    Commit("inserted_into_table:1");
  }

  /// All that a plan is made of, as text.
  static std::string Describe(const TableFiles& files) {
    std::string text = fmt::format("{} files, {} rows, {} inexact\n", files.file_count(),
                                   files.total().rows, files.total().inexact);
    for (size_t c = 0; c < files.chunks().size(); ++c) {
      for (size_t place = 0; place < files.chunks()[c].files->size(); ++place) {
        if (!files.chunks()[c].is_live(place)) continue;
        const ScanFile file = files.Get({c, place});
        text += fmt::format("{} {} {} #{} limit {}", file.file.id.value, file.file.path,
                            file.file.record_count, file.ordinal,
                            file.row_snapshot_limit ? file.row_snapshot_limit->value : -1);
        for (const ScanDelete& entry : file.deletes)
          text += fmt::format(" d{}:{}:{}", entry.file.id.value, entry.file.delete_count,
                              entry.snapshot_limit ? entry.snapshot_limit->value : -1);
        text += fmt::format(" [{}]\n", fmt::join(file.deleted_positions, ","));
      }
    }
    for (const InlinedTable& inlined : *files.inlined())
      text += fmt::format("{}: {}\n", inlined.table_name, inlined.live_rows);
    return text;
  }

  TableFilesCache cache_;
  int64_t head_ = -1;
  int64_t next_file_ = 0;
};

TEST_F(TableFilesCacheTest, NothingIsReadTwice) {
  Insert(10);
  const auto first = Get(1);
  EXPECT_EQ(Get(1), first);
  Commit("inserted_into_table:2");
  const auto second = Get(2);
  ASSERT_EQ(second->chunks().size(), 1u);
  EXPECT_EQ(second->chunks()[0].files, first->chunks()[0].files)
      << "another table's inserts change nothing";
  EXPECT_EQ(second->inlined(), first->inlined());
  Insert(5);
  EXPECT_EQ(Get(3)->file_count(), 2);
  EXPECT_EQ(Get(2)->file_count(), 1) << "the older snapshot is still known";
}

TEST_F(TableFilesCacheTest, TheFirstFileMayHaveIdZero) {
  ASSERT_EQ(next_file_, 0);
  Insert(10);
  EXPECT_EQ(Get(1)->total().rows, 10);
  Insert(7);
  EXPECT_EQ(Get(2)->total().rows, 17);
}

TEST_F(TableFilesCacheTest, DeletesOfFilesOfTheSameCommitAreSeen) {
  Insert(10);
  Get(1);
  AddDeleteFile(50, 1, next_file_, head_ + 1, 3);
  Insert(7);
  EXPECT_EQ(Get(2)->total().rows, 14);
}

TEST_F(TableFilesCacheTest, ALakeThatWasPutBackIsReadAnew) {
  Insert(10);
  Insert(5);
  EXPECT_EQ(Get(2)->total().rows, 15);
  // Restored from a backup, and gone another way from there.
  Sql("DELETE FROM ducklake_data_file WHERE data_file_id = 1");
  Sql("UPDATE ducklake_snapshot SET snapshot_time = '2024-01-01 00:00:00+00' WHERE snapshot_id = "
      "2");
  AddFile(1, 1, 2, 99);
  Snapshot other = At(2);
  other.time = Timestamp(std::chrono::seconds(1'704'067'200));
  ReadScope scope(*connection_);
  EXPECT_EQ(cache_.Get(*connection_, kTable, other)->total().rows, 109);
}

TEST_F(TableFilesCacheTest, ExpiredSnapshotsAreNotReadFromMemory) {
  Insert(10);
  Insert(5);
  Get(1);
  Get(2);
  Sql("DELETE FROM ducklake_snapshot WHERE snapshot_id = 1");
  EXPECT_THROW(Get(1), Error);
  EXPECT_EQ(Get(2)->total().rows, 15);
}

TEST_F(TableFilesCacheTest, AMergeTakesFilesFromOlderSnapshotsToo) {
  Insert(10);
  Insert(5);
  Get(1);
  Get(2);
  Sql("DELETE FROM ducklake_data_file");
  AddFile(next_file_++, 1, 1, 15, {{"partial_max", I(2)}});
  Commit("merge_adjacent:1");
  for (const int64_t snapshot : {1, 2, 3})
    EXPECT_EQ(Describe(*Get(snapshot)), Describe(*Load(snapshot))) << snapshot;
}

TEST_F(TableFilesCacheTest, ADeleteTakesThePlaceOfDeleteFilesAtOlderSnapshotsToo) {
  Insert(10);
  AddDeleteFile(50, 1, 0, head_ + 1, 3);
  Commit("deleted_from_table:1");
  Get(1);
  Get(2);
  // The new file holds the old rows with their snapshots; the old row is gone.
  Sql("DELETE FROM ducklake_delete_file");
  AddDeleteFile(51, 1, 0, 2, 5, {{"partial_max", I(3)}});
  Commit("deleted_from_table:1");
  for (const int64_t snapshot : {2, 1, 3})
    EXPECT_EQ(Describe(*Get(snapshot)), Describe(*Load(snapshot))) << snapshot;
}

TEST_F(TableFilesCacheTest, OfASnapshotWithoutWordsNothingIsKnown) {
  Insert(10);
  Get(1);
  AddFile(next_file_++, 1, head_ + 1, 5);
  AddSnapshot(++head_);
  EXPECT_EQ(Get(2)->total().rows, 15);
}

TEST_F(TableFilesCacheTest, WithoutABudgetNothingIsKept) {
  cache_.SetBudget(0);
  Insert(10);
  EXPECT_EQ(Get(1)->total().rows, 10);
  EXPECT_EQ(cache_.memory(), 0);
  cache_.SetBudget(TableFilesCache::kDefaultBudget);
  Get(1);
  EXPECT_GT(cache_.memory(), 0);
  cache_.SetBudget(10);
  EXPECT_EQ(cache_.memory(), 0) << "too large for it";
}

// Files of one chunk more or less, ended ones, both kinds of deletes, merges, flushes, other
// tables, unknown words, expiry: after each of them, any snapshot.
TEST_F(TableFilesCacheTest, AlwaysAgreesWithTheCatalog) {
  int64_t next_delete = 1'000'000;
  for (const uint32_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](int64_t limit) {
      return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
    };
    for (int step = 0; step < 60; ++step) {
      const int64_t now = head_ + 1;
      Write([&] {
        const std::string some =
            "(SELECT data_file_id FROM ducklake_data_file WHERE end_snapshot "
            "IS NULL AND table_id = 1 ORDER BY data_file_id LIMIT 1 OFFSET " +
            std::to_string(below(5)) + ")";
        switch (below(10)) {
          case 0:
          case 1:
            for (int64_t i = 0; i <= below(3); ++i) AddFile(next_file_++, 1, now, 100);
            Commit("inserted_into_table:1");
            break;
          case 2:
            Execute(
                "INSERT INTO ducklake_data_file (data_file_id, table_id, begin_snapshot, path, "
                "path_is_relative, file_format, record_count, file_size_bytes) WITH RECURSIVE "
                "n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499) SELECT " +
                std::to_string(next_file_) + " + i, 1, " + std::to_string(now) +
                ", 'g' || i, 1, 'parquet', 1, 9 FROM n");
            next_file_ += 1500;
            Commit("inserted_into_table:1");
            break;
          case 3:
            Execute("UPDATE ducklake_data_file SET end_snapshot = " + std::to_string(now) +
                    " WHERE data_file_id = " + some);
            Commit("deleted_from_table:1");
            break;
          case 4:
            Execute("INSERT INTO ducklake_inlined_delete_1 SELECT data_file_id, " +
                    std::to_string(below(120)) + ", " + std::to_string(now) +
                    " FROM ducklake_data_file WHERE data_file_id = " + some);
            Commit("inlined_delete:1");
            break;
          case 5: {
            const int64_t id = next_delete++;
            AddDeleteFile(id, 1, 0, now, below(50),
                          below(2) == 0 ? Fields{} : Fields{{"partial_max", I(now + 2)}});
            Execute("UPDATE ducklake_delete_file SET data_file_id = coalesce(" + some +
                    ", 0) WHERE delete_file_id = " + std::to_string(id));
            Commit("deleted_from_table:1");
            break;
          }
          case 6:
            Execute("DELETE FROM ducklake_data_file WHERE data_file_id = " + some);
            AddFile(next_file_++, 1, below(now + 1), 50, {{"partial_max", I(now)}});
            Commit("merge_adjacent:1");
            break;
          case 7:
            Execute("INSERT INTO ducklake_inlined_data_1_1 VALUES (1, " + std::to_string(now) +
                    ", NULL)");
            Commit("inlined_insert:1");
            break;
          case 8:
            Commit(below(2) == 0 ? "inserted_into_table:7" : "a_word_of_tomorrow:3");
            break;
          case 9:
            // The oldest snapshot goes, with files that ended before the next.
            Execute(
                "DELETE FROM ducklake_snapshot WHERE snapshot_id = (SELECT min(snapshot_id) "
                "FROM ducklake_snapshot)");
            Execute(
                "DELETE FROM ducklake_data_file WHERE end_snapshot <= (SELECT "
                "min(snapshot_id) FROM ducklake_snapshot)");
            Commit("inserted_into_table:7");
            break;
        }
      });
      for (const int64_t snapshot : {head_, std::max(head_ - below(4), int64_t{0})}) {
        std::string kept;
        try {
          kept = Describe(*Get(snapshot));
        } catch (const Error&) {
          continue;  // expired
        }
        ASSERT_EQ(kept, Describe(*Load(snapshot))) << "step " << step << " at " << snapshot;
      }
    }
  }
}

}  // namespace
}  // namespace tarn
