#include "apps/troupe/editor/line_editor.hpp"

#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include "apps/troupe/editor/input_history.hpp"
#include "apps/troupe/editor/key_reader.hpp"
#include "apps/troupe/editor/seen_keys.hpp"
#include "messages/utf8.hpp"

namespace troupe {

// -- wake pipe ------------------------------------------------------------------------------------

namespace {

/// The open pipe, for the handler; -1 while there is none.
std::atomic<int> open_pipe{-1};

void on_terminal_signal(int signal) {
  const auto before = errno;
  const auto why = static_cast<char>(signal == SIGTSTP ? input_wake::suspend : input_wake::resize);
  if (const auto to = open_pipe.load(); to >= 0) [[maybe_unused]]
    const auto written = ::write(to, &why, 1);
  else if (signal == SIGTSTP)
    kill(getpid(), SIGSTOP);
  errno = before;
}

void handle(int signal) {
  struct sigaction how {};
  how.sa_handler = on_terminal_signal;
  how.sa_flags = SA_RESTART;
  sigaction(signal, &how, nullptr);
}

} // namespace

wake_pipe::wake_pipe() {
  if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0)
    ends_[0] = ends_[1] = -1;
  handle(SIGWINCH);
  handle(SIGTSTP);
}

wake_pipe::~wake_pipe() {
  close();
  std::signal(SIGWINCH, SIG_DFL);
  std::signal(SIGTSTP, SIG_DFL);
  ::close(ends_[0]);
  ::close(ends_[1]);
}

bool wake_pipe::open() {
  bool stays = true;
  while (const auto why = take())
    stays = stays && *why != input_wake::end;
  open_pipe = ends_[1];
  return stays;
}

void wake_pipe::close() {
  open_pipe = -1;
}

void wake_pipe::write(input_wake why) const {
  const auto byte = static_cast<char>(why);
  [[maybe_unused]] const auto written = ::write(ends_[1], &byte, 1);
}

std::optional<input_wake> wake_pipe::take() const {
  char why = 0;
  if (::read(ends_[0], &why, 1) != 1)
    return std::nullopt;
  return static_cast<input_wake>(why);
}

// -- line editor ----------------------------------------------------------------------------------

namespace {

// Control characters that no terminal's key has to itself stand for what libedit has no key for.
constexpr wchar_t paste_key = L'\x1d';
constexpr wchar_t new_line_key = L'\x1e';

constexpr int escape_wait_ms = 50;

std::wstring wide(std::string_view text) {
  std::wstring out;
  for (size_t at = 0; at < text.size();) {
    const auto unit = utf8_at(text, at);
    wchar_t code = 0;
    std::mbstate_t state{};
    const auto read = unit.valid ? std::mbrtowc(&code, text.data() + at, unit.bytes, &state) : 0;
    out.push_back(read > 0 && read <= unit.bytes ? code : L'\xFFFD');
    at += unit.bytes;
  }
  return out;
}

std::string narrow(std::wstring_view text) {
  std::string out;
  for (const auto code : text)
    append_code_point(out, static_cast<char32_t>(code));
  return out;
}

/// libedit reads and shows characters as the locale says; ours are UTF-8.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
    std::setlocale(LC_CTYPE, "C.UTF-8");
}

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// Has the terminal put a paste in brackets, or no more.
void bracket_pastes(bool on) {
  const char* term = std::getenv("TERM");
  if (term != nullptr && std::strcmp(term, "dumb") != 0)
    say(on ? "\x1b[?2004h" : "\x1b[?2004l");
}

} // namespace

struct line_editor::impl : noted_cursor {
  explicit impl(std::string history_file) : kept{std::move(history_file)} {
    use_utf8();
    edit = el_init("troupe", stdin, stderr, stderr);
    history = history_winit();
    HistEventW event;
    history_w(history, &event, H_SETSIZE, static_cast<int>(input_history::most_messages));
    for (const auto& each : kept.messages())
      history_w(history, &event, H_ENTER, wide(each).c_str());
    prepare();
  }

  ~impl() {
    history_wend(history);
    el_end(edit);
  }

  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  void prepare();
  void bind(const wchar_t* key, const wchar_t* command) {
    el_wset(edit, EL_BIND, key, command, nullptr);
  }

  static impl& of(EditLine* edit) {
    void* self = nullptr;
    el_wget(edit, EL_CLIENTDATA, &self);
    return *static_cast<impl*>(static_cast<noted_cursor*>(self));
  }

  static wchar_t* prompt_text(EditLine* edit) { return of(edit).prompt.data(); }
  static int read_key(EditLine* edit, wchar_t* out) { return of(edit).next_key(*out); }
  static unsigned char insert_paste(EditLine* edit, wint_t) { return of(edit).insert(); }
  static unsigned char insert_line(EditLine* edit, wint_t) {
    of(edit).pasted = L"\n";
    return of(edit).insert();
  }

  unsigned char insert();
  int next_key(wchar_t& out);
  int deliver(typed_key& key, wchar_t& out);
  bool wait_for_bytes(bool& quiet);
  bool on_wake(input_wake why);
  bool continues() const;
  bool is_empty() const;
  void suspend();

  EditLine* edit = nullptr;
  HistoryW* history = nullptr;
  input_history kept;
  key_reader keys;
  wake_pipe wakes;
  std::wstring prompt;
  std::wstring pasted;          ///< to be inserted by the key that was delivered last
  bool drops_backslash = false; ///< the one before the cursor, for a new line
  bool empty = true;
  input_end end = input_end::message;
};

