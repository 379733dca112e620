// See select_files.h. Whole chunks are skipped by the union of their files' facts, then single
// files.
#include "catalog/select_files.h"

namespace tarn {

std::vector<TableFiles::Place> SelectFiles(const TableFiles& files, const ChunkFacts* known,
                                           const PredicatePruner& pruner) {
  const std::span<const PrunableField> fields = pruner.fields();
  const std::vector<PredicatePruner::Required> required = pruner.RequiredComparisons();
  std::vector<TableFiles::Place> selected;
  std::vector<FieldFacts> facts(fields.size());
  std::vector<uint8_t> candidates;
  for (size_t c = 0; c < files.chunks().size(); ++c) {
    const TableFiles::Chunk& chunk = files.chunks()[c];
    if (chunk.live() == 0) continue;
    if (known != nullptr) {
      for (size_t f = 0; f < fields.size(); ++f) facts[f] = known->Of(f, c).all();
      if (!pruner.CanMatch(facts)) continue;
    }
    candidates.assign(chunk.files->size(), 1);
    for (const uint16_t place : chunk.ended) candidates[place] = 0;
    if (known != nullptr) {
      for (const PredicatePruner::Required& one : required)
        known->Of(one.slot, c).Sift(one.compare, *one.constant, candidates);
    }
    for (size_t place = 0; place < candidates.size(); ++place) {
      if (candidates[place] == 0) continue;
      if (known != nullptr) {
        for (size_t f = 0; f < fields.size(); ++f) facts[f] = known->Of(f, c).Get(place);
        if (!pruner.CanMatch(facts)) continue;
      }
      selected.push_back({c, place});
    }
  }
  return selected;
}

}  // namespace tarn
