// Answers from statistics: what is surely known is answered, whatever else is left to be read.
#include "catalog/aggregate_settler.h"

#include <gtest/gtest.h>

#include "catalog/exact_facts.h"
#include "unit/catalog/pruner_helpers.h"

namespace tarn {
namespace {

using Aggregate = AggregateQuestion::Aggregate;

// Written by a client of the lake.
const char* const kLakeFile = "ducklake-01900000-0000-7000-8000-000000000000.parquet";

// Column 1 `c` of the type, column 2 `g` varchar, column 3 `s` a struct of column 4, an int32.
class SettlerTest : public testing::Test {
 protected:
  explicit SettlerTest(const std::string& type = "int32") { Use(type); }

  void Use(const std::string& type) {
    question_ = {};
    question_.scan.table = std::make_shared<const Table>(
        MakeTable({MakeColumn(1, "c", type), MakeColumn(2, "g", "varchar"),
                   MakeColumn(3, "s", "struct", {MakeColumn(4, "x", "int32")})}));
    files_.clear();
  }

  void Ask(std::vector<Aggregate> aggregates, std::vector<FieldId> groups = {},
           Predicate predicate = Predicate::True()) {
    question_.aggregates = std::move(aggregates);
    question_.groups = std::move(groups);
    question_.scan.predicate = std::move(predicate);
  }

  struct File {
    int64_t records = 10;
    std::optional<int64_t> alive = 10;
    bool has_deletes = false;
    std::map<int64_t, ColumnStats> stats = {};  ///< by column
    std::string path = kLakeFile;
    bool same_type = true;
    bool proves_absent_nans = true;
    std::map<int64_t, std::optional<std::string>> constants = {};  ///< as partition values are
  };

  // "c=10 min=1; c=.. | rest: 0,2"
  std::string Settle(const std::vector<File>& files) {
    AggregateSettler settler(question_);
    if (!settler.can_settle()) return "never";
    for (const File& file : files) {
      AggregateSettler::File known{file.alive, file.has_deletes, {}};
      DataFile data;
      data.path = file.path;
      data.record_count = file.records;
      for (const PrunableField& field : settler.fields()) {
        FieldFacts facts;
        if (const auto stats = file.stats.find(field.id.value); stats != file.stats.end()) {
          facts = FactsFromStats(field, stats->second, file.records, !file.same_type,
                                 file.proves_absent_nans);
          MarkExact(field, stats->second, data, file.path == kLakeFile, file.same_type, facts);
        }
        if (const auto value = file.constants.find(field.id.value); value != file.constants.end()) {
          if (value->second) {
            facts = Intersect(std::move(facts), FactsOfConstant(field, value->second));
          } else {
            facts.may_be_value = false;
          }
        }
        known.facts.push_back(std::move(facts));
      }
      settler.Add(std::move(known));
    }
    return Show(settler.Finish());
  }

  std::string Show(const AggregateSettler::Outcome& outcome) const {
    std::string text;
    for (const auto& group : outcome.groups) {
      if (!text.empty()) text += "; ";
      for (const auto& key : group.keys) text += key.value_or("NULL") + ": ";
      for (size_t i = 0; i < group.answers.size(); ++i) {
        const auto kind = question_.aggregates[i].kind;
        const bool is_count =
            kind == Aggregate::Kind::kCountRows || kind == Aggregate::Kind::kCount;
        text += i == 0 ? "" : " ";
        text += is_count ? std::to_string(group.answers[i].count)
                         : group.answers[i].value.value_or("NULL");
      }
    }
    if (!outcome.unsettled.empty()) text += " +";
    for (const size_t number : outcome.unsettled) text += " " + std::to_string(number);
    return text;
  }

  static Aggregate Rows() { return {Aggregate::Kind::kCountRows, {}}; }
  static Aggregate Count(int64_t field) { return {Aggregate::Kind::kCount, FieldId(field)}; }
  static Aggregate Min(int64_t field) { return {Aggregate::Kind::kMin, FieldId(field)}; }
  static Aggregate Max(int64_t field) { return {Aggregate::Kind::kMax, FieldId(field)}; }

