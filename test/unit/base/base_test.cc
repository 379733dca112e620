// Small pieces of base: errors, 128-bit integers, uuids, hashes, retries.
#include <gtest/gtest.h>

#include <set>

#include "base/assert.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/int128.h"
#include "base/retry.h"
#include "base/uuid.h"
#include "tarn/error.h"

namespace tarn {
namespace {

TEST(Error, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    names.insert(ErrorCodeName(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(ErrorCode::kInternal) + 1);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kInvalid), "invalid");
}

TEST(Error, AssertionNamesTheConditionAndThePlace) {
  TARN_ASSERT(1 + 1 == 2);
  try {
    TARN_ASSERT(1 + 1 == 3);
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_NE(error.message().find("1 + 1 == 3"), std::string::npos);
    EXPECT_NE(error.message().find("base_test.cc:"), std::string::npos);
    EXPECT_EQ(error.message().find('/'), std::string::npos) << "no build paths in messages";
  }
}

TEST(Int128, ExtremesComeBack) {
  EXPECT_EQ(FormatInt128(kInt128Min), "-170141183460469231731687303715884105728");
  EXPECT_EQ(FormatInt128(kInt128Max), "170141183460469231731687303715884105727");
  EXPECT_EQ(FormatUint128(kUint128Max), "340282366920938463463374607431768211455");
  EXPECT_TRUE(ParseInt128("-170141183460469231731687303715884105728") == kInt128Min);
  EXPECT_TRUE(ParseInt128("170141183460469231731687303715884105727") == kInt128Max);
  EXPECT_TRUE(ParseUint128("340282366920938463463374607431768211455") == kUint128Max);
  EXPECT_TRUE(ParseInt128("-0") == Int128{0});
  EXPECT_TRUE(ParseInt128("+007") == Int128{7});
  EXPECT_EQ(FormatInt128(0), "0");
}

TEST(Int128, RefusesWhatDoesNotFitOrIsNoNumber) {
  for (const char* text :
       {"170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
        "340282366920938463463374607431768211456", "", "-", "+", "1x", " 1", "1.0", "--1"}) {
    EXPECT_FALSE(ParseInt128(text)) << text;
  }
  EXPECT_FALSE(ParseUint128("340282366920938463463374607431768211456"));
  EXPECT_FALSE(ParseUint128("-1"));
}

TEST(Int128, PowersOfTen) {
  EXPECT_EQ(FormatInt128(PowerOfTen(0)), "1");
  EXPECT_EQ(FormatInt128(PowerOfTen(38)), "1" + std::string(38, '0'));
  EXPECT_THROW(PowerOfTen(39), Error);
}

TEST(Murmur3, KnownValues) {
  EXPECT_EQ(Murmur3_32(""), 0u);
  EXPECT_EQ(Murmur3_32("", 1), 0x514E28B7u);
  EXPECT_EQ(Murmur3_32(std::string_view("\0\0\0\0", 4)), 0x2362F9DEu);
  EXPECT_EQ(Murmur3_32("\x21\x43\x65\x87"), 0xF55B516Bu);
  EXPECT_EQ(Murmur3_32("\x21\x43\x65"), 0x7E4A8634u);
  EXPECT_EQ(Murmur3_32("\x21\x43"), 0xA0F7B07Au);
  EXPECT_EQ(Murmur3_32("\x21"), 0x72661CF4u);
  EXPECT_EQ(Murmur3_32("iceberg"), 1210000089u);
  EXPECT_EQ(Murmur3_32("Hello, world!", 0x9747b28c), 0x24884CBAu);
}

TEST(Uuid, VersionAndVariantAreSet) {
  const auto ones = [] { return ~uint64_t{0}; };
  EXPECT_EQ(UuidV4(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV4([] { return uint64_t{0}; }), "00000000-0000-4000-8000-000000000000");
  const Timestamp time{std::chrono::microseconds(0x0123456789AB * 1000LL + 999)};
  EXPECT_EQ(UuidV7(time, ones), "01234567-89ab-7fff-bfff-ffffffffffff");
}

TEST(Uuid, Version7SortsByTime) {
  uint64_t state = 1;
  const auto random = [&state] {
    return state = state * 6364136223846793005u + 1442695040888963407u;
  };
  std::string last;
  for (int i = 0; i < 1000; ++i) {
    const std::string next =
        UuidV7(Timestamp(std::chrono::milliseconds(1'700'000'000'000 + i)), random);
    EXPECT_LT(last, next);
    last = next;
  }
}

TEST(Uuid, ParsesTheFormsThatPeopleWrite) {
  const std::string text = "f79c3e09-677c-4bbd-a479-3f349cb785e7";
  for (const char* form :
       {"f79c3e09-677c-4bbd-a479-3f349cb785e7", "F79C3E09677C4BBDA4793F349CB785E7",
        "{f79c3e09677c4bbda479-3f349cb785e7}"}) {
    ASSERT_TRUE(ParseUuid(form)) << form;
    EXPECT_EQ(FormatUuid(*ParseUuid(form)), text);
  }
  for (const char* form :
       {"", "f79c3e09", "f79c3e09-677c-4bbd-a479-3f349cb785e",
        "f79c3e09-677c-4bbd-a479-3f349cb785e7a", "-f79c3e09-677c-4bbd-a479-3f349cb785e7",
        "g79c3e09-677c-4bbd-a479-3f349cb785e7"}) {
    EXPECT_FALSE(ParseUuid(form)) << form;
  }
}

TEST(Retry, WaitsGrowAndStayWithinTheirLimits) {
  std::vector<int64_t> waits;
  uint64_t next_random = 0;
  Environment environment;
  environment.random = [&] { return next_random++ * 7919; };
  environment.sleep = [&](int64_t wait_ms) { waits.push_back(wait_ms); };
  Retry retry({.max_attempts = 5, .wait_ms = 100, .backoff = 2}, environment);
  int64_t attempts = 1;
  while (retry.WaitBeforeNext()) ++attempts;
  EXPECT_EQ(attempts, 5);
  ASSERT_EQ(waits.size(), 4u);
  for (size_t i = 0; i < waits.size(); ++i) {
    EXPECT_GE(waits[i], 50 << i);
    EXPECT_LE(waits[i], 100 << i);
  }
}

TEST(Retry, NoneWhenOneAttemptIsAllowed) {
  Environment environment;
  environment.sleep = [](int64_t) { FAIL() << "must not wait"; };
  for (const int64_t attempts : {0, 1}) {
    Retry retry({.max_attempts = attempts}, environment);
    EXPECT_FALSE(retry.WaitBeforeNext());
  }
}

TEST(Retry, AbsurdOptionsNeverWaitForever) {
  int64_t longest = 0;
  Environment environment;
  environment.sleep = [&](int64_t wait_ms) { longest = std::max(longest, wait_ms); };
  Retry retry({.max_attempts = 300, .wait_ms = 1'000'000'000, .backoff = 1e9}, environment);
  while (retry.WaitBeforeNext()) {
  }
  EXPECT_LE(longest, 60'000);
  EXPECT_GE(longest, 30'000);
}

TEST(Retry, WaitsEndWhenInterrupted) {
  int64_t waited = 0;
  Environment environment;
  environment.sleep = [&](int64_t wait_ms) { waited += wait_ms; };
  Retry retry({.max_attempts = 2, .wait_ms = 10'000}, environment);
  EXPECT_TRUE(retry.WaitBeforeNext([&] { return waited >= 100; }));
  EXPECT_LE(waited, 200);
}

TEST(EnvironmentDefaults, AreTheMachinesOwn) {
  const Environment environment = WithDefaults({});
  EXPECT_GT(environment.now(), Timestamp(std::chrono::seconds(1'600'000'000)));
  EXPECT_NE(environment.random(), environment.random());
  environment.sleep(0);
}

}  // namespace
}  // namespace tarn
