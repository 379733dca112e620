// Plans and what they become at a head, without a database: alterations row by row, relative ids,
// plans stacked on one another.
#include "catalog/commit_plan.h"

#include "catalog/catalog_view.h"
#include "catalog/rebase.h"
#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Show(const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "-";
  if (auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (auto* text = std::get_if<std::string>(&value)) return *text;
  return "?";
}

class CommitPlanTest : public testing::Test {
 protected:
  CommitPlanTest() {
    CatalogViewBuilder builder;
    auto schema = std::make_shared<Schema>();
    schema->ref = SchemaId(0);
    schema->name = "main";
    builder.Put(std::shared_ptr<const Schema>(schema));
    auto table = std::make_shared<Table>();
    table->ref = TableId(1);
    table->uuid = "uuid";
    table->name = "t";
    table->schema = SchemaId(0);
    table->path = "t/";
    table->columns = {MakeColumn("i", "int32"),
                      MakeColumn("s", "struct", {MakeColumn("a", "int32")})};
    table->columns[0].id = FieldId(1);
    table->columns[1].id = FieldId(2);
    table->columns[1].children[0].id = FieldId(3);
    table->column_tags[FieldId(1)]["comment"] = "old";
    builder.Put(std::shared_ptr<const Table>(table));
    before_ = builder.Build();
    head_.snapshot = {SnapshotId(10), Timestamp(std::chrono::seconds(1000)), 5, 20, 30};
  }

  ChangeSet Changes(const std::function<void(CatalogViewBuilder&)>& change) const {
    ChangeSet changes;
    changes.base = head_.snapshot;
    changes.before = before_;
    CatalogViewBuilder builder(*before_);
    change(builder);
    changes.after = builder.Build();
    changes.catalog = DiffViews(*changes.before, *changes.after);
    return changes;
  }
  ChangeSet Alter(const std::function<void(Table&)>& alter) const {
    return Changes([&](CatalogViewBuilder& builder) {
      auto table = std::make_shared<Table>(*before_->FindTable(TableRef(TableId(1))));
      alter(*table);
      builder.Put(std::shared_ptr<const Table>(table));
    });
  }

  /// The plan's rows at the head, as `table: value|value`, and its ends, as `end table:
  /// column=value id_column in (…)`.
  std::vector<std::string> Lines(const CommitPlan& plan) const {
    RebasedPlan rebased = Rebase(plan, head_, Timestamp(std::chrono::seconds(2000)));
    std::vector<std::string> lines;
    for (const PlanEnd& end : plan.ends) {
      std::string line = "end " + std::string(end.table->name).substr(9) + ":";
      for (const auto& [column, value] : end.fixed)
        line += " " + std::string(column) + "=" + Show(value);
      line += " " + std::string(end.id_column) + " in";
      for (const Value& id : end.ids) line += " " + Show(id);
      lines.push_back(line);
    }
    for (const PlanInsert& insert : plan.inserts) {
      for (const auto& row : insert.rows) {
        std::string line = std::string(insert.table->name).substr(9) + ": ";
        for (size_t i = 0; i < row.size(); ++i)
          line += (i > 0 ? "|" : "") + Show(rebased.Settle(row[i]));
        lines.push_back(line);
      }
    }
    lines.push_back(rebased.changes_made());
    return lines;
  }

  std::shared_ptr<const CatalogView> before_;
  CommitHead head_;
};

TEST_F(CommitPlanTest, RenameIsANewRowLoggedAsCreated) {
  EXPECT_THAT(Lines(BuildCommitPlan(Alter([](Table& table) { table.name = "T2"; }))),
              ElementsAre("end table: table_id in 1", "table: 1|uuid|11|-|0|T2|t/|true",
                          "schema_versions: 11|6|1", "created_table:\"main\".\"T2\""));
}

TEST_F(CommitPlanTest, AlterWritesOnlyTheColumnsThatChanged) {
  EXPECT_THAT(Lines(BuildCommitPlan(Alter([](Table& table) {
                table.columns[1].children[0].name = "b";
                Column added = MakeColumn("k", "int8");
                added.id = FieldId(4);
                added.order = 4;
                added.initial_default = added.default_value = "7";
                added.default_value_type = "literal";
                table.columns.push_back(added);
              }))),
              ElementsAre("end column: table_id=1 column_id in 3",
                          "column: 3|11|-|1|0|b|int32|-|NULL|true|2|literal|duckdb",
                          "column: 4|11|-|1|4|k|int8|7|7|true|-|literal|duckdb",
                          "schema_versions: 11|6|1", "altered_table:1"));
  EXPECT_THAT(Lines(BuildCommitPlan(Alter([](Table& table) { table.columns.pop_back(); }))),
              ElementsAre("end column: table_id=1 column_id in 2 3", "schema_versions: 11|6|1",
                          "altered_table:1"));
}

