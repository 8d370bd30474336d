#include "apps/troupe/chat/chat_commands.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

line_kind help(chat_state& chat, const std::string& argument);

line_kind quit(chat_state&, const std::string&) {
  return line_kind::quit;
}

constexpr chat_command general[]{
    {"help", "", "This list", help},
    {"quit", "", "End the chat, as Ctrl-D at an empty prompt", quit},
};

/// Returns all commands, in the order of /help.
std::vector<const chat_command*> all_commands() {
  std::vector<const chat_command*> out{&general[0]};
  for (const auto& each : kept_chat_commands())
    out.push_back(&each);
  for (const auto& each : message_commands())
    out.push_back(&each);
  out.push_back(&general[1]);
  return out;
}

line_kind help(chat_state&, const std::string&) {
  for (const auto* each : all_commands()) {
    const auto usage = fmt::format("/{} {}", each->name, each->arguments);
    fmt::print(stderr, "  {:<20} {}\n", usage, each->about);
  }
  fmt::print(stderr, // within 80 columns
             "\nEnter sends; Alt-Enter, or \\ at the end, begins another line. A paste is one\n"
             "message. Arrows go back to earlier ones, Ctrl-R looks for one. Ctrl-C stops an\n"
             "answer. A line with a blank in front goes to the model, whatever it begins with.\n");
  return line_kind::done;
}

/// Returns how many letters have to be changed, added or left out to make one word of the other.
size_t distance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  for (size_t j = 0; j <= to.size(); ++j)
    row[j] = j;
  for (size_t i = 0; i < from.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      const auto changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Returns the command that was probably meant; nullptr if none is near.
const chat_command* nearest(std::string_view name) {
  constexpr size_t most = 2;
  const chat_command* out = nullptr;
  auto least = std::min(most + 1, name.size());
  for (const auto* each : all_commands()) {
    const auto begins = name.size() >= 2 && each->name.starts_with(name);
    const auto apart = begins ? 0 : distance(name, each->name);
    if (apart < least || (begins && out == nullptr)) {
      out = each;
      least = apart;
    }
  }
  return out;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

line_kind unknown(std::string_view name) {
  const auto* near = nearest(name);
  fmt::print(
      stderr, "There is no command /{}{}; /help lists all. A blank in front sends the line.\n",
      terminal_text(name), near == nullptr ? "" : fmt::format("; did you mean /{}?", near->name));
  return line_kind::done;
}

} // namespace

line_kind take_line(chat_state& chat, const std::string& line) {
  if (!line.starts_with('/'))
    return line_kind::message;
  const auto end = std::find_if_not(line.begin() + 1, line.end(), is_letter);
  const std::string name{line.begin() + 1, end};
  if (name.empty() || (end != line.end() && *end != ' '))
    return line_kind::message;
  const std::string_view rest{line.data() + 1 + name.size(), line.size() - 1 - name.size()};
  const auto begin = std::min(rest.find_first_not_of(" \t\n"), rest.size());
  const auto argument = rest.substr(begin, rest.find_last_not_of(" \t\n") + 1 - begin);
  for (const auto* each : all_commands())
    if (each->name == name)
      return each->run(chat, std::string{argument});
  return unknown(name);
}

} // namespace troupe
