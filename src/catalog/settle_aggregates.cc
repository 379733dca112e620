// See settle_aggregates.h. The plan of the scan is made with what is not settled. Large tables are
// settled by chunks of files, so that few files are looked at one by one.
#include "catalog/settle_aggregates.h"

#include <algorithm>
#include <utility>

#include "catalog/aggregate_settler.h"
#include "catalog/chunk_facts.h"
#include "catalog/prune_files.h"

namespace tarn {
namespace {

using Kind = AggregateQuestion::Aggregate::Kind;

bool CountsAllRows(const AggregateQuestion& question) {
  const auto is_of_rows = [](const auto& one) { return one.kind == Kind::kCountRows; };
  return question.groups.empty() && question.scan.predicate.kind == Predicate::Kind::kTrue &&
         std::all_of(question.aggregates.begin(), question.aggregates.end(), is_of_rows);
}

template <class Map>
bool HasAny(const Map& map, DataFileId first, DataFileId last) {
  const auto found = map.lower_bound(first);
  return found != map.end() && found->first <= last;
}

class SettlingSelector final : public FileSelector {
 public:
  SettlingSelector(const AggregateQuestion& question, AggregateSettler& settler)
      : table_(*question.scan.table), settler_(settler) {}

  std::vector<TableFiles::Place> Select(StoreConnection& connection, const TableFiles* files,
                                        const RowChanges& own,
                                        std::vector<ScanFile>& staged) override {
    if (files != nullptr) AddCommitted(connection, *files, own);
    AddStaged(connection, staged);
    AggregateSettler::Outcome outcome = settler_.Finish();
    groups_ = std::move(outcome.groups);
    settled_ += static_cast<int64_t>(places_.size() + staged.size() - outcome.unsettled.size());
    std::vector<TableFiles::Place> rest;
    std::vector<ScanFile> staged_rest;
    for (const size_t number : outcome.unsettled) {
      if (number < places_.size()) {
        rest.push_back(places_[number]);
      } else {
        staged_rest.push_back(std::move(staged[number - places_.size()]));
      }
    }
    staged = std::move(staged_rest);
    return rest;
  }

  std::vector<AggregateAnswers::Group> TakeGroups() { return std::move(groups_); }
  int64_t settled() const { return settled_; }

 private:
  void AddCommitted(StoreConnection& connection, const TableFiles& files, const RowChanges& own) {
    std::optional<ChunkFacts> known;
    if (!settler_.fields().empty()) known.emplace(connection, files, table_, settler_.fields());
    has_learned_ = known && known->has_learned();
    for (size_t c = 0; c < files.chunks().size(); ++c) {
      const TableFiles::Chunk& chunk = files.chunks()[c];
      if (chunk.live() == 0) continue;
      AggregateSettler::File all{std::nullopt, !chunk.ended.empty(), {}};
      for (size_t f = 0; f < settler_.fields().size(); ++f)
        all.facts.push_back(known->Of(f, c).all());
      if (!settler_.CanMatch(all)) continue;
      if (!MayLackRows(chunk, files, own)) {
        all.rows = chunk.files->total_records();
        for (const uint16_t place : chunk.ended) *all.rows -= chunk.files->record_count(place);
        if (settler_.AddIfSettled(all)) {
          settled_ += static_cast<int64_t>(chunk.live());
          continue;
        }
      }
      for (size_t place = 0; place < chunk.files->size(); ++place) {
        if (chunk.is_live(place)) AddFile(files, own, {c, place}, known);
      }
    }
  }

  // False when surely all rows of live files are alive.
  static bool MayLackRows(const TableFiles::Chunk& chunk, const TableFiles& files,
                          const RowChanges& own) {
    const DataFileId first = chunk.files->id(0);
    const DataFileId last = chunk.files->id(chunk.files->size() - 1);
    return files.snapshot().id < chunk.files->last_partial() ||
           HasAny(files.deletes()->files, first, last) ||
           HasAny(files.deletes()->inlined, first, last) || HasAny(own.removed, first, last);
  }

  void AddFile(const TableFiles& files, const RowChanges& own, TableFiles::Place place,
               const std::optional<ChunkFacts>& known) {
    const DataFileId id = files.id(place);
    const RemovedRows* removed = own.Find(id);
    if (removed != nullptr && removed->all) return;
    AggregateSettler::File file;
    for (size_t f = 0; f < settler_.fields().size(); ++f)
      file.facts.push_back(known->Of(f, place.chunk).Get(place.place));
    if (!settler_.CanMatch(file)) return;
    const RowTotal count = files.Count(place, removed == nullptr ? 0 : removed->count);
    if (count.inexact == 0) file.rows = count.rows;
    const auto& packed = *files.chunks()[place.chunk].files;
    file.has_deletes = count.inexact > 0 || count.rows != packed.record_count(place.place) ||
                       files.deletes()->files.contains(id) || files.deletes()->inlined.contains(id);
    settler_.Add(std::move(file));
    places_.push_back(place);
  }

  // Those that have no such row are taken out.
  void AddStaged(StoreConnection& connection, std::vector<ScanFile>& staged) {
    std::vector<std::vector<FieldFacts>> facts(staged.size());
    if (!settler_.fields().empty())
      facts = FactsOfFiles(connection, table_, settler_.fields(), staged);
    size_t next = 0;
    std::erase_if(staged, [&](const ScanFile& file) {
      const auto deleted = static_cast<int64_t>(file.deleted_positions.size());
      AggregateSettler::File one{file.file.record_count - deleted, deleted > 0,
                                 std::move(facts[next++])};
      if (!settler_.CanMatch(one)) return true;
      settler_.Add(std::move(one));
      return false;
    });
  }

  const Table& table_;
  AggregateSettler& settler_;
  std::vector<TableFiles::Place> places_;  ///< of those that have numbers
  std::vector<AggregateAnswers::Group> groups_;
  int64_t settled_ = 0;
};

}  // namespace

std::optional<AggregateAnswers> SettleAggregates(StoreConnection& connection,
                                                 const AggregateQuestion& question,
                                                 const PlanInput& input) {
  AggregateSettler settler(question);
  if (!settler.can_settle()) return std::nullopt;
  AggregateAnswers answers;
  if (CountsAllRows(question)) {
    TableScan counts = question.scan;
    counts.most_files = -1;
    answers.rest = PlanTableScan(connection, counts, input);
    if (const std::optional<int64_t> rows = std::exchange(answers.rest.row_count, 0)) {
      answers.groups.push_back(
          {{}, std::vector(question.aggregates.size(), AggregateAnswers::Answer{*rows, {}})});
      answers.settled_files = answers.rest.total_files;
      answers.rest.inlined.clear();
      answers.rest.staged_rows.clear();
      answers.rest.files.clear();
      answers.rest.max_row_count = 0;
      answers.rest.lists_files = true;
      return answers;
    }
  }
  SettlingSelector selector(question, settler);
  answers.rest = PlanTableScan(connection, question.scan, input, &selector);
  answers.groups = selector.TakeGroups();
  answers.settled_files = selector.settled();
  if (answers.settled_files > 0) answers.rest.row_count.reset();
  return answers;
}

}  // namespace tarn
