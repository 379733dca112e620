// My change against theirs, pair by pair, in both orders: what the second one meets when the first
// was committed before it.
#include "catalog/conflicts.h"

#include "catalog/catalog_view.h"
#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The lake that both sides start from: schemas main (0) and s (1); tables t (2, in main) and u (3,
/// in s); views v (4, in main); a macro m (5).
class World {
 public:
  World() {
    CatalogViewBuilder builder;
    for (auto [id, name] : {std::pair(0, "main"), std::pair(1, "s")}) {
      auto schema = std::make_shared<Schema>();
      schema->ref = SchemaId(id);
      schema->name = name;
      builder.Put(std::shared_ptr<const Schema>(schema));
    }
    builder.Put(MakeTable(TableId(2), "t", SchemaId(0)));
    builder.Put(MakeTable(TableId(3), "u", SchemaId(1)));
    builder.Put(MakeView(ViewId(4), "v", SchemaId(0)));
    auto macro = std::make_shared<Macro>();
    macro->ref = MacroId(5);
    macro->schema = SchemaId(0);
    macro->name = "m";
    macro->implementations = {{"duckdb", "1", "scalar", {}}};
    builder.Put(std::shared_ptr<const Macro>(macro));
    view_ = builder.Build();
  }

  static std::shared_ptr<const Table> MakeTable(TableRef ref, const std::string& name,
                                                SchemaRef schema) {
    auto table = std::make_shared<Table>();
    table->ref = ref;
    table->name = name;
    table->schema = schema;
    table->columns = {MakeColumn("i", "int32"), MakeColumn("v", "varchar")};
    table->columns[0].id = FieldId(1);
    table->columns[1].id = FieldId(2);
    table->next_field_id = FieldId(3);
    return table;
  }
  static std::shared_ptr<const View> MakeView(ViewRef ref, const std::string& name,
                                              SchemaRef schema) {
    auto view = std::make_shared<View>();
    view->ref = ref;
    view->name = name;
    view->schema = schema;
    view->sql = "SELECT 1";
    return view;
  }

  const std::shared_ptr<const CatalogView>& view() const { return view_; }

 private:
  std::shared_ptr<const CatalogView> view_;
};

using Objects = std::function<void(CatalogViewBuilder&)>;

/// One side's doing: how it changes the objects, which words it leaves, and which files it inserts.
struct Doing {
  Objects objects = [](CatalogViewBuilder&) {};
  std::vector<Change> words;
  std::map<TableRef, RowChanges> rows = {};
  std::optional<Restored> restored = {};
};

Doing Change1(Objects objects, std::vector<Change> words) {
  return {std::move(objects), std::move(words), {}};
}

Doing DropTable(int64_t id) {
  return Change1([id](CatalogViewBuilder& b) { b.Remove(TableRef(TableId(id))); },
                 {Change::ById(ChangeKind::kDroppedTable, id)});
}
Doing AlterTable(int64_t id, std::function<void(Table&)> alter) {
  return Change1(
      [id, alter](CatalogViewBuilder& b) {
        auto table = std::make_shared<Table>(*b.view().FindTable(TableRef(TableId(id))));
        alter(*table);
        b.Put(std::shared_ptr<const Table>(table));
      },
      {Change::ById(ChangeKind::kAlteredTable, id)});
}
Doing Comment(int64_t id) {
  return AlterTable(id, [](Table& table) { table.tags["comment"] = "x"; });
}
/// As the reference logs it: the new name, and nothing about the table's id.
Doing RenameTable(int64_t id, const std::string& name) {
  Doing doing = AlterTable(id, [name](Table& table) {
    table.name = name;
    table.begin_snapshot = SnapshotId(11);
  });
  doing.words = {Change::Created(ChangeKind::kCreatedTable, "main", name)};
  return doing;
}
Doing AddColumn(int64_t id, bool nulls_allowed = true, std::optional<std::string> initial = {}) {
  return AlterTable(id, [=](Table& table) {
    Column column = MakeColumn("k", "int32");
    column.id = FieldId(3);
    column.nulls_allowed = nulls_allowed;
    column.initial_default = initial;
    table.columns.push_back(column);
  });
}
Doing Insert(int64_t id, int64_t nulls = 0) {
  Doing doing{[](CatalogViewBuilder&) {}, {Change::ById(ChangeKind::kInsertedIntoTable, id)}, {}};
  doing.rows[TableId(id)].data_files = {
      MakeFile("f.parquet", 3, {MakeStats(1, 3, 0, "1", "3"), MakeStats(2, 3 - nulls, nulls)})};
  return doing;
}
Doing Delete(int64_t id, std::set<DataFileId> files) {
  Doing doing{[](CatalogViewBuilder&) {}, {Change::ById(ChangeKind::kDeletedFromTable, id)}, {}};
  for (DataFileId file : files) doing.rows[TableId(id)].removed[file].Add({0});
  return doing;
}
Doing Word(ChangeKind kind, int64_t id) {
  return {[](CatalogViewBuilder&) {}, {Change::ById(kind, id)}, {}};
}

