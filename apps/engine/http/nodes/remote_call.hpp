// One request whose node is looked for.
#pragma once

#include <memory>

#include "apps/engine/http/nodes/provisional_answer.hpp"
#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

class turn_forwarder;

/// Looks for the node that a request is for, and has that one answer it, or this one. Ends when
/// that is done, or when the client leaves.
/// @param held what this node would answer; nullptr: it was not tried here
/// @param round how often it was tried here
void spawn_remote_call(turn_forwarder& by, const http_route& row, http_call&& in,
                       std::unique_ptr<held_answer> held, int round);

} // namespace troupe
