// The tools of a request of the Responses API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads `tools`: functions, and custom tools, whose input is a text and not JSON. A model sees a
/// custom tool as a function with the one argument `input`. Tools that OpenAI's servers run are
/// left out. @param custom gets the names of the custom tools @return request_invalid that names a
/// tool
failure read_response_tools(std::string_view tools, std::vector<tool_definition>& out,
                            std::vector<std::string>& custom);

} // namespace troupe
