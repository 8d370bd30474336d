// Bodies of turns: what is taken can go to a model, what is refused says why and changes nothing.
// The last byte chooses the body: 0 of the AI SDK, 1 our own, 2 tool results, 3 approvals, 4 of a
// chat completion, 5 a list of client tools, 6 of a message of Anthropic's clients, 7 of a
// response, 8 of embeddings, 9 no body, but the id of a response, 10 of a completion of a prompt,
// 11 a chat and 12 a prompt of Ollama's clients.
#include <array>
#include <set>
#include <string>
#include <vector>

#include "messages/chat/tool_name.hpp"
#include "messages/chat/tool_set.hpp"
#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/claude/claude_request.hpp"
#include "messages/wire/clients/claude/claude_tokens.hpp"
#include "messages/wire/clients/client_tools.hpp"
#include "messages/wire/clients/completions/completions_request.hpp"
#include "messages/wire/clients/ollama/ollama_body.hpp"
#include "messages/wire/clients/responses/response_id.hpp"
#include "messages/wire/clients/responses/response_request.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_embeddings.hpp"
#include "messages/wire/providers.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

void check_message(const chat_message& it) {
  require(it.tool_calls.empty() || it.who == role::assistant, "calls are an assistant's");
  require(it.who != role::tool || !it.tool_call_id.empty(), "a result names its call");
  for (const auto& call : it.tool_calls) {
    require(!call.id.empty() && !call.name.empty(), "a call has an id and a name");
    require_object(call.arguments);
    require_object(call.provider_metadata, true);
  }
  for (const auto& file : it.files)
    require(file.text_behind <= it.text.size() &&
                holds_utf8(it.text.substr(it.text.size() - file.text_behind)),
            "a file stands between two characters of the text");
}

void check_tools(const std::vector<tool_definition>& tools) {
  std::set<std::string_view> names;
  require(tools.size() <= max_client_tools, "tools are bounded");
  for (const auto& each : tools) {
    require(is_model_tool_name(each.name) && names.insert(each.name).second,
            "a tool has a name of its own that every model takes");
    require(each.server.empty(), "the client runs its tools");
    require_object(each.input_schema);
  }
}

/// Makes the request for a model out of it, with all that came from the client.
void send_to_model(const turn_request& turn) {
  model_config model;
  model.name = "m";
  model.base_url = "http://127.0.0.1/v1";
  model.images = turn.messages.size() % 2 == 0;
  tool_set tools;
  tools.tools = turn.options.tools;
  model_request ask{model, turn.messages, &tools};
  ask.streaming = turn.options.streaming;
  ask.parameters = turn.options.parameters;
  const auto made = find_provider(model.provider)->make_request(ask);
  require_object(made.body);
}

void check_turn(const turn_request& turn) {
  require(listing{turn}.is_utf8(), "all texts of a turn are UTF-8");
  for (const auto& each : turn.messages)
    check_message(each);
  for (const auto& each : turn.approvals)
    require(!each.approval_id.empty(), "an approval names its call");
  check_tools(turn.options.tools);
  require_object(turn.options.parameters, true);
  require_object(turn.prompt.arguments.text, true);
  send_to_model(turn);
}

/// Reads a body with `parse(body, turn)`, and once more with blanks around it.
template <class Parse>
void read_body(std::string_view body, Parse parse) {
  turn_request turn;
  turn.session_id = "kept";
  const auto before = listing{turn}.text();
  const auto bad = parse(body, turn);
  if (bad) {
    require_refusal(bad, errc::request_invalid);
    require(listing{turn}.text() == before, "a refused body changes nothing");
    return;
  }
  check_turn(turn);
  turn_request again;
  again.session_id = "kept";
  require(!parse(" \r\n\t" + std::string{body} + "\n ", again), "blanks around a body are nothing");
  require(listing{again}.text() == listing{turn}.text(), "a body always means the same");
}

failure parse_ui(std::string_view body, turn_request& out) {
  auto profile = ui_profile::v5_min;
  const auto bad = parse_ui_request(body, out, profile);
  require(!bad || profile == ui_profile::v5_min, "a refused body changes no profile");
  return bad;
}

failure parse_completions(std::string_view body, turn_request& out) {
  completions_request read;
  read.turn.session_id = out.session_id;
  if (auto bad = parse_completions_request(body, read))
    return bad;
  require(read.turn.ephemeral && !read.turn.messages.empty(), "a completion has its history");
  require(read.stream || !read.include_usage, "only a stream includes its usage");
  out = std::move(read.turn);
  return {};
}

failure parse_text_completion(std::string_view body, turn_request& out) {
  completions_request read;
  read.turn.session_id = out.session_id;
  if (auto bad = parse_text_completion_request(body, read))
    return bad;
  require(read.turn.ephemeral && read.turn.messages.size() == 1, "a prompt is one message");
  require(read.turn.options.tools.empty(), "a prompt has no tools");
  out = std::move(read.turn);
  return {};
}

