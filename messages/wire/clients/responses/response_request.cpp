#include "messages/wire/clients/responses/response_request.hpp"

#include <utility>

#include "messages/json_object.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/responses/response_input.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/json_members.hpp"

namespace troupe {

// -- response parameters --------------------------------------------------------------------------

/// The members of a body that are parameters of the model; slices of a json_source.
struct response_parameters {
  std::string_view temperature;
  std::string_view top_p;
  std::string_view max_output_tokens;
  std::string_view parallel_tool_calls;
  std::string_view tool_choice;
  std::string_view reasoning;
  std::string_view text;
  std::string_view user;
};

namespace {

void hand_on(std::string& into, std::string_view key, std::string_view value) {
  if (!is_nothing(value))
    add_member(into, key, value);
}

failure add_choice(std::string& into, std::string_view choice) {
  if (is_nothing(choice))
    return {};
  if (kind_of(choice) == json_kind::string) {
    const auto word = json_string(choice);
    if (word != "auto" && word != "none" && word != "required")
      return invalid_request("tool_choice must be auto, none, required or an object");
    add_member(into, "tool_choice", choice);
    return {};
  }
  std::string_view type, name, mode, name_space;
  read_members(choice,
               {{"type", &type}, {"name", &name}, {"mode", &mode}, {"namespace", &name_space}});
  const auto kind = json_string(type);
  const auto group = json_string(name_space);
  const auto tool = json_string(name);
  if (kind == "allowed_tools" && !is_nothing(mode))
    add_member(into, "tool_choice", mode);
  else if ((kind == "function" || kind == "custom") && !tool.empty())
    add_member(into, "tool_choice",
               R"({"type":"function","function":{"name":)" +
                   to_json(group.empty() ? tool : namespaced_tool_name(group, tool)) + "}}");
  return {};
}

failure add_bound(std::string& into, std::string_view value) {
  if (is_nothing(value))
    return {};
  if (integer_of(value).value_or(0) < 1)
    return invalid_request("max_output_tokens must be a whole number from 1 on");
  add_member(into, "max_output_tokens", value);
  return {};
}

/// The format is flat here, and in chat completions below `json_schema`.
void add_text(std::string& into, std::string_view text) {
  std::string_view format, verbosity, type;
  read_members(text, {{"format", &format}, {"verbosity", &verbosity}});
  read_members(format, {{"type", &type}});
  const auto kind = json_string(type);
  if (kind == "json_object")
    add_member(into, "response_format", R"({"type":"json_object"})");
  if (kind == "json_schema") {
    std::string members;
    for_each_member(format, [&members](std::string_view key, std::string_view value) {
      if (key != "type")
        add_member(members, key, value);
      return true;
    });
    add_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{)" + members + "}}");
  }
  hand_on(into, "verbosity", verbosity);
}

} // namespace

/// Writes them as one JSON object, "" if there are none. A choice among tools that are not here is
/// left out. @return request_invalid that names the member
failure write_response_parameters(const response_parameters& in, std::string& out) {
  std::string members;
  std::string_view effort;
  read_members(in.reasoning, {{"effort", &effort}});
  if (auto bad = add_bound(members, in.max_output_tokens))
    return bad;
  if (auto bad = add_choice(members, in.tool_choice))
    return bad;
  hand_on(members, "parallel_tool_calls", in.parallel_tool_calls);
  hand_on(members, "temperature", in.temperature);
  hand_on(members, "top_p", in.top_p);
  hand_on(members, "reasoning_effort", effort);
  hand_on(members, "user", in.user);
  add_text(members, in.text);
  out = members.empty() ? members : "{" + members + "}";
  return {};
}

// -- response request -----------------------------------------------------------------------------

