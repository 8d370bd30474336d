#include "messages/wire/clients/ollama/ollama_body.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "messages/json.hpp"
#include "messages/wire/clients/ollama/ollama_talk.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/json_members.hpp"

namespace troupe {

// -- ollama settings ------------------------------------------------------------------------------

/// The members of a body that are about the answer, as JSON text.
struct ollama_settings {
  std::string_view format;
  std::string_view options;
  std::string_view think;
};

namespace {

/// Options with the same name and meaning in OpenAI's words.
constexpr std::array<std::string_view, 7> same_options{
    "temperature", "top_p", "top_k", "seed", "stop", "presence_penalty", "frequency_penalty"};

failure add_options(std::string& into, std::string_view options) {
  if (is_nothing(options))
    return {};
  if (kind_of(options) != json_kind::object)
    return invalid_request("options must be an object");
  for_each_member(options, [&into](std::string_view key, json_value value) {
    const std::string_view text = value;
    const auto is_same = std::ranges::find(same_options, key) != same_options.end();
    if (is_same && !is_nothing(text))
      add_member(into, key, text);
    else if (key == "num_predict" && integer_of(text).value_or(0) > 0) // -1, -2: no limit
      add_member(into, "max_output_tokens", text);
    return true;
  });
  return {};
}

failure add_answer_format(std::string& into, std::string_view format) {
  if (is_nothing(format) || format == R"("")")
    return {};
  if (kind_of(format) == json_kind::object)
    add_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" +
                   std::string{format} + "}}");
  else if (json_string(format) == "json")
    add_member(into, "response_format", R"({"type":"json_object"})");
  else
    return invalid_request(R"(format must be "json" or a JSON Schema, an object)");
  return {};
}

/// That nothing is to be thought is not passed on: models that cannot think refuse to be told.
failure add_thinking(std::string& into, std::string_view think) {
  if (is_nothing(think) || think == "false")
    return {};
  const auto level = think == "true" ? std::string{"medium"} : json_string(think);
  for (const auto* known : {"low", "medium", "high", "max"})
    if (level == known) {
      add_member(into, "reasoning_effort", to_json(level));
      return {};
    }
  return invalid_request(R"(think must be true, false, "low", "medium", "high" or "max")");
}

} // namespace

/// Writes them in OpenAI's words, as each provider here reads them: `format`; of the `options`
/// num_predict, temperature, top_p, top_k, seed, stop and the two penalties, but none that is about
/// a machine that runs the model; `think` as an effort. @param out JSON object; "" = nothing
failure write_ollama_settings(const ollama_settings& in, std::string& out) {
  std::string members;
  if (auto bad = add_options(members, in.options))
    return bad;
  if (auto bad = add_answer_format(members, in.format))
    return bad;
  if (auto bad = add_thinking(members, in.think))
    return bad;
  out = members.empty() ? members : "{" + members + "}";
  return {};
}

// -- ollama body ----------------------------------------------------------------------------------