Doing CreateTable(const std::string& name, int64_t schema = 0) {
  return Change1(
      [=](CatalogViewBuilder& b) {
        auto table =
            std::make_shared<Table>(*World::MakeTable(TableRef::New(0), name, SchemaId(schema)));
        b.Put(std::shared_ptr<const Table>(table));
      },
      {Change::Created(ChangeKind::kCreatedTable, schema == 0 ? "main" : "s", name)});
}
Doing CreateView(const std::string& name, int64_t schema = 0) {
  return Change1(
      [=](CatalogViewBuilder& b) {
        b.Put(World::MakeView(ViewRef::New(0), name, SchemaId(schema)));
      },
      {Change::Created(ChangeKind::kCreatedView, schema == 0 ? "main" : "s", name)});
}
Doing DropView() {
  return Change1([](CatalogViewBuilder& b) { b.Remove(ViewRef(ViewId(4))); },
                 {Change::ById(ChangeKind::kDroppedView, 4)});
}
Doing CommentView() {
  return Change1(
      [](CatalogViewBuilder& b) {
        auto view = std::make_shared<View>(*b.view().FindView(ViewRef(ViewId(4))));
        view->tags["comment"] = "x";
        b.Put(std::shared_ptr<const View>(view));
      },
      {Change::ById(ChangeKind::kAlteredView, 4)});
}
/// As it is logged: the new name only.
Doing RenameView() {
  return Change1(
      [](CatalogViewBuilder& b) {
        auto view = std::make_shared<View>(*b.view().FindView(ViewRef(ViewId(4))));
        view->name = "w";
        view->begin_snapshot = SnapshotId(11);
        b.Put(std::shared_ptr<const View>(view));
      },
      {Change::Created(ChangeKind::kCreatedView, "main", "w")});
}
/// It leaves no word: the format has none.
Doing CommentMacro() {
  return Change1(
      [](CatalogViewBuilder& b) {
        auto macro = std::make_shared<Macro>(*b.view().macros().find(MacroRef(MacroId(5)))->second);
        macro->tags["comment"] = "x";
        b.Put(std::shared_ptr<const Macro>(macro));
      },
      {});
}
Doing CreateSchema(const std::string& name) {
  return Change1(
      [=](CatalogViewBuilder& b) {
        auto schema = std::make_shared<Schema>();
        schema->ref = SchemaRef::New(0);
        schema->name = name;
        b.Put(std::shared_ptr<const Schema>(schema));
      },
      {Change::Created(ChangeKind::kCreatedSchema, "", name)});
}
/// With what is in it, as CASCADE does.
Doing DropSchema() {
  return Change1(
      [](CatalogViewBuilder& b) { b.Remove(SchemaRef(SchemaId(1))); },
      {Change::ById(ChangeKind::kDroppedSchema, 1), Change::ById(ChangeKind::kDroppedTable, 3)});
}
Doing CreateMacro(const std::string& name, const std::string& type) {
  return Change1(
      [=](CatalogViewBuilder& b) {
        auto macro = std::make_shared<Macro>();
        macro->ref = MacroRef::New(0);
        macro->schema = SchemaId(0);
        macro->name = name;
        macro->implementations = {{"duckdb", "1", type, {}}};
        b.Put(std::shared_ptr<const Macro>(macro));
      },
      {Change::Created(
          type == "scalar" ? ChangeKind::kCreatedScalarMacro : ChangeKind::kCreatedTableMacro,
          "main", name)});
}
Doing DropMacro() {
  return Change1([](CatalogViewBuilder& b) { b.Remove(MacroRef(MacroId(5))); },
                 {Change::ById(ChangeKind::kDroppedScalarMacro, 5)});
}

