// What a request of the Responses API asks of the model, in the words of chat completions.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// The members of a body that are parameters of the model; slices of a json_source.
struct response_parameters {
  std::string_view temperature;
  std::string_view top_p;
  std::string_view max_output_tokens;
  std::string_view parallel_tool_calls;
  std::string_view tool_choice;
  std::string_view reasoning;
  std::string_view text;
  std::string_view user;
};

/// Writes them as one JSON object, "" if there are none. A choice among tools that are not here is
/// left out. @return request_invalid that names the member
failure write_response_parameters(const response_parameters& in, std::string& out);

} // namespace troupe
