// Reads and writes the words of changes_made.
#include "format/change_list.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "base/text.h"

namespace tarn {
namespace {

using enum ChangeKind;

struct KindWord {
  ChangeKind kind;
  std::string_view word;
};

constexpr KindWord kWords[] = {
    {kCreatedSchema, "created_schema"},
    {kCreatedTable, "created_table"},
    {kCreatedView, "created_view"},
    {kCreatedScalarMacro, "created_scalar_macro"},
    {kCreatedTableMacro, "created_table_macro"},
    {kDroppedSchema, "dropped_schema"},
    {kDroppedTable, "dropped_table"},
    {kDroppedView, "dropped_view"},
    {kDroppedScalarMacro, "dropped_scalar_macro"},
    {kDroppedTableMacro, "dropped_table_macro"},
    {kAlteredTable, "altered_table"},
    {kAlteredView, "altered_view"},
    {kInsertedIntoTable, "inserted_into_table"},
    {kDeletedFromTable, "deleted_from_table"},
    {kInlinedInsert, "inlined_insert"},
    {kInlinedDelete, "inlined_delete"},
    {kInlineFlush, "inline_flush"},
    {kMergeAdjacent, "merge_adjacent"},
    {kRewriteDelete, "rewrite_delete"},
    {kCompactedTable, "compacted_table"},
    {kInlineFlush, "flushed_inlined"},  // as lakes of 0.3 say it; read only
};

/// Takes a quoted name off the front of `text`, its doubled quotes undone.
std::optional<std::string> TakeQuoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string name;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') {
      name.push_back(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == '"') {
      name.push_back('"');
      ++i;
    } else {
      text.remove_prefix(i + 1);
      return name;
    }
  }
  return std::nullopt;
}

std::optional<Change> ParseByName(ChangeKind kind, std::string_view rest) {
  auto first = TakeQuoted(rest);
  if (!first) return std::nullopt;
  if (kind == kCreatedSchema) {
    if (!rest.empty()) return std::nullopt;
    return Change::Created(kind, {}, std::move(*first));
  }
  if (!rest.starts_with('.')) return std::nullopt;
  rest.remove_prefix(1);
  auto second = TakeQuoted(rest);
  if (!second || !rest.empty()) return std::nullopt;
  return Change::Created(kind, std::move(*first), std::move(*second));
}

std::optional<Change> ParseItem(std::string_view item) {
  const size_t colon = item.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view word = item.substr(0, colon);
  const std::string_view rest = item.substr(colon + 1);
  for (const KindWord& entry : kWords) {
    if (entry.word != word) continue;
    if (IsByName(entry.kind)) return ParseByName(entry.kind, rest);
    int64_t id = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    if (error != std::errc() || end != rest.data() + rest.size() || id < 0) return std::nullopt;
    return Change::ById(entry.kind, id);
  }
  return std::nullopt;
}

/// Where the first item of `text` ends: at a comma outside quotes. A doubled quote closes and opens
/// again, so it needs no care.
size_t ItemEnd(std::string_view text) {
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == ',' && !quoted) return i;
  }
  return text.size();
}

}  // namespace

Change Change::Created(ChangeKind kind, std::string schema, std::string name) {
  Change change;
  change.kind = kind;
  change.schema = std::move(schema);
  change.name = std::move(name);
  return change;
}

Change Change::ById(ChangeKind kind, int64_t id) {
  Change change;
  change.kind = kind;
  change.id = id;
  return change;
}

bool IsByName(ChangeKind kind) { return kind <= kCreatedTableMacro; }

std::string_view ChangeWord(ChangeKind kind) {
  for (const KindWord& entry : kWords) {
    if (entry.kind == kind) return entry.word;
  }
  return {};
}

std::vector<Change> ParseChanges(std::string_view changes_made) {
  std::vector<Change> changes;
  while (!changes_made.empty()) {
    const size_t end = ItemEnd(changes_made);
    const std::string_view item = TrimSpace(changes_made.substr(0, end));
    changes_made.remove_prefix(std::min(end + 1, changes_made.size()));
    if (item.empty()) continue;
    if (auto change = ParseItem(item)) {
      changes.push_back(std::move(*change));
    } else {
      Change unknown;
      unknown.word = item;
      changes.push_back(std::move(unknown));
    }
  }
  return changes;
}

std::string FormatChanges(std::span<const Change> changes) {
  std::string text;
  for (const Change& change : changes) {
    if (!text.empty()) text += ',';
    if (change.kind == kUnknown) {
      text += change.word;
      continue;
    }
    (text += ChangeWord(change.kind)) += ':';
    if (IsByName(change.kind)) {
      if (change.kind != kCreatedSchema) (text += QuoteIdentifier(change.schema)) += '.';
      text += QuoteIdentifier(change.name);
    } else {
      TARN_ASSERT(change.id >= 0);
      text += std::to_string(change.id);
    }
  }
  return text;
}

}  // namespace tarn
