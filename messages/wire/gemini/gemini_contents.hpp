// The history of a chat as Gemini's contents.
#pragma once

#include <string_view>

#include "messages/json.hpp"
#include "messages/wire/gemini/gemini_family.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The instructions for the model beside the history.
struct gemini_system {
  bool is_sent = true;          ///< false: a cached content has a system message of its own
  std::string_view demand = {}; ///< is added to it; "" = nothing
};

/// Appends `"contents":[...]`, after `"systemInstruction":{...},` where there is a system message.
/// Answers of the model itself go back with their signatures; calls that it did not make get the
/// mark that Gemini 3 takes in place of one.
void append_gemini_contents(json_buffer& out, const model_request& asked,
                            const gemini_family& family, const gemini_system& system);

} // namespace troupe
