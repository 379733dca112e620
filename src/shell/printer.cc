// The output modes. See printer.h.
#include "shell/printer.h"

#include <unistd.h>

#include <map>
#include <vector>

#include "shell/terminal.h"

namespace tarn::shell {
namespace {

using engine::BoxPart;
using engine::ResultColumn;
using engine::SessionResult;

constexpr std::pair<std::string_view, OutputMode> kModes[] = {
    {"box", OutputMode::kBox},           {"csv", OutputMode::kCsv},
    {"json", OutputMode::kJson},         {"jsonl", OutputMode::kJsonLines},
    {"markdown", OutputMode::kMarkdown},
};

/// Gathers small pieces into big writes.
class Output {
 public:
  std::string& text() { return text_; }
  void FlushWhenFull() {
    if (text_.size() >= kFull) Flush();
  }
  void Flush() {
    WriteOut(text_);
    text_.clear();
  }

 private:
  static constexpr size_t kFull = 64 * 1024;
  std::string text_;
};

std::string_view ColorOf(BoxPart part) {
  switch (part) {
    case BoxPart::kLayout:
    case BoxPart::kType:
    case BoxPart::kNull:
    case BoxPart::kFooter:
      return kDim;
    case BoxPart::kColumnName:
      return kBold;
    case BoxPart::kValue:
      break;
  }
  return {};
}

void PrintBox(SessionResult& result) {
  const bool on_terminal = IsTerminal(STDOUT_FILENO);
  const bool color = WantsColor(STDOUT_FILENO);
  Output output;
  engine::BoxOptions options;
  // Whoever reads from a pipe or a file wants all of it.
  options.max_width = on_terminal ? TerminalWidth() : 0;
  options.max_rows = on_terminal ? kBoxRowsOnTerminal : 0;
  std::string_view painted;
  options.print = [&](BoxPart part, std::string_view text) {
    const auto paint = color ? ColorOf(part) : std::string_view();
    if (paint != painted && !painted.empty()) output.text() += kReset;
    if (paint != painted) output.text() += paint;
    painted = paint;
    output.text() += text;
    output.FlushWhenFull();
  };
  result.DrawBox(options);
  if (!painted.empty()) output.text() += kReset;
  output.Flush();
}

void PrintPlan(SessionResult& result) {
  while (result.Next()) {
    std::string text(result.Text(1).value_or(""));
    if (!text.empty() && text.back() != '\n') text += '\n';
    WriteOut(text);
  }
}

/// RFC 4180, with line feeds alone. NULL is empty, an empty text is "".
void AppendCsv(std::optional<std::string_view> field, std::string& out) {
  if (!field) return;
  const bool needs_quotes = field->empty() ||
                            field->find_first_of(",\"\n\r") != std::string_view::npos ||
                            field->front() == ' ' || field->back() == ' ';
  if (!needs_quotes) {
    out += *field;
    return;
  }
  out += '"';
  for (const char c : *field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void PrintCsv(SessionResult& result) {
  const auto& columns = result.columns();
  Output output;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) output.text() += ',';
    AppendCsv(columns[i].name, output.text());
  }
  output.text() += '\n';
  while (result.Next()) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) output.text() += ',';
      AppendCsv(result.Text(i), output.text());
    }
    output.text() += '\n';
    output.FlushWhenFull();
  }
  output.Flush();
}

/// `"name":` of each column; a name that was there before gets a number, as objects cannot hold it
/// twice.
std::vector<std::string> JsonKeys(const std::vector<ResultColumn>& columns) {
  std::map<std::string, int> taken;
  for (const auto& column : columns) taken.emplace(column.name, 0);
  std::vector<std::string> keys;
  std::map<std::string, bool> used;
  for (const auto& column : columns) {
    auto name = column.name;
    while (used[name]) {
      do {
        name = column.name + "_" + std::to_string(++taken[column.name]);
      } while (taken.count(name) > 0);
    }
    used[name] = true;
    std::string key;
    engine::AppendJsonString(name, key);
    keys.push_back(key + ":");
  }
  return keys;
}

void AppendJsonRow(SessionResult& result, const std::vector<std::string>& keys, std::string& out) {
  out += '{';
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) out += ',';
    out += keys[i];
    result.AppendJson(i, out);
  }
  out += '}';
}

void PrintJson(SessionResult& result, bool as_array) {
  const auto keys = JsonKeys(result.columns());
  Output output;
  if (as_array) output.text() += '[';
  bool is_first = true;
  while (result.Next()) {
    if (as_array) output.text() += is_first ? "" : ",\n ";
    is_first = false;
    AppendJsonRow(result, keys, output.text());
    if (!as_array) output.text() += '\n';
    output.FlushWhenFull();
  }
  if (as_array) output.text() += "]\n";
  output.Flush();
}

/// What Markdown would take for its own is escaped; a line break would end the row.
void AppendMarkdown(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '|':
      case '\\':
      case '`':
      case '*':
        out += '\\';
        out += text[i];
        break;
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '\r':
        if (i + 1 < text.size() && text[i + 1] == '\n') break;
        [[fallthrough]];
      case '\n':
        out += "<br>";
        break;
      default:
        out += text[i];
    }
  }
}

void PrintMarkdown(SessionResult& result) {
  const auto& columns = result.columns();
  Output output;
  for (const auto& column : columns) {
    output.text() += "| ";
    AppendMarkdown(column.name, output.text());
    output.text() += ' ';
  }
  output.text() += "|\n";
  for (const auto& column : columns) output.text() += column.is_number ? "| ---: " : "| --- ";
  output.text() += "|\n";
  while (result.Next()) {
    for (size_t i = 0; i < columns.size(); ++i) {
      output.text() += "| ";
      AppendMarkdown(result.Text(i).value_or("NULL"), output.text());
      output.text() += ' ';
    }
    output.text() += "|\n";
    output.FlushWhenFull();
  }
  output.Flush();
}

}  // namespace

std::optional<OutputMode> ParseOutputMode(std::string_view name) {
  for (const auto& [known, mode] : kModes) {
    if (known == name) return mode;
  }
  return std::nullopt;
}

std::string_view OutputModeName(OutputMode mode) {
  for (const auto& [name, known] : kModes) {
    if (known == mode) return name;
  }
  return {};
}

void Printer::Print(SessionResult& result) {
  const bool is_plan = result.kind() == SessionResult::Kind::kPlan;
  if (result.kind() != SessionResult::Kind::kRows && !is_plan) return;
  // A drawing inside a box would be cut into one line.
  if (is_plan && mode_ == OutputMode::kBox) return PrintPlan(result);
  switch (mode_) {
    case OutputMode::kBox:
      return PrintBox(result);
    case OutputMode::kCsv:
      return PrintCsv(result);
    case OutputMode::kJson:
      return PrintJson(result, true);
    case OutputMode::kJsonLines:
      return PrintJson(result, false);
    case OutputMode::kMarkdown:
      return PrintMarkdown(result);
  }
}

}  // namespace tarn::shell
