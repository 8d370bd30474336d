// Makes up arguments for a tool from its input schema.
#pragma once

#include <string>
#include <vector>

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"

namespace troupe::scripted {

/// Returns JSON text of a value that the schema takes: its const, default, first enum value or
/// first example, else "troupe", 1, true, [] or {} with its required properties. A number respects
/// `minimum`; an array with `minItems` holds that many items. Any thread.
std::string sample_of(simdjson::dom::element schema);

/// Returns the properties of a tool's input schema. Any thread.
std::vector<tool_parameter> parameters_of(simdjson::dom::element schema);

} // namespace troupe::scripted
