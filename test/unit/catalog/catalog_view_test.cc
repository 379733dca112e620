// Views keep their indexes in step, whatever is renamed, replaced or dropped.
#include "catalog/catalog_view.h"

#include "catalog/view_diff.h"
#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

std::shared_ptr<const Schema> MakeSchema(int64_t id, const std::string& name) {
  auto schema = std::make_shared<Schema>();
  schema->ref = SchemaId(id);
  schema->name = name;
  return schema;
}
std::shared_ptr<const Table> MakeTable(TableRef ref, const std::string& name, int64_t schema = 0) {
  auto table = std::make_shared<Table>();
  table->ref = ref;
  table->name = name;
  table->schema = SchemaId(schema);
  return table;
}

class CatalogViewTest : public testing::Test {
 protected:
  CatalogViewTest() {
    CatalogViewBuilder builder;
    builder.Put(MakeSchema(0, "main"));
    builder.Put(MakeSchema(1, "s"));
    builder.Put(MakeTable(TableId(2), "a"));
    builder.Put(MakeTable(TableId(3), "b"));
    builder.Put(MakeTable(TableId(4), "a", 1));
    view_ = builder.Build();
  }
  std::shared_ptr<const CatalogView> view_;
};

TEST_F(CatalogViewTest, FindsByNameInAnyCaseAndByReference) {
  EXPECT_EQ(view_->FindTable("MAIN", "A")->ref, TableRef(TableId(2)));
  EXPECT_EQ(view_->FindTable("s", "a")->ref, TableRef(TableId(4)));
  EXPECT_EQ(view_->FindTable("s", "b"), nullptr);
  EXPECT_EQ(view_->FindTable("nowhere", "a"), nullptr);
  EXPECT_EQ(view_->FindTable(TableRef(TableId(3)))->name, "b");
  EXPECT_EQ(view_->FindTable(TableRef::New(3)), nullptr);
  EXPECT_EQ(view_->FindSchema(SchemaRef(SchemaId(1)))->name, "s");
}

TEST_F(CatalogViewTest, NamesSwapAndMove) {
  auto swapped = view_->WithTable(MakeTable(TableId(2), "x"))
                     ->WithTable(MakeTable(TableId(3), "a"))
                     ->WithTable(MakeTable(TableId(2), "b"));
  EXPECT_EQ(swapped->FindTable("main", "a")->ref, TableRef(TableId(3)));
  EXPECT_EQ(swapped->FindTable("main", "b")->ref, TableRef(TableId(2)));
  EXPECT_EQ(swapped->FindTable("main", "x"), nullptr);
  auto moved = view_->WithTable(MakeTable(TableId(3), "b", 1));
  EXPECT_EQ(moved->FindTable("main", "b"), nullptr);
  EXPECT_EQ(moved->FindTable("s", "b")->ref, TableRef(TableId(3)));
  EXPECT_EQ(view_->FindTable("main", "b")->ref, TableRef(TableId(3))) << "a view never changes";
}

TEST_F(CatalogViewTest, ARenameMayChangeOnlyTheCase) {
  auto renamed = view_->WithTable(MakeTable(TableId(2), "A"));
  EXPECT_EQ(renamed->FindSchema("main")->tables.begin()->first, "A");
  EXPECT_EQ(renamed->FindSchema("main")->tables.size(), 2u);
  auto schema = view_->WithSchema(MakeSchema(1, "S"));
  EXPECT_EQ(schema->FindTable("s", "a")->ref, TableRef(TableId(4))) << "its entries stay";
  EXPECT_EQ(schema->schemas().size(), 2u);
  EXPECT_EQ(schema->schemas().find("s")->first, "S");
}

TEST_F(CatalogViewTest, ASchemaGoesWithItsEntries) {
  auto without = view_->WithoutSchema(SchemaId(0));
  EXPECT_EQ(without->tables().size(), 1u);
  EXPECT_EQ(without->FindTable(TableRef(TableId(2))), nullptr);
  EXPECT_EQ(without->FindSchema("main"), nullptr);
  EXPECT_EQ(without->WithoutTable(TableId(2))->tables().size(), 1u)
      << "dropping what is gone is no error";
}

TEST_F(CatalogViewTest, TwoTablesOfOneNameStayReachable) {
  // Lakes exist in which another client let this happen.
  auto both = view_->WithTable(MakeTable(TableId(9), "A"));
  EXPECT_EQ(both->FindTable("main", "a")->ref, TableRef(TableId(9)));
  EXPECT_NE(both->FindTable(TableRef(TableId(2))), nullptr);
  auto dropped = both->WithoutTable(TableId(2));
  EXPECT_EQ(dropped->FindTable("main", "a")->ref, TableRef(TableId(9)));
  EXPECT_EQ(both->WithoutSchema(SchemaId(0))->tables().size(), 1u);
}

TEST_F(CatalogViewTest, AnObjectWithoutASchemaIsCorrupt) {
  ErrorOf(ErrorCode::kCorrupt, [&] { view_->WithTable(MakeTable(TableId(9), "x", 77)); });
}

TEST_F(CatalogViewTest, DifferenceNetsOut) {
  EXPECT_TRUE(DiffViews(*view_, *view_).empty());
  auto there_and_back =
      view_->WithTable(MakeTable(TableId(2), "x"))->WithTable(MakeTable(TableId(2), "a"));
  EXPECT_TRUE(DiffViews(*view_, *there_and_back).empty());
  auto gone = view_->WithTable(MakeTable(TableRef::New(0), "n"))->WithoutTable(TableRef::New(0));
  EXPECT_TRUE(DiffViews(*view_, *gone).empty());
  auto changed = view_->WithTable(MakeTable(TableRef::New(1), "n2"))
                     ->WithTable(MakeTable(TableRef::New(0), "n1"))
                     ->WithoutTable(TableId(3))
                     ->WithTable(MakeTable(TableId(2), "A"));
  ViewDiff diff = DiffViews(*view_, *changed);
  ASSERT_EQ(diff.created_tables.size(), 2u);
  EXPECT_EQ(diff.created_tables[0]->name, "n1") << "in the order they were made";
  ASSERT_EQ(diff.dropped_tables.size(), 1u);
  EXPECT_EQ(diff.dropped_tables[0]->name, "b");
  ASSERT_EQ(diff.altered_tables.size(), 1u);
  EXPECT_TRUE(CompareTables(*diff.altered_tables[0].before, *diff.altered_tables[0].after).renamed);
}

}  // namespace
}  // namespace tarn::test
