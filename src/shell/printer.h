// Results on standard output, in the mode that was chosen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/session.h"

namespace tarn::shell {

enum class OutputMode { kBox, kCsv, kJson, kJsonLines, kMarkdown };

/// "box", "csv", "json", "jsonl", "markdown"; nullopt for anything else.
std::optional<OutputMode> ParseOutputMode(std::string_view name);
std::string_view OutputModeName(OutputMode mode);
inline constexpr std::string_view kOutputModeNames = "box, csv, json, jsonl, markdown";

/// Rows that a box shows on a terminal; what is longer loses its middle.
inline constexpr uint64_t kBoxRowsOnTerminal = 40;

class Printer {
 public:
  explicit Printer(OutputMode mode) : mode_(mode) {}
  OutputMode mode() const { return mode_; }
  void set_mode(OutputMode mode) { mode_ = mode; }
  /// Rows may be printed while they are made; false where all must be known before the first is
  /// printed.
  bool streams() const { return mode_ != OutputMode::kBox; }

  /// Prints a table. Other kinds of results print nothing.
  void Print(engine::SessionResult& result);

 private:
  OutputMode mode_;
};

}  // namespace tarn::shell
