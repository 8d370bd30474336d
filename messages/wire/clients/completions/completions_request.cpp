#include "messages/wire/clients/completions/completions_request.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- completions messages -------------------------------------------------------------------------

namespace {

/// Some programs send a list of what they do not use.
bool is_empty_list(std::string_view slice) {
  bool is_empty = kind_of(slice) == json_kind::array;
  for_each_element(slice, [&is_empty](std::string_view) { return is_empty = false; });
  return is_empty;
}

std::optional<role> role_of(std::string_view slice) {
  return json_string(slice) == "developer" ? role::system : named_role(slice);
}

failure read_content(std::string_view content, const std::string& place, chat_message& out) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (is_nothing(content) && out.who == role::assistant)
    return {};
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of parts");
  return read_content_parts(content, place, out);
}

failure read_call(std::string_view call, const std::string& place, chat_message& out) {
  std::string_view id, function, name, arguments, extra;
  if (kind_of(call) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(call, {{"id", &id}, {"function", &function}, {"extra_content", &extra}});
  if (kind_of(function) == json_kind::object)
    read_members(function, {{"name", &name}, {"arguments", &arguments}});
  tool_call made{json_string(id), json_string(name), json_string(arguments)};
  if (made.id.empty() || made.name.empty())
    return invalid_request(place + " must have an id and function.name");
  if (kind_of(extra) == json_kind::object)
    made.provider_metadata = std::string{extra};
  if (!is_json_object(made.arguments))
    made.arguments = "{}"; // the model wrote invalid arguments; the call's result tells it
  out.tool_calls.push_back(std::move(made));
  return {};
}

failure read_calls(std::string_view calls, const std::string& place, chat_message& out) {
  if (is_nothing(calls))
    return {};
  if (kind_of(calls) != json_kind::array || out.who != role::assistant)
    return invalid_request(place + " must be an array, and is for assistants");
  return read_list(
      calls, place, max_message_calls,
      [&out](std::string_view call, const std::string& at) { return read_call(call, at, out); });
}

failure read_message(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view who, content, refusal, reasoning, calls, call_id;
  if (kind_of(text) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(text, {{"role", &who},
                      {"content", &content},
                      {"refusal", &refusal},
                      {"reasoning_content", &reasoning},
                      {"tool_calls", &calls},
                      {"tool_call_id", &call_id}});
  auto known = role_of(who);
  if (!known)
    return invalid_request(place + ".role must be system, developer, user, assistant or tool");
  out.who = *known;
  out.reasoning = json_string(reasoning);
  out.tool_call_id = json_string(call_id);
  if (out.who == role::tool && out.tool_call_id.empty())
    return invalid_request(place + ".tool_call_id must be a string that is not empty");
  if (auto bad = read_calls(calls, place + ".tool_calls", out))
    return bad;
  const auto refused = out.who == role::assistant && is_nothing(content);
  return read_content(refused ? refusal : content, place + ".content", out);
}

/// Reads the `messages` of a chat completion: system (also called developer), user, assistant and
/// tool, with content as a string or as parts. @param array a slice of a json_source
failure read_completions_messages(std::string_view array, std::vector<chat_message>& out) {
  auto bad = read_message_list(array, out, read_message);
  return bad || !out.empty() ? bad : invalid_request("messages must not be empty");
}

// -- completions request --------------------------------------------------------------------------

/// The members of both kinds of bodies that are not passed to the model.
struct own_members {
  std::string_view messages;
  std::string_view prompt;
  std::string_view stream;
  std::string_view stream_options;
  std::string_view n;
  std::string_view functions;
  std::string_view logprobs;
  std::string_view modalities;
  std::string_view audio;
  std::string_view suffix;
  std::string_view best_of;
  std::string_view echo;
};

constexpr member_table<own_members, 8> chat_table{{
    {"messages", &own_members::messages},
    {"stream", &own_members::stream},
    {"stream_options", &own_members::stream_options},
    {"n", &own_members::n},
    {"functions", &own_members::functions},
    {"logprobs", &own_members::logprobs},
    {"modalities", &own_members::modalities},
    {"audio", &own_members::audio},
}};

constexpr member_table<own_members, 9> text_table{{
    {"messages", &own_members::messages},
    {"prompt", &own_members::prompt},
    {"stream", &own_members::stream},
    {"stream_options", &own_members::stream_options},
    {"n", &own_members::n},
    {"logprobs", &own_members::logprobs},
    {"suffix", &own_members::suffix},
    {"best_of", &own_members::best_of},
    {"echo", &own_members::echo},
}};

/// The options of a turn that a body may have beside OpenAI's members.
constexpr member_table<option_members, 4> option_table{{
    {"model", &option_members::model},
    {"tools", &option_members::tools},
    {"maxToolRoundtrips", &option_members::max_tool_roundtrips},
    {"mcpServers", &option_members::mcp_servers},
}};

/// The members of one body.
struct sorted_body {
  own_members own;
  option_members options;
  std::string parameters; ///< members for the model, as one JSON object; "" if there are none
};

template <size_t Size>
failure sort_members(std::string_view body, const member_table<own_members, Size>& own_table,
                     sorted_body& out) {
  json_buffer others;
  size_t count = 0;
  for_each_member(body, [&](std::string_view key, json_value value) {
    if (take_member(out.own, own_table, key, value) ||
        take_member(out.options, option_table, key, value))
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
  out.parameters = view(others);
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

failure refuse_more_answers(std::string_view count, const char* name) {
  if (is_nothing(count) || integer_of(count) == 1)
    return {};
  return invalid_request(std::string{name} + " must be 1: there is one answer to a turn");
}

/// Refuses requests whose answer would lack something that the client asks for.
failure refuse_unsupported(const own_members& in) {
  if (auto bad = refuse_more_answers(in.n, "n"))
    return bad;
  if (!is_nothing(in.functions) && !is_empty_list(in.functions))
    return invalid_request("functions are not supported; use tools");
  if (in.logprobs == "true")
    return invalid_request("logprobs are not supported");
  if (!is_nothing(in.audio) || !wants_text(in.modalities))
    return invalid_request("modalities other than text are not supported");
  return {};
}

/// The same for a completion of a prompt.
failure refuse_unsupported_text(const sorted_body& in) {
  const auto& own = in.own;
  if (!is_nothing(own.messages))
    return invalid_request("messages are for /v1/chat/completions; here it is prompt");
  if (!is_nothing(in.options.tools))
    return invalid_request("tools are for /v1/chat/completions: no call fits into this answer");
  if (!is_nothing(own.suffix) && own.suffix != R"("")")
    return invalid_request("suffix is not supported: a chat model writes no text between two");
  if (auto bad = refuse_more_answers(own.n, "n"))
    return bad;
  if (auto bad = refuse_more_answers(own.best_of, "best_of"))
    return bad;
  if (!is_nothing(own.logprobs) && own.logprobs != "false")
    return invalid_request("logprobs are not supported");
  return own.echo == "true" ? invalid_request("echo is not supported") : failure{};
}

/// Reads the prompt, a string or an array of one.
failure read_text_prompt(std::string_view prompt, std::vector<chat_message>& out) {
  size_t count = 1;
  auto text = prompt;
  if (kind_of(prompt) == json_kind::array) {
    count = 0;
    for_each_element(prompt, [&](std::string_view each) {
      text = each;
      return ++count < 2;
    });
  }
  if (count != 1 || kind_of(text) != json_kind::string)
    return invalid_request("prompt must be a string, or an array of one string: there is one "
                           "answer to a turn, and tokens cannot be read here");
  auto& asked = out.emplace_back();
  asked.who = role::user;
  asked.text = json_string(text);
  return {};
}

/// Reads what is after the checks of a body, but for its history; takes the parameters out of it.
failure read_turn(sorted_body& in, completions_request& out) {
  if (auto bad = read_stream(in.own, out))
    return bad;
  out.turn.options.parameters = std::move(in.parameters);
  out.turn.replaces_history = true;
  out.turn.ephemeral = true;
  return read_options(in.options, out.turn.options);
}

} // namespace

failure parse_completions_request(std::string_view body, completions_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  sorted_body in;
  completions_request read;
  if (auto bad = sort_members(source.root(), chat_table, in))
    return bad;
  if (auto bad = refuse_unsupported(in.own))
    return bad;
  if (auto bad = read_turn(in, read))
    return bad;
  if (auto bad = read_completions_messages(in.own.messages, read.turn.messages))
    return bad;
  out = std::move(read);
  return {};
}

failure parse_text_completion_request(std::string_view body, completions_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  sorted_body in;
  completions_request read;
  if (auto bad = sort_members(source.root(), text_table, in))
    return bad;
  if (auto bad = refuse_unsupported_text(in))
    return bad;
  if (auto bad = read_turn(in, read))
    return bad;
  if (auto bad = read_text_prompt(in.own.prompt, read.turn.messages))
    return bad;
  out = std::move(read);
  return {};
}

} // namespace troupe
