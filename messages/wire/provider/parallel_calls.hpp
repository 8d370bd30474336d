// A call of OpenAI's models that stands for several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// One of the calls inside.
struct inner_call {
  std::string name;
  std::string arguments; ///< JSON text
};

/// Returns whether it is the name of a tool that models of OpenAI make up to call several tools at
/// once.
bool is_parallel_call(std::string_view name) noexcept;

/// Returns the calls of such a call's arguments, {"tool_uses":[{"recipient_name":"functions.NAME",
/// "parameters":{...}}]}; none if they have any other form.
std::vector<inner_call> inner_calls(std::string_view arguments);

} // namespace troupe
