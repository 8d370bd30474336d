// Lets a model of ours answer what an MCP server asks of it (sampling/createMessage).
#pragma once

#include <memory>

#include <caf/actor.hpp>
#include <caf/local_actor.hpp>

#include "actors/model/chat_settings.hpp"
#include "messages/mcp/mcp_messages.hpp"

namespace troupe {

/// Spawns an actor that sends one model request and tells `hub`, an mcp_hub_for_sampling, what came
/// of it: client_answer{request_id, "accept", a CreateMessageResult} and a failure without error;
/// or client_answer{request_id, "", {}} and the failure; and how many tokens it took, as the
/// provider counts, else estimated. Exactly one such message comes, within 5 minutes, unless the
/// hub or the actor ends first; the model request ends with the actor. The telemetry actor gets a
/// sampling_report of each request that was made, however it ended.
/// @param config its models; of the request's hints the first counts that is a part of a model's
/// name, in any case of letters, else the default model answers
/// @param ask the server's request
caf::actor spawn_sampling_responder(caf::local_actor& hub,
                                    std::shared_ptr<const chat_settings> config,
                                    const client_ask& ask);

} // namespace troupe
