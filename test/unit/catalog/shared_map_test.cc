// SharedMap against std::map: the same answers, whatever is put and erased, and no version changes
// another.
#include "tarn/shared_map.h"

#include <map>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace tarn::test {
namespace {

using Map = SharedMap<int, std::string>;

void ExpectSame(const Map& map, const std::map<int, std::string>& model) {
  ASSERT_EQ(map.size(), model.size());
  auto entry = map.begin();
  for (const auto& [key, value] : model) {
    ASSERT_NE(entry, map.end());
    EXPECT_EQ(entry->first, key);
    EXPECT_EQ(entry->second, value);
    ++entry;
  }
  EXPECT_EQ(entry, map.end());
}

TEST(SharedMapTest, AnswersAsAMapDoes) {
  std::mt19937 random(1);
  Map map;
  std::map<int, std::string> model;
  for (int step = 0; step < 5000; ++step) {
    const int key = static_cast<int>(random() % 500);
    if (random() % 3 == 0) {
      EXPECT_EQ(map.Erase(key), model.erase(key) > 0);
    } else {
      map.Put(key, std::to_string(step));
      model[key] = std::to_string(step);
    }
    EXPECT_EQ(map.count(key), model.count(key));
    if (step % 500 == 0) ExpectSame(map, model);
  }
  ExpectSame(map, model);
  while (!model.empty()) {
    EXPECT_TRUE(map.Erase(model.begin()->first));
    model.erase(model.begin());
  }
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.begin(), map.end());
}

TEST(SharedMapTest, CopiesDoNotChangeEachOther) {
  Map map;
  for (int i = 0; i < 300; ++i) map.Put(i, "old");
  const Map before = map;
  map.Put(150, "new");
  map.Erase(7);
  map.Put(1000, "added");
  EXPECT_EQ(before.at(150), "old");
  EXPECT_EQ(before.count(7), 1u);
  EXPECT_EQ(before.size(), 300u);
  EXPECT_EQ(map.at(150), "new");
  EXPECT_THROW(map.at(7), std::out_of_range);
}

TEST(SharedMapTest, ComparesOnlyWhatDiffers) {
  Map before;
  for (int i = 0; i < 1000; ++i) before.Put(i, "x");
  Map after = before;
  after.Put(500, "y");
  after.Erase(3);
  after.Put(2000, "z");
  int dropped = 0, created = 0, both = 0, changed = 0;
  Map::Compare(
      before, after, [&](const std::string&) { ++dropped; }, [&](const std::string&) { ++created; },
      [&](const std::string& a, const std::string& b) {
        ++both;
        if (a != b) ++changed;
      });
  EXPECT_EQ(dropped, 1);
  EXPECT_EQ(created, 1);
  EXPECT_EQ(changed, 1);
  EXPECT_LT(both, 300) << "shared chunks are skipped";
}

TEST(SharedMapTest, EqualKeysAreReplacedWithTheirSpelling) {
  struct Lower {
    bool operator()(const std::string& a, const std::string& b) const {
      return tolower(a[0]) < tolower(b[0]);
    }
  };
  SharedMap<std::string, int, Lower> map;
  map.Put("a", 1);
  map.Put("A", 2);
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(map.begin()->first, "A");
  EXPECT_EQ(map.at(std::string("a")), 2);
}

}  // namespace
}  // namespace tarn::test
