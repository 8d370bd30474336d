// Lets a model of ours answer what an MCP server asks of it (sampling/createMessage).
#pragma once

#include <memory>
#include <string>

#include <caf/actor.hpp>
#include <caf/local_actor.hpp>

#include "actors/model/chat_settings.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// Spawns an actor that sends one model request and tells `hub`, an mcp_hub_for_sampling, what came
/// of it: client_answer{request_id, "accept", a CreateMessageResult} and a failure without error;
/// or client_answer{request_id, "", {}} and the failure. Exactly one such message comes, within 5
/// minutes, unless the hub or the actor ends first; the model request ends with the actor.
/// @param config its models; of the request's hints the first counts that is a part of a model's
/// name, in any case of letters, else the default model answers
/// @param params of the server's request, as it sent them
caf::actor spawn_sampling_responder(caf::local_actor& hub,
                                    std::shared_ptr<const chat_settings> config,
                                    std::string request_id, raw_json params);

} // namespace troupe
