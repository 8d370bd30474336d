// The parameter that a refusal is about.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the name of the parameter that a model's server does not take, whatever its value, as
/// the body of its refusal says: OpenAI's `param` with a code, FastAPI's `detail`, or words such as
/// "Unsupported parameter: 'top_p'". "" where the refusal is about something else: a value out of
/// range, a message, a tool. @param body of an answer with status 400 or 422
std::string refused_parameter(std::string_view body);

} // namespace troupe
