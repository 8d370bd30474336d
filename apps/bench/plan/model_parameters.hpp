// Parameters of the model that a plan puts into each request: "max_tokens", "temperature".
#pragma once

#include <string>
#include <string_view>

#include "apps/bench/plan/plan.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"

namespace troupe::bench {

/// Reads the text of a JSON object; an object without members becomes "".
/// @return request_invalid with what is wrong with it
failure read_parameters(std::string_view text, std::string& out);

/// Returns request_invalid where the target takes no parameters, or has members of that name in its
/// requests already.
failure check_parameters(const target_spec& target);

/// Returns whether the object has a member of that name.
bool has_parameter(std::string_view object, std::string_view name);

/// Appends the parameters to an object that has members already: as its own members, or for Troupe
/// as `parameters`.
void append_parameters(json_buffer& out, const target_spec& target);

} // namespace troupe::bench
