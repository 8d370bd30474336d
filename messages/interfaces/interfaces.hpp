// Every typed actor interface, one line of doc per message. `reacts_to` is fire and forget.
#pragma once

#include <string>

#include <caf/typed_actor.hpp>

#include "messages/interfaces/store_interfaces.hpp"
#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// Carries the events of one turn to one client, and the client's fate back.
using subscriber_actor = caf::typed_actor<
    // The next events; ends itself after the terminal one.
    caf::reacts_to<event_batch>,
    // The turn was not accepted.
    caf::reacts_to<turn_refused>,
    // INTERNAL: the client's buffer drained, or it left.
    caf::reacts_to<client_signal>>;

/// Whoever has a model answer: a session, or the sampling_responder of one request of an MCP
/// server.
using model_reader_actor = caf::typed_actor<
    // What a network read brought; the last one is `over`.
    caf::reacts_to<model_output>>;

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
    // INTERNAL: what a network read brought.
    caf::reacts_to<http_part>,
    // Pauses and resumes the upstream connection.
    caf::reacts_to<flow_control>,
    // INTERNAL: whether the model has a place, from the model_limiter.
    caf::reacts_to<place_answer>,
    // INTERNAL: a deadline or the delay before a retry may have passed.
    caf::reacts_to<atom::tick>>;

/// Bounds how many requests a model gets at once; a place is given back when its holder ends.
using model_limiter_actor = caf::typed_actor<
    // Answered by place_answer, at once or later.
    caf::reacts_to<acquire_slot>,
    // Gives a place back, or takes the wish back.
    caf::reacts_to<release_slot>>;

/// Counts and logs what turns came to.
using telemetry_actor = caf::typed_actor<
    // A turn is over.
    caf::reacts_to<turn_report>,
    // All figures as Prometheus text, those of the sessions included.
    caf::replies_to<atom::status>::with<std::string>>;

/// One chat: its history and its running turn.
using session_actor = chat_keeper_actor::extend<
    // Runs a turn; its events go to the sender. Answers turn_refused while another one runs.
    caf::reacts_to<start_turn>,
    // Stops the running turn: ABORT and SESSION_END follow at once.
    caf::reacts_to<abort_turn>,
    // Lets more events out to the sender.
    caf::reacts_to<grant_credit>,
    // The sender views the turn, too; or does not any more.
    caf::reacts_to<watch_turn>, caf::reacts_to<leave_turn>,
    // Lets calls run that wait for an approval, or refuses them.
    caf::reacts_to<answer_approvals>,
    // INTERNAL: a deadline of a call or an approval may have passed.
    caf::reacts_to<atom::tick>,
    // INTERNAL: from the model_stream of the current round.
    caf::reacts_to<model_output>,
    // INTERNAL: the tools for this turn, from the mcp_hub.
    caf::reacts_to<tool_snapshot>,
    // INTERNAL: a tool call ended or reported progress, from the mcp_hub.
    caf::reacts_to<tool_outcome>, caf::reacts_to<tool_progress>, caf::reacts_to<client_ask>,
    // Ends an idle session; a running turn goes on.
    caf::reacts_to<atom::expire>,
    // The MCP hub was restarted: what it was asked will not be answered.
    caf::reacts_to<atom::restart>,
    // The store was restarted, hangs, or works again: what was asked of it may not be answered (why
    // not, or no error: save what is unsaved).
    caf::reacts_to<atom::save, failure>>;

/// Finds or makes the session of a chat, bounds their number, and drains them.
using session_hub_actor = caf::typed_actor<
    // Hands over to the chat's session; turn_refused while draining or full.
    caf::reacts_to<start_turn>,
    // All go to the chat's session, if it is there, as from the sender. A watch_turn of a chat that
    // is not there is answered by turn_refused.
    caf::reacts_to<abort_turn>, caf::reacts_to<grant_credit>, caf::reacts_to<watch_turn>,
    caf::reacts_to<leave_turn>, caf::reacts_to<answer_approvals>,
    // INTERNAL: from a session.
    caf::reacts_to<turn_ended>, caf::reacts_to<chat_saved>, caf::reacts_to<expire_refused>,
    // Has the session of a chat end; no error when it is gone.
    caf::replies_to<end_session>::with<failure>,
    // How many there are.
    caf::replies_to<atom::status>::with<session_counts>,
    // Refuses new turns; answers when none runs. After `limit` the rest is aborted.
    caf::replies_to<atom::drain, caf::timespan>::with<atom::done>,
    // INTERNAL: the drain limit, or the idle time of a session, may have passed.
    caf::reacts_to<atom::expire>>;

} // namespace troupe
