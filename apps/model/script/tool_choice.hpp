// Which of the offered tools a script calls, and with what arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/model/script/chat_call.hpp"

namespace troupe::scripted {

/// A tool and the JSON text of its arguments; `name` is empty when no tool fits.
struct tool_choice {
  std::string name;
  std::string arguments;

  explicit operator bool() const { return !name.empty(); }
};

/// Returns whether the tool is called `base`, with or without a server's prefix: "echo",
/// "everything_echo" and "srv__echo" all are "echo".
bool is_called(std::string_view tool, std::string_view base);

/// Returns the part of the tool's name before `base` ("everything_"), or "".
std::string_view prefix_of(std::string_view tool, std::string_view base);

/// Chooses the first tool called echo that takes a string; its first string is `text`.
tool_choice choose_echo(const std::vector<offered_tool>& tools, std::string_view text);

/// Chooses a tool called get-sum, sum or add that takes two numbers, and has it add `a` and `b`.
/// @param other_than the prefix of a server to avoid if another one can add, too
tool_choice choose_sum(const std::vector<offered_tool>& tools, std::string_view a,
                       std::string_view b, const std::string_view* other_than = nullptr);

/// Chooses the first tool called hang or trigger-long-running-operation, to run for ten minutes.
tool_choice choose_hanging(const std::vector<offered_tool>& tools);

/// Chooses a call that the tool must refuse: a tool called fail, else one whose required arguments
/// are left out, else one that is given an argument it does not know.
tool_choice choose_failing(const std::vector<offered_tool>& tools);

/// Makes a call of this tool with made-up required arguments.
/// @param text given to the first string property, if there is one; "" = made up as well
tool_choice call_of(const offered_tool& tool, std::string_view text = {});

/// Chooses echo with `text`, else a sum of 2 and 3, else the first tool with made-up arguments.
tool_choice choose_any(const std::vector<offered_tool>& tools, std::string_view text);

} // namespace troupe::scripted