// Files are not even asked for; of the columns only those that differ are written.
TEST_F(CommitPlanTest, AlterWritesNoMoreRowsForAWideTable) {
  const auto rows_written = [&](size_t width) {
    CatalogViewBuilder builder(*before_);
    auto table = std::make_shared<Table>(*before_->FindTable(TableRef(TableId(1))));
    for (size_t i = table->columns.size(); i < width; ++i) {
      Column column = MakeColumn("column_" + std::to_string(i), "int32");
      column.id = FieldId(static_cast<int64_t>(i) + 10);
      table->columns.push_back(column);
    }
    builder.Put(std::shared_ptr<const Table>(table));
    before_ = builder.Build();
    return Lines(BuildCommitPlan(Alter([](Table& table) {
             table.columns[1].children[0].name = "b";
             table.columns[0].nulls_allowed = !table.columns[0].nulls_allowed;
           })))
        .size();
  };
  const size_t narrow = rows_written(2);
  EXPECT_EQ(rows_written(1000), narrow);
}

TEST_F(CommitPlanTest, CommentsAreTagsAndNoNewShape) {
  EXPECT_THAT(Lines(BuildCommitPlan(Alter([](Table& table) { table.tags["comment"] = "hi"; }))),
              ElementsAre("end tag: object_id=1 key in comment", "tag: 1|11|-|comment|hi",
                          "altered_table:1"));
  EXPECT_THAT(Lines(BuildCommitPlan(Alter([](Table& table) { table.column_tags.clear(); }))),
              ElementsAre("end column_tag: table_id=1 column_id=1 key in comment",
                          "column_tag: 1|1|11|-|comment|-", "altered_table:1"));
}

TEST_F(CommitPlanTest, PartitionAndSortTakeCatalogIds) {
  CommitPlan plan = BuildCommitPlan(Alter([](Table& table) {
    table.partition =
        PartitionSpec{PartitionRef::New(0), {{FieldId(1), "identity"}, {FieldId(3), "bucket(4)"}}};
    table.sort = SortOrder{SortRef::New(1), {{"i", "duckdb", true, false}}};
  }));
  EXPECT_EQ(plan.catalog_ids, 2);
  EXPECT_THAT(
      Lines(plan),
      ElementsAre("end partition_info: table_id in 1", "partition_info: 20|1|11|-",
                  "partition_column: 20|1|0|1|identity", "partition_column: 20|1|1|3|bucket(4)",
                  "sort_info: 21|1|11|-", "sort_expression: 21|1|0|i|duckdb|DESC|NULLS_LAST",
                  "schema_versions: 11|6|1", "altered_table:1"));
}

TEST_F(CommitPlanTest, ChangesThatUndoEachOtherAreNone) {
  EXPECT_TRUE(Alter([](Table& table) {
                table.name = "x";
                table.name = "t";
              }).empty());
}

TEST_F(CommitPlanTest, MacrosHaveARowPerOverloadAndParameter) {
  CommitPlan plan = BuildCommitPlan(Changes([](CatalogViewBuilder& builder) {
    auto macro = std::make_shared<Macro>();
    macro->ref = MacroRef::New(0);
    macro->schema = SchemaId(0);
    macro->name = "m";
    macro->implementations = {{"duckdb", "1", "scalar", {}},
                              {"duckdb", "a", "scalar", {{"a", "unknown", "2", "integer"}}}};
    builder.Put(std::shared_ptr<const Macro>(macro));
  }));
  EXPECT_THAT(Lines(plan), ElementsAre("macro: 0|20|m|11|-", "macro_impl: 20|0|duckdb|1|scalar",
                                       "macro_impl: 20|1|duckdb|a|scalar",
                                       "macro_parameters: 20|1|0|a|unknown|2|integer",
                                       "created_scalar_macro:\"main\".\"m\""));
}

