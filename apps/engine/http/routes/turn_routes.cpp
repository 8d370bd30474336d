#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "actors/session/subscriber.hpp"
#include "apps/engine/http/clients/ollama_routes.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/routes/conversations/conversation_tags.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/ollama/ollama_body.hpp"

namespace troupe {

namespace {

/// The head of every answer about a turn.
headers request_head(const std::string& request_id) {
  return {{"x-request-id", request_id}};
}

/// Sets the members of a turn that do not come from the body.
void describe(const http_call& in, turn_request& out) {
  out.options.request_id = request_id_of(in.known);
  out.options.traceparent = traceparent_of(in.known);
  out.concurrent_turns = in.who.concurrent_turns;
}

/// Reads the profile that a request's header names; without one `out` stays.
failure read_profile(const http_call& in, ui_profile& out) {
  auto name = find_header(in.request.fields, "x-troupe-ui-profile");
  if (name.empty())
    return {};
  auto known = ui_profile_of(name);
  if (!known)
    return {errc::request_invalid, "x-troupe-ui-profile must be v5-min, v6 or v7"};
  out = *known;
  return {};
}

void post_chat(http_call& in) {
  turn_request turn;
  auto profile = in.services.profile;
  auto bad = read_profile(in, profile);
  if (!bad) {
    bad = parse_ui_request(in.request.body, turn, profile);
    // Only what the AI SDK's reader refuses is looked at.
    if (bad && is_ollama_chat(in.request.body))
      return post_ollama_chat(in);
  }
  if (!bad)
    bad = check_chat_id(turn.session_id, "id");
  if (!bad)
    bad = read_wanted_version(in.request.fields, turn.if_version);
  describe(in, turn);
  auto sink =
      ui_stream_sink(std::move(in.response), profile, request_head(turn.options.request_id));
  if (bad)
    return sink->refuse(bad);
  turn.session_id = in.chat(turn.session_id);
  spawn_subscriber(in.system, std::move(turn), std::move(sink));
}

/// Reads the id that a client has made up for its turn: ?turn=ID, as that of a WebSocket.
failure read_turn_id(const http_call& in, std::string& out) {
  constexpr size_t max_turn_id_bytes = 256;
  out = query_value(in.request.query, "turn");
  if (out.size() <= max_turn_id_bytes)
    return check_chat_id(out, "turn");
  return {errc::request_invalid, "turn must have at most 256 bytes"};
}

/// Runs a turn whose body `parse` reads.
void answer_turn(http_call& in, failure (*parse)(std::string_view, turn_request&)) {
  turn_request turn;
  auto bad = parse(in.request.body, turn);
  if (!bad)
    bad = read_turn_id(in, turn.turn_id);
  if (!bad)
    bad = read_wanted_version(in.request.fields, turn.if_version);
  describe(in, turn);
  auto sink = native_stream_sink(std::move(in.response), request_head(turn.options.request_id));
  if (bad)
    return sink->refuse(bad);
  turn.session_id = in.chat(in.ids[0]);
  spawn_subscriber(in.system, std::move(turn), std::move(sink));
}

void post_turn(http_call& in) {
  answer_turn(in, parse_native_request);
}

void post_tool_results(http_call& in) {
  answer_turn(in, parse_tool_results);
}

/// Hands a message to the hub of sessions; the answer does not wait for what comes of it.
template <class Message>
void pass_on(http_call& in, Message message) {
  if (auto hub = whereis<session_hub_actor>(in.system, session_hub_name))
    caf::anon_send<caf::message_priority::high>(hub, std::move(message));
  in.response->send(
      202, {{"content-type", "application/json"}, {"x-request-id", request_id_of(in.known)}}, "{}");
}

void post_approvals(http_call& in) {
  answer_approvals answers{in.chat(in.ids[0]), {}};
  if (auto bad = parse_approvals(in.request.body, answers.approvals))
    return send_error(*in.response, bad, request_head(request_id_of(in.known)));
  pass_on(in, std::move(answers));
}

/// Stops the running turn, or with ?turn=ID only that one.
void post_stop(http_call& in) {
  pass_on(in, abort_turn{in.chat(in.ids[0]), query_value(in.request.query, "turn"), "stop"});
}

/// The running turn of a chat as a UI message stream, from its start.
void get_stream(http_call& in) {
  auto profile = in.services.profile;
  auto bad = read_profile(in, profile);
  auto sink =
      ui_stream_sink(std::move(in.response), profile, request_head(request_id_of(in.known)));
  if (bad)
    return sink->refuse(bad);
  spawn_viewer(in.system, {in.chat(in.ids[0]), "", 0, false, 0}, std::move(sink));
}

/// Reads the last event that a client has: ?after=N, else the Last-Event-ID of an EventSource.
failure read_after(const http_call& in, uint64_t& out) {
  auto text = query_value(in.request.query, "after");
  if (text.empty())
    text = find_header(in.request.fields, "last-event-id");
  if (text.empty())
    return {};
  const auto* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc{} || stop != end)
    return {errc::request_invalid, "after and Last-Event-ID must be the id of an event, a number"};
  return {};
}

/// The running turn of a chat, or a resumable one that ran last, as native events.
void get_turn_events(http_call& in) {
  watch_turn ask{in.chat(in.ids[0]), query_value(in.request.query, "turn"), 0, true, 0};
  auto bad = read_after(in, ask.after_seq);
  auto sink = native_stream_sink(std::move(in.response), request_head(request_id_of(in.known)));
  if (bad)
    return sink->refuse(bad);
  spawn_viewer(in.system, std::move(ask), std::move(sink));
}

/// Makes a row whose place is decided by the turn of its chat.
constexpr http_route row(std::string_view method, std::string_view path, void (*run)(http_call&),
                         turn_place turn) {
  return {method, path, run, route_access::owners, false, turn};
}

constexpr std::array turn_rows{
    row("POST", "/api/chat", post_chat, turn_place::here),
    row("GET", "/api/chat/{}/stream", get_stream, turn_place::owner),
    row("POST", "/api/chat/{}/stop", post_stop, turn_place::owner),
    row("POST", "/v1/sessions/{}/turns", post_turn, turn_place::here),
    row("GET", "/v1/sessions/{}/events", get_turn_events, turn_place::owner),
    row("POST", "/v1/sessions/{}/tool-results", post_tool_results, turn_place::here),
    row("POST", "/v1/sessions/{}/approvals", post_approvals, turn_place::owner),
    row("POST", "/v1/sessions/{}/abort", post_stop, turn_place::owner),
};

} // namespace

route_table turn_routes() {
  return turn_rows;
}

} // namespace troupe