/// What the transaction that did `mine` meets after `theirs` was committed as snapshot 11, on
/// base 10.
std::optional<Conflict> Meet(
    const Doing& mine, const Doing& theirs,
    std::map<TableId, std::map<DataFileId, std::set<SnapshotId>>> touched = {}) {
  World world;
  ChangeSet changes;
  changes.base.id = SnapshotId(10);
  changes.before = world.view();
  CatalogViewBuilder my_builder(*world.view());
  mine.objects(my_builder);
  changes.after = my_builder.Build();
  changes.catalog = DiffViews(*changes.before, *changes.after);
  changes.rows = mine.rows;
  changes.restored = mine.restored;

  TheirChanges their_changes;
  for (const Change& change : theirs.words) their_changes.words.push_back({SnapshotId(11), change});
  their_changes.touched_files = std::move(touched);
  if (NeedsTheirCatalog(changes, their_changes.words)) {
    CatalogViewBuilder their_builder(*world.view());
    theirs.objects(their_builder);
    their_changes.catalog = DiffViews(*world.view(), *their_builder.Build());
  }
  return FindConflict(changes, their_changes);
}

void ExpectFine(const Doing& mine, const Doing& theirs) {
  std::optional<Conflict> conflict = Meet(mine, theirs);
  EXPECT_FALSE(conflict.has_value()) << conflict->message;
}

void ExpectConflict(const Doing& mine, const Doing& theirs, const std::string& attempt,
                    const std::string& done) {
  std::optional<Conflict> conflict = Meet(mine, theirs);
  ASSERT_TRUE(conflict.has_value()) << attempt;
  EXPECT_THAT(
      conflict->message,
      StartsWith("Failed to commit DuckLake transaction. Transaction conflict - attempting to " +
                 attempt + " - but another transaction " + done));
}

void Alter(Table& table, const std::function<void(Column&)>& change) { change(table.columns[1]); }

Doing Retype() {
  return AlterTable(2, [](Table& table) { table.columns[0].type = "int64"; });
}
Doing SetNotNull() {
  return AlterTable(
      2, [](Table& table) { Alter(table, [](Column& column) { column.nulls_allowed = false; }); });
}
Doing DropColumn() {
  return AlterTable(2, [](Table& table) { table.columns.pop_back(); });
}
Doing SetDefault() {
  return AlterTable(
      2, [](Table& table) { Alter(table, [](Column& column) { column.default_value = "x"; }); });
}
Doing Partition() {
  return AlterTable(2, [](Table& table) {
    table.partition = PartitionSpec{PartitionRef::New(0), {{FieldId(1), "identity"}}};
  });
}

// --- inserts ---

TEST(ConflictsTest, InsertsNeverMindRowsOfOthers) {
  for (ChangeKind kind :
       {ChangeKind::kInsertedIntoTable, ChangeKind::kInlinedInsert, ChangeKind::kDeletedFromTable,
        ChangeKind::kInlinedDelete, ChangeKind::kInlineFlush, ChangeKind::kMergeAdjacent,
        ChangeKind::kRewriteDelete, ChangeKind::kCompactedTable}) {
    ExpectFine(Insert(2), Word(kind, 2));
  }
}

TEST(ConflictsTest, InsertAfterDropConflicts) {
  ExpectConflict(Insert(2), DropTable(2), "insert into table \"main\".\"t\"",
                 "has dropped it (snapshot 11)");
  ExpectConflict(Insert(3), DropSchema(), "insert into table \"s\".\"u\"",
                 "has dropped it (snapshot 11)");
  ExpectFine(Insert(2), DropTable(3));
}

TEST(ConflictsTest, DropAfterInsertDrops) { ExpectFine(DropTable(2), Insert(2)); }

TEST(ConflictsTest, InsertSurvivesAlterationsThatItsFilesSurvive) {
  ExpectFine(Insert(2), Comment(2));
  ExpectFine(Insert(2), RenameTable(2, "other"));
  ExpectFine(Insert(2), AddColumn(2));
  ExpectFine(Insert(2), AddColumn(2, false, "7"));
  ExpectFine(Insert(2), DropColumn());
  ExpectFine(Insert(2), SetDefault());
  ExpectFine(Insert(2, /*nulls=*/0), SetNotNull());
}

TEST(ConflictsTest, InsertConflictsWithAlterationsThatMakeItsRowsWrong) {
  const std::string attempt = "insert into table \"main\".\"t\"";
  ExpectConflict(Insert(2), Retype(), attempt, "has altered it (snapshot 11)");
  ExpectConflict(Insert(2, /*nulls=*/1), SetNotNull(), attempt, "has altered it");
  ExpectConflict(Insert(2), AddColumn(2, false), attempt, "has altered it");
  ExpectConflict(Insert(2), Partition(), attempt, "has altered it");
}

