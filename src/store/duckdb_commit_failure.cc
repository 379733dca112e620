// See the header.
#include "store/duckdb_commit_failure.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/text.h"

namespace tarn {

bool TellsOfOtherTransaction(std::string_view message) {
  constexpr std::string_view kWords[] = {"conflict", "another transaction", "constraint",
                                         "duplicate key", "failed to alter table"};
  const std::string lower = AsciiLower(message);
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace tarn
