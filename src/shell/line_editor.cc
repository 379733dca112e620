// libedit. See line_editor.h.
#include "shell/line_editor.h"

#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <cwchar>

#include "base/text.h"
#include "shell/interrupts.h"
#include "shell/terminal.h"

namespace tarn::shell {
namespace {

constexpr char kCtrlD = '\4';

volatile std::sig_atomic_t window_changed = 0;
volatile std::sig_atomic_t was_continued = 0;

void OnWindowChange(int) {
  window_changed = 1;
  Interrupts::Wake();
}

void OnContinue(int) {
  was_continued = 1;
  Interrupts::Wake();
}

void CatchSignal(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The bytes of a locale that is not UTF-8 would be cut into nonsense.
void UseUtf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

size_t CommonPrefix(const std::vector<std::string>& words) {
  size_t length = words[0].size();
  for (const auto& word : words) {
    size_t same = 0;
    while (same < std::min(length, word.size()) && word[same] == words[0][same]) ++same;
    length = same;
  }
  return length;
}

void ListWords(const std::vector<std::string>& words) {
  constexpr size_t kMost = 200;
  size_t widest = 0;
  for (const auto& word : words) widest = std::max(widest, word.size());
  const size_t per_line = std::max<size_t>(1, TerminalWidth() / (widest + 2));
  std::string text = "\n";
  for (size_t i = 0; i < std::min(words.size(), kMost); ++i) {
    text += words[i];
    const bool ends_line = (i + 1) % per_line == 0 || i + 1 == std::min(words.size(), kMost);
    text += ends_line ? "\n" : std::string(widest + 2 - words[i].size(), ' ');
  }
  if (words.size() > kMost) text += "… and " + std::to_string(words.size() - kMost) + " more\n";
  WriteOut(text);
}

}  // namespace

struct LineEditor::State {
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string prompt;
  Completer completer;
  bool was_typed_ahead = false;  ///< there was input before the editor asked for any

  static State& Of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<State*>(data);
  }

  static char* Prompt(EditLine* editor) { return Of(editor).prompt.data(); }

  /// After the window changed its size, or the process was stopped and goes on.
  static void Redraw(EditLine* editor) {
    const bool continued = was_continued != 0;
    const bool resized = window_changed != 0;
    was_continued = 0;
    window_changed = 0;
    if (continued) el_set(editor, EL_PREP_TERM, 1);
    if (resized) el_resize(editor);
    if (continued) el_set(editor, EL_REFRESH);
  }

  /// Reads one character, and lets Ctrl-C end the line.
  static int ReadCharacter(EditLine* editor, wchar_t* character) {
    std::mbstate_t state{};
    while (true) {
      const auto woken = Interrupts::Wait(STDIN_FILENO);
      if (woken == Interrupts::Woken::kCancelled) {
        errno = EINTR;
        return -1;
      }
      if (woken == Interrupts::Woken::kOther) {
        Redraw(editor);
        continue;
      }
      char byte = 0;
      const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return static_cast<int>(count);
      if (byte == '\0') {
        // A Ctrl-D that was typed while a statement ran: the terminal, not yet in the editor's
        // hands, keeps it as this. Typed now it is Ctrl-Space, which means nothing.
        if (!Of(editor).was_typed_ahead) continue;
        byte = kCtrlD;
      }
      const size_t used = std::mbrtowc(character, &byte, 1, &state);
      constexpr size_t kIncomplete = static_cast<size_t>(-2), kInvalid = static_cast<size_t>(-1);
      if (used == kIncomplete) continue;
      if (used == kInvalid) {
        state = {};
        continue;
      }
      return 1;
    }
  }

  static unsigned char Complete(EditLine* editor, int) {
    State& self = Of(editor);
    const LineInfo* line = el_line(editor);
    const std::string_view before(line->buffer, static_cast<size_t>(line->cursor - line->buffer));
    // A tab that indents, as in pasted text.
    if (TrimSpace(before).empty()) return el_insertstr(editor, "    ") == 0 ? CC_REFRESH : CC_ERROR;
    const std::string word(WordBeforeCursor(before));
    auto words = self.completer(before, word);
    if (words.empty()) return CC_ERROR;
    const size_t common = CommonPrefix(words);
    const bool is_single = words.size() == 1;
    if (common > word.size() || (is_single && common == word.size())) {
      // Letters typed in another case take the candidate's.
      el_deletestr(editor, static_cast<int>(Characters(word)));
      el_insertstr(editor, (words[0].substr(0, common) + (is_single ? " " : "")).c_str());
      return CC_REFRESH;
    }
    ListWords(words);
    return CC_REDISPLAY;
  }

  static size_t Characters(const std::string& text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  }
};

std::string_view WordBeforeCursor(std::string_view before_cursor) {
  size_t start = before_cursor.size();
  while (start > 0 && IsWordByte(before_cursor[start - 1])) --start;
  if (start == 1 && before_cursor[0] == '.') start = 0;
  return before_cursor.substr(start);
}

LineEditor::LineEditor(Completer completer) : state_(std::make_unique<State>()) {
  UseUtf8();
  state_->completer = std::move(completer);
  state_->editor = el_init("tarn", stdin, stdout, stderr);
  state_->history = history_init();
  auto* editor = state_->editor;
  HistEvent event;
  history(state_->history, &event, H_SETSIZE, 10000);
  el_set(editor, EL_CLIENTDATA, state_.get());
  el_set(editor, EL_PROMPT, State::Prompt);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, history, state_->history);
  el_set(editor, EL_GETCFN, State::ReadCharacter);
  el_set(editor, EL_ADDFN, "tarn-complete", "Complete the word before the cursor", State::Complete);
  el_set(editor, EL_BIND, "^I", "tarn-complete", nullptr);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  // The keys that terminals send for Home, End, Delete, and words.
  for (const auto& [keys, function] :
       {std::pair{"\\e[1~", "ed-move-to-beg"}, std::pair{"\\e[4~", "ed-move-to-end"},
        std::pair{"\\e[H", "ed-move-to-beg"}, std::pair{"\\e[F", "ed-move-to-end"},
        std::pair{"\\e[3~", "ed-delete-next-char"}, std::pair{"\\e[1;5C", "em-next-word"},
        std::pair{"\\e[1;5D", "ed-prev-word"}}) {
    el_set(editor, EL_BIND, keys, function, nullptr);
  }
  el_source(editor, nullptr);  // ~/.editrc
  CatchSignal(SIGWINCH, OnWindowChange);
  CatchSignal(SIGCONT, OnContinue);
}

LineEditor::~LineEditor() {
  std::signal(SIGWINCH, SIG_DFL);
  std::signal(SIGCONT, SIG_DFL);
  history_end(state_->history);
  el_end(state_->editor);
}

LineEditor::End LineEditor::Read(const std::string& prompt, std::string& line) {
  state_->prompt = prompt;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  state_->was_typed_ahead = ::poll(&input, 1, 0) > 0;
  const Interrupts::Reading reading;
  int count = 0;
  const char* text = el_gets(state_->editor, &count);
  if (Interrupts::Pressed()) {
    WriteOut("^C\n");
    return End::kCancelled;
  }
  if (text == nullptr || count <= 0) return End::kEndOfInput;
  line.assign(text, static_cast<size_t>(count));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return End::kLine;
}

void LineEditor::AddToHistory(const std::string& entry) {
  HistEvent event;
  history(state_->history, &event, H_ENTER, entry.c_str());
}

}  // namespace tarn::shell
