// Parts that the turns of other companies' protocols share.
#pragma once

#include <set>
#include <string>

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/chat/turn_request.hpp"

namespace troupe {

/// Returns the names that requests can use, but for "*", which is none.
std::set<std::string> model_names(const engine_config& config);

/// Returns a model's name without the tag that Ollama's clients add to names: those that take a
/// name from GET /api/tags ask the other APIs for it, too. Names that are known with it keep it.
std::string without_tag(const engine_config& config, std::string asked);

/// Sets the members of a turn that do not come from the body, and takes the tag off its model.
void describe_compat_turn(const http_call& in, turn_request& out);

/// Returns the model of a turn, as the answer names it: the asked one, else the default one. Before
/// describe_compat_turn(), which takes the tag off.
std::string shown_model(const http_call& in, const turn_request& turn);

/// Returns the model that a name stands for, by the rules of turns; nullptr: there is none.
const model_config* find_model(const engine_config& config, const std::string& asked);

/// Returns the time now, Unix, in seconds.
int64_t unix_seconds();

} // namespace troupe
