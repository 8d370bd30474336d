// What turns of the protocols of others have in common.
#pragma once

#include <string>

#include "apps/engine/http/http_route.hpp"
#include "messages/chat/turn_request.hpp"

namespace troupe {

/// Sets the members of a turn that do not come from the body.
void describe_foreign_turn(const http_call& in, turn_request& out);

/// Returns the model of a turn, as the answer names it: the asked one, else the default one.
std::string shown_model(const http_call& in, const turn_request& turn);

/// Returns the model that a name stands for, by the rules of turns; nullptr: there is none.
const model_config* find_model(const engine_config& config, const std::string& asked);

/// Returns the time now, Unix, in seconds.
int64_t unix_seconds();

} // namespace troupe
