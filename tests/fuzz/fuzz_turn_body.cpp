// Bodies of turns: what is taken can go to a model, what is refused says why and changes nothing.
// The last byte chooses the body: 0 of the AI SDK, 1 our own, 2 tool results, 3 approvals, 4 of a
// chat completion, 5 a list of client tools, 6 of a message of Anthropic's clients, 7 of a
// response.
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
#include "messages/wire/clients/responses/response_request.hpp"
#include "messages/wire/json/json_source.hpp"
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

failure parse_claude(std::string_view body, turn_request& out) {
  claude_request read;
  read.turn.session_id = out.session_id;
  if (auto bad = parse_claude_request(body, read))
    return bad;
  require(read.turn.ephemeral && estimated_tokens(read.turn) > 0, "a message has its history");
  out = std::move(read.turn);
  return {};
}

failure parse_response(std::string_view body, turn_request& out) {
  response_request read;
  read.turn.session_id = out.session_id;
  if (auto bad = parse_response_request(body, read))
    return bad;
  require(!read.turn.messages.empty(), "a response has an input");
  require_object("{" + read.echo.substr(1) + "}");
  require(read.echo.find('\n') == std::string::npos, "what is repeated stands on one line");
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto input = choose(data, size, 8);
  switch (input.choice) {
  case 0:
    read_body(input.text, parse_ui);
    break;
  case 1:
    read_body(input.text, parse_native_request);
    break;
  case 2:
    read_body(input.text, parse_tool_results);
    break;
  case 3:
    read_approvals(input.text);
    break;
  case 4:
    read_body(input.text, parse_completions);
    break;
  case 5:
    read_tools(input.text);
    break;
  case 6:
    read_body(input.text, parse_claude);
    break;
  default:
    read_body(input.text, parse_response);
  }
  return 0;
}
