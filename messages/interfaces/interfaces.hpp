// The typed actor interfaces of chats, one line of doc per message; those of the MCP host and of
// the store are beside this file. `reacts_to` is fire and forget.
#pragma once

#include <string>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "messages/cluster/cluster_messages.hpp"
#include "messages/interfaces/store_interfaces.hpp"
#include "messages/interfaces/type_ids.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::fallback_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::fallback_request)

namespace troupe {

/// Reads a model's answer: a session, or the sampling_responder of one request of an MCP server.
using model_reader_actor = caf::typed_actor<
    // The events of one network read; `over` is set in the last message.
    caf::reacts_to<model_output>,
    // Asks for the request to a fallback; answered with fallback_request to the sender.
    caf::reacts_to<fallback_due>>;

/// Answers one sampling request of an MCP server; ends itself when it has.
using sampling_responder_actor = model_reader_actor::extend<
    // INTERNAL: the time for the answer is over.
    caf::reacts_to<atom::expire>>;

/// Keeps tool results on disk that are too long for a model. Detached: it writes files.
using tool_output_store_actor = caf::typed_actor<
    // Writes the text (call id, text) to a file of its own; answers its path, "" if that failed.
    caf::replies_to<std::string, std::string>::with<std::string>>;

/// Reads one answer of a model; ends itself when the answer is over. Linked to its reader.
using model_stream_actor = caf::typed_actor<
    // INTERNAL: the next part of the HTTP answer.
    caf::reacts_to<http_part>,
    // Pauses and resumes the upstream connection.
    caf::reacts_to<flow_control>,
    // INTERNAL: whether the model has a slot, from the model_limiter.
    caf::reacts_to<slot_answer>,
    // The request to a fallback, from the reader.
    caf::reacts_to<fallback_request>,
    // INTERNAL: a deadline or the delay before a retry may have passed.
    caf::reacts_to<atom::tick>>;

/// Bounds how many requests a model gets at once; a slot is given back when its holder ends.
using model_limiter_actor = caf::typed_actor<
    // Answered by slot_answer, at once or later.
    caf::reacts_to<acquire_slot>,
    // Gives a slot back, or withdraws a request for one.
    caf::reacts_to<release_slot>>;

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::find_busy_chats)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::busy_chats)

namespace troupe {

/// Carries the events of one turn to one client, and the client's fate back.
using subscriber_actor = caf::typed_actor<
    // The next events; ends itself after the terminal one.
    caf::reacts_to<event_batch>,
    // The turn was not accepted.
    caf::reacts_to<turn_refused>,
    // INTERNAL: the client's buffer drained, or it left.
    caf::reacts_to<client_signal>>;

/// Counts and logs the results of turns.
using telemetry_actor = caf::typed_actor<
    // A turn is over; so is a model request of an MCP server.
    caf::reacts_to<turn_report>, caf::reacts_to<sampling_report>,
    // All figures as Prometheus text, also the figures of the sessions.
    caf::replies_to<atom::status>::with<std::string>>;

/// One chat: its history and its running turn.
using session_actor = chat_keeper_actor::extend<
    // Runs a turn; its events go to the sender. Answers turn_refused while another one runs.
    caf::reacts_to<start_turn>,
    // Stops the running turn: ABORT and SESSION_END follow at once.
    caf::reacts_to<abort_turn>,
    // Lets the session send more events to the sender.
    caf::reacts_to<grant_credit>,
    // The sender starts to view the turn; the sender stops viewing it.
    caf::reacts_to<watch_turn>, caf::reacts_to<leave_turn>,
    // Approves or refuses calls that wait for an approval.
    caf::reacts_to<answer_approvals>,
    // INTERNAL: a deadline of a call or an approval may have passed.
    caf::reacts_to<atom::tick>,
    // INTERNAL: from the model_stream of the current round.
    caf::reacts_to<model_output>, caf::reacts_to<fallback_due>,
    // INTERNAL: the tools for this turn, from the mcp_hub.
    caf::reacts_to<tool_snapshot>,
    // INTERNAL: a tool call ended or reported progress, from the mcp_hub.
    caf::reacts_to<tool_outcome>, caf::reacts_to<tool_progress>, caf::reacts_to<client_ask>,
    // Ends an idle session; a running turn continues.
    caf::reacts_to<atom::expire>,
    // The MCP hub was restarted: it will not answer earlier requests.
    caf::reacts_to<atom::restart>,
    // The others took this node for dead: a turn that it runs as that incarnation is lost.
    caf::reacts_to<atom::restart, uint64_t>,
    // The store was restarted, hangs, or works again. With an error: earlier requests may get no
    // answer. Without an error: save unsaved changes again.
    caf::reacts_to<atom::save, failure>>;

/// Finds or makes the session of a chat, limits the number of sessions, and drains them.
using session_hub_actor = caf::typed_actor<
    // Passed on to the chat's session; turn_refused while draining or full.
    caf::reacts_to<start_turn>,
    // Passed on to the chat's session, if there is one, in the sender's name. Without a session, a
    // watch_turn makes one if chats are stored, else it is answered by turn_refused.
    caf::reacts_to<abort_turn>, caf::reacts_to<grant_credit>, caf::reacts_to<watch_turn>,
    caf::reacts_to<leave_turn>, caf::reacts_to<answer_approvals>,
    // INTERNAL: from a session.
    caf::reacts_to<turn_ended>, caf::reacts_to<chat_saved>, caf::reacts_to<expire_refused>,
    // INTERNAL: from a session, before its turn_ended.
    caf::reacts_to<unseen_rounds>,
    // Ends the session of a chat; answers no error when the session is gone.
    caf::replies_to<end_session>::with<failure>,
    // The numbers of sessions and turns.
    caf::replies_to<atom::status>::with<session_counts>,
    // Refuses new turns; answers when none runs. After the timespan the running turns are aborted.
    caf::replies_to<atom::drain, caf::timespan>::with<atom::done>,
    // The others took this node for dead: the turns that it runs as that incarnation are lost.
    caf::reacts_to<atom::restart, uint64_t>,
    // Which of some chats have something to do.
    caf::replies_to<find_busy_chats>::with<busy_chats>,
    // INTERNAL: the drain limit, or the idle time of a session, may have passed.
    caf::reacts_to<atom::expire>>;

} // namespace troupe