TEST_F(CommitPlanTest, ViewsChangeByANewRow) {
  auto view = std::make_shared<View>();
  view->ref = ViewId(2);
  view->name = "v";
  view->schema = SchemaId(0);
  view->sql = "SELECT 1";
  before_ = before_->WithView(view);
  auto alter = [&](const std::function<void(View&)>& change) {
    return Lines(BuildCommitPlan(Changes([&](CatalogViewBuilder& builder) {
      auto copy = std::make_shared<View>(*view);
      change(*copy);
      builder.Put(std::shared_ptr<const View>(copy));
    })));
  };
  EXPECT_THAT(alter([](View& v) { v.name = "w"; }),
              ElementsAre("end view: view_id in 2", "view: 2||11|-|0|w|duckdb|SELECT 1|",
                          "created_view:\"main\".\"w\""));
  EXPECT_THAT(alter([](View& v) { v.tags["comment"] = "c"; }),
              ElementsAre("end tag: object_id=2 key in comment", "tag: 2|11|-|comment|c",
                          "altered_view:2"));
}

TEST_F(CommitPlanTest, OnePlanFitsAnyHead) {
  ChangeSet changes = Changes([](CatalogViewBuilder&) {});
  changes.rows[TableId(1)].data_files = {MakeFile("a", 2, {MakeStats(1, 2, 0, "1", "2")}),
                                         MakeFile("b", 3, {MakeStats(1, 3, 0, "0", "3")})};
  const CommitPlan plan = BuildCommitPlan(changes);
  EXPECT_EQ(plan.file_ids, 2);
  head_.stats[TableId(1)] = {100, 120, 1000, {}};
  RebasedPlan first = Rebase(plan, head_, Timestamp(std::chrono::seconds(2000)));
  EXPECT_EQ(first.snapshot().id, SnapshotId(11));
  EXPECT_EQ(first.snapshot().next_file_id, 32);
  EXPECT_EQ(first.snapshot().schema_version, 5);
  EXPECT_EQ(first.stats().at(0).stats.next_row_id, 125);
  EXPECT_EQ(first.stats().at(0).stats.record_count, 105);
  EXPECT_EQ(Show(first.Settle(HeadRelative{HeadRelative::From::kRowId, 2, 0})), "122");

  // The same plan on top of what the first one made: as when several are written in one database
  // transaction.
  CommitHead next{first.snapshot(), {{TableId(1), first.stats().at(0).stats}}, {}};
  RebasedPlan second = Rebase(plan, next, Timestamp(std::chrono::seconds(1)));
  EXPECT_EQ(second.snapshot().id, SnapshotId(12));
  EXPECT_EQ(second.snapshot().time, first.snapshot().time + std::chrono::microseconds(1));
  EXPECT_EQ(second.snapshot().next_file_id, 34);
  EXPECT_EQ(Show(second.Settle(HeadRelative{HeadRelative::From::kRowId, 2, 0})), "127");
}

TEST_F(CommitPlanTest, EachPlanHasAMarkToKnowItBy) {
  ChangeSet with_file = Changes([](CatalogViewBuilder&) {});
  with_file.rows[TableId(1)].data_files = {MakeFile("a", 2)};
  EXPECT_EQ(BuildCommitPlan(with_file).mark->text, "a");
  CommitPlan created = BuildCommitPlan(Changes([](CatalogViewBuilder& builder) {
    auto schema = std::make_shared<Schema>();
    schema->ref = SchemaRef::New(0);
    schema->name = "s";
    schema->uuid = "unique";
    builder.Put(std::shared_ptr<const Schema>(schema));
  }));
  EXPECT_EQ(created.mark->text, "unique");
}

TEST_F(CommitPlanTest, SpoiltBoundsAreWrittenOnlyOnce) {
  ChangeSet changes = Changes([](CatalogViewBuilder&) {});
  changes.rows[TableId(1)].data_files = {
      MakeFile("a", 2, {MakeStats(1, 2, 0), MakeStats(3, 2, 0, "1", "1")})};
  const CommitPlan plan = BuildCommitPlan(changes);
  TableStats::Column known;
  known.field = FieldId(1);
  known.contains_null = false;
  known.min_value = "1";
  known.max_value = "2";
  head_.stats[TableId(1)] = {1, 1, 1, {known}};
  RebasedPlan rebased = Rebase(plan, head_, {});
  ASSERT_EQ(rebased.stats().at(0).stats.columns.size(), 1u)
      << "field 3 has no row, so it gets none";
  EXPECT_EQ(rebased.stats().at(0).stats.columns[0].min_value, std::nullopt);
  known.min_value.reset();
  known.max_value.reset();
  head_.stats[TableId(1)] = {1, 1, 1, {known}};
  EXPECT_THAT(Rebase(plan, head_, {}).stats().at(0).stats.columns, IsEmpty());
}

}  // namespace
}  // namespace tarn::test
