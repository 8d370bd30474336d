// What servers ask of clients through an mcp_hub: sampling and elicitation.
//
//   server_ask --policy allow--> answered by the form's defaults, or by a model
//      '-------policy ask------> open: client_ask to the caller, or "clientRequest" to watchers
//   open --client_answer, server_ask_over, deadline, end of the caller or the connection--> over
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "messages/json.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

namespace {

bool is_sampling(const open_question& open) {
  return open.ask.method == "sampling/createMessage";
}

/// Returns the lease of the call that it is asked for, or if that is unknown, of the only chat that
/// is using the server.
const tool_lease* lease_of(const tool_leases& leases, const open_question& open) {
  if (open.call != 0)
    return leases.find(open.call);
  const tool_lease* only = nullptr;
  for (auto call : leases.select([&](const auto& lease) {
         return lease.server == open.ask.server && !lease.session_id.empty();
       })) {
    const auto* each = leases.find(call);
    if (only != nullptr && (only->holder != each->holder || only->session_id != each->session_id))
      return nullptr;
    only = each;
  }
  return only;
}

} // namespace

void mcp_hub_state::on_server_ask(server_ask& ask) {
  auto* server = sender_server(ask.server);
  if (server == nullptr)
    return;
  open_question open;
  open.ask = {make_id("ask_"),       std::move(ask.server),
              std::move(ask.method), "",
              std::move(ask.params), static_cast<uint64_t>(server->config.ask_timeout.count())};
  open.number = ask.ask;
  open.call = ask.call;
  open.deadline = self->clock().now() + server->config.ask_timeout;
  auto policy = is_sampling(open) ? server->config.sampling : server->config.elicitation;
  if (policy == client_policy::deny)
    return reply(open, refuse(open, jsonrpc::method_not_found, "The client does not take this."));
  if (policy == client_policy::allow && is_sampling(open))
    return let_model_answer(std::move(open));
  if (policy == client_policy::allow && is_form(open))
    return reply(open, accept_defaults(open));
  ask_client(std::move(open));
}

void mcp_hub_state::let_model_answer(open_question open) {
  if (!config.sample)
    return reply(open, refuse(open, jsonrpc::internal_error, "There is no model for sampling."));
  auto sampling_responder = config.sample(*self, open.ask.request_id, open.ask.params);
  open.model = std::make_shared<answering_model>(std::move(sampling_responder));
  keep_open(std::move(open));
}

void mcp_hub_state::ask_client(open_question open) {
  const auto* lease = lease_of(leases, open);
  if (lease != nullptr)
    open.ask.session_id = lease->session_id;
  if (lease != nullptr && lease->answers) {
    open.holder = lease->holder;
    self->send(caf::actor_cast<tool_client_actor>(open.holder), open.ask);
  } else if (watchers.can_answer(owner_of(open.ask.session_id))) {
    watchers.tell(self, {"clientRequest", open.ask.server, {to_json(open.ask)}}, true);
  } else {
    return reply(open, decline(open));
  }
  keep_open(std::move(open));
}

void mcp_hub_state::keep_open(open_question open) {
  asks.add(std::move(open));
  wake_at_next_deadline();
}

// -- answers -------------------------------------------------------------------------------------

/// The id is scoped like that of a chat: a question that belongs to one is for its owner alone.
failure mcp_hub_state::on_client_answer(const client_answer& answer) {
  std::string id{public_id(answer.request_id)};
  auto* open = asks.find(id);
  if (open == nullptr || open->model ||
      owner_of(open->ask.session_id) != owner_of(answer.request_id))
    return {errc::not_found, fmt::format("No request '{}' waits for an answer.", id)};
  if (is_sampling(*open) && answer.action == "accept" && answer.content.text.empty()) {
    auto accepted = *asks.take(id);
    tell_over(accepted);
    let_model_answer(std::move(accepted));
    return {};
  }
  server_reply made;
  if (auto bad = reply_to(*open, answer, made))
    return bad;
  finish(*asks.take(id), std::move(made));
  return {};
}

void mcp_hub_state::on_sampled(const client_answer& answer, const failure& why) {
  auto* open = asks.find(answer.request_id);
  if (open == nullptr || open->model == nullptr)
    return;
  server_reply made;
  auto bad = why ? why : reply_to(*open, answer, made);
  if (bad)
    made = refuse(*open, jsonrpc::internal_error, bad.text());
  finish(*asks.take(answer.request_id), std::move(made));
}

void mcp_hub_state::reply(const open_question& open, server_reply answer) {
  const auto* server = find(open.ask.server);
  if (server != nullptr && server->connection)
    self->send(server->connection, std::move(answer));
}

void mcp_hub_state::finish(const open_question& open, server_reply answer) {
  reply(open, std::move(answer));
  tell_over(open);
}

/// A model that answers was announced to nobody, or as over when it was accepted.
void mcp_hub_state::tell_over(const open_question& open) const {
  if (watchers.empty() || open.model)
    return;
  auto data = R"({"requestId":)" + to_json(open.ask.request_id);
  if (!owner_of(open.ask.session_id).empty()) // by it a watcher is told only what is its owner's
    data += R"(,"sessionId":)" + to_json(open.ask.session_id);
  tell("clientRequestOver", open.ask.server, data + "}");
}

// -- the other ends ------------------------------------------------------------------------------

void mcp_hub_state::on_ask_over(const server_ask_over& over) {
  if (sender_server(over.server) == nullptr)
    return;
  for (const auto& each : asks.take_where([&](const auto& open) {
         return open.ask.server == over.server && open.number == over.ask;
       }))
    tell_over(each);
}

void mcp_hub_state::drop_asks(const std::string& server) {
  for (const auto& each :
       asks.take_where([&](const auto& open) { return open.ask.server == server; }))
    tell_over(each);
}

void mcp_hub_state::decline_asks_of(const tool_lease& lease) {
  auto still_there = leases.holds(lease.holder);
  for (const auto& each : asks.take_where([&](const auto& open) {
         return (open.call == lease.call && open.call != 0) ||
                (open.holder && open.holder == lease.holder && !still_there);
       }))
    finish(each, decline(each));
}

void mcp_hub_state::decline_asks_of_watchers() {
  for (const auto& each : asks.take_where([&](const auto& open) {
         return !open.holder && !open.model && !watchers.can_answer(owner_of(open.ask.session_id));
       }))
    finish(each, decline(each));
}

void mcp_hub_state::on_expire() {
  auto now = self->clock().now();
  if (wake && now < *wake)
    return; // of a timer that an earlier deadline has overtaken
  wake.reset();
  for (const auto& each : asks.take_where([&](const auto& open) { return open.deadline <= now; }))
    finish(each, decline(each));
  wake_at_next_deadline();
}

/// One timer for all: CAF can not take one back, and servers ask as often as they like.
void mcp_hub_state::wake_at_next_deadline() {
  auto next = asks.next_deadline();
  if (!next || (wake && *wake <= next->first))
    return;
  wake = next->first;
  self->delayed_send(self, next->first - self->clock().now(), atom::expire_v, next->second);
}

} // namespace troupe
