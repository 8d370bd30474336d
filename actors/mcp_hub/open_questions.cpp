#include "actors/mcp_hub/open_questions.hpp"

#include <algorithm>
#include <utility>

#include "actors/urgent.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/elicitation.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

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

} // namespace troupe
