#include "actors/mcp_hub/mcp_hub_questions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "actors/urgent.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/elicitation.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

// -- open questions -------------------------------------------------------------------------------

answering_model::~answering_model() {
  if (which_)
    exit_now(which_, {}, caf::exit_reason::user_shutdown);
}

namespace {

bool is_elicitation(const open_question& open) {
  return open.ask.method == "elicitation/create";
}

server_reply result(const open_question& open, std::string text) {
  return {open.number, raw_json{std::move(text)}, 0, {}};
}

/// Checks the members that the specification demands of a CreateMessageResult.
failure check_sampled(const std::string& content) {
  json_source source{content};
  if (!source.fault().empty() || kind_of(source.root()) != json_kind::object)
    return {errc::request_invalid, "content must be a CreateMessageResult, an object"};
  std::string_view role, message, model;
  read_members(source.root(), {{"role", &role}, {"content", &message}, {"model", &model}});
  if (auto who = json_string(role); who != "user" && who != "assistant")
    return {errc::request_invalid, "content.role must be \"user\" or \"assistant\""};
  if (auto kind = kind_of(message); kind != json_kind::object && kind != json_kind::array)
    return {errc::request_invalid, "content.content must be a content block or a list of them"};
  if (kind_of(model) != json_kind::string)
    return {errc::request_invalid, "content.model must be a string"};
  return {};
}

failure accept_form(const open_question& open, const std::string& given, server_reply& out) {
  mcp::elicitation_request asked;
  if (auto bad = mcp::parse(open.ask.params.text, asked))
    return {errc::request_invalid, bad.text()};
  if (asked.is_url) {
    out = result(open, mcp::elicitation_result("accept", ""));
    return {};
  }
  if (json_source source{given}; !given.empty() && kind_of(source.root()) != json_kind::object)
    return {errc::request_invalid, "content must be an object with the form's values"};
  auto content = mcp::with_defaults(asked.requested_schema, given);
  if (auto bad = mcp::check_content(asked.requested_schema, content))
    return {errc::request_invalid, bad.text()};
  out = result(open, mcp::elicitation_result("accept", content));
  return {};
}

} // namespace

server_reply decline(const open_question& open) {
  if (is_elicitation(open))
    return result(open, mcp::elicitation_result("decline", ""));
  return refuse(open, declined_code, "The client declined.");
}

server_reply refuse(const open_question& open, int64_t code, std::string text) {
  return {open.number, {}, code, std::move(text)};
}

failure reply_to(const open_question& open, const client_answer& answer, server_reply& out) {
  if (answer.action == "accept") {
    if (is_elicitation(open))
      return accept_form(open, answer.content.text, out);
    if (auto bad = check_sampled(answer.content.text))
      return bad;
    out = result(open, answer.content.text);
    return {};
  }
  if (answer.action != "decline" && answer.action != "cancel")
    return {errc::request_invalid, "action must be \"accept\", \"decline\" or \"cancel\""};
  out = is_elicitation(open) ? result(open, mcp::elicitation_result(answer.action, ""))
                             : decline(open);
  return {};
}

server_reply accept_defaults(const open_question& open) {
  server_reply made;
  return reply_to(open, {"", "accept", {}}, made) ? decline(open) : made;
}

bool is_form(const open_question& open) {
  mcp::elicitation_request asked;
  return is_elicitation(open) && !mcp::parse(open.ask.params.text, asked) && !asked.is_url;
}

void open_questions::add(open_question open) {
  auto id = open.ask.request_id;
  open_.emplace(std::move(id), std::move(open));
}

open_question* open_questions::find(const std::string& request_id) {
  auto found = open_.find(request_id);
  return found == open_.end() ? nullptr : &found->second;
}

std::optional<open_question> open_questions::take(const std::string& request_id) {
  auto taken = open_.extract(request_id);
  if (taken.empty())
    return {};
  return std::move(taken.mapped());
}

std::optional<std::pair<std::chrono::steady_clock::time_point, std::string>>
open_questions::next_deadline() const {
  auto first = std::min_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
    return a.second.deadline < b.second.deadline;
  });
  if (first == open_.end())
    return {};
  return std::pair{first->second.deadline, first->first};
}

// -- mcp hub questions ----------------------------------------------------------------------------