  AggregateQuestion question_;
  std::vector<File> files_;
};

TEST_F(SettlerTest, CountsAndExtremesOfWholeFiles) {
  Ask({Rows(), Count(1), Min(1), Max(1)});
  const File one{.stats = {{1, Stats("1", "9", 8, 2)}}};
  const File other{.stats = {{1, Stats("-3", "4", 10, 0)}}};
  EXPECT_EQ(Settle({one, other}), "20 18 -3 9");
  EXPECT_EQ(Settle({}), "");
}

TEST_F(SettlerTest, FilesWithoutRowsAddNothing) {
  Ask({Rows(), Min(1)});
  EXPECT_EQ(Settle({{.records = 0, .alive = 0}}), "");
  EXPECT_EQ(Settle({{.alive = 0, .has_deletes = true, .stats = {{1, Stats("1", "2")}}}}), "");
}

TEST_F(SettlerTest, UnknownCountsAreRead) {
  Ask({Rows()});
  EXPECT_EQ(Settle({{.alive = std::nullopt}, {}}), "10 + 0");
}

TEST_F(SettlerTest, WithoutStatisticsThereIsOnlyTheNumberOfRows) {
  Ask({Rows()});
  EXPECT_EQ(Settle({{}}), "10");
  for (const auto& one : {Count(1), Min(1), Max(1)}) {
    Ask({one});
    EXPECT_EQ(Settle({{}}), " + 0");
    EXPECT_EQ(Settle({{.stats = {{1, Stats({}, {}, 10, 0)}}}}),
              one.kind == Aggregate::Kind::kCount ? "10" : " + 0");
  }
}

TEST_F(SettlerTest, CountsThatDoNotAddUpAreNotBelieved) {
  Ask({Count(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "9", 10, 2)}}}}), " + 0")
      << "NULLs counted as values";
  ColumnStats no_nulls = Stats("1", "9", 10, 0);
  EXPECT_EQ(Settle({{.stats = {{1, no_nulls}}}}), "10");
  no_nulls.null_count.reset();
  EXPECT_EQ(Settle({{.stats = {{1, no_nulls}}}}), " + 0");
  EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "9", 0, 0)}}}}), " + 0") << "nothing was counted";
}

TEST_F(SettlerTest, NullsOnly) {
  Ask({Rows(), Count(1), Min(1), Max(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats({}, {}, 0, 10)}}}}), "10 0 NULL NULL");
  EXPECT_EQ(Settle({{.stats = {{1, Stats({}, {}, 0, 10)}}}, {.stats = {{1, Stats("5", "6")}}}}),
            "20 10 5 6");
}

TEST_F(SettlerTest, DeletesHideWhichRowsAreLeft) {
  const File file{.alive = 7, .has_deletes = true, .stats = {{1, Stats("1", "9", 8, 2)}}};
  Ask({Rows()});
  EXPECT_EQ(Settle({file}), "7");
  Ask({Count(1)});
  EXPECT_EQ(Settle({file}), " + 0");
  EXPECT_EQ(Settle({{.alive = 7, .has_deletes = true, .stats = {{1, Stats("1", "9", 10, 0)}}}}),
            "7");
  EXPECT_EQ(Settle({{.alive = 7, .has_deletes = true, .stats = {{1, Stats({}, {}, 0, 10)}}}}), "0");
  Ask({Min(1)});
  EXPECT_EQ(Settle({file}), " + 0");
  EXPECT_EQ(Settle({{.alive = 7, .has_deletes = true, .stats = {{1, Stats("5", "5", 10, 0)}}}}),
            "5")
      << "all rows are equal";
}

TEST_F(SettlerTest, AFileWithDeletesThatCannotReachFurtherIsSettled) {
  const File deleted{.alive = 7, .has_deletes = true, .stats = {{1, Stats("3", "7", 10, 0)}}};
  const File whole{.stats = {{1, Stats("3", "9", 10, 0)}}};
  const File inside{.stats = {{1, Stats("4", "6", 10, 0)}}};
  Ask({Rows(), Min(1), Max(1)});
  EXPECT_EQ(Settle({deleted, whole}), "17 3 9");
  EXPECT_EQ(Settle({whole, deleted}), "17 3 9");
  EXPECT_EQ(Settle({deleted, inside}), "10 4 6 + 0");
  EXPECT_EQ(Settle({deleted, deleted}), " + 0 1");
}

TEST_F(SettlerTest, RegisteredFilesAndUnknownWritersHaveBoundsOnly) {
  const File foreign{.stats = {{1, Stats("1", "9", 8, 2)}}, .path = "/elsewhere/part-0.parquet"};
  for (const auto& one : {Count(1), Min(1), Max(1)}) {
    Ask({one});
    EXPECT_EQ(Settle({foreign}), " + 0");
  }
  Ask({Rows()});
  EXPECT_EQ(Settle({foreign}), "10");
}

