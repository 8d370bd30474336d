#include "messages/wire/clients/claude/claude_request.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/clients/claude/claude_messages.hpp"
#include "messages/wire/clients/claude/claude_parameters.hpp"
#include "messages/wire/clients/claude/claude_tools.hpp"
#include "messages/wire/clients/request_members.hpp"

namespace troupe {

namespace {

/// The members of a body that are neither parameters of the model nor options of the turn.
struct body_members {
  std::string_view messages;
  std::string_view system;
  std::string_view stream;
  std::string_view tools;
  std::string_view mcp_servers;
  std::string_view container;
  std::string_view thread;
};

constexpr member_table<body_members, 7> body_table{{
    {"messages", &body_members::messages},
    {"system", &body_members::system},
    {"stream", &body_members::stream},
    {"tools", &body_members::tools},
    {"mcp_servers", &body_members::mcp_servers},
    {"container", &body_members::container},
    {"thread", &body_members::thread},
}};

constexpr member_table<option_members, 3> turn_table{{
    {"model", &option_members::model},
    {"maxToolRoundtrips", &option_members::max_tool_roundtrips},
    {"mcpServers", &option_members::mcp_servers},
}};

constexpr member_table<claude_parameters, 10> parameter_table{{
    {"max_tokens", &claude_parameters::max_tokens},
    {"temperature", &claude_parameters::temperature},
    {"top_p", &claude_parameters::top_p},
    {"top_k", &claude_parameters::top_k},
    {"stop_sequences", &claude_parameters::stop_sequences},
    {"metadata", &claude_parameters::metadata},
    {"tool_choice", &claude_parameters::tool_choice},
    {"thinking", &claude_parameters::thinking},
    {"output_config", &claude_parameters::output_config},
    {"output_format", &claude_parameters::output_format},
}};

bool has_elements(std::string_view array) {
  bool any = false;
  for_each_element(array, [&any](std::string_view) {
    any = true;
    return false;
  });
  return any;
}

/// Refuses requests whose answer would lack something that the client asks for.
failure refuse_foreign(const body_members& in) {
  if (has_elements(in.mcp_servers))
    return invalid_request("mcp_servers are connected by the configuration here; choose among them "
                           "with mcpServers, an array of names");
  if (!is_nothing(in.container))
    return invalid_request("container is not supported: no code is run here");
  return {};
}

failure read_history(const body_members& in, std::vector<chat_message>& out) {
  if (auto bad = read_claude_system(in.system, out))
    return bad;
  return read_claude_messages(in.messages, out);
}

} // namespace

failure parse_claude_request(std::string_view body, claude_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  body_members own;
  option_members options;
  claude_parameters parameters;
  for_each_member(source.root(), [&](std::string_view key, json_value value) {
    take_member(own, body_table, key, value) || take_member(options, turn_table, key, value) ||
        take_member(parameters, parameter_table, key, value);
    return true;
  });
  claude_request read;
  claude_tools tools;
  auto& turn = read.turn;
  if (auto bad = refuse_foreign(own))
    return bad;
  if (auto bad = read_flag(own.stream, "stream", read.stream))
    return bad;
  if (auto bad = read_options(options, turn.options))
    return bad;
  if (auto bad = read_claude_tools(own.tools, own.messages, tools))
    return bad;
  if (auto bad = write_claude_parameters(parameters, tools.left_out, turn.options.parameters))
    return bad;
  turn.options.tools = std::move(tools.tools);
  if (auto bad = read_history(own, turn.messages))
    return bad;
  read.thread = !is_nothing(own.thread);
  turn.replaces_history = true;
  turn.ephemeral = true;
  out = std::move(read);
  return {};
}

} // namespace troupe
