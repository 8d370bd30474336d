// What a person or a program sees of a turn in the terminal.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Prints events as they come. Text goes to stdout, everything else to stderr; with `as_events`
/// each event is one line of JSON on stdout instead.
class turn_printer {
public:
  explicit turn_printer(bool as_events);

  /// Takes one event. @param json as append_event_json makes it
  void print(std::string_view json);

  /// Returns whether a terminal event was printed.
  bool over() const noexcept { return over_; }

  /// Returns the exit code that tells how the turn ended.
  int exit_code() const noexcept { return exit_code_; }

private:
  struct event_line; // what people are shown of an event, in turn_printer.cpp

  void print_for_people(const event_line& line);

  bool as_events_;
  bool colour_;
  bool over_ = false;
  bool text_open_ = false; ///< the cursor is behind text
  int exit_code_ = 0;
};

} // namespace troupe
