// Bodies with answers of clients: results of client-side tools, and approvals.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/clients/ui/ui_parts.hpp"
#include "messages/wire/clients/ui/ui_tool_output.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

failure read_result(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view id, output, error;
  if (auto bad =
          read_object(text, place, {{"toolCallId", &id}, {"output", &output}, {"error", &error}}))
    return bad;
  if (!is_call_id(json_string(id)))
    return invalid_request(fmt::format("{}.toolCallId {}", place, call_id_rule));
  if (output.empty() == error.empty())
    return invalid_request(place + " must have either output or error");
  if (!error.empty() && kind_of(error) != json_kind::string)
    return invalid_request(place + ".error must be a string");
  out.who = role::tool;
  out.tool_call_id = json_string(id);
  out.text = error.empty() ? tool_output_text(output) : json_string(error);
  if (!error.empty())
    out.shown = {make_shown("error")};
  else if (auto shown = shown_output(output, out.text, {}))
    out.shown.push_back(std::move(*shown));
  return {};
}

failure read_results(std::string_view results, std::vector<chat_message>& out) {
  auto bad = read_list(results, "results", max_request_messages,
                       [&out](std::string_view text, const std::string& place) {
                         return read_result(text, place, out.emplace_back());
                       });
  if (!bad && out.empty())
    bad = invalid_request("results must not be empty");
  return bad;
}

failure read_approval(std::string_view text, const std::string& place, tool_approval& out) {
  std::string_view id, approved, reason;
  if (auto bad = read_object(text, place,
                             {{"approvalId", &id}, {"approved", &approved}, {"reason", &reason}}))
    return bad;
  if (!is_id(id))
    return invalid_request(place + ".approvalId must be a string of 1 to 256 bytes");
  if (kind_of(approved) != json_kind::boolean)
    return invalid_request(place + ".approved must be true or false");
  if (!is_nothing(reason) && kind_of(reason) != json_kind::string)
    return invalid_request(place + ".reason must be a string");
  out = {json_string(id), approved == "true", json_string(reason)};
  return {};
}

} // namespace

failure parse_tool_results(std::string_view body, turn_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  std::string_view results;
  option_members options;
  std::optional<std::string> unknown;
  for_each_member(source.root(), [&](std::string_view key, json_value value) {
    if (key == "results")
      results = value;
    else if (!options.take(key, value))
      unknown = key;
    return !unknown;
  });
  if (unknown)
    return unknown_key("the body", *unknown);
  turn_request read;
  read.session_id = out.session_id; // from the path
  if (auto bad = read_options(options, read.options))
    return bad;
  if (!is_nothing(options.ephemeral))
    return invalid_request("ephemeral is for turns that bring their history, not for results");
  if (auto bad = read_results(results, read.messages))
    return bad;
  out = std::move(read);
  return {};
}

failure parse_approvals(std::string_view body, std::vector<tool_approval>& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  std::string_view approvals;
  if (auto bad = read_object(source.root(), "the body", {{"approvals", &approvals}}))
    return bad;
  std::vector<tool_approval> read;
  auto bad = read_list(approvals, "approvals", max_request_messages,
                       [&read](std::string_view text, const std::string& place) {
                         return read_approval(text, place, read.emplace_back());
                       });
  if (!bad && read.empty())
    bad = invalid_request("approvals must not be empty");
  if (!bad)
    out = std::move(read);
  return bad;
}

} // namespace troupe
