// Every typed actor interface, one line of doc per message. `reacts_to` is fire and forget.
#pragma once

#include <caf/typed_actor.hpp>

#include "messages/type_ids.hpp"

namespace troupe {

/// Carries the events of one turn to one client, and the client's fate back.
using subscriber_actor = caf::typed_actor<
    // The next events; ends itself after the terminal one.
    caf::reacts_to<event_batch>,
    // The turn was not accepted.
    caf::reacts_to<turn_refused>,
    // INTERNAL: the client's buffer drained, or it left.
    caf::reacts_to<client_signal>>;

/// Reads one answer of a model; ends itself when the answer is over. Linked to its session.
using model_stream_actor = caf::typed_actor<
    // INTERNAL: what a network read brought.
    caf::reacts_to<http_part>,
    // Pauses and resumes the upstream connection.
    caf::reacts_to<flow_control>>;

/// Whoever lists and calls tools; a session is one.
using tool_client_actor = caf::typed_actor<
    // The tools that were asked for.
    caf::reacts_to<tool_snapshot>,
    // A tool call ended, or reported progress.
    caf::reacts_to<tool_outcome>, caf::reacts_to<tool_progress>>;

/// One chat: its history and its running turn.
using session_actor = caf::typed_actor<
    // Runs a turn; its events go to the sender. Answers turn_refused while another one runs.
    caf::reacts_to<start_turn>,
    // Stops the running turn: ABORT and SESSION_END follow at once.
    caf::reacts_to<abort_turn>,
    // Lets more events out.
    caf::reacts_to<grant_credit>,
    // INTERNAL: from the model_stream of the current round.
    caf::reacts_to<model_output>,
    // INTERNAL: the tools for this turn, from the mcp_hub.
    caf::reacts_to<tool_snapshot>,
    // INTERNAL: a tool call ended or reported progress, from the mcp_hub.
    caf::reacts_to<tool_outcome>, caf::reacts_to<tool_progress>,
    // Ends an idle session; a running turn goes on.
    caf::reacts_to<atom::expire>,
    // The MCP hub was restarted: what it was asked will not be answered.
    caf::reacts_to<atom::restart>>;

/// Finds or makes the session of a chat, bounds their number, and drains them.
using session_hub_actor = caf::typed_actor<
    // Hands over to the chat's session; turn_refused while draining or full.
    caf::reacts_to<start_turn>,
    // Both go to the chat's session, if it is there.
    caf::reacts_to<abort_turn>, caf::reacts_to<grant_credit>,
    // INTERNAL: from a session.
    caf::reacts_to<turn_ended>,
    // How many there are.
    caf::replies_to<atom::status>::with<session_counts>,
    // Refuses new turns; answers when none runs. After `limit` the rest is aborted.
    caf::replies_to<atom::drain, caf::timespan>::with<atom::done>,
    // INTERNAL: the drain limit, or the idle time of a session, may have passed.
    caf::reacts_to<atom::expire>>;

/// All MCP servers: the tools index, leases, and calls by server name.
using mcp_hub_actor = caf::typed_actor<
    // Answers tool_snapshot to the sender (a tool_client), after at most 250 ms for servers that
    // are still connecting.
    caf::reacts_to<list_tools>,
    // Runs a tool; answers tool_outcome, and tool_progress before it, to the sender.
    caf::reacts_to<call_tool>,
    // Takes a call back.
    caf::reacts_to<cancel_call>,
    // All servers with health, phase and tools.
    caf::replies_to<atom::status>::with<server_list>,
    // Answers when every server is connected or has failed once.
    caf::replies_to<atom::settled>::with<atom::done>,
    // Waits until no lease is held, then disconnects all servers in their own order.
    caf::replies_to<atom::disconnect>::with<atom::done>,
    // INTERNAL: from a connection.
    caf::reacts_to<server_status>, caf::reacts_to<server_outcome>, caf::reacts_to<server_progress>,
    // INTERNAL: the wait of list_tools is over; a crashed connection is due again.
    caf::reacts_to<atom::tick>, caf::reacts_to<atom::restart, std::string>>;

/// One MCP server, shared by all chats: handshake, calls, reconnection.
using mcp_connection_actor = caf::typed_actor<
    // Calls a tool; answers server_outcome, and server_progress before it, to the hub.
    caf::reacts_to<server_call>,
    // Sends notifications/cancelled and forgets the call.
    caf::reacts_to<server_cancel>,
    // Closes in the protocol's order, answers when it is closed, and ends.
    caf::replies_to<atom::disconnect>::with<atom::done>,
    // INTERNAL: from the channel.
    caf::reacts_to<mcp_inbound>,
    // INTERNAL: time to look at deadlines; time to connect again (generation).
    caf::reacts_to<atom::tick>, caf::reacts_to<atom::reconnect, uint64_t>>;

} // namespace troupe
