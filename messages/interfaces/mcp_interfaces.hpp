// The typed actor interfaces of the MCP host, one line of doc per message.
#pragma once

#include <string>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "messages/interfaces/type_ids.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::local_tool_call)

namespace troupe {

/// An actor that lists and calls tools, such as a session.
using tool_client_actor = caf::typed_actor<
    // The answer to list_tools.
    caf::reacts_to<tool_snapshot>,
    // A tool call ended, or reported progress.
    caf::reacts_to<tool_outcome>, caf::reacts_to<tool_progress>,
    // A server asks the client something; only for calls that have call_tool::answers set.
    caf::reacts_to<client_ask>>;

/// An actor that is told of changes of MCP servers and resources.
using mcp_subscriber_actor = caf::typed_actor<caf::reacts_to<mcp_event>>;

// The mcp_hub has an interface for each kind of user: each of them holds that one.

/// For sessions and clients, who use the servers.
using mcp_hub_for_callers = caf::typed_actor<
    // Answers tool_snapshot to the sender (a tool_client), after at most 250 ms for servers that
    // are still connecting.
    caf::reacts_to<list_tools>,
    // Runs a tool; answers tool_outcome, and tool_progress before it, to the sender.
    caf::reacts_to<call_tool>,
    // The same; outcome and progress go to the sink.
    caf::reacts_to<local_tool_call>,
    // Cancels a call.
    caf::reacts_to<cancel_call>,
    // Any other request to a server.
    caf::replies_to<mcp_ask>::with<mcp_answer>,
    // All servers with health, phase, log and everything they offer.
    caf::replies_to<atom::status>::with<server_list>>;

/// For operators, who decide which servers there are, and for the engine's start and end.
using mcp_hub_for_operators = caf::typed_actor<
    // Adds or changes a server; enables, disables, removes or retries one. No error: it is done;
    // watchers are told the results.
    caf::replies_to<put_server>::with<failure>, caf::replies_to<change_server>::with<failure>,
    // Answers when every server is connected or has failed once.
    caf::replies_to<atom::settled>::with<atom::done>,
    // Answers, in addition, only after resources and prompts were listed once.
    caf::replies_to<atom::listed>::with<atom::done>,
    // Waits until no lease is held, then closes each connection in its protocol's order.
    caf::replies_to<atom::disconnect>::with<atom::done>>;

/// For clients that show what happens, and answer questions of servers.
using mcp_hub_for_watchers = caf::typed_actor<
    // Sends mcp_event to the sender (an mcp_subscriber) from now on.
    caf::reacts_to<watch_mcp>,
    // The client's answer to a client_ask; not_found when no server waits for it (any more).
    caf::replies_to<client_answer>::with<failure>>;

/// For the connections, whose events go to the watchers.
using mcp_hub_for_connections =
    mcp_subscriber_actor::extend<caf::reacts_to<server_status>, caf::reacts_to<server_outcome>,
                                 caf::reacts_to<server_progress>, caf::reacts_to<server_ask>,
                                 caf::reacts_to<server_ask_over>>;

/// For the resource_store, whose events go to the watchers.
using mcp_hub_for_resources = mcp_hub_for_callers::extend_with<mcp_subscriber_actor>::extend<
    // Which chats have attachments.
    caf::reacts_to<attachment_news>>;

/// For a sampling_responder.
using mcp_hub_for_sampling = caf::typed_actor<
    // A model answered a server's sampling request, which took so many tokens.
    caf::reacts_to<client_answer, failure, uint64_t>>;

/// All MCP servers: the tools index, leases, and calls by server name.
using mcp_hub_actor =
    mcp_hub_for_callers::extend_with<mcp_hub_for_operators, mcp_hub_for_watchers,
                                     mcp_hub_for_connections, mcp_hub_for_sampling>::
        extend<
            // From the resource_store: see mcp_hub_for_resources.
            caf::reacts_to<attachment_news>,
            // INTERNAL: the time for the client's answer is over (request id).
            caf::reacts_to<atom::expire, std::string>,
            // INTERNAL: the wait of list_tools is over; a crashed connection is due again.
            caf::reacts_to<atom::tick>, caf::reacts_to<atom::restart, std::string>>;

/// One MCP server, shared by all chats: handshake, calls, reconnection.
using mcp_connection_actor = caf::typed_actor<
    // Sends a request; answers server_outcome, and server_progress before it, to the hub.
    caf::reacts_to<server_call>,
    // Sends notifications/cancelled and forgets the call.
    caf::reacts_to<server_cancel>,
    // The answer to a server_ask.
    caf::reacts_to<server_reply>,
    // A line for the diary.
    caf::reacts_to<server_note>,
    // Connects again now, with the count of attempts at 0; does nothing while it is connected.
    caf::reacts_to<atom::restart>,
    // Closes in the protocol's order, answers when it is closed, and ends.
    caf::replies_to<atom::disconnect>::with<atom::done>,
    // INTERNAL: from the channel.
    caf::reacts_to<mcp_inbound>,
    // INTERNAL: time to look at deadlines; time to connect again (generation).
    caf::reacts_to<atom::tick>, caf::reacts_to<atom::reconnect, uint64_t>>;

/// Cached contents of resources, and the attachments of chats.
using resource_store_actor = caf::typed_actor<
    // Reads through the cache.
    caf::replies_to<read_resource>::with<mcp_answer>,
    // Drops cached contents, and reads attached resources again.
    caf::reacts_to<forget_resources>,
    // Attaches a resource to a chat and begins to read it; at most 50 per chat.
    caf::replies_to<add_attachment>::with<attachment>,
    caf::replies_to<remove_attachment>::with<failure>,
    caf::replies_to<list_attachments>::with<attachment_list>,
    // Forgets everything.
    caf::replies_to<atom::clear>::with<atom::done>,
    // INTERNAL: the wait for attachments that are loading is over (session id).
    caf::reacts_to<atom::expire, std::string>>;

} // namespace troupe