/// @tparam Parse one of the readers of Ollama's bodies
template <failure (*Parse)(std::string_view, ollama_body&)>
failure parse_ollama(std::string_view body, turn_request& out) {
  ollama_body read;
  read.turn.session_id = out.session_id;
  if (auto bad = Parse(body, read))
    return bad;
  require(read.turn.ephemeral, "what Ollama's clients ask is not kept");
  require(read.only_loads || !read.turn.messages.empty(), "what is asked has a history");
  out = std::move(read.turn);
  return {};
}

/// A body is of one protocol.
void read_chat_of_ollama(std::string_view body) {
  turn_request turn;
  if (is_ollama_chat(body))
    require(bool{parse_ui(body, turn)}, "a turn of the AI SDK is none of Ollama's");
  read_body(body, parse_ollama<parse_ollama_chat>);
}

failure parse_claude(std::string_view body, turn_request& out) {
  claude_request read;
  read.turn.session_id = out.session_id;
  if (auto bad = parse_claude_request(body, read))
    return bad;
  require(read.turn.ephemeral && estimated_tokens(read.turn) > 0, "a message has its history");
  out = std::move(read.turn);
  return {};
}

/// Reads a response's body once more, as if all that its input names had been found.
void read_with_found(std::string_view body, response_request& read) {
  for (const auto& id : read.items.wanted)
    read.items.found.emplace(id, R"({"type":"mcp_call","id":"mcp_0_1_chat_1","name":"look",)"
                                 R"("arguments":"{}","output":"42","error":null})");
  read.items.looked_up = true;
  require(!parse_response_request(body, read), "what was found can be read");
  require(!read.turn.messages.empty(), "what was found says something");
}

failure parse_response(std::string_view body, turn_request& out) {
  response_request read;
  read.turn.session_id = out.session_id;
  const auto bad = parse_response_request(body, read);
  if (bad.code == errc::not_found) // it names an item of another server
    return {errc::request_invalid, bad.message};
  if (bad)
    return bad;
  require(!read.turn.messages.empty() || !read.items.wanted.empty(), "a response has an input");
  require_object("{" + read.echo.substr(1) + "}");
  require(read.echo.find('\n') == std::string::npos, "what is repeated stands on one line");
  if (!read.items.wanted.empty())
    read_with_found(body, read);
  out = std::move(read.turn);
  return {};
}

void read_approvals(std::string_view body) {
  std::vector<tool_approval> all;
  if (const auto bad = parse_approvals(body, all)) {
    require_refusal(bad, errc::request_invalid);
    require(all.empty(), "a refused body changes nothing");
    return;
  }
  require(!all.empty() && listing{all}.is_utf8(), "there is something to approve");
}

void read_tools(std::string_view text) {
  json_source source{text};
  std::vector<tool_definition> tools;
  if (!source.fault().empty())
    return;
  if (const auto bad = read_client_tools(source.root(), tools))
    return require_refusal(bad, errc::request_invalid);
  check_tools(tools);
  require(listing{tools}.is_utf8(), "all texts of a tool are UTF-8");
}

void read_embeddings(std::string_view body) {
  std::string name = "kept";
  if (const auto bad = read_embedding_model(body, name)) {
    require_refusal(bad, errc::request_invalid);
    require(name == "kept", "a refused body changes nothing");
    return;
  }
  model_config model;
  model.name = "m";
  model.base_url = "http://127.0.0.1/v1";
  require_object(embedding_request(model, body).body);
}

void read_response_id(std::string_view id) {
  const auto place = place_of_response(id);
  if (!place)
    return;
  require(!place->chat.empty() && id.ends_with('_' + place->chat), "an id ends with its chat");
  const auto again = place_of_response(make_response_id(*place));
  require(again && again->chat == place->chat && again->from == place->from,
          "a place has an id that says it");
}

/// Reads a body with this parser. @tparam Parse as read_body() takes it
template <failure (*Parse)(std::string_view, turn_request&)>
void read_turn_body(std::string_view body) {
  read_body(body, Parse);
}

constexpr std::array<void (*)(std::string_view), 13> readers{
    read_turn_body<parse_ui>,
    read_turn_body<parse_native_request>,
    read_turn_body<parse_tool_results>,
    read_approvals,
    read_turn_body<parse_completions>,
    read_tools,
    read_turn_body<parse_claude>,
    read_turn_body<parse_response>,
    read_embeddings,
    read_response_id,
    read_turn_body<parse_text_completion>,
    read_chat_of_ollama,
    read_turn_body<parse_ollama<parse_ollama_prompt>>,
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}
