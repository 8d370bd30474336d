#include "apps/troupe/terminal/turn_printer.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

std::string member(const simdjson::dom::element& event, std::string_view key) {
  simdjson::dom::element value;
  std::string_view text;
  if (event.at_key(key).get(value) != simdjson::SUCCESS)
    return {};
  return std::string{value.get(text) == simdjson::SUCCESS ? text : ""};
}

} // namespace

struct turn_printer::event_line {
  std::string type;
  std::string tool;
  std::string text;
  std::string error;
};

turn_printer::turn_printer(bool as_events)
    : as_events_(as_events), colour_(isatty(STDERR_FILENO) != 0) {}

void turn_printer::print(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element parsed;
  if (parser.parse(json.data(), json.size()).get(parsed) != simdjson::SUCCESS)
    return;
  event_line line{member(parsed, "type"), member(parsed, "toolName"), member(parsed, "text"),
                  member(parsed, "errorText")};
  if (line.type == "SESSION_END" || line.type == "SESSION_ERROR")
    over_ = true;
  if (line.type == "SESSION_ERROR")
    exit_code_ = exit_failed;
  if (line.type == "ABORT")
    exit_code_ = exit_aborted;
  if (as_events_)
    fmt::print("{}\n", for_stdout(std::string{json}));
  else
    print_for_people(line);
  std::fflush(stdout);
}

void turn_printer::print_for_people(const event_line& line) {
  if (line.type == "TEXT") {
    fmt::print("{}", for_stdout(line.text));
    text_open_ = true;
    return;
  }
  std::string note;
  if (line.type == "MCP_TOOL_START")
    note = fmt::format("calling {}", line.tool);
  else if (line.type == "MCP_TOOL_SUCCESS")
    note = fmt::format("{}: {}", line.tool, line.text);
  else if (line.type == "MCP_TOOL_ERROR" || line.type == "SESSION_ERROR")
    note = fmt::format("{} {}", line.tool, line.error);
  else if (line.type == "ABORT")
    note = "aborted";
  if (text_open_ && (over_ || !note.empty())) {
    fmt::print("\n");
    text_open_ = false;
  }
  if (!note.empty())
    fmt::print(stderr, fmt::runtime(colour_ ? "\033[2m[{}]\033[0m\n" : "[{}]\n"),
               terminal_text(note, true));
}

} // namespace troupe
