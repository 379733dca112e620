// Pruning: cases by name, and the property that counts: a file that holds a matching row is never
// pruned.
#include "catalog/predicate_pruner.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "format/stats_text.h"
#include "format/type_promotion.h"
#include "unit/catalog/pruner_helpers.h"

namespace tarn {
namespace {

TEST(PredicatePruner, ComparesInTheColumnsType) {
  ColumnStats stats = Stats("9", "100");  // as texts these would be the other way round
  for (auto [op, constant, stays] :
       std::vector<std::tuple<Op, const char*, bool>>{{Op::kEqual, "9", true},
                                                      {Op::kEqual, "8", false},
                                                      {Op::kEqual, "101", false},
                                                      {Op::kLess, "9", false},
                                                      {Op::kLess, "10", true},
                                                      {Op::kLessOrEqual, "9", true},
                                                      {Op::kLessOrEqual, "8", false},
                                                      {Op::kGreater, "100", false},
                                                      {Op::kGreater, "99", true},
                                                      {Op::kGreaterOrEqual, "100", true},
                                                      {Op::kGreaterOrEqual, "101", false},
                                                      {Op::kNotEqual, "9", true}}) {
    EXPECT_EQ(Stays("int64", stats, Is(1, op, constant)), stays)
        << static_cast<int>(op) << " " << constant;
  }
  EXPECT_FALSE(Stays("int64", Stats("7", "7"), Is(1, Op::kNotEqual, "7")));
  EXPECT_TRUE(Stays("int64", Stats("7", "8"), Is(1, Op::kNotEqual, "7")));
}

// Other writers leave both counts at zero for columns that they keep no statistics of.
TEST(PredicatePruner, CountsThatDoNotCoverTheRowsKeep) {
  for (const char* type : {"timetz", "interval", "int32"}) {
    Table table = MakeTable({MakeColumn(1, "c", type)});
    for (const Predicate& predicate : {Is(1, Op::kNotEqual, "1")}) {
      PredicatePruner pruner(predicate, table);
      std::vector<FieldFacts> facts;
      for (const PrunableField& field : pruner.fields())
        facts.push_back(FactsFromStats(field, Stats({}, {}, 0, 0), 10, false));
      EXPECT_TRUE(pruner.CanMatch(facts)) << type;
    }
  }
}

TEST(PredicatePruner, UnknownKeeps) {
  EXPECT_TRUE(Stays("int64", Stats({}, {}), Is(1, Op::kEqual, "5")));
  EXPECT_TRUE(Stays("int64", Stats("6", {}), Is(1, Op::kGreater, "5")));
  EXPECT_TRUE(Stays("int64", Stats("junk", "junk"), Is(1, Op::kEqual, "5")));
  EXPECT_TRUE(Stays("int64", Stats("6", "7"), Is(1, Op::kEqual, "no number")));
  EXPECT_TRUE(Stays("int64", Stats("6", "7"), Is(99, Op::kEqual, "5")))
      << "a field that the table lacks";
  EXPECT_TRUE(Stays("json", Stats("6", "7"), Is(1, Op::kEqual, "5")))
      << "may have been another type";
}

TEST(PredicatePruner, NullsMatchOnlyIsNull) {
  ColumnStats all_null = Stats({}, {}, 0, 10);
  EXPECT_FALSE(Stays("int32", all_null, Is(1, Op::kNotEqual, "1")));
  EXPECT_FALSE(Stays("int32", all_null, Nullness(1, Kind::kIsNotNull)));
  EXPECT_TRUE(Stays("int32", all_null, Nullness(1, Kind::kIsNull)));
  EXPECT_FALSE(Stays("int32", Stats("1", "2"), Nullness(1, Kind::kIsNull)));
  EXPECT_TRUE(Stays("int32", Stats("1", "2"), Nullness(1, Kind::kIsNotNull)));
  EXPECT_TRUE(Stays("interval", Stats({}, {}, 2, 0), Nullness(1, Kind::kIsNull)))
      << "the reference does not count them";
}

TEST(PredicatePruner, InAndOr) {
  ColumnStats stats = Stats("10", "20");
  EXPECT_TRUE(Stays("int32", stats, In(1, {"1", "15"})));
  EXPECT_FALSE(Stays("int32", stats, In(1, {"1", "25"})));
  EXPECT_FALSE(Stays("int32", stats, In(1, {})));
  EXPECT_FALSE(
      Stays("int32", stats, Join(Kind::kOr, {Is(1, Op::kLess, "10"), Is(1, Op::kGreater, "20")})));
  EXPECT_TRUE(Stays("int32", stats, Join(Kind::kOr, {Is(1, Op::kLess, "10"), Predicate::True()})));
  EXPECT_FALSE(
      Stays("int32", stats, Join(Kind::kAnd, {Is(1, Op::kLess, "10"), Predicate::True()})));
  EXPECT_TRUE(
      Stays("int32", stats, Join(Kind::kAnd, {Is(1, Op::kLess, "11"), Is(1, Op::kGreater, "19")})));
}

TEST(PredicatePruner, BothTextEncodings) {
  EXPECT_FALSE(Stays("boolean", Stats("0", "0"), Is(1, Op::kEqual, "1")));
  EXPECT_FALSE(Stays("boolean", Stats("false", "false"), Is(1, Op::kEqual, "1")));
  EXPECT_TRUE(Stays("boolean", Stats("false", "true"), Is(1, Op::kEqual, "1")));
  EXPECT_FALSE(Stays("blob", Stats("00FF", "00FF"), Is(1, Op::kEqual, "FF")));
  EXPECT_TRUE(Stays("blob", Stats("\\x00\\xFF", "\\x00\\xFF"), Is(1, Op::kEqual, "00FF")));
}

TEST(PredicatePruner, BoundsWrittenInANarrowerType) {
  // 0.1 as a float is above 0.1 as a double, and that is what the old file's rows now are.
  ColumnStats stats = Stats("0.1", "0.1", 10, 0, false);
  EXPECT_TRUE(Stays("float64", stats, Is(1, Op::kGreater, "0.1"), true));
  EXPECT_TRUE(Stays("float64", stats, Is(1, Op::kEqual, "0.10000000149011612"), true));
  EXPECT_FALSE(Stays("float64", stats, Is(1, Op::kGreater, "0.11"), true));
  EXPECT_FALSE(Stays("int64", Stats("1", "5"), Is(1, Op::kGreater, "5"), true));
}

TEST(PredicatePruner, NestedFieldsInStructsOnly) {
  Table table = MakeTable({MakeColumn(1, "s", "struct", {MakeColumn(2, "x", "int32")}),
                           MakeColumn(3, "l", "list", {MakeColumn(4, "element", "int32")})});
  PredicatePruner in_struct(Is(2, Op::kEqual, "5"), table);
  ASSERT_EQ(in_struct.fields().size(), 1u);
  EXPECT_FALSE(in_struct.fields()[0].is_top_level);
  EXPECT_TRUE(PredicatePruner(Is(4, Op::kEqual, "5"), table).fields().empty());
  EXPECT_TRUE(PredicatePruner(Nullness(1, Kind::kIsNull), table).fields().empty());
}

TEST(PredicatePruner, ConstantsOfAbsentColumns) {
  Table table = MakeTable({MakeColumn(1, "c", "int32")});
  PredicatePruner pruner(Is(1, Op::kEqual, "42"), table);
  PrunableField field = pruner.fields()[0];
  EXPECT_TRUE(pruner.CanMatch(std::vector{FactsOfConstant(field, "42")}));
  EXPECT_FALSE(pruner.CanMatch(std::vector{FactsOfConstant(field, "41")}));
  EXPECT_FALSE(pruner.CanMatch(std::vector{FactsOfConstant(field, std::nullopt)}));
  FieldFacts both =
      Intersect(FactsFromStats(field, Stats("1", "50"), 10, false), FactsOfConstant(field, "43"));
  EXPECT_FALSE(pruner.CanMatch(std::vector{both}));
}

// The property
// -----------------------------------------------------------------------------------------------------------------

struct Cell {
  bool is_null = false;
  StatsValue value;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  int64_t Below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }

