// What a request of Anthropic's clients asks of the model, in OpenAI's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// The members of a body that are parameters of the model; slices of a json_source.
struct claude_parameters {
  std::string_view max_tokens;
  std::string_view temperature;
  std::string_view top_p;
  std::string_view top_k;
  std::string_view stop_sequences;
  std::string_view metadata;
  std::string_view tool_choice;
  std::string_view thinking;
  std::string_view output_config;
  std::string_view output_format;
};

/// Writes them as one JSON object, "" if there are none. @param left_out tools that are not there:
/// a choice of one of them is left out, too
/// @return request_invalid that names the member
failure write_claude_parameters(const claude_parameters& in,
                                const std::vector<std::string>& left_out, std::string& out);

} // namespace troupe