namespace {

/// The members of a body that are not options of the turn.
struct ollama_members {
  std::string_view messages;
  std::string_view prompt;
  std::string_view system;
  std::string_view images;
  std::string_view stream;
  std::string_view logprobs;
  std::string_view suffix;
  std::string_view raw;
  std::string_view prompt_template;
  std::string_view context;
};

constexpr member_table<ollama_members, 10> ollama_table{{
    {"messages", &ollama_members::messages},
    {"prompt", &ollama_members::prompt},
    {"system", &ollama_members::system},
    {"images", &ollama_members::images},
    {"stream", &ollama_members::stream},
    {"logprobs", &ollama_members::logprobs},
    {"suffix", &ollama_members::suffix},
    {"raw", &ollama_members::raw},
    {"template", &ollama_members::prompt_template},
    {"context", &ollama_members::context},
}};

constexpr member_table<ollama_settings, 3> settings_table{{
    {"format", &ollama_settings::format},
    {"options", &ollama_settings::options},
    {"think", &ollama_settings::think},
}};

constexpr member_table<option_members, 4> ollama_turn_table{{
    {"model", &option_members::model},
    {"tools", &option_members::tools},
    {"maxToolRoundtrips", &option_members::max_tool_roundtrips},
    {"mcpServers", &option_members::mcp_servers},
}};

/// The members of one body.
struct ollama_parts {
  ollama_members own;
  ollama_settings settings;
  option_members options;
};

ollama_parts parts_of(std::string_view body) {
  ollama_parts out;
  for_each_member(body, [&out](std::string_view key, json_value value) {
    static_cast<void>(take_member(out.own, ollama_table, key, value) ||
                      take_member(out.settings, settings_table, key, value) ||
                      take_member(out.options, ollama_turn_table, key, value));
    return true;
  });
  return out;
}

/// Returns whether the slice is a string, an array or a flag that asks for something.
bool asks_for(std::string_view slice) {
  const auto kind = kind_of(slice);
  if (kind == json_kind::array)
    return !for_each_element(slice, [](std::string_view) { return false; });
  return kind == json_kind::string ? !json_string(slice).empty() : slice == "true";
}

/// Refuses prompts whose answer would lack something that the client asks for.
failure refuse_prompt(const ollama_members& in) {
  if (asks_for(in.suffix))
    return invalid_request("suffix is not supported: a chat model writes no text between two");
  if (asks_for(in.raw) || asks_for(in.prompt_template))
    return invalid_request("raw and template are not supported: the model's own template is used");
  if (asks_for(in.context))
    return invalid_request("context is not supported: send the history to /api/chat");
  return {};
}

/// Reads what both kinds of bodies have.
failure read_ollama_turn(const ollama_parts& in, ollama_body& out) {
  if (auto bad = read_flag(in.own.stream, "stream", out.stream))
    return bad;
  if (in.own.logprobs == "true")
    return invalid_request("logprobs are not supported");
  if (auto bad = write_ollama_settings(in.settings, out.turn.options.parameters))
    return bad;
  out.shows_thinking = in.settings.think != "false";
  out.turn.replaces_history = true;
  out.turn.ephemeral = true;
  return read_options(in.options, out.turn.options);
}

failure read_ollama_prompt(const ollama_members& in, ollama_body& out) {
  for (auto [text, name] : {std::pair{in.system, "system"}, std::pair{in.prompt, "prompt"}})
    if (!is_nothing(text) && kind_of(text) != json_kind::string)
      return invalid_request(std::string{name} + " must be a string");
  auto& messages = out.turn.messages;
  if (asks_for(in.system)) {
    messages.push_back(user_message(json_string(in.system)));
    messages.back().who = role::system;
  }
  messages.push_back(user_message(json_string(in.prompt)));
  if (auto bad = add_ollama_images(in.images, "images", messages.back()))
    return bad;
  out.only_loads = messages.back().text.empty() && messages.back().files.empty();
  return {};
}

} // namespace

failure parse_ollama_chat(std::string_view body, ollama_body& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  const auto in = parts_of(source.root());
  ollama_body read;
  if (auto bad = read_ollama_turn(in, read))
    return bad;
  if (auto bad = read_ollama_talk(in.own.messages, read.turn.messages))
    return bad;
  read.only_loads = read.turn.messages.empty();
  out = std::move(read);
  return {};
}

failure parse_ollama_prompt(std::string_view body, ollama_body& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  auto in = parts_of(source.root());
  in.options.tools = {}; // a prompt has none, and its answer no place for calls
  ollama_body read;
  if (auto bad = refuse_prompt(in.own))
    return bad;
  if (auto bad = read_ollama_turn(in, read))
    return bad;
  if (auto bad = read_ollama_prompt(in.own, read))
    return bad;
  out = std::move(read);
  return {};
}

// Two protocols post to /api/chat. The AI SDK's body names its chat in `id`, and its messages have
// `parts`; Ollama's has neither, and its messages have `content`, a string. So a body with an `id`
// is the AI SDK's, whatever is in it; without one the first message that has either member decides,
// `parts` first. An empty list that names a model asks Ollama to load it. Everything else is left
// to the AI SDK's reader, which has refused it.
bool is_ollama_chat(std::string_view body) {
  const json_source source{body};
  std::string_view id, messages, model;
  read_members(source.root(), {{"id", &id}, {"messages", &messages}, {"model", &model}});
  if (!is_nothing(id) || kind_of(messages) != json_kind::array)
    return false;
  bool is_empty = true, has_content = false;
  for_each_element(messages, [&](std::string_view message) {
    std::string_view parts, content;
    is_empty = false;
    if (kind_of(message) == json_kind::object)
      read_members(message, {{"parts", &parts}, {"content", &content}});
    has_content = is_nothing(parts) && kind_of(content) == json_kind::string;
    return is_nothing(parts) && !has_content;
  });
  return has_content || (is_empty && kind_of(model) == json_kind::string);
}

} // namespace troupe