  StatsValue Value(const ScalarType& type) {
    switch (type.kind) {
      case TypeKind::kBoolean:
        return StatsValue::Integer(Below(2));
      case TypeKind::kInt8:
        return Integer(-128, 127);
      case TypeKind::kInt32:
        return Integer(INT32_MIN, INT32_MAX);
      case TypeKind::kInt64:
        return Integer(INT64_MIN, INT64_MAX);
      case TypeKind::kUint8:
        return Integer(0, 255);
      case TypeKind::kUint64:
        return Integer(0, static_cast<Int128>(UINT64_MAX));
      case TypeKind::kDecimal:
        return Integer(-PowerOfTen(type.width) + 1, PowerOfTen(type.width) - 1);
      case TypeKind::kDate:
        if (Below(20) == 0)
          return Below(2) ? PositiveInfinity(type.kind) : NegativeInfinity(type.kind);
        return Integer(-700'000, 2'000'000);
      case TypeKind::kTime:
        return Integer(0, Int128{86'400} * 1'000'000);
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampTz:
      case TypeKind::kTimestampMs:
        if (Below(20) == 0)
          return Below(2) ? PositiveInfinity(type.kind) : NegativeInfinity(type.kind);
        return Integer(-Int128{4'000'000'000} * UnitsPerSecond(type.kind),
                       Int128{9'000'000'000} * UnitsPerSecond(type.kind));
      case TypeKind::kFloat32:
        return StatsValue::Real(static_cast<float>(Real()));
      case TypeKind::kFloat64:
        return StatsValue::Real(Real());
      case TypeKind::kUuid:
        return StatsValue::Bytes(Bytes(16, 256));
      case TypeKind::kBlob:
        return StatsValue::Bytes(Bytes(Length(), 256));
      default:
        return StatsValue::Bytes(Text());
    }
  }

 private:
  // Small numbers meet often, the ends of the range now and then.
  StatsValue Integer(Int128 least, Int128 greatest) {
    switch (Below(4)) {
      case 0:
        return StatsValue::Integer(least + Below(3));
      case 1:
        return StatsValue::Integer(greatest - Below(3));
      default: {
        Int128 value = Below(7) - 3;
        return StatsValue::Integer(std::max(least, std::min(greatest, value)));
      }
    }
  }
  double Real() {
    static const double kSpecial[] = {0.0,
                                      -0.0,
                                      0.1,
                                      -0.1,
                                      1e300,
                                      -1e300,
                                      5e-324,
                                      1.0 / 3,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN(),
                                      16777217.0};
    return Below(2) ? kSpecial[Below(12)] : static_cast<double>(Below(2000) - 1000) / 7;
  }
  size_t Length() { return static_cast<size_t>(Below(3) == 0 ? 250 + Below(20) : Below(4)); }
  std::string Bytes(size_t length, int64_t alphabet) {
    std::string bytes(length, '\0');
    for (char& c : bytes) c = static_cast<char>(Below(6) == 0 ? alphabet - 1 : Below(alphabet));
    return bytes;
  }
  std::string Text() {
    static const char* kLetters[] = {"a", "b", "Z", "é", "日", "\xF4\x8F\xBF\xBF", "\x7F", " "};
    std::string text;
    std::string same(Length(), 'a');  // long texts that differ after the cut
    for (int64_t i = Below(4); i > 0; --i) text += kLetters[Below(8)];
    return Below(2) ? same + text : text;
  }

  std::mt19937_64 random_;
};

bool IsNan(const StatsValue& value) {
  return value.form == StatsValue::Form::kReal && std::isnan(value.real);
}

ColumnStats StatsOf(const ScalarType& type, const std::vector<Cell>& cells) {
  ColumnStats stats = Stats({}, {}, 0, 0);
  std::optional<StatsValue> min, max;
  if (HasNan(type.kind)) stats.contains_nan = false;
  for (const Cell& cell : cells) {
    if (cell.is_null) {
      ++*stats.null_count;
      continue;
    }
    ++*stats.value_count;
    if (IsNan(cell.value)) {
      stats.contains_nan = true;
      continue;
    }
    if (!min || Compare(cell.value, *min) < 0) min = cell.value;
    if (!max || Compare(cell.value, *max) > 0) max = cell.value;
  }
  if (min) stats.min_value = EncodeBound(type, *min, BoundSide::kMin);
  if (max) stats.max_value = EncodeBound(type, *max, BoundSide::kMax);
  return stats;
}

// What the engine would do with one row.
bool Matches(const Predicate& predicate, const ScalarType& type, const Cell& cell) {
  auto constant = [&](size_t i) {
    return *ParseValue(type, predicate.constants[i], TextEncoding::kFile);
  };
  switch (predicate.kind) {
    case Kind::kTrue:
      return true;
    case Kind::kIsNull:
      return cell.is_null;
    case Kind::kIsNotNull:
      return !cell.is_null;
    case Kind::kAnd:
      return std::all_of(predicate.children.begin(), predicate.children.end(),
                         [&](const Predicate& child) { return Matches(child, type, cell); });
    case Kind::kOr:
      return std::any_of(predicate.children.begin(), predicate.children.end(),
                         [&](const Predicate& child) { return Matches(child, type, cell); });
    case Kind::kIn:
      for (size_t i = 0; i < predicate.constants.size(); ++i) {
        if (!cell.is_null && Compare(cell.value, constant(i)) == 0) return true;
      }
      return false;
    case Kind::kCompare:
      break;
  }
  if (cell.is_null) return false;
  auto order = Compare(cell.value, constant(0));
  switch (predicate.compare) {
    case Op::kEqual:
      return order == 0;
    case Op::kNotEqual:
      return order != 0;
    case Op::kLess:
      return order < 0;
    case Op::kLessOrEqual:
      return order <= 0;
    case Op::kGreater:
      return order > 0;
    case Op::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

Predicate RandomPredicate(Generator& generator, const ScalarType& type,
                          const std::vector<Cell>& cells, int depth) {
  auto constant = [&] {
    // Often a value that is there, so that the edges are met.
    const Cell& cell =
        cells[static_cast<size_t>(generator.Below(static_cast<int64_t>(cells.size())))];
    StatsValue value = generator.Below(2) && !cell.is_null ? cell.value : generator.Value(type);
    return FormatValue(type, value, TextEncoding::kFile);
  };
  switch (generator.Below(depth > 0 ? 8 : 6)) {
    case 0:
      return Nullness(1, generator.Below(2) ? Kind::kIsNull : Kind::kIsNotNull);
    case 1:
      return In(1, {constant(), constant()});
    case 6:
    case 7:
      return Join(generator.Below(2) ? Kind::kAnd : Kind::kOr,
                  {RandomPredicate(generator, type, cells, depth - 1),
                   RandomPredicate(generator, type, cells, depth - 1)});
    default:
      return Is(1, static_cast<Op>(generator.Below(6)), constant());
  }
}

class PruningProperty : public testing::TestWithParam<const char*> {};

TEST_P(PruningProperty, NeverLosesARow) {
  ScalarType type = *ParseTypeName(GetParam());
  Table table = MakeTable({MakeColumn(1, "c", GetParam())});
  Generator generator(42);
  int pruned = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Cell> cells(static_cast<size_t>(1 + generator.Below(4)));
    for (Cell& cell : cells) cell = {generator.Below(6) == 0, generator.Value(type)};
    ColumnStats stats = StatsOf(type, cells);
    Predicate predicate = RandomPredicate(generator, type, cells, 2);
    bool wanted = std::any_of(cells.begin(), cells.end(),
                              [&](const Cell& cell) { return Matches(predicate, type, cell); });
    PredicatePruner pruner(predicate, table);
    std::vector<FieldFacts> facts;
    for (const PrunableField& field : pruner.fields()) {
      facts.push_back(FactsFromStats(field, stats, static_cast<int64_t>(cells.size()),
                                     generator.Below(2) == 0));
    }
    bool stays = pruner.CanMatch(facts);
    pruned += !stays;
    ASSERT_TRUE(stays || !wanted) << "round " << round << ": bounds "
                                  << stats.min_value.value_or("none") << " to "
                                  << stats.max_value.value_or("none");
  }
  EXPECT_GT(pruned, 100) << "pruning that never prunes proves nothing";
}

INSTANTIATE_TEST_SUITE_P(EveryType, PruningProperty,
                         testing::Values("boolean", "int8", "int32", "int64", "uint8", "uint64",
                                         "float32", "float64", "decimal(4,2)", "decimal(38,10)",
                                         "date", "time", "timestamp", "timestamptz", "timestamp_ms",
                                         "uuid", "varchar", "blob"));

// A value of the type that a file was written with, as a reader casts it to the column's present
// one; nothing where the cast fails. `zone`: seconds that a reader's zone is behind UTC.
std::optional<StatsValue> Promoted(const ScalarType& from, const ScalarType& to,
                                   const StatsValue& value, int64_t zone) {
  if (from.kind == TypeKind::kFloat32) return value;
  if (IsTimestamp(to.kind)) {
    if (Compare(value, PositiveInfinity(from.kind)) == 0) return PositiveInfinity(to.kind);
    if (Compare(value, NegativeInfinity(from.kind)) == 0) return NegativeInfinity(to.kind);
    const int64_t units = UnitsPerSecond(to.kind);
    Int128 cast = from.kind == TypeKind::kDate
                      ? value.integer * 86'400 * units
                      : value.integer * (units / UnitsPerSecond(from.kind));
    if (to.kind == TypeKind::kTimestampTz) cast += Int128{zone} * units;
    constexpr Int128 kMost = std::numeric_limits<int64_t>::max();
    if (cast >= kMost || cast <= -kMost) return std::nullopt;
    return StatsValue::Integer(cast);
  }
  const int scale = from.kind == TypeKind::kDecimal ? from.scale : 0;
  if (to.kind == TypeKind::kDecimal)
    return StatsValue::Integer(value.integer * PowerOfTen(to.scale - scale));
  const double real = static_cast<double>(value.integer) / static_cast<double>(PowerOfTen(scale));
  if (to.kind == TypeKind::kFloat32) return StatsValue::Real(static_cast<float>(real));
  if (to.kind == TypeKind::kFloat64) return StatsValue::Real(real);
  return value;
}

class PromotedPruningProperty : public testing::TestWithParam<std::pair<const char*, const char*>> {
};

TEST_P(PromotedPruningProperty, NeverLosesARow) {
  const ScalarType from = *ParseTypeName(GetParam().first);
  const ScalarType to = *ParseTypeName(GetParam().second);
  ASSERT_TRUE(CanPromote(from, to));
  Table table = MakeTable({MakeColumn(1, "c", GetParam().second)});
  Generator generator(43);
  int pruned = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Cell> written(static_cast<size_t>(1 + generator.Below(4)));
    for (Cell& cell : written) cell = {generator.Below(6) == 0, generator.Value(from)};
    const int64_t zone = (generator.Below(29) - 14) * 3600;
    std::vector<Cell> read;
    for (const Cell& cell : written) {
      if (auto value = Promoted(from, to, cell.value, zone)) read.push_back({cell.is_null, *value});
    }
    if (read.size() != written.size()) continue;  // no reader could read the file
    ColumnStats stats = StatsOf(from, written);
    Predicate predicate = RandomPredicate(generator, to, read, 2);
    bool wanted = std::any_of(read.begin(), read.end(),
                              [&](const Cell& cell) { return Matches(predicate, to, cell); });
    PredicatePruner pruner(predicate, table);
    std::vector<FieldFacts> facts;
    for (const PrunableField& field : pruner.fields())
      facts.push_back(FactsFromStats(field, stats, static_cast<int64_t>(written.size()), true));
    bool stays = pruner.CanMatch(facts);
    pruned += !stays;
    ASSERT_TRUE(stays || !wanted) << "round " << round << ": bounds "
                                  << stats.min_value.value_or("none") << " to "
                                  << stats.max_value.value_or("none");
  }
  EXPECT_GT(pruned, 50) << "pruning that never prunes proves nothing";
}

INSTANTIATE_TEST_SUITE_P(
    EveryPromotion, PromotedPruningProperty,
    testing::Values(std::pair("boolean", "int32"), std::pair("int8", "int64"),
                    std::pair("int32", "float32"), std::pair("int64", "float64"),
                    std::pair("int32", "decimal(18,3)"), std::pair("uint8", "int64"),
                    std::pair("uint64", "float64"), std::pair("float32", "float64"),
                    std::pair("decimal(4,2)", "decimal(12,5)"),
                    std::pair("decimal(4,2)", "float64"), std::pair("decimal(4,2)", "float32"),
                    std::pair("date", "timestamp"), std::pair("date", "timestamptz"),
                    std::pair("timestamp_ms", "timestamp"), std::pair("timestamp", "timestamptz")));

// A partition: all its values have the same parts.
class PartsProperty : public testing::TestWithParam<const char*> {};

TEST_P(PartsProperty, NeverLoseARow) {
  const ScalarType type = *ParseTypeName(GetParam());
  const Table table = MakeTable({MakeColumn(1, "c", GetParam())});
  std::vector<Transform> transforms{{Transform::Kind::kBucket, 3}};
  for (auto kind : {Transform::Kind::kYear, Transform::Kind::kMonth, Transform::Kind::kDay,
                    Transform::Kind::kHour}) {
    if (TransformApplies({kind, 0}, type)) transforms.push_back({kind, 0});
  }
  Generator generator(7);
  int pruned = 0;
  for (int round = 0; round < 3000; ++round) {
    const Cell cell{false, generator.Value(type)};
    std::vector<PartFact> parts;
    for (const Transform& transform : transforms) {
      const auto part = PartOf(transform, type, cell.value);
      if (part && generator.Below(3) > 0) parts.push_back({transform, *part});
    }
    const Predicate predicate = RandomPredicate(generator, type, {cell}, 2);
    const PredicatePruner pruner(predicate, table);
    std::vector<FieldFacts> facts;
    for (const PrunableField& field : pruner.fields()) facts.push_back(FactsOfParts(field, parts));
    const bool stays = pruner.CanMatch(facts);
    pruned += !stays;
    ASSERT_TRUE(stays || !Matches(predicate, type, cell)) << "round " << round;
  }
  EXPECT_GT(pruned, 100) << "pruning that never prunes proves nothing";
}

INSTANTIATE_TEST_SUITE_P(EveryType, PartsProperty,
                         testing::Values("int8", "int64", "uint64", "float32", "float64",
                                         "decimal(4,2)", "decimal(38,10)", "date", "time",
                                         "timestamp", "timestamptz", "timestamp_ms", "uuid",
                                         "varchar", "blob"));

TEST(PredicatePruner, PartsOfADayLeaveNoOther) {
  const Table table = MakeTable({MakeColumn(1, "c", "timestamp")});
  const std::vector<PartFact> hour{{{Transform::Kind::kYear, 0}, 2024},
                                   {{Transform::Kind::kMonth, 0}, 2},
                                   {{Transform::Kind::kDay, 0}, 29},
                                   {{Transform::Kind::kHour, 0}, 23}};
  const auto stays = [&](size_t parts, Op op, const char* constant) {
    const PredicatePruner pruner(Is(1, op, constant), table);
    return pruner.CanMatch(std::vector{
        FactsOfParts(pruner.fields()[0], {hour.begin(), hour.begin() + static_cast<long>(parts)})});
  };
  for (size_t parts : {1, 2, 3, 4}) {
    EXPECT_TRUE(stays(parts, Op::kEqual, "2024-02-29 23:10:00")) << parts;
    EXPECT_FALSE(stays(parts, Op::kEqual, "2023-02-28 23:10:00")) << parts;
    EXPECT_FALSE(stays(parts, Op::kGreaterOrEqual, "2025-01-01 00:00:00")) << parts;
    EXPECT_EQ(stays(parts, Op::kLess, "2024-02-01 00:00:00"), parts < 2) << parts;
    EXPECT_EQ(stays(parts, Op::kGreaterOrEqual, "2024-03-01 00:00:00"), parts < 2) << parts;
    EXPECT_EQ(stays(parts, Op::kLess, "2024-02-29 00:00:00"), parts < 3) << parts;
    EXPECT_EQ(stays(parts, Op::kLess, "2024-02-29 23:00:00"), parts < 4) << parts;
    EXPECT_TRUE(stays(parts, Op::kGreater, "2024-02-29 23:59:59.999998")) << parts;
  }
}

}  // namespace
}  // namespace tarn