namespace {

bool is_sampling(const open_question& open) {
  return open.ask.method == "sampling/createMessage";
}

/// Returns the lease of the call that the question belongs to. If the call is unknown, returns a
/// lease of the chat that uses the server; null if no chat or more than one uses it.
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

void mcp_hub_questions::on_server_ask(server_ask& ask) {
  auto* server = hub_.sender_server(ask.server);
  if (server == nullptr)
    return;
  open_question open;
  open.ask = {make_id("ask_"),       std::move(ask.server),
              std::move(ask.method), "",
              std::move(ask.params), static_cast<uint64_t>(server->config.ask_timeout.count())};
  open.number = ask.ask;
  open.call = ask.call;
  open.deadline = hub_.self->clock().now() + server->config.ask_timeout;
  auto policy = is_sampling(open) ? server->config.sampling : server->config.elicitation;
  if (policy == client_policy::deny)
    return reply(open, refuse(open, jsonrpc::method_not_found, "The client does not take this."));
  if (policy == client_policy::allow && is_sampling(open))
    return let_model_answer(std::move(open));
  if (policy == client_policy::allow && is_form(open))
    return reply(open, accept_defaults(open));
  ask_client(std::move(open));
}

void mcp_hub_questions::ask_client(open_question open) {
  const auto* lease = lease_of(hub_.leases, open);
  if (lease != nullptr)
    open.ask.session_id = lease->session_id;
  if (lease != nullptr && lease->answers) {
    open.holder = lease->holder;
    hub_.self->send(caf::actor_cast<tool_client_actor>(open.holder), open.ask);
  } else if (hub_.watchers.can_answer(owner_of(open.ask.session_id))) {
    hub_.watchers.tell(hub_.self, {"clientRequest", open.ask.server, {to_json(open.ask)}}, true);
  } else {
    return reply(open, decline(open));
  }
  keep_open(std::move(open));
}

void mcp_hub_questions::keep_open(open_question open) {
  pending_.add(std::move(open));
  wake_at_next_deadline();
}

// -- answers -------------------------------------------------------------------------------------

/// A request id carries its owner, like the id of a chat. Only the owner of a chat may answer the
/// questions that belong to it.
failure mcp_hub_questions::on_client_answer(const client_answer& answer) {
  std::string id{public_id(answer.request_id)};
  auto* open = pending_.find(id);
  if (open == nullptr || open->model ||
      owner_of(open->ask.session_id) != owner_of(answer.request_id))
    return {errc::not_found, fmt::format("No request '{}' waits for an answer.", id)};
  if (is_sampling(*open) && answer.action == "accept" && answer.content.text.empty()) {
    auto accepted = *pending_.take(id);
    tell_over(accepted);
    let_model_answer(std::move(accepted));
    return {};
  }
  server_reply made;
  if (auto bad = reply_to(*open, answer, made))
    return bad;
  finish(*pending_.take(id), std::move(made));
  return {};
}

void mcp_hub_questions::reply(const open_question& open, server_reply answer) {
  const auto* server = hub_.find(open.ask.server);
  if (server != nullptr && server->connection)
    hub_.self->send(server->connection, std::move(answer));
}

void mcp_hub_questions::finish(const open_question& open, server_reply answer) {
  reply(open, std::move(answer));
  tell_over(open);
}

/// Watchers do not wait for a model's answer: they never heard of the question, or were told that
/// it is over when the client left it to the model.
void mcp_hub_questions::tell_over(const open_question& open) const {
  if (hub_.watchers.empty() || open.model)
    return;
  auto data = R"({"requestId":)" + to_json(open.ask.request_id);
  if (!owner_of(open.ask.session_id).empty()) // hides it from watchers of other owners
    data += R"(,"sessionId":)" + to_json(open.ask.session_id);
  hub_.tell("clientRequestOver", open.ask.server, data + "}");
}

// -- the other ends ------------------------------------------------------------------------------

void mcp_hub_questions::on_ask_over(const server_ask_over& over) {
  if (hub_.sender_server(over.server) == nullptr)
    return;
  for (const auto& each : pending_.take_where([&](const auto& open) {
         return open.ask.server == over.server && open.number == over.ask;
       }))
    tell_over(each);
}

void mcp_hub_questions::drop(const std::string& server) {
  for (const auto& each :
       pending_.take_where([&](const auto& open) { return open.ask.server == server; }))
    tell_over(each);
}

void mcp_hub_questions::decline_of(const tool_lease& lease) {
  if (auto* server = hub_.find(lease.server))
    server->sampled.forget(lease.call);
  if (pending_.empty())
    return;
  auto still_there = hub_.leases.holds(lease.holder);
  for (const auto& each : pending_.take_where([&](const auto& open) {
         return (open.call == lease.call && open.call != 0) ||
                (open.holder && open.holder == lease.holder && !still_there);
       }))
    finish(each, decline(each));
}

void mcp_hub_questions::decline_unanswerable() {
  for (const auto& each : pending_.take_where([&](const auto& open) {
         return !open.holder && !open.model &&
                !hub_.watchers.can_answer(owner_of(open.ask.session_id));
       }))
    finish(each, decline(each));
}

void mcp_hub_questions::on_expire() {
  auto now = hub_.self->clock().now();
  if (wake_ && now < *wake_)
    return; // a timer that is left over: the next deadline has one of its own
  wake_.reset();
  for (const auto& each :
       pending_.take_where([&](const auto& open) { return open.deadline <= now; }))
    finish(each, decline(each));
  wake_at_next_deadline();
}

/// One timer for all questions: CAF cannot cancel a delayed message, and a server may ask as often
/// as it likes.
void mcp_hub_questions::wake_at_next_deadline() {
  auto next = pending_.next_deadline();
  if (!next || (wake_ && *wake_ <= next->first))
    return;
  wake_ = next->first;
  hub_.self->delayed_send(hub_.self, next->first - hub_.self->clock().now(), atom::expire_v,
                          next->second);
}

} // namespace troupe
