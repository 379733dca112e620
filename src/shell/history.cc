// The history file. See history.h.
#include "shell/history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/text.h"
#include "shell/statement_splitter.h"

namespace tarn::shell {
namespace {

constexpr size_t kMaxEntries = 2000;

/// CREATE SECRET and its like; better one entry too few than a password on disk.
bool MayHoldSecret(std::string_view entry) {
  const auto text = AsciiLower(entry);
  for (const char* word : {"secret", "password", "token"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

/// Opens for appending; a new file is its user's alone. -1 when that fails.
int OpenToAppend(const std::string& path, int more_flags) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | more_flags,
                S_IRUSR | S_IWUSR);
}

/// Entries are short: one write, which other shells' writes do not cut in two.
void WriteEntries(int file_descriptor, const std::string& text) {
  [[maybe_unused]] const ssize_t written = ::write(file_descriptor, text.data(), text.size());
  ::close(file_descriptor);
}

void MakeFolder(const std::string& path) {
  namespace fs = std::filesystem;
  const auto folder = fs::path(path).parent_path();
  std::error_code error;
  if (fs::is_directory(folder, error) || !fs::create_directories(folder, error)) return;
  fs::permissions(folder, fs::perms::owner_all, error);
}

}  // namespace

std::string History::DefaultPath() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/tarn/history";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::string(home) + "/.local/state/tarn/history";
  return {};
}

History::History(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) entries_.push_back(line);
  }
  if (entries_.size() <= 2 * kMaxEntries) return;
  // Long enough: the older half goes.
  entries_.erase(entries_.begin(), entries_.end() - kMaxEntries);
  std::string text;
  for (const auto& entry : entries_) text += entry + "\n";
  const int rewritten = OpenToAppend(path_, O_TRUNC);
  if (rewritten >= 0) WriteEntries(rewritten, text);
}

std::vector<std::string> History::Add(std::string_view text) {
  const auto trimmed = TrimSpace(text);
  if (trimmed.empty()) return {};
  std::vector<std::string> added;
  if (auto line = OnOneLine(trimmed)) {
    added.push_back(std::move(*line));
  } else {
    for (size_t start = 0; start < trimmed.size();) {
      const size_t end = std::min(trimmed.find('\n', start), trimmed.size());
      if (end > start) added.emplace_back(trimmed.substr(start, end - start));
      start = end + 1;
    }
  }
  if (added.size() == 1 && !entries_.empty() && entries_.back() == added[0]) return {};
  entries_.insert(entries_.end(), added.begin(), added.end());
  if (path_.empty() || MayHoldSecret(trimmed)) return added;
  std::string lines;
  for (const auto& entry : added) lines += entry + "\n";
  Append(lines);
  return added;
}

void History::Append(const std::string& lines) {
  MakeFolder(path_);
  const int file_descriptor = OpenToAppend(path_, 0);
  if (file_descriptor >= 0) WriteEntries(file_descriptor, lines);
}

}  // namespace tarn::shell