TEST(ConflictsTest, AlterAfterInsertOnlyMindsNewPromises) {
  ExpectFine(AddColumn(2), Insert(2));
  ExpectFine(Retype(), Insert(2));
  ExpectFine(Comment(2), Insert(2));
  ExpectFine(RenameTable(2, "other"), Insert(2));
  ExpectConflict(SetNotNull(), Insert(2), "alter table \"main\".\"t\"",
                 "has inserted into it (snapshot 11)");
  ExpectConflict(SetNotNull(), Word(ChangeKind::kInlinedInsert, 2), "alter table \"main\".\"t\"",
                 "has inserted into it");
}

// --- restores ---

Doing Restore(std::vector<TableRef> only) {
  Doing doing;
  doing.restored = Restored{SnapshotId(5), std::move(only)};
  return doing;
}

TEST(ConflictsTest, ARestoreOfOneTableMindsWhateverTouchedIt) {
  const Doing mine = Restore({TableId(2)});
  const std::string attempt = "restore table \"main\".\"t\"";
  ExpectConflict(mine, Insert(2), attempt, "has inserted into it (snapshot 11)");
  ExpectConflict(mine, Delete(2, {DataFileId(1)}), attempt, "has deleted from it");
  ExpectConflict(mine, Word(ChangeKind::kInlinedInsert, 2), attempt, "has inserted into it");
  ExpectConflict(mine, Word(ChangeKind::kInlineFlush, 2), attempt, "has flushed its inlined data");
  ExpectConflict(mine, Word(ChangeKind::kMergeAdjacent, 2), attempt, "has merged its files");
  ExpectConflict(mine, Comment(2), attempt, "has altered it");
  ExpectConflict(mine, RenameTable(2, "other"), attempt, "has altered it (snapshot 11)");
  ExpectConflict(mine, DropTable(2), attempt, "has dropped it (snapshot 11)");
  ExpectFine(mine, Insert(3));
  ExpectFine(mine, DropSchema());
  ExpectFine(mine, CreateTable("x"));
}

TEST(ConflictsTest, ARestoreOfTheLakeMindsEverything) {
  const Doing mine = Restore({});
  ExpectConflict(mine, Insert(3), "restore the lake", "has changed it (snapshot 11)");
  ExpectConflict(mine, CreateTable("x"), "restore the lake", "has changed it");
  ExpectConflict(mine, Word(ChangeKind::kMergeAdjacent, 2), "restore the lake", "has changed it");
}

TEST(ConflictsTest, ATableThatTwoBringBackConflicts) {
  Doing mine{
      [](CatalogViewBuilder& b) { b.Put(World::MakeTable(TableId(9), "gone", SchemaId(0))); },
      {Change::Created(ChangeKind::kCreatedTable, "main", "gone")},
      {}};
  mine.rows[TableId(9)].data_files = {MakeFile("f.parquet", 3)};
  Doing theirs = mine;
  mine.restored = Restored{SnapshotId(5), {TableId(9)}};
  ExpectConflict(mine, theirs, "restore table \"main\".\"gone\"", "has brought it back");
  // Under another name it is the same table.
  theirs.objects = [](CatalogViewBuilder& b) {
    b.Put(World::MakeTable(TableId(9), "else", SchemaId(0)));
  };
  ExpectConflict(mine, theirs, "restore table \"main\".\"gone\"", "has brought it back");
  ExpectFine(mine, Insert(2));
}

// --- tables ---

TEST(ConflictsTest, DropAfterDropConflicts) {
  ExpectConflict(DropTable(2), DropTable(2), "drop table \"main\".\"t\"",
                 "has dropped it (snapshot 11)");
  ExpectFine(DropTable(2), DropTable(3));
}

TEST(ConflictsTest, AlterAndDropOfOneTable) {
  ExpectConflict(Comment(2), DropTable(2), "alter table \"main\".\"t\"", "has dropped it");
  ExpectConflict(RenameTable(2, "x"), DropTable(2), "alter table \"main\".\"t\"", "has dropped it");
  ExpectFine(DropTable(2), Comment(2));
  ExpectConflict(DropTable(2), RenameTable(2, "x"), "drop table \"main\".\"t\"",
                 "has renamed it (snapshot 11)");
}

