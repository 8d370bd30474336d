#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/troupe/chat/chat_commands.hpp"
#include "apps/troupe/chat/chat_state.hpp"
#include "apps/troupe/chat/chat_turn.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/data_folder.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/environment_options.hpp"
#include "apps/troupe/signals.hpp"
#include "messages/ids.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

// -- piped input ----------------------------------------------------------------------------------

namespace {

/// Returns whether stdin is a pipe, a socket or a file: something that was given on purpose. A
/// terminal and /dev/null are not.
bool has_piped_input() {
  struct stat found {};
  return fstat(STDIN_FILENO, &found) == 0 &&
         (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || S_ISREG(found.st_mode));
}

/// Reads stdin to its end. When nothing comes for a while stderr says what is waited for.
std::string read_piped_input() {
  constexpr int patience_ms = 3000;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, patience_ms) == 0 && isatty(STDIN_FILENO) == 0)
    std::fputs("troupe: waiting for the end of standard input; </dev/null goes on without it\n",
               stderr);
  std::string out;
  char bytes[65536];
  for (;;) {
    const auto count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count > 0)
      out.append(bytes, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR))
      return out;
  }
}

// -- chat -----------------------------------------------------------------------------------------

struct chat_options {
  engine_options engine;
  std::vector<std::string> prompt;
  std::string server;
  std::string session;
  std::optional<std::string> system;
  std::vector<std::string> files;
  bool go_on = false;
  bool events = false;
  bool plain = false;
};

int complain(std::string_view why, int code) {
  fmt::print(stderr, "troupe: {}\n", why);
  return code;
}

/// Returns the first message: the prompt of the command line, then what is piped in.
std::string first_message(const chat_options& options) {
  std::string out;
  bool reads = has_piped_input();
  for (const auto& each : options.prompt)
    if (each == "-")
      reads = true;
    else
      out += (out.empty() ? "" : " ") + each;
  if (!reads)
    return out;
  auto piped = read_piped_input();
  while (piped.ends_with('\n') || piped.ends_with('\r'))
    piped.pop_back();
  return out + (out.empty() || piped.empty() ? "" : "\n\n") + piped;
}

/// Reads a message at the prompt. @return whether there is one
bool read_message(chat_state& chat, line_editor& editor, std::string& text) {
  for (bool warned = false; !chat.signals->ending();) {
    bool was_empty = true;
    chat.signals->prompt(editor);
    const auto end = editor.read("> ", text, was_empty);
    chat.signals->end_prompt();
    if (end == input_end::message)
      return true;
    if (end == input_end::ended || (was_empty && warned))
      return false;
    warned = was_empty;
    if (was_empty)
      fmt::print(stderr, "Ctrl-C once more, or Ctrl-D, ends the chat.\n");
  }
  return false;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\n") == std::string::npos;
}

/// Runs turns until the person ends the chat.
int converse(chat_state& chat, bool keeps_history) {
  const auto folder = keeps_history ? default_state_folder() : std::string{};
  line_editor editor{folder.empty() ? "" : folder + "/chat_history"};
  if (const auto& fault = editor.history_fault(); !fault.empty())
    fmt::print(stderr, "troupe: what is typed is not kept: {}\n", fault);
  fmt::print(stderr, "/help shows what can be typed; Ctrl-D ends.\n");
  for (std::string text; read_message(chat, editor, text);) {
    if (is_blank(text))
      continue;
    const auto kind = take_line(chat, text);
    if (kind == line_kind::quit)
      break;
    if (kind == line_kind::message)
      run_turn(chat, text);
    if (std::ferror(stdout) != 0)
      return exit_failed; // no answer would be seen
  }
  if (chat.used.turns > 0 && chat.host.keeps() && !chat.signals->ending())
    fmt::print(stderr, "To go on: troupe chat --session {}\n", terminal_text(chat.client.id()));
  return chat.signals->ending() ? exit_aborted : 0;
}

/// Finds the chat that is meant. @return whether there is one
bool choose_chat(chat_state& chat, const chat_options& options, bool at_prompt) {
  if (chat.host.lacks_folder() && (options.go_on || !options.session.empty())) {
    complain("the chats of that folder cannot be gone on with here", exit_failed);
    return false;
  }
  if (options.go_on)
    return continue_chat(chat, "", at_prompt);
  if (options.session.empty())
    return true;
  chat.client.use(options.session);
  if (at_prompt && !options.events)
    show_end_of(chat);
  return true;
}

int run(const chat_options& options, const std::string& message, std::vector<attached_file> files) {
  engine_config config;
  failure why;
  if (options.server.empty())
    why = chat_host::prepare(options.engine, options.events, config);
  if (why)
    return complain(why.text(), exit_usage);
  auto signals = std::make_shared<chat_signals>();
  signals->begin();
  auto host = options.server.empty() ? chat_host::start(std::move(config), why)
                                     : chat_host::at(options.server);
  if (!host)
    return complain(why.text(), exit_failed);
  const auto at_prompt = message.empty();
  chat_state chat{*host,
                  {host->server(), make_id("chat_")},
                  signals,
                  fitting_style(options.events, options.plain)};
  chat.can_ask = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  chat.model = options.server.empty() ? "" : options.engine.model;
  chat.system = options.system;
  chat.files = std::move(files);
  if (!choose_chat(chat, options, at_prompt))
    return exit_failed;
  return at_prompt ? converse(chat, host->keeps()) : run_turn(chat, message);
}

int chat(const chat_options& options) {
  std::vector<attached_file> files;
  for (const auto& path : options.files)
    if (auto bad = read_attached_file(path, files.emplace_back()))
      return complain("--file " + bad.text(), exit_usage);
  const auto message = first_message(options);
  if (is_blank(message) && (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0))
    return complain(
        "there is nothing to ask: name a prompt, pipe one in, or start this at a terminal",
        exit_usage);
  block_signals();
  return run(options, message, std::move(files));
}

void describe(CLI::App& sub, chat_options& into) {
  into.engine.add_to(sub);
  into.engine.add_data_to(sub);
  sub.add_option(
      "PROMPT", into.prompt,
      "Ask this and end; what is piped in goes behind it. Without either, ask at a prompt");
  sub.add_option("--server", into.server, "Use this `troupe serve`; else that of $TROUPE_SERVER")
      ->type_name("URL")
      ->check(not_empty);
  auto* session = sub.add_option("--session", into.session, "Go on with this chat, or begin it")
                      ->type_name("ID")
                      ->check(not_empty);
  sub.add_flag("--continue,-c", into.go_on, "Go on with the chat that was changed last")
      ->excludes(session);
  sub.add_option("--system", into.system,
                 "Tell the model how to answer in this chat, in place of what it had")
      ->type_name("TEXT");
  sub.add_option("--file", into.files, "Send a text, image, sound or PDF along; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false); // what follows is the prompt
  sub.add_flag("--plain", into.plain, "No Markdown and no dimming at a terminal, as with NO_COLOR");
  sub.add_flag("--events", into.events, "Print the native events as lines of JSON");
}

} // namespace

void add_chat(CLI::App& app, command& chosen) {
  auto options = std::make_shared<chat_options>();
  auto* sub = app.add_subcommand(
      "chat",
      "Chat in the terminal; Ctrl-C stops the answer, twice at an empty prompt ends the chat");
  describe(*sub, *options);
  sub->callback([options, sub, &chosen] {
    take_environment(*sub);
    chosen = [options] { return chat(*options); };
  });
}

} // namespace troupe
