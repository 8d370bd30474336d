#include "messages/wire/clients/claude/claude_request.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/claude/claude_content.hpp"
#include "messages/wire/clients/claude/claude_tools.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/json_members.hpp"

namespace troupe {

// -- claude messages ------------------------------------------------------------------------------

namespace {

failure read_user(std::string_view content, const std::string& place,
                  std::vector<chat_message>& out) {
  const auto before = out.size();
  chat_message said;
  if (auto bad = read_claude_content(content, place, said, &out))
    return bad;
  if (out.size() == before || !says_nothing(said))
    out.push_back(std::move(said));
  return {};
}

failure read_call(std::string_view block, const std::string& place, chat_message& out) {
  std::string_view id, name, input, extra;
  read_members(block, {{"id", &id}, {"name", &name}, {"input", &input}, {"extra_content", &extra}});
  if (out.tool_calls.size() == max_message_calls)
    return invalid_request(place + " is one call too many: a message may have 1024");
  tool_call made{json_string(id), json_string(name), "{}"};
  if (made.id.empty() || made.name.empty())
    return invalid_request(place + " must have an id and a name");
  if (kind_of(input) == json_kind::object)
    made.arguments = std::string{input};
  else if (!is_nothing(input))
    return invalid_request(place + ".input must be an object");
  if (kind_of(extra) == json_kind::object)
    made.provider_metadata = std::string{extra};
  out.tool_calls.push_back(std::move(made));
  return {};
}

failure read_answer_block(const claude_block& block, const std::string& place, chat_message& out) {
  if (block.type == "tool_use")
    return read_call(block.slice, place, out);
  std::string_view text;
  if (block.type == "text") {
    read_members(block.slice, {{"text", &text}});
    out.text += json_string(text);
  } else if (block.type == "thinking") {
    read_members(block.slice, {{"thinking", &text}});
    out.reasoning += json_string(text);
  }
  return {};
}

failure read_answer(std::string_view content, const std::string& place, chat_message& out) {
  out.who = role::assistant;
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of blocks");
  failure bad;
  size_t index = 0;
  for_each_element(content, [&](std::string_view each) {
    auto at = fmt::format("{}[{}]", place, index++);
    claude_block block;
    bad = read_claude_block(each, at, block);
    if (!bad)
      bad = read_answer_block(block, at, out);
    return !bad;
  });
  return bad;
}

failure read_message(std::string_view message, const std::string& place,
                     std::vector<chat_message>& out) {
  std::string_view who, content;
  if (kind_of(message) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(message, {{"role", &who}, {"content", &content}});
  const auto name = json_string(who);
  const auto at = place + ".content";
  if (name == "user")
    return read_user(content, at, out);
  if (name == "assistant")
    return read_answer(content, at, out.emplace_back());
  if (name != "system")
    return invalid_request(place + ".role must be user or assistant");
  auto& made = out.emplace_back();
  made.who = role::system;
  return read_claude_content(content, at, made);
}

/// Reads `system`, a string or an array of text blocks, into a system message at the end of `out`;
/// none if it has no text.
failure read_claude_system(std::string_view system, std::vector<chat_message>& out) {
  chat_message made;
  made.who = role::system;
  if (kind_of(system) == json_kind::string) {
    made.text = json_string(system);
  } else if (kind_of(system) == json_kind::array) {
    for_each_element(system, [&made](std::string_view block) {
      std::string_view text;
      read_members(block, {{"text", &text}});
      made.text.append(made.text.empty() ? "" : "\n\n").append(json_string(text));
      return true;
    });
  } else if (!is_nothing(system)) {
    return invalid_request("system must be a string or an array of text blocks");
  }
  if (!made.text.empty())
    out.push_back(std::move(made));
  return {};
}

/// Reads `messages` after those of `out`. Results of tools become messages of their own before the
/// rest of their message. Of an answer texts, thinking and calls are read; blocks that another
/// server sealed or ran itself are left out. @param array a slice of a json_source
failure read_claude_messages(std::string_view array, std::vector<chat_message>& out) {
  auto any = false;
  const auto bad = read_list(array, "messages", max_request_messages,
                             [&](std::string_view each, const std::string& place) {
                               any = true;
                               return read_message(each, place, out);
                             });
  return bad || any ? bad : invalid_request("messages must not be empty");
}

} // namespace

// -- claude parameters ----------------------------------------------------------------------------

/// The members of a body that are parameters of the model; slices of a json_source.
struct claude_parameters {
  std::string_view max_tokens;
  std::string_view temperature;
  std::string_view top_p;
  std::string_view top_k;
  std::string_view stop_sequences;
  std::string_view metadata;
  std::string_view tool_choice;
  std::string_view thinking;
  std::string_view output_config;
  std::string_view output_format;
};

namespace {

/// Adds a member unless its value is null or was not given.
void pass_on(std::string& into, std::string_view key, std::string_view value) {
  if (!is_nothing(value))
    add_member(into, key, value);
}

failure add_max_tokens(std::string& into, std::string_view value) {
  if (is_nothing(value))
    return {};
  if (integer_of(value).value_or(0) < 1)
    return invalid_request("max_tokens must be a whole number from 1 on");
  add_member(into, "max_output_tokens", value);
  return {};
}

failure add_tool_choice(std::string& into, std::string_view choice,
                        const std::vector<std::string>& left_out) {
  std::string_view type, name, alone;
  if (is_nothing(choice))
    return {};
  read_members(choice, {{"type", &type}, {"name", &name}, {"disable_parallel_tool_use", &alone}});
  const auto mode = json_string(type);
  const auto tool = json_string(name);
  if (mode == "auto")
    add_member(into, "tool_choice", R"("auto")");
  else if (mode == "any")
    add_member(into, "tool_choice", R"("required")");
  else if (mode == "none")
    add_member(into, "tool_choice", R"("none")");
  else if (mode != "tool" || tool.empty())
    return invalid_request("tool_choice.type must be auto, any, none, or tool with a name");
  else if (std::ranges::find(left_out, tool) == left_out.end())
    add_member(into, "tool_choice",
               R"({"type":"function","function":{"name":)" + to_json(tool) + "}}");
  if (alone == "true")
    add_member(into, "parallel_tool_calls", "false");
  return {};
}

/// Returns the effort that fits a budget of tokens best, as the Responses API has it here.
std::string_view effort_for(int64_t budget) {
  return budget <= 2048 ? "low" : budget <= 8192 ? "medium" : "high";
}

/// The effort counts more than a budget. A request not to think is not passed on: models that
/// cannot think refuse to be told.
void add_effort(std::string& into, std::string_view thinking, std::string_view effort) {
  std::string_view type, budget;
  read_members(thinking, {{"type", &type}, {"budget_tokens", &budget}});
  const auto tokens = integer_of(budget);
  if (!is_nothing(effort))
    add_member(into, "reasoning_effort", effort);
  else if (json_string(type) == "enabled" && tokens)
    add_member(into, "reasoning_effort", to_json(effort_for(*tokens)));
}

void add_format(std::string& into, std::string_view format) {
  std::string_view type, schema;
  read_members(format, {{"type", &type}, {"schema", &schema}});
  if (json_string(type) == "json_schema" && kind_of(schema) == json_kind::object)
    add_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" +
                   std::string{schema} + "}}");
}

} // namespace

/// Writes them as one JSON object, "" if there are none. @param left_out tools that are not there:
/// a choice of one of them is left out, too
/// @return request_invalid that names the member
failure write_claude_parameters(const claude_parameters& in,
                                const std::vector<std::string>& left_out, std::string& out) {
  std::string members;
  std::string_view user, effort, format;
  read_members(in.metadata, {{"user_id", &user}});
  read_members(in.output_config, {{"effort", &effort}, {"format", &format}});
  if (auto bad = add_max_tokens(members, in.max_tokens))
    return bad;
  if (auto bad = add_tool_choice(members, in.tool_choice, left_out))
    return bad;
  pass_on(members, "temperature", in.temperature);
  pass_on(members, "top_p", in.top_p);
  pass_on(members, "top_k", in.top_k);
  pass_on(members, "stop", in.stop_sequences);
  pass_on(members, "user", user);
  add_effort(members, in.thinking, effort);
  add_format(members, is_nothing(format) ? in.output_format : format);
  out = members.empty() ? members : "{" + members + "}";
  return {};
}

// -- claude request -------------------------------------------------------------------------------

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
failure refuse_unsupported(const body_members& in) {
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
  if (auto bad = refuse_unsupported(own))
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