TEST_F(SettlerTest, GroupsAreWhatAllRowsOfAFileHave) {
  Ask({Rows(), Max(1)}, {FieldId(2)});
  const auto in = [](const char* key, const char* max) {
    return File{.stats = {{1, Stats("0", max, 10, 0)}}, .constants = {{2, key}}};
  };
  const File of_null{.stats = {{1, Stats("7", "7", 10, 0)}}, .constants = {{2, std::nullopt}}};
  EXPECT_EQ(Settle({in("eu", "4"), in("us", "9"), in("eu", "5"), of_null}),
            "eu: 20 5; us: 10 9; NULL: 10 7");
  // The statistics of a text say so, too, unless they were cut.
  EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "2")}, {2, Stats("eu", "eu")}}}}), "eu: 10 2");
  EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "2")}, {2, Stats("eu", "us")}}}}), " + 0");
  EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "2")}, {2, Stats("eu", "eu", 9, 1)}}}}), " + 0");
}

TEST_F(SettlerTest, AGroupThatOnlyWaitsIsNotAnswered) {
  Ask({Rows(), Min(1)}, {FieldId(2)});
  const File waiting{.alive = 7,
                     .has_deletes = true,
                     .stats = {{1, Stats("3", "7", 10, 0)}},
                     .constants = {{2, "eu"}}};
  EXPECT_EQ(Settle({waiting}), " + 0");
}

TEST_F(SettlerTest, OfAConditionAllRowsMustBeTrue) {
  const auto file = [](const char* min, const char* max, int64_t nulls) {
    return File{.stats = {{1, Stats(min, max, 10 - nulls, nulls)}}};
  };
  Ask({Rows()}, {}, Is(1, Op::kGreater, "4"));
  EXPECT_EQ(Settle({file("5", "9", 0), file("4", "9", 0), file("5", "9", 1)}), "10 + 1 2");
  Ask({Rows()}, {}, Is(1, Op::kNotEqual, "4"));
  EXPECT_EQ(Settle({file("5", "9", 0), file("1", "3", 0), file("1", "9", 0)}), "20 + 2");
  Ask({Rows()}, {}, In(1, {"4", "7"}));
  EXPECT_EQ(Settle({file("4", "4", 0), file("7", "7", 0), file("4", "7", 0)}), "20 + 2");
  Ask({Rows()}, {}, Nullness(1, Kind::kIsNull));
  EXPECT_EQ(Settle({{.stats = {{1, Stats({}, {}, 0, 10)}}}, file("1", "2", 1)}), "10 + 1");
  Ask({Rows()}, {}, Nullness(1, Kind::kIsNotNull));
  EXPECT_EQ(Settle({{.stats = {{1, Stats({}, {}, 0, 10)}}}, file("1", "2", 0)}), "10 + 0");
  Ask({Rows()}, {},
      Join(Kind::kOr, {Is(1, Op::kLess, "2"), Join(Kind::kAnd, {Is(1, Op::kGreaterOrEqual, "3"),
                                                                Is(1, Op::kLess, "9")})}));
  EXPECT_EQ(Settle({file("0", "1", 0), file("3", "8", 0), file("0", "8", 0)}), "20 + 2");
  Ask({Rows()}, {}, Is(1, Op::kGreater, "no number"));
  EXPECT_EQ(Settle({file("5", "9", 0)}), " + 0") << "it cannot be decided";
}

TEST_F(SettlerTest, FieldsOfStructs) {
  Ask({Min(4)});
  EXPECT_EQ(Settle({{.stats = {{4, Stats("1", "2", 8, 2)}}}}), "1");
  Ask({Count(4)});
  EXPECT_EQ(Settle({{.stats = {{4, Stats("1", "2", 8, 2)}}}}), " + 0")
      << "NULLs of NULL structs are counted in many ways";
  Ask({Rows()}, {}, Is(4, Op::kGreater, "0"));
  EXPECT_EQ(Settle({{.stats = {{4, Stats("1", "2", 10, 0)}}}}), " + 0");
  Ask({Count(3)});
  EXPECT_EQ(Settle({}), "never");
  Ask({Rows()}, {FieldId(4)});
  EXPECT_EQ(Settle({}), "never");
}

