#include "messages/wire/clients/completions/completions_request.hpp"

#include <string>

#include "messages/json.hpp"
#include "messages/wire/clients/completions/completions_messages.hpp"
#include "messages/wire/clients/request_members.hpp"

namespace troupe {

namespace {

/// The members of a body that are not passed to the model.
struct own_members {
  std::string_view messages;
  std::string_view stream;
  std::string_view stream_options;
  std::string_view n;
  std::string_view functions;
  std::string_view logprobs;
  std::string_view modalities;
  std::string_view audio;
};

constexpr member_table<own_members, 8> own_table{{
    {"messages", &own_members::messages},
    {"stream", &own_members::stream},
    {"stream_options", &own_members::stream_options},
    {"n", &own_members::n},
    {"functions", &own_members::functions},
    {"logprobs", &own_members::logprobs},
    {"modalities", &own_members::modalities},
    {"audio", &own_members::audio},
}};

/// The options of a turn that a body may have beside OpenAI's members.
constexpr member_table<option_members, 4> option_table{{
    {"model", &option_members::model},
    {"tools", &option_members::tools},
    {"maxToolRoundtrips", &option_members::max_tool_roundtrips},
    {"mcpServers", &option_members::mcp_servers},
}};

/// Sorts the members of a body. Members for the model become one JSON object, "" if there are none.
failure sort_members(std::string_view body, own_members& own, option_members& options,
                     std::string& parameters) {
  json_buffer others;
  size_t count = 0;
  for_each_member(body, [&](std::string_view key, json_value value) {
    if (take_member(own, own_table, key, value) || take_member(options, option_table, key, value))
      return true;
    others.push_back(others.size() == 0 ? '{' : ',');
    append_json(others, key);
    others.push_back(':');
    append_raw(others, value);
    return ++count <= max_parameters;
  });
  if (count > max_parameters)
    return invalid_request("the body must not have more than 256 members of the model");
  if (others.size() > 0)
    others.push_back('}');
  parameters = view(others);
  return {};
}

failure read_stream(const own_members& in, completions_request& out) {
  if (auto bad = read_flag(in.stream, "stream", out.stream))
    return bad;
  std::string_view include_usage;
  if (kind_of(in.stream_options) == json_kind::object)
    read_members(in.stream_options, {{"include_usage", &include_usage}});
  out.include_usage = out.stream && include_usage == "true";
  return {};
}

/// Returns whether the client asks for an answer of text.
bool wants_text(std::string_view modalities) {
  bool text = true;
  if (kind_of(modalities) == json_kind::array)
    for_each_element(modalities, [&](std::string_view each) {
      text = text && json_string(each) == "text";
      return text;
    });
  return text;
}

/// Refuses requests whose answer would lack something that the client asks for.
failure refuse_unsupported(const own_members& in) {
  if (!is_nothing(in.n) && integer_of(in.n) != 1)
    return invalid_request("n must be 1: there is one answer to a turn");
  if (!is_nothing(in.functions))
    return invalid_request("functions are not supported; use tools");
  if (in.logprobs == "true")
    return invalid_request("logprobs are not supported");
  if (!is_nothing(in.audio) || !wants_text(in.modalities))
    return invalid_request("modalities other than text are not supported");
  return {};
}

} // namespace

failure parse_completions_request(std::string_view body, completions_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  own_members own;
  option_members options;
  completions_request read;
  if (auto bad = sort_members(source.root(), own, options, read.turn.options.parameters))
    return bad;
  if (auto bad = refuse_unsupported(own))
    return bad;
  if (auto bad = read_stream(own, read))
    return bad;
  if (auto bad = read_options(options, read.turn.options))
    return bad;
  if (auto bad = read_completions_messages(own.messages, read.turn.messages))
    return bad;
  read.turn.replaces_history = true;
  read.turn.ephemeral = true;
  out = std::move(read);
  return {};
}

} // namespace troupe
