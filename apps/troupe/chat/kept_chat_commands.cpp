// The commands about the chat itself.
#include "apps/troupe/chat/chat_commands.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/chat/attached_file.hpp"
#include "apps/troupe/chat/transcript.hpp"
#include "messages/ascii_case.hpp"
#include "messages/ids.hpp"
#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t shown_question_bytes = 300;

line_kind complain(std::string_view why) {
  fmt::print(stderr, "troupe: {}\n", why);
  return line_kind::done;
}

line_kind begin_new(chat_state& chat, const std::string&) {
  chat.client.use(make_id("chat_"));
  chat.files.clear();
  chat.system.reset();
  fmt::print(stderr, "A new chat; the model remembers nothing of the last one.\n");
  return line_kind::done;
}

line_kind go_on(chat_state& chat, const std::string& argument) {
  continue_chat(chat, argument, true);
  return line_kind::done;
}

line_kind stop(chat_state& chat, const std::string&) {
  auto answer = chat.client.stop();
  if (!answer.ok())
    return complain(answer.complaint());
  fmt::print(stderr, "What still ran in this chat was stopped.\n");
  return line_kind::done;
}

/// Writes a new file, for its owner alone. @return why not, or ""
std::string write_file(const std::string& path, std::string_view content) {
  const auto file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return errno == EEXIST ? "is there already; name another one" : std::strerror(errno);
  std::string fault;
  while (!content.empty() && fault.empty()) {
    const auto count = ::write(file, content.data(), content.size());
    if (count < 0 && errno != EINTR)
      fault = std::strerror(errno);
    content.remove_prefix(count < 0 ? 0 : static_cast<size_t>(count));
  }
  if (::close(file) != 0 && fault.empty())
    fault = std::strerror(errno);
  if (!fault.empty())
    ::unlink(path.c_str()); // half of it would be in the way of the next try
  return fault;
}

bool is_named_json(std::string_view path) {
  const auto ends_with = [path](std::string_view ending) {
    return path.size() >= ending.size() &&
           same_ignoring_case(path.substr(path.size() - ending.size()), ending);
  };
  return ends_with(".json") || ends_with(".jsonl");
}

line_kind export_chat(chat_state& chat, const std::string& argument) {
  const auto path = argument.empty() ? transcript_name(chat.client.id()) : typed_path(argument);
  const auto as_json = is_named_json(path);
  auto answer = as_json ? chat.client.export_file() : chat.client.show();
  if (!answer.ok())
    return complain(answer.complaint());
  const auto fault =
      write_file(path, as_json ? answer.body + '\n' : markdown_transcript(answer.body));
  if (!fault.empty())
    return complain(fmt::format("{}: {}", terminal_text(path), fault));
  fmt::print(stderr, "Written to {}\n", terminal_text(path));
  return line_kind::done;
}

constexpr chat_command about_the_chat[]{
    {"new", "", "Begin a new chat", begin_new},
    {"continue", "[ID]", "Go on with the last chat, or with this one", go_on},
    {"stop", "", "Stop what another client has this chat answer", stop},
    {"export", "[FILE]", "Write this chat to a new file: Markdown, or all as .json", export_chat},
};

/// Returns the chat that was changed last, other than the one that is open; "" if there is none.
std::string latest_chat(chat_state& chat, std::string& fault) {
  auto answer = chat.client.latest(2);
  if (!answer.ok())
    fault = answer.complaint();
  json_source source{answer.body};
  std::string_view list;
  read_members(source.root(), {{"conversations", &list}});
  std::string out;
  for_each_element(list, [&](std::string_view each) {
    std::string_view id;
    read_members(each, {{"id", &id}});
    out = json_string(id);
    return out == chat.client.id();
  });
  return out == chat.client.id() ? "" : out;
}

void show_end(const chat_state& chat, std::string_view body) {
  const auto end = read_last_exchange(body);
  fmt::print(stderr, "Going on with \"{}\" ({})\n", terminal_text(end.title),
             terminal_text(chat.client.id()));
  if (!end.question.empty()) {
    const auto shown = utf8_prefix(end.question, shown_question_bytes);
    fmt::print(stderr, "> {}{}\n", terminal_text(shown, true),
               shown.size() < end.question.size() ? "..." : "");
  }
  answer_writer answer{chat.style.markdown};
  answer.add(end.answer);
  answer.close();
  if (end.state == "running")
    fmt::print(stderr, "Another client has it answer; /stop stops that.\n");
  else if (end.state != "ended" && !end.state.empty())
    fmt::print(stderr, "Its last turn was {}.\n", terminal_text(end.state));
}

} // namespace

std::span<const chat_command> kept_chat_commands() {
  return about_the_chat;
}

bool continue_chat(chat_state& chat, const std::string& id, bool shows) {
  if (!chat.host.keeps()) {
    complain("no chat is kept here, so there is none to go on with");
    return false;
  }
  std::string fault;
  const auto to = id.empty() ? latest_chat(chat, fault) : id;
  if (to.empty()) {
    complain(fault.empty() ? "there is no chat to go on with" : fault);
    return false;
  }
  const auto before = chat.client.id();
  chat.client.use(to);
  auto answer = chat.client.show();
  if (!answer.ok()) {
    complain(fmt::format("{}: {}", terminal_text(to), answer.complaint()));
    chat.client.use(before);
    return false;
  }
  if (shows && !chat.style.events)
    show_end(chat, answer.body);
  return true;
}

void show_end_of(chat_state& chat) {
  if (auto answer = chat.client.show(); answer.ok())
    show_end(chat, answer.body);
}

} // namespace troupe
