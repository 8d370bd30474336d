#include "apps/engine/http/clients/response_routes.hpp"

#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/session/subscriber.hpp"
#include "apps/engine/http/clients/foreign_turn.hpp"
#include "apps/engine/http/completions_sink.hpp"
#include "apps/engine/http/http_reply.hpp"
#include "apps/engine/http/late_stream.hpp"
#include "apps/engine/http/whole_sink.hpp"
#include "apps/engine/library/conversation_changer.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/responses/kept_response.hpp"
#include "messages/wire/clients/responses/response_output.hpp"
#include "messages/wire/clients/responses/response_request.hpp"

namespace troupe {

namespace {

/// A response on its way to its turn.
struct response_call {
  response_request asked;
  std::string owner;
  std::string model; ///< as the answer names it
  bool stored = false;
  stream_keep_alive* keep_alive = nullptr;
};

/// Where a response begins.
struct response_start {
  std::string chat;
  std::vector<chat_message> history = {}; ///< without instructions
  uint64_t version = 0;                   ///< of the chat that goes on; 0: it is new
};

failure no_response(std::string_view id) {
  return {errc::not_found, "There is no response with the id '" + std::string{id} +
                               "' here; send the whole input instead."};
}

/// Sets the messages of the turn. @return how many are before the answer, but for instructions
size_t set_messages(response_call& call, response_start& from) {
  auto& messages = call.asked.turn.messages;
  auto all = std::move(from.history);
  std::move(messages.begin(), messages.end(), std::back_inserter(all));
  const auto before = all.size();
  if (!call.asked.instructions.empty()) {
    chat_message made;
    made.who = role::system;
    made.text = call.asked.instructions;
    made.id = instructions_id;
    all.insert(all.begin(), std::move(made));
  }
  messages = std::move(all);
  return before;
}

/// Runs the turn of a response.
void start_response(caf::actor_system& system, response_call& call, response_start from,
                    std::shared_ptr<http_response> response) {
  auto& turn = call.asked.turn;
  const auto goes_on = !from.history.empty();
  const auto before = set_messages(call, from);
  response_head head;
  head.id = call.stored ? make_response_id({from.chat, before}) : make_id("resp_");
  head.model = std::move(call.model);
  head.created = unix_seconds();
  head.previous = std::move(call.asked.previous);
  head.stored = call.stored;
  head.echo = std::move(call.asked.echo);
  head.custom = std::move(call.asked.custom);
  turn.replaces_history = goes_on;
  turn.ephemeral = !call.stored;
  turn.session_id = scoped_id(call.owner, call.stored ? from.chat : head.id);
  turn.turn_id = call.stored ? head.id : "";
  turn.if_version = call.stored ? from.version : 0;
  foreign_answer answer{
      std::move(response), {{"x-request-id", turn.options.request_id}}, send_completions_error};
  auto sink =
      call.asked.stream
          ? make_late_stream(std::move(answer), response_stream{std::move(head)}, call.keep_alive)
          : make_whole_answer(std::move(answer), response_collector{std::move(head)});
  spawn_subscriber(system, std::move(turn), std::move(sink));
}

/// Is handed a reply and what it asked for.
using conversation_taker = std::function<void(http_reply&, conversation&)>;

/// Reads the conversation of a response; errors are OpenAI's.
void with_conversation(http_call& in, const response_place& place, conversation_taker then) {
  get_conversation what{in.chat(place.chat)};
  spawn_http_reply(in, [what = std::move(what), settings = in.config.store,
                        then = std::move(then)](http_reply& out) {
    out.write_error = send_completions_error;
    if (!whereis<conversation_reader_actor>(out.self->system(), conversation_reader_name))
      return out.refuse(store_missing(settings));
    out.ask<conversation_answer, conversation_reader_actor>(
        conversation_reader_name, what, [&out, then](conversation_answer& answer) {
          if (answer.error)
            out.refuse(answer.error);
          else
            then(out, answer.found);
        });
  });
}

/// Goes on behind a response: in its conversation if nothing follows it there, else in a new one.
void go_on(http_reply& out, response_call& call, const response_place& place, conversation& chat) {
  bool last = false;
  response_start from{place.chat, history_behind(chat, place, last), chat.info.version};
  if (from.history.empty())
    return out.refuse(no_response(call.asked.previous));
  if (!last)
    from = {make_id("chat_"), std::move(from.history)};
  if (auto to = std::exchange(out.response, nullptr))
    start_response(out.self->system(), call, std::move(from), std::move(to));
  out.self->quit();
}

void post_response(http_call& in) {
  // Shared, because a function must be copyable.
  auto call = std::make_shared<response_call>();
  auto& asked = call->asked;
  const auto bad = parse_response_request(in.request.body, asked);
  describe_foreign_turn(in, asked.turn);
  const headers extra{{"x-request-id", asked.turn.options.request_id}};
  if (bad)
    return send_completions_error(*in.response, bad, extra);
  call->owner = in.who.owner;
  call->model = shown_model(in, asked.turn);
  call->stored = asked.store && in.config.store.keeps();
  call->keep_alive = in.keep_alive;
  if (asked.previous.empty())
    return start_response(in.system, *call, {make_id("chat_")}, std::move(in.response));
  const auto place = place_of_response(asked.previous);
  if (!place)
    return send_completions_error(*in.response, no_response(asked.previous), extra);
  with_conversation(in, *place, [call, place](http_reply& out, conversation& found) {
    go_on(out, *call, *place, found);
  });
}

void get_response(http_call& in) {
  const auto id = in.ids[0];
  const auto place = place_of_response(id);
  if (!place)
    return send_completions_error(*in.response, no_response(id));
  with_conversation(in, *place, [id, place](http_reply& out, const conversation& found) {
    auto body = kept_response(found, id, *place);
    if (body.empty())
      out.refuse(no_response(id));
    else
      out.send(std::move(body));
  });
}

constexpr std::array response_rows{
    http_route{"POST", "/v1/responses", post_response},
    http_route{"GET", "/v1/responses/{}", get_response},
};

} // namespace

route_table response_routes() {
  return response_rows;
}

} // namespace troupe
