// The output of a turn for a person or a program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "apps/troupe/markdown/markdown_stream.hpp"

namespace troupe {

/// Writes text as it comes: as it is in a pipe or a file, without what could steer a terminal on
/// one, and there as Markdown if that is wanted. Markdown is shown when a block of it is whole: up
/// to the first one a dimmed "..." tells that the answer comes. One thread.
class answer_writer {
public:
  explicit answer_writer(bool as_markdown);

  answer_writer(const answer_writer&) = delete;
  answer_writer& operator=(const answer_writer&) = delete;

  void add(std::string_view text);

  /// Ends the text, and the line it is in.
  void close();

private:
  void add_markdown(std::string_view text);
  void take_dots_away();

  std::unique_ptr<markdown_stream> markdown_; ///< nullptr: the text as it is
  bool in_line_ = false;
  bool wrote_ = false;    ///< of Markdown: a block is shown
  bool has_dots_ = false; ///< they are in the line of the cursor
};

/// How turns are shown.
struct view_style {
  bool events = false;      ///< each event is a line of JSON on stdout, and nothing else is shown
  bool markdown = false;    ///< the text is shown as Markdown
  bool dim = false;         ///< notes on stderr may be dimmed
  bool reasoning = false;   ///< what the model thinks is shown on stderr
  bool short_notes = false; ///< of a call and its result a line is shown
};

/// Returns what fits the terminal, or what is none. @param plain no Markdown and no dimming
view_style fitting_style(bool events, bool plain);

/// An event, as far as it is shown. Missing members are empty.
struct shown_event {
  std::string type;
  std::string call_id;
  std::string tool;
  std::string text;
  std::string error;     ///< for people
  std::string arguments; ///< JSON text
  std::string finish;    ///< finishReason
  std::string approval_id;
  int64_t timeout_ms = 0;
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
};

/// Reads an event. @param json as append_event_json makes it
shown_event read_event(std::string_view json);

/// Shows the events of one turn: text on stdout, all else on stderr. One thread.
class turn_view {
public:
  explicit turn_view(const view_style& style);

  /// @param json what `what` was read from
  void show(const shown_event& what, std::string_view json);

  /// The call was denied: it is not shown as one that begins.
  void expect_no_call(const std::string& call_id) { denied_.insert(call_id); }

  /// Ends the line that is open, so that something else can be shown.
  void pause();

  /// Prints a note on stderr, in a line of its own.
  void note(std::string_view text);

  /// Returns the exit code that tells how the turn ended.
  int exit_code() const noexcept { return exit_code_; }

  /// Returns whether the turn's last event was shown.
  bool is_over() const noexcept { return over_; }

private:
  void short_note(std::string_view text);
  void show_call(const shown_event& what);
  void show_reasoning(const std::string& text);
  void show_end(const std::string& finish);

  view_style style_;
  answer_writer answer_;
  std::map<std::string, std::string> arguments_; ///< of calls that have not begun, by id
  std::set<std::string> denied_;                 ///< ids of calls that do not run
  bool thinking_ = false;                        ///< the last thing shown is reasoning
  bool said_something_ = false;                  ///< text came, or a call
  bool aborted_ = false;
  bool over_ = false;
  int exit_code_ = 0;
};

} // namespace troupe