TEST(ConflictsTest, TwoAlterationsOfOneTableConflictAlsoWhenRenamesLeaveNoWord) {
  const std::string attempt = "alter table \"main\".\"t\"";
  ExpectConflict(Comment(2), AddColumn(2), attempt, "has altered it (snapshot 11)");
  ExpectConflict(Comment(2), RenameTable(2, "x"), attempt, "has altered it (snapshot 11)");
  ExpectConflict(RenameTable(2, "x"), Comment(2), attempt, "has altered it (snapshot 11)");
  ExpectConflict(RenameTable(2, "x"), RenameTable(2, "y"), attempt, "has altered it (snapshot 11)");
  ExpectFine(Comment(2), Comment(3));
}

TEST(ConflictsTest, AlterNeverMindsUpkeepAndDeletes) {
  for (ChangeKind kind :
       {ChangeKind::kDeletedFromTable, ChangeKind::kInlinedDelete, ChangeKind::kInlineFlush,
        ChangeKind::kMergeAdjacent, ChangeKind::kRewriteDelete}) {
    ExpectFine(AddColumn(2), Word(kind, 2));
    ExpectFine(DropTable(2), Word(kind, 2));
  }
}

// --- names ---

TEST(ConflictsTest, OneNameIsTakenOnce) {
  ExpectConflict(CreateTable("New"), CreateTable("new"), "create table \"main\".\"New\"",
                 "has created a table with that name");
  ExpectConflict(CreateTable("new"), CreateView("NEW"), "create table \"main\".\"new\"",
                 "has created a view with that name");
  ExpectConflict(CreateView("new"), CreateTable("new"), "create view \"main\".\"new\"",
                 "has created a table with that name");
  ExpectConflict(CreateView("new"), CreateView("new"), "create view \"main\".\"new\"",
                 "has created a view with that name");
  ExpectConflict(CreateTable("x"), RenameTable(2, "X"), "create table \"main\".\"x\"",
                 "has created a table with that name (snapshot 11)");
  ExpectConflict(RenameTable(2, "x"), CreateTable("x"), "create table \"main\".\"x\"",
                 "has created a table with that name");
  ExpectFine(CreateTable("new", 0), CreateTable("new", 1));
  ExpectFine(CreateTable("a"), CreateTable("b"));
  ExpectConflict(CreateSchema("n"), CreateSchema("N"), "create schema \"n\"",
                 "has created a schema with that name");
  ExpectFine(CreateSchema("n"), CreateSchema("k"));
}

TEST(ConflictsTest, MacrosShareNamesWithinTheirKindOnly) {
  ExpectConflict(CreateMacro("f", "scalar"), CreateMacro("F", "scalar"),
                 "create macro \"main\".\"f\"", "has created a macro with that name");
  ExpectFine(CreateMacro("f", "scalar"), CreateMacro("f", "table"));
  ExpectFine(CreateMacro("f", "table"), CreateMacro("f", "scalar"));
  ExpectFine(CreateMacro("f", "table"), CreateTable("f"));
  ExpectConflict(DropMacro(), DropMacro(), "drop macro \"main\".\"m\"",
                 "has dropped it (snapshot 11)");
}

// --- views ---

TEST(ConflictsTest, ViewsConflictById) {
  ExpectConflict(DropView(), DropView(), "drop view \"main\".\"v\"",
                 "has dropped it (snapshot 11)");
  ExpectConflict(CommentView(), DropView(), "alter view \"main\".\"v\"",
                 "has dropped it (snapshot 11)");
  ExpectConflict(CommentView(), CommentView(), "alter view \"main\".\"v\"",
                 "has altered it (snapshot 11)");
  ExpectFine(DropView(), CommentView());
  ExpectConflict(DropView(), RenameView(), "drop view \"main\".\"v\"", "has altered it");
  ExpectConflict(RenameView(), DropView(), "alter view \"main\".\"v\"", "has dropped it");
  ExpectFine(DropView(), DropTable(2));
}

TEST(ConflictsTest, CommentsOnMacrosConflictById) {
  ExpectConflict(CommentMacro(), DropMacro(), "comment on macro \"main\".\"m\"", "has dropped it");
  ExpectFine(DropMacro(), CommentMacro());
  ExpectFine(CommentMacro(), DropTable(2));
}

// --- schemas ---

