// See change_set.h.
#include "catalog/change_set.h"

#include <utility>

#include "base/assert.h"

namespace tarn {

void ChangeSet::WithdrawFlush(TableRef table) {
  const auto found = rows.find(table);
  TARN_ASSERT(found != rows.end() && found->second.flush);
  for (FlushedTable& flushed : found->second.flush->tables) {
    for (DataFile& file : flushed.files) unused_files.emplace_back(table, std::move(file));
  }
  found->second.flush.reset();
  if (found->second.empty()) rows.erase(found);
}

}  // namespace tarn
