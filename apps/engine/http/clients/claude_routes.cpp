#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <string>
#include <utility>

#include "actors/session/subscriber.hpp"
#include "apps/engine/http/clients/compat_turn.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/sinks/claude_sink.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/claude/claude_request.hpp"
#include "messages/wire/clients/claude/claude_tokens.hpp"

namespace troupe {

namespace {

/// The head of every answer: Anthropic's clients look for `request-id`.
headers claude_head(const std::string& request_id) {
  return {{"x-request-id", request_id}, {"request-id", request_id}};
}

/// Anthropic's clients then send the whole history with each request.
void refuse_thread(http_response& response, headers extra) {
  extra.push_back({"content-type", "application/json"});
  extra.push_back({"x-should-retry", "false"});
  response.send(400, extra,
                claude_error({errc::request_invalid,
                              "thread is not supported: send the whole history in messages"},
                             400, claude_thread_refusal));
}

void post_message(http_call& in) {
  claude_request asked;
  const auto bad = parse_claude_request(in.request.body, asked);
  auto& turn = asked.turn;
  claude_identity identity{make_id("msg_"), shown_model(in, turn)};
  describe_compat_turn(in, turn);
  auto extra = claude_head(turn.options.request_id);
  if (bad)
    return send_claude_error(*in.response, bad, std::move(extra));
  if (asked.thread)
    return refuse_thread(*in.response, std::move(extra));
  turn.session_id = in.chat(identity.id);
  auto sink = asked.stream
                  ? claude_stream_sink(std::move(in.response), std::move(identity),
                                       std::move(extra), in.services.keep_alive)
                  : claude_sink(std::move(in.response), std::move(identity), std::move(extra));
  spawn_subscriber(in.system, std::move(turn), std::move(sink));
}

void post_count(http_call& in) {
  claude_request asked;
  auto extra = claude_head(request_id_of(in.known));
  if (auto bad = parse_claude_request(in.request.body, asked))
    return send_claude_error(*in.response, bad, std::move(extra));
  extra.push_back({"content-type", "application/json"});
  in.response->send(200, extra,
                    R"({"input_tokens":)" + std::to_string(estimated_tokens(asked.turn)) + "}");
}

constexpr std::array claude_rows{
    http_route{"POST", "/v1/messages", post_message, route_access::owners, false,
               turn_place::fresh},
    http_route{"POST", "/v1/messages/count_tokens", post_count},
};

} // namespace

route_table claude_routes() {
  return claude_rows;
}

} // namespace troupe
