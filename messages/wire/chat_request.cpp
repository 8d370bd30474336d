#include "messages/wire/chat_request.hpp"

#include <fmt/format.h>

#include "messages/wire/json_source.hpp"
#include "messages/wire/native_messages.hpp"
#include "messages/wire/ui_messages.hpp"

namespace troupe {

namespace {

constexpr size_t max_id_bytes = 256;
constexpr int64_t most_roundtrips = 100;

failure invalid(std::string what) {
  return {errc::request_invalid, std::move(what)};
}

/// The members of a body, as they stand in its text.
struct request_members {
  std::string_view id;
  std::string_view message;
  std::string_view messages;
  std::string_view message_id;
  std::string_view trigger;
  std::string_view replace_history;
  std::string_view model;
  std::string_view max_tool_roundtrips;
  std::string_view mcp_servers;
  std::string_view client_requests;
};

failure read_servers(std::string_view servers, turn_options& out) {
  if (is_nothing(servers))
    return {};
  if (kind_of(servers) != json_kind::array)
    return invalid("mcpServers must be an array");
  out.limits_servers = true;
  failure bad;
  for_each_element(servers, [&](std::string_view name) {
    if (kind_of(name) != json_kind::string)
      bad = invalid(fmt::format("mcpServers[{}] must be a string", out.mcp_servers.size()));
    else
      out.mcp_servers.push_back(json_string(name));
    return !bad;
  });
  return bad;
}

failure read_options(const request_members& in, turn_options& out) {
  if (!is_nothing(in.model) && kind_of(in.model) != json_kind::string)
    return invalid("model must be a string");
  out.model = json_string(in.model);
  if (!is_nothing(in.max_tool_roundtrips)) {
    auto rounds = integer_of(in.max_tool_roundtrips);
    if (!rounds || *rounds < 0 || *rounds > most_roundtrips)
      return invalid("maxToolRoundtrips must be a whole number from 0 to 100");
    out.max_tool_roundtrips = static_cast<int32_t>(*rounds);
  }
  if (!is_nothing(in.client_requests) && kind_of(in.client_requests) != json_kind::boolean)
    return invalid("clientRequests must be true or false");
  out.client_requests = in.client_requests == "true";
  return read_servers(in.mcp_servers, out);
}

failure check_body(const json_source& body) {
  if (!body.fault().empty())
    return invalid("the body is not valid JSON: " + body.fault());
  if (kind_of(body.root()) != json_kind::object)
    return invalid("the body must be a JSON object");
  return {};
}

/// Checks the small members that only the AI SDK sends.
failure read_ui_members(const request_members& in, turn_request& out) {
  out.session_id = json_string(in.id);
  if (out.session_id.empty() || out.session_id.size() > max_id_bytes)
    return invalid("id must be a string of 1 to 256 bytes");
  if (!is_nothing(in.trigger) && kind_of(in.trigger) != json_kind::string)
    return invalid("trigger must be a string");
  if (!is_nothing(in.message_id) && kind_of(in.message_id) != json_kind::string)
    return invalid("messageId must be a string");
  return read_options(in, out.options);
}

failure read_ui_history(const request_members& in, turn_request& out) {
  if (in.messages.empty() && in.message.empty())
    return invalid("the body must have messages or message");
  ui_history history;
  out.replaces_history = !in.messages.empty();
  auto bad = out.replaces_history ? read_ui_messages(in.messages, history)
                                  : read_ui_message(in.message, history);
  if (bad)
    return bad;
  if (history.messages.empty())
    return invalid(out.replaces_history ? "messages must hold something for the model"
                                        : "message must hold something for the model");
  out.messages = std::move(history.messages);
  // A new id would show the continued answer twice: the client builds on the message it has.
  out.message_id = std::move(history.continued_id);
  return {};
}

failure read_native_history(const request_members& in, turn_request& out) {
  if (in.messages.empty() == in.message.empty())
    return invalid("the body must have either message or messages");
  if (!is_nothing(in.replace_history) && kind_of(in.replace_history) != json_kind::boolean)
    return invalid("replaceHistory must be true or false");
  out.replaces_history = in.replace_history == "true";
  if (!in.messages.empty()) {
    if (auto bad = read_native_messages(in.messages, out.messages))
      return bad;
    return out.messages.empty() ? invalid("messages must not be empty") : failure{};
  }
  auto text = json_string(in.message);
  if (text.empty())
    return invalid("message must be a string that is not empty");
  out.messages.push_back({role::user, std::move(text), {}, {}, {}});
  return {};
}

} // namespace

failure parse_ui_request(std::string_view body, turn_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  request_members in;
  read_members(source.root(), {{"id", &in.id},
                               {"message", &in.message},
                               {"messages", &in.messages},
                               {"messageId", &in.message_id},
                               {"trigger", &in.trigger},
                               {"model", &in.model},
                               {"maxToolRoundtrips", &in.max_tool_roundtrips},
                               {"mcpServers", &in.mcp_servers},
                               {"clientRequests", &in.client_requests}});
  turn_request read;
  if (auto bad = read_ui_members(in, read))
    return bad;
  if (auto bad = read_ui_history(in, read))
    return bad;
  out = std::move(read);
  return {};
}

failure parse_native_request(std::string_view body, turn_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  request_members in;
  if (auto key = read_only_members(source.root(), {{"message", &in.message},
                                                   {"messages", &in.messages},
                                                   {"replaceHistory", &in.replace_history},
                                                   {"model", &in.model},
                                                   {"maxToolRoundtrips", &in.max_tool_roundtrips},
                                                   {"mcpServers", &in.mcp_servers},
                                                   {"clientRequests", &in.client_requests}}))
    return invalid("the body has the unknown key \"" + *key + "\"");
  turn_request read;
  read.session_id = out.session_id; // from the path
  if (auto bad = read_options(in, read.options))
    return bad;
  if (auto bad = read_native_history(in, read))
    return bad;
  out = std::move(read);
  return {};
}

} // namespace troupe