namespace {

/// The members of a body that are neither parameters of the model nor options of the turn.
struct request_parts {
  std::string_view input;
  std::string_view instructions;
  std::string_view previous;
  std::string_view stream;
  std::string_view store;
  std::string_view tools;
  std::string_view metadata;
  std::string_view background;
  std::string_view conversation;
  std::string_view prompt;
};

constexpr member_table<request_parts, 10> part_table{{
    {"input", &request_parts::input},
    {"instructions", &request_parts::instructions},
    {"previous_response_id", &request_parts::previous},
    {"stream", &request_parts::stream},
    {"store", &request_parts::store},
    {"tools", &request_parts::tools},
    {"metadata", &request_parts::metadata},
    {"background", &request_parts::background},
    {"conversation", &request_parts::conversation},
    {"prompt", &request_parts::prompt},
}};

constexpr member_table<option_members, 3> turn_options_table{{
    {"model", &option_members::model},
    {"maxToolRoundtrips", &option_members::max_tool_roundtrips},
    {"mcpServers", &option_members::mcp_servers},
}};

constexpr member_table<response_parameters, 8> parameter_table{{
    {"temperature", &response_parameters::temperature},
    {"top_p", &response_parameters::top_p},
    {"max_output_tokens", &response_parameters::max_output_tokens},
    {"parallel_tool_calls", &response_parameters::parallel_tool_calls},
    {"tool_choice", &response_parameters::tool_choice},
    {"reasoning", &response_parameters::reasoning},
    {"text", &response_parameters::text},
    {"user", &response_parameters::user},
}};

/// Refuses requests whose answer would lack something that the client asks for.
failure refuse_unknown(const request_parts& in) {
  if (in.background == "true")
    return invalid_request("background is not supported: the answer comes with the request");
  if (!is_nothing(in.conversation))
    return invalid_request("conversation is not supported; use previous_response_id");
  if (!is_nothing(in.prompt))
    return invalid_request("prompt is not supported: no templates are kept here");
  return {};
}

failure read_text(std::string_view slice, std::string_view name, std::string& out) {
  if (!is_nothing(slice) && kind_of(slice) != json_kind::string)
    return invalid_request(std::string{name} + " must be a string");
  out = json_string(slice);
  return {};
}

void echo(std::string& into, std::string_view key, std::string_view value,
          std::string_view otherwise) {
  into.append(",\"").append(key).append("\":").append(is_nothing(value) ? otherwise : value);
}

/// Returns the tools that were taken, as the API writes them.
std::string tools_json(const response_request& in) {
  json_buffer out;
  json_array{out}.each(in.turn.options.tools, [](json_buffer& list, const auto& each) {
    json_object{list}
        .member("type", "function")
        .member("name", each.name)
        .member("description", each.description)
        .raw("parameters", each.input_schema)
        .member("strict", each.strict);
  });
  return std::string{view(out)};
}

std::string echo_of(const request_parts& own, const response_parameters& parameters,
                    const response_request& read) {
  std::string out;
  echo(out, "instructions", own.instructions, "null");
  echo(out, "max_output_tokens", parameters.max_output_tokens, "null");
  echo(out, "metadata", own.metadata, "{}");
  echo(out, "parallel_tool_calls", parameters.parallel_tool_calls, "true");
  echo(out, "reasoning", parameters.reasoning, R"({"effort":null,"summary":null})");
  echo(out, "temperature", parameters.temperature, "null");
  echo(out, "text", parameters.text, R"({"format":{"type":"text"}})");
  echo(out, "tool_choice", parameters.tool_choice, R"("auto")");
  echo(out, "tools", tools_json(read), "[]");
  echo(out, "top_p", parameters.top_p, "null");
  echo(out, "user", parameters.user, "null");
  json_buffer line;
  append_raw(line, out);
  keep_on_one_line(line, 0);
  return std::string{view(line)};
}

/// Reads what is not of the model's parameters.
failure read_parts(const request_parts& own, response_request& out) {
  if (auto bad = refuse_unknown(own))
    return bad;
  if (auto bad = read_flag(own.stream, "stream", out.stream))
    return bad;
  if (auto bad = read_flag(own.store, "store", out.store))
    return bad;
  if (auto bad = read_text(own.instructions, "instructions", out.instructions))
    return bad;
  if (auto bad = read_text(own.previous, "previous_response_id", out.previous))
    return bad;
  response_tools tools;
  if (auto bad = read_response_tools(own.tools, tools))
    return bad;
  if (auto bad = read_response_input(own.input, {out.turn.messages, tools, out.items}))
    return bad;
  out.turn.options.tools = std::move(tools.tools);
  out.special = std::move(tools.special);
  return out.turn.messages.empty() && out.items.wanted.empty()
             ? invalid_request("input must not be empty")
             : failure{};
}

} // namespace

failure parse_response_request(std::string_view body, response_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  request_parts own;
  option_members options;
  response_parameters parameters;
  for_each_member(source.root(), [&](std::string_view key, json_value value) {
    take_member(own, part_table, key, value) ||
        take_member(options, turn_options_table, key, value) ||
        take_member(parameters, parameter_table, key, value);
    return true;
  });
  response_request read;
  read.items = std::move(out.items);
  if (auto bad = read_options(options, read.turn.options))
    return bad;
  if (auto bad = read_parts(own, read))
    return bad;
  if (auto bad = write_response_parameters(parameters, read.turn.options.parameters))
    return bad;
  read.echo = echo_of(own, parameters, read);
  out = std::move(read);
  return {};
}

} // namespace troupe
