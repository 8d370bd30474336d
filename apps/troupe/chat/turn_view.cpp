#include "apps/troupe/chat/turn_view.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "apps/troupe/terminal/text_width.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- answer writer --------------------------------------------------------------------------------

namespace {

constexpr size_t usual_columns = 80;
constexpr std::string_view dots = "\x1b[2m...\x1b[0m";
constexpr std::string_view erased_line = "\r\x1b[K";

} // namespace

answer_writer::answer_writer(bool as_markdown) {
  if (as_markdown)
    markdown_ =
        std::make_unique<markdown_stream>([] { return columns_of(STDOUT_FILENO, usual_columns); },
                                          [this](std::string_view lines) {
                                            take_dots_away();
                                            wrote_ = true;
                                            write_out(lines);
                                          });
}

void answer_writer::add(std::string_view text) {
  if (text.empty())
    return;
  if (markdown_)
    return add_markdown(text);
  write_out(for_stdout(std::string{text}));
  in_line_ = !text.ends_with('\n');
}

void answer_writer::add_markdown(std::string_view text) {
  markdown_->add(text);
  if (!wrote_ && !std::exchange(has_dots_, true))
    write_out(dots);
}

void answer_writer::take_dots_away() {
  if (std::exchange(has_dots_, false))
    write_out(erased_line);
}

void answer_writer::close() {
  if (markdown_)
    markdown_->end();
  else if (in_line_)
    write_out("\n");
  take_dots_away(); // the text was blank
  in_line_ = wrote_ = false;
}

// -- turn view ------------------------------------------------------------------------------------

namespace {

constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view normal = "\x1b[0m";

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Says what is wrong with an answer that ended so; "" if nothing is.
std::string_view words_for(std::string_view finish) {
  if (finish == "length")
    return "The answer was cut: it reached the most tokens that the model may write.";
  if (finish == "content-filter")
    return "The answer was cut by the provider's filter.";
  if (finish == "tool-calls")
    return "The turn ended after tool calls; a message such as \"go on\" continues it.";
  if (finish == "error")
    return "The answer was cut by an error of the model.";
  return {};
}

void write_note(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

} // namespace

view_style fitting_style(bool events, bool plain) {
  const char* term = std::getenv("TERM");
  const auto is_dumb = term != nullptr && std::string_view{term} == "dumb";
  const auto may_colour = !plain && !is_dumb && !is_set("NO_COLOR");
  const auto notes = isatty(STDERR_FILENO) != 0;
  view_style out;
  out.events = events;
  out.markdown = may_colour && isatty(STDOUT_FILENO) != 0;
  out.dim = may_colour && notes;
  out.reasoning = notes;
  out.short_notes = notes;
  return out;
}

shown_event read_event(std::string_view json) {
  json_source source{json};
  std::string_view type, call, tool, text, error, arguments, finish, approval, timeout, usage;
  read_members(source.root(), {{"type", &type},
                               {"toolCallId", &call},
                               {"toolName", &tool},
                               {"text", &text},
                               {"errorText", &error},
                               {"arguments", &arguments},
                               {"finishReason", &finish},
                               {"approvalId", &approval},
                               {"timeoutMs", &timeout},
                               {"usage", &usage}});
  std::string_view input, output;
  read_members(usage, {{"inputTokens", &input}, {"outputTokens", &output}});
  shown_event out{json_string(type),   json_string(call),    json_string(tool),
                  json_string(text),   json_string(error),   std::string{arguments},
                  json_string(finish), json_string(approval)};
  out.timeout_ms = integer_of(timeout).value_or(0);
  out.input_tokens = integer_of(input).value_or(0);
  out.output_tokens = integer_of(output).value_or(0);
  return out;
}

turn_view::turn_view(const view_style& style) : style_{style}, answer_{style.markdown} {}

void turn_view::show(const shown_event& what, std::string_view json) {
  over_ = over_ || what.type == "SESSION_END" || what.type == "SESSION_ERROR";
  if (what.type == "SESSION_ERROR")
    exit_code_ = exit_failed;
  if (what.type == "ABORT")
    exit_code_ = exit_aborted;
  if (style_.events) {
    write_out(for_stdout(std::string{json}) + '\n');
  } else if (what.type == "TEXT") {
    if (std::exchange(thinking_, false))
      write_note("\n\n");
    said_something_ = true;
    answer_.add(what.text);
  } else if (what.type == "REASONING") {
    show_reasoning(what.text);
  } else if (what.type == "TOOL_ARGS_COMPLETE") {
    arguments_[what.call_id] = what.arguments;
  } else if (what.type == "MCP_TOOL_START") {
    show_call(what);
  } else if (what.type == "MCP_TOOL_SUCCESS") {
    short_note(fmt::format("{}: {}", what.tool, what.text));
  } else if (what.type == "MCP_TOOL_ERROR") {
    short_note(fmt::format("{} {}", what.tool, what.error));
  } else if (what.type == "SESSION_ERROR") {
    note(what.error);
  } else if (what.type == "ABORT") {
    aborted_ = true;
    note("aborted");
  } else if (what.type == "SESSION_END") {
    show_end(what.finish);
  }
}

void turn_view::show_call(const shown_event& what) {
  said_something_ = true;
  const auto arguments = std::exchange(arguments_[what.call_id], {});
  if (denied_.erase(what.call_id) == 0)
    short_note(fmt::format("calling {} {}", what.tool, arguments));
}

void turn_view::show_reasoning(const std::string& text) {
  if (!style_.reasoning)
    return;
  if (!thinking_)
    pause();
  if (!std::exchange(thinking_, true) && !style_.dim)
    write_note("[thinking]\n");
  const auto shown = terminal_text(text, true);
  write_note(style_.dim ? fmt::format("{}{}{}", dim, shown, normal) : shown);
}

void turn_view::show_end(const std::string& finish) {
  pause();
  if (aborted_)
    return;
  if (auto words = words_for(finish); !words.empty())
    note(words);
  else if (!said_something_)
    note("The model said nothing.");
}

void turn_view::pause() {
  if (style_.events)
    return;
  if (std::exchange(thinking_, false))
    write_note("\n");
  answer_.close();
}

void turn_view::note(std::string_view text) {
  if (style_.events)
    return;
  pause();
  const auto shown = terminal_text(text, true);
  write_note(style_.dim ? fmt::format("{}[{}]{}\n", dim, shown, normal)
                        : fmt::format("[{}]\n", shown));
}

void turn_view::short_note(std::string_view text) {
  constexpr size_t without_terminal = 80;
  constexpr size_t brackets = 3; // and nothing in the last column, where some terminals wrap
  if (!style_.short_notes)
    return note(text);
  const auto columns = std::max<size_t>(columns_of(STDERR_FILENO, without_terminal), 4 * brackets);
  note(shortened(terminal_text(text), columns - brackets));
}

} // namespace troupe
