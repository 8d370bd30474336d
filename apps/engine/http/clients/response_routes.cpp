#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/session/subscriber.hpp"
#include "actors/turn/history.hpp"
#include "apps/engine/http/clients/compat_turn.hpp"
#include "apps/engine/http/requests/http_reply.hpp"
#include "apps/engine/http/sinks/completions_sink.hpp"
#include "apps/engine/http/sinks/delayed_stream.hpp"
#include "apps/engine/http/sinks/single_response_sink.hpp"
#include "apps/engine/library/conversation_changer.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/responses/kept_response.hpp"
#include "messages/wire/clients/responses/response_output.hpp"
#include "messages/wire/clients/responses/response_request.hpp"

namespace troupe {

namespace {

constexpr size_t most_item_chats = 256;

/// A response on its way to its turn.
struct response_call {
  response_request asked;
  std::string owner;
  std::string model; ///< as the answer names it
  bool stored = false;
  std::string body; ///< where the input names items
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

/// Sets the messages of the turn, as a session keeps them: else they would be counted wrongly. A
/// result in front, without its call, is left to the session, which refuses it.
/// @return how many are before the answer, but for instructions
size_t set_messages(response_call& call, response_start& from) {
  auto& messages = call.asked.turn.messages;
  auto all = std::move(from.history);
  std::move(messages.begin(), messages.end(), std::back_inserter(all));
  if (call.stored && !all.empty() && all.front().who != role::tool)
    repair_history(all);
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
  const response_place place{from.chat, before};
  head.id = call.stored ? make_response_id(place) : make_id("resp_");
  head.place = call.stored ? place_text(place) : "";
  head.model = std::move(call.model);
  head.created = unix_seconds();
  head.previous = std::move(call.asked.previous);
  head.stored = call.stored;
  head.echo = std::move(call.asked.echo);
  head.special = std::move(call.asked.special);
  turn.replaces_history = goes_on;
  turn.ephemeral = !call.stored;
  turn.session_id = scoped_id(call.owner, call.stored ? from.chat : head.id);
  turn.turn_id = call.stored ? head.id : "";
  turn.if_version = call.stored ? from.version : 0;
  compat_answer answer{
      std::move(response), {{"x-request-id", turn.options.request_id}}, send_completions_error};
  auto sink = call.asked.stream
                  ? make_delayed_stream(std::move(answer), response_stream{std::move(head)},
                                        call.keep_alive)
                  : make_single_response(std::move(answer), response_collector{std::move(head)});
  spawn_subscriber(system, std::move(turn), std::move(sink));
}

/// Is handed a reply and what it asked for.
using conversation_taker = std::function<void(http_reply&, conversation_answer&)>;

/// Has an actor answer; errors are OpenAI's.
void spawn_reply(http_call& in, std::function<void(http_reply&)> begin) {
  spawn_http_reply(in, [settings = in.config.store, begin = std::move(begin)](http_reply& out) {
    out.write_error = send_completions_error;
    if (whereis<conversation_reader_actor>(out.self->system(), conversation_reader_name))
      begin(out);
    else
      out.refuse(store_missing(settings));
  });
}

/// Reads a conversation. @param chat scoped id
void read_conversation(http_reply& out, std::string chat, conversation_taker then) {
  out.ask<conversation_answer, conversation_reader_actor>(
      conversation_reader_name, get_conversation{std::move(chat)},
      [&out, then = std::move(then)](conversation_answer& answer) { then(out, answer); });
}

/// Starts a response whose history is known.
void begin_response(http_reply& out, response_call& call, response_start from) {
  if (auto to = std::exchange(out.response, nullptr))
    start_response(out.self->system(), call, std::move(from), std::move(to));
  out.self->quit();
}

/// Goes on behind a response: in its conversation if nothing follows it there, else in a new one.
void go_on(http_reply& out, response_call& call, const response_place& place,
           const conversation& chat) {
  bool last = false;
  response_start from{place.chat, history_behind(chat, place, last), chat.info.version};
  if (from.history.empty())
    return out.refuse(no_response(call.asked.previous));
  if (!last)
    from = {make_id("chat_"), std::move(from.history)};
  begin_response(out, call, std::move(from));
}

/// Goes on behind previous_response_id, if there is one.
void begin_behind_previous(http_reply& out, std::shared_ptr<response_call> call) {
  const auto& previous = call->asked.previous;
  if (previous.empty())
    return begin_response(out, *call, {make_id("chat_")});
  const auto place = place_of_response(previous);
  if (!place)
    return out.refuse(no_response(previous));
  read_conversation(out, scoped_id(call->owner, place->chat),
                    [call, place](http_reply& reply, conversation_answer& answer) {
                      if (answer.error)
                        reply.refuse(answer.error);
                      else
                        go_on(reply, *call, *place, answer.found);
                    });
}

/// Reads the body once more, with the items that were found.
void read_again(http_reply& out, std::shared_ptr<response_call> call) {
  auto& asked = call->asked;
  response_request again;
  again.items = std::move(asked.items);
  again.items.looked_up = true;
  if (auto bad = parse_response_request(call->body, again))
    return out.refuse(bad);
  asked.turn.messages = std::move(again.turn.messages);
  begin_behind_previous(out, std::move(call));
}

/// Looks for the items that the input names, one conversation after the other.
void find_items_of(http_reply& out, std::shared_ptr<response_call> call,
                   std::vector<std::string> chats) {
  if (chats.empty())
    return read_again(out, std::move(call));
  const auto chat = std::move(chats.back());
  chats.pop_back();
  read_conversation(out, scoped_id(call->owner, chat),
                    [call, chat, chats](http_reply& reply, conversation_answer& answer) {
                      const auto bad = answer.error
                                           ? answer.error
                                           : find_items(chat, answer.found, call->asked.items);
                      if (bad && bad.code != errc::not_found)
                        return reply.refuse(bad);
                      find_items_of(reply, call, chats);
                    });
}

void begin_with_items(http_call& in, std::shared_ptr<response_call> call) {
  auto chats = call->asked.items.chats();
  if (chats.size() > most_item_chats)
    return send_completions_error(*in.response,
                                  {errc::request_invalid,
                                   "input refers to items of more than 256 conversations; send the "
                                   "items themselves"});
  call->body = in.request.body; // a copy: another node may get the request
  spawn_reply(in, [call = std::move(call), chats = std::move(chats)](http_reply& out) {
    find_items_of(out, call, chats);
  });
}

void post_response(http_call& in) {
  // Shared, because a function must be copyable.
  auto call = std::make_shared<response_call>();
  auto& asked = call->asked;
  const auto bad = parse_response_request(in.request.body, asked);
  call->model = shown_model(in, asked.turn);
  describe_compat_turn(in, asked.turn);
  if (bad)
    return send_completions_error(*in.response, bad,
                                  {{"x-request-id", asked.turn.options.request_id}});
  call->owner = in.who.owner;
  call->stored = asked.store && in.config.store.keeps();
  call->keep_alive = in.services.keep_alive;
  if (!asked.items.wanted.empty())
    return begin_with_items(in, std::move(call));
  if (asked.previous.empty())
    return start_response(in.system, *call, {make_id("chat_")}, std::move(in.response));
  if (!place_of_response(asked.previous))
    return send_completions_error(*in.response, no_response(asked.previous),
                                  {{"x-request-id", asked.turn.options.request_id}});
  spawn_reply(in, [call](http_reply& out) { begin_behind_previous(out, call); });
}

void get_response(http_call& in) {
  const auto id = in.ids[0];
  const auto place = place_of_response(id);
  if (!place)
    return send_completions_error(*in.response, no_response(id));
  spawn_reply(in, [id, place, chat = in.chat(place->chat)](http_reply& out) {
    read_conversation(out, chat, [id, place](http_reply& reply, conversation_answer& answer) {
      auto body = answer.error ? std::string{} : kept_response(answer.found, id, *place);
      if (answer.error)
        reply.refuse(answer.error);
      else if (body.empty())
        reply.refuse(no_response(id));
      else
        reply.send(std::move(body));
    });
  });
}

constexpr std::array response_rows{
    http_route{"POST", "/v1/responses", post_response, route_access::owners, false,
               turn_place::fresh},
    http_route{"GET", "/v1/responses/{}", get_response},
};

} // namespace

route_table response_routes() {
  return response_rows;
}

} // namespace troupe