void line_editor::impl::prepare() {
  el_wset(edit, EL_CLIENTDATA, static_cast<noted_cursor*>(this));
  el_wset(edit, EL_PROMPT, &prompt_text);
  el_wset(edit, EL_GETCFN, &read_key);
  el_wset(edit, EL_EDITOR, L"emacs");
  el_wset(edit, EL_HIST, history_w, history);
  el_wset(edit, EL_ADDFN, L"troupe-paste", L"Inserts what was pasted", &insert_paste);
  el_wset(edit, EL_ADDFN, L"troupe-line", L"Begins another line of the message", &insert_line);
  bind(L"^R", L"em-inc-search-prev");
  bind(L"\\e[1~", L"ed-move-to-beg");
  bind(L"\\e[4~", L"ed-move-to-end");
  bind(L"\\e[H", L"ed-move-to-beg");
  bind(L"\\e[F", L"ed-move-to-end");
  bind_seen_keys(edit);
  el_source(edit, nullptr);
  bind(L"^]", L"troupe-paste");
  bind(L"^^", L"troupe-line");
}

unsigned char line_editor::impl::insert() {
  if (std::exchange(drops_backslash, false))
    el_wdeletestr(edit, 1);
  const auto text = std::exchange(pasted, {});
  if (!text.empty() && el_winsertstr(edit, text.c_str()) != 0)
    return CC_ERROR;
  return CC_REFRESH;
}

bool line_editor::impl::continues() const {
  const auto* line = el_wline(edit);
  return line->cursor == line->lastchar && line->lastchar > line->buffer &&
         line->lastchar[-1] == L'\\';
}

bool line_editor::impl::is_empty() const {
  const auto* line = el_wline(edit);
  return line->lastchar == line->buffer;
}

int line_editor::impl::deliver(typed_key& key, wchar_t& out) {
  if (key.what == typed_key::kind::paste)
    pasted = wide(key.text);
  const auto is_enter =
      key.what == typed_key::kind::character && (key.code == U'\r' || key.code == U'\n');
  drops_backslash = is_enter && continues();
  if (key.what == typed_key::kind::paste)
    out = paste_key;
  else if (key.what == typed_key::kind::new_line || drops_backslash)
    out = new_line_key;
  else
    out = is_enter ? L'\n' : static_cast<wchar_t>(key.code);
  return 1;
}

/// @return whether the prompt stays open
bool line_editor::impl::on_wake(input_wake why) {
  switch (why) {
  case input_wake::resize:
    el_resize(edit);
    el_wset(edit, EL_REFRESH);
    return true;
  case input_wake::suspend:
    suspend();
    return true;
  case input_wake::interrupt:
    end = input_end::interrupted;
    return false;
  default:
    end = input_end::ended;
    return false;
  }
}

void line_editor::impl::suspend() {
  el_wset(edit, EL_PREP_TERM, 0);
  bracket_pastes(false);
  say("\n");
  kill(getpid(), SIGSTOP);
  bracket_pastes(true);
  el_wset(edit, EL_PREP_TERM, 1);
  el_wset(edit, EL_REFRESH);
}

/// @param quiet set when a key has begun and nothing more came @return whether the prompt stays
/// open
bool line_editor::impl::wait_for_bytes(bool& quiet) {
  pollfd from[] = {{STDIN_FILENO, POLLIN, 0}, {wakes.to_poll(), POLLIN, 0}};
  const auto ready = ::poll(from, 2, keys.has_begun() ? escape_wait_ms : -1);
  quiet = ready == 0;
  if (ready < 0)
    return errno == EINTR;
  if (const auto why = from[1].revents != 0 ? wakes.take() : std::nullopt)
    return on_wake(*why);
  if (from[0].revents == 0)
    return true;
  char bytes[4096];
  const auto count = ::read(STDIN_FILENO, bytes, sizeof bytes);
  if (count > 0)
    keys.feed({bytes, static_cast<size_t>(count)});
  if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
    return on_wake(input_wake::end);
  return true;
}

/// libedit's own contract: 1 with a character, 0 for the end.
int line_editor::impl::next_key(wchar_t& out) {
  typed_key key;
  for (bool quiet = false; !keys.next(key, quiet);)
    if (!wait_for_bytes(quiet)) {
      empty = is_empty();
      keys.clear();
      return 0;
    }
  return deliver(key, out);
}

line_editor::line_editor(std::string history_file)
    : impl_{std::make_unique<impl>(std::move(history_file))} {}

line_editor::~line_editor() = default;

input_end line_editor::read(const std::string& prompt, std::string& text, bool& was_empty) {
  auto& self = *impl_;
  self.prompt = wide(prompt);
  self.end = input_end::message;
  self.empty = was_empty = true;
  text.clear();
  if (!self.wakes.open())
    return input_end::ended;
  bracket_pastes(true);
  int count = 0;
  const auto* line = el_wgets(self.edit, &count);
  bracket_pastes(false);
  self.wakes.close();
  was_empty = self.empty;
  if (line == nullptr || count <= 0) {
    say("\n");
    return self.end == input_end::message ? input_end::ended : self.end;
  }
  std::wstring_view typed{line, static_cast<size_t>(count)};
  if (typed.ends_with(L'\n'))
    typed.remove_suffix(1);
  text = narrow(typed);
  HistEventW event;
  if (self.kept.add(text))
    history_w(self.history, &event, H_ENTER, std::wstring{typed}.c_str());
  return input_end::message;
}

void line_editor::wake(input_wake why) {
  impl_->wakes.write(why);
}

const std::string& line_editor::history_fault() const {
  return impl_->kept.fault();
}

} // namespace troupe