TEST_F(SettlerTest, NanIsTheGreatest) {
  Use("float64");
  const File none{.stats = {{1, Stats("-1.5", "2.5", 10, 0, false)}}};
  const File some{.stats = {{1, Stats("-1.5", "2.5", 10, 0, true)}}};
  const File unsure{.stats = {{1, Stats("-1.5", "2.5", 10, 0, false)}},
                    .proves_absent_nans = false};
  Ask({Min(1)});
  EXPECT_EQ(Settle({none}), "-1.5");
  EXPECT_EQ(Settle({some}), "-1.5");
  Ask({Max(1)});
  EXPECT_EQ(Settle({none, some, unsure}), "2.5 + 1 2");
  Ask({Rows()}, {}, Is(1, Op::kLess, "3"));
  EXPECT_EQ(Settle({none, some, unsure}), "10 + 1 2");
  Ask({Rows()}, {}, Is(1, Op::kGreater, "-2"));
  EXPECT_EQ(Settle({none, some, unsure}), "30");
}

TEST_F(SettlerTest, TheSignOfZeroIsNotKnown) {
  for (const char* type : {"float32", "float64"}) {
    Use(type);
    Ask({Min(1)});
    EXPECT_EQ(Settle({{.stats = {{1, Stats("0.0", "2.5", 10, 0, false)}}}}), " + 0");
    EXPECT_EQ(Settle({{.stats = {{1, Stats("-0.0", "-0.0", 10, 0, false)}}}}), " + 0");
    EXPECT_EQ(Settle({{.stats = {{1, Stats("0.5", "0.5", 10, 0, false)}}}}), "0.5");
    EXPECT_EQ(Settle({{.stats = {{1, Stats("0.0", "2.5", 10, 0, false)}}},
                      {.stats = {{1, Stats("-0.5", "2.5", 10, 0, false)}}}}),
              "-0.5");
  }
}

TEST_F(SettlerTest, BoundsOfAnotherTypeMayHaveBeenRounded) {
  Use("float64");
  Ask({Min(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("0.1", "0.2", 10, 0, false)}}, .same_type = false}}),
            " + 0");
  EXPECT_EQ(Settle({{.stats = {{1, Stats("0.1", "0.2", 10, 0, false)}}}}), "0.1");
  Use("int64");
  Ask({Min(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "2")}}, .same_type = false}}), "1")
      << "integers are what they were";
  Use("timestamptz");
  Ask({Min(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("2024-01-01 00:00:00+00", "2024-01-02 00:00:00+00")}}}}),
            "2024-01-01 00:00:00+00");
  EXPECT_EQ(Settle({{.stats = {{1, Stats("2024-01-01 00:00:00", "2024-01-02 00:00:00")}}}}), " + 0")
      << "in which zone?";
}

TEST_F(SettlerTest, OfTextsOnlyShortMinimaAreWhole) {
  Use("varchar");
  Ask({Min(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("a", "b")}}}}), "a");
  EXPECT_EQ(Settle({{.stats = {{1, Stats(std::string(60, 'a'), "b")}}}}), std::string(60, 'a'));
  EXPECT_EQ(Settle({{.stats = {{1, Stats(std::string(61, 'a'), "b")}}}}), " + 0");
  Ask({Max(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("a", "b")}}}}), " + 0")
      << "a long text beyond ASCII is cut to any length, and raised";
  EXPECT_EQ(Settle({{.stats = {{1, Stats("b", "b")}}}}), "b");
  EXPECT_EQ(Settle({{.stats = {{1, Stats("b", "b")}}}, {.stats = {{1, Stats("a", "b")}}}}), "b");
}

TEST_F(SettlerTest, KindsWhoseBoundsMeanSomethingElse) {
  for (const char* type : {"json", "timetz", "interval", "int128", "variant", "geometry"}) {
    Use(type);
    Ask({Min(1)});
    EXPECT_EQ(Settle({}), "never") << type;
    Ask({Count(1)});
    EXPECT_EQ(Settle({{.stats = {{1, Stats("1", "2", 9, 1)}}}}),
              std::string(type) == "json" ? "9" : " + 0")
        << type;
  }
  Use("blob");
  Ask({Min(1)});
  EXPECT_EQ(Settle({{.stats = {{1, Stats("00FF", "01")}}}}), " + 0");
}

}  // namespace
}  // namespace tarn
