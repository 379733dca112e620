#include "format/type_names.h"

#include <gtest/gtest.h>

#include "tarn/error.h"

namespace tarn {
namespace {

TEST(TypeNames, EveryKindComesBack) {
  for (const TypeKind kind : AllTypeKinds()) {
    const ScalarType type = kind == TypeKind::kDecimal ? ScalarType{kind, 10, 2} : ScalarType{kind};
    EXPECT_EQ(ParseTypeName(TypeName(type)), type) << TypeName(type);
  }
  EXPECT_EQ(AllTypeKinds().size(), 33u);
}

TEST(TypeNames, DecimalsCarryWidthAndScale) {
  EXPECT_EQ(ParseTypeName("decimal(10,2)"), (ScalarType{TypeKind::kDecimal, 10, 2}));
  EXPECT_EQ(ParseTypeName("DECIMAL(38, 38)"), (ScalarType{TypeKind::kDecimal, 38, 38}));
  EXPECT_EQ(TypeName({TypeKind::kDecimal, 4, 0}), "decimal(4,0)");
  for (const char* name :
       {"decimal", "decimal(10)", "decimal(0,0)", "decimal(39,2)", "decimal(2,3)", "decimal(a,b)",
        "decimal(10,2", "decimal(-1,0)", "decimals(10,2)"}) {
    EXPECT_FALSE(ParseTypeName(name)) << name;
  }
}

TEST(TypeNames, CaseIsIgnoredAndOthersAreRefused) {
  EXPECT_EQ(ParseTypeName("INT32"), ScalarType{TypeKind::kInt32});
  EXPECT_EQ(ParseTypeName("struct"), ScalarType{TypeKind::kStruct});
  EXPECT_FALSE(ParseTypeName("integer"));
  EXPECT_FALSE(ParseTypeName(""));
  try {
    RequireTypeName("integer");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_NE(error.message().find("integer"), std::string::npos);
  }
}

TEST(TypeNames, OnlyFloatsHaveNan) {
  for (const TypeKind kind : AllTypeKinds()) {
    EXPECT_EQ(HasNan(kind), kind == TypeKind::kFloat32 || kind == TypeKind::kFloat64);
  }
}

TEST(TypeNames, BoundsThatCannotBeTrustedDoNotPrune) {
  for (const TypeKind kind : AllTypeKinds()) {
    if (!HasComparableBounds(kind)) {
      EXPECT_FALSE(HasFileBounds(kind));
    }
    if (TableBoundsMayPrune(kind)) {
      EXPECT_TRUE(FileBoundsMayPrune(kind));
    }
    if (FileBoundsMayPrune(kind)) {
      EXPECT_TRUE(HasComparableBounds(kind));
    }
  }
  EXPECT_FALSE(FileBoundsMayPrune(TypeKind::kJson));
  EXPECT_FALSE(FileBoundsMayPrune(TypeKind::kTimeTz));
  EXPECT_TRUE(FileBoundsMayPrune(TypeKind::kBlob));
  EXPECT_FALSE(TableBoundsMayPrune(TypeKind::kBlob));
  EXPECT_FALSE(TableBoundsMayPrune(TypeKind::kFloat64));
  EXPECT_FALSE(TableBoundsMayPrune(TypeKind::kInt128));
  EXPECT_FALSE(HasFileBounds(TypeKind::kInt128));
  EXPECT_TRUE(HasFileBounds(TypeKind::kUuid));
}

TEST(TypeNames, UnitsOfTimes) {
  EXPECT_EQ(UnitsPerSecond(TypeKind::kTimestampS), 1);
  EXPECT_EQ(UnitsPerSecond(TypeKind::kTimestampMs), 1'000);
  EXPECT_EQ(UnitsPerSecond(TypeKind::kTimestampTz), 1'000'000);
  EXPECT_EQ(UnitsPerSecond(TypeKind::kTime), 1'000'000);
  EXPECT_EQ(UnitsPerSecond(TypeKind::kTimeNs), 1'000'000'000);
}

}  // namespace
}  // namespace tarn