TEST(ConflictsTest, SchemaIsDroppedOrUsedNotBoth) {
  ExpectConflict(DropSchema(), CreateTable("n", 1), "drop schema \"s\"", "has created \"n\" in it");
  ExpectConflict(CreateTable("n", 1), DropSchema(), "create \"n\" in schema \"s\"",
                 "has dropped that schema (snapshot 11)");
  ExpectConflict(CreateView("n", 1), DropSchema(), "create \"n\" in schema \"s\"",
                 "has dropped that schema (snapshot 11)");
  ExpectConflict(DropSchema(), CreateView("n", 1), "drop schema \"s\"", "has created \"n\" in it");
  ExpectFine(CreateTable("n", 0), DropSchema());
  ExpectFine(DropSchema(), CreateTable("n", 0));
  ExpectFine(DropSchema(), Insert(3));
  ExpectFine(DropSchema(), Comment(3));
}

TEST(ConflictsTest, SchemaIsDroppedOnce) {
  // The table in it is met first: either way the message names what is gone.
  std::optional<Conflict> conflict = Meet(DropSchema(), DropSchema());
  ASSERT_TRUE(conflict.has_value());
  EXPECT_THAT(conflict->message, HasSubstr("has dropped it (snapshot 11)"));
}

// --- deletes ---

TEST(ConflictsTest, DeletesMeetByFile) {
  const Doing mine = Delete(2, {DataFileId(1), DataFileId(2)});
  for (ChangeKind kind : {ChangeKind::kDeletedFromTable, ChangeKind::kInlinedDelete,
                          ChangeKind::kMergeAdjacent, ChangeKind::kRewriteDelete}) {
    EXPECT_TRUE(Meet(mine, Word(kind, 2)).has_value()) << "files not known";
    EXPECT_TRUE(
        Meet(mine, Word(kind, 2), {{TableId(2), {{DataFileId(2), {SnapshotId(11)}}}}}).has_value());
    EXPECT_FALSE(Meet(mine, Word(kind, 2), {{TableId(2), {}}}).has_value());
    EXPECT_FALSE(Meet(mine, Word(kind, 3)).has_value()) << "another table";
  }
  ExpectFine(mine, Insert(2));
  ExpectFine(mine, Word(ChangeKind::kInlinedInsert, 2));
  ExpectFine(mine, Comment(2));
  ExpectConflict(mine, DropTable(2), "delete from table \"main\".\"t\"", "has dropped it");
}

// --- the table itself ---

TEST(ConflictsTest, TableIsSymmetricWhereItMustBe) {
  // Two writers of rows: whoever comes second, the answer is the same.
  using enum TableAct;
  for (TableAct a : {kInsert, kInlinedInsert, kDelete, kMerge, kRewrite}) {
    for (TableAct b : {kInsert, kInlinedInsert, kDelete, kMerge, kRewrite})
      EXPECT_EQ(Judge(a, b), Judge(b, a));
  }
  // Nothing comes after a drop.
  for (int act = 0; act < kTableActs; ++act)
    EXPECT_EQ(Judge(static_cast<TableAct>(act), kDrop), Verdict::kConflict);
  // Flushes move rows. Of two the second finds none; what others delete of them meanwhile it takes
  // along.
  EXPECT_EQ(Judge(kFlush, kFlush), Verdict::kRows);
  EXPECT_EQ(Judge(kFlush, kInlinedDelete), Verdict::kFine);
  EXPECT_EQ(Judge(kInlinedDelete, kFlush), Verdict::kRows) << "the rows to end are gone";
}

TEST(ConflictsTest, WordsOfOtherProgramsMakeUsLook) {
  ChangeSet mine;
  mine.rows[TableId(2)].data_files = {MakeFile("f", 1)};
  auto needs = [&](Change change) {
    return NeedsTheirCatalog(mine, {{SnapshotId(11), std::move(change)}});
  };
  EXPECT_FALSE(needs(Change::ById(ChangeKind::kInsertedIntoTable, 2)));
  EXPECT_FALSE(needs(Change::Created(ChangeKind::kCreatedTable, "main", "x")));
  EXPECT_FALSE(needs(Change::ById(ChangeKind::kAlteredTable, 3)));
  EXPECT_TRUE(needs(Change::ById(ChangeKind::kAlteredTable, 2)));
  EXPECT_TRUE(needs(Change::ById(ChangeKind::kDroppedTable, 2)));
  Change unknown;
  unknown.word = "did_something:2";
  EXPECT_TRUE(needs(unknown));
}

}  // namespace
}  // namespace tarn::test
