#include "messages/wire/openai_responses/openai_responses.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/tool_definition.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/openai_responses/kept_items.hpp"
#include "messages/wire/openai_responses/responses_answer.hpp"
#include "messages/wire/openai_responses/responses_input.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/request_frame.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

// -- responses parameters -------------------------------------------------------------------------

namespace {

constexpr uint64_t least_max_tokens = 16; ///< fewer are refused

void append_tool_choice(json_buffer& out, const request_parameters& asked) {
  switch (asked.tool_choice) {
  case tool_choice_mode::unset:
    break;
  case tool_choice_mode::automatic:
    append_member(out, "tool_choice", R"("auto")");
    break;
  case tool_choice_mode::none:
    append_member(out, "tool_choice", R"("none")");
    break;
  case tool_choice_mode::required:
    append_member(out, "tool_choice", R"("required")");
    break;
  case tool_choice_mode::named:
    append_member(out, "tool_choice",
                  R"({"type":"function","name":)" + to_json(asked.tool_name) + "}");
    break;
  }
  if (asked.parallel_tool_calls)
    append_member(out, "parallel_tool_calls", *asked.parallel_tool_calls ? "true" : "false");
}

/// Returns the effort that fits a budget of tokens best.
std::string_view effort_of(int64_t budget) {
  if (budget == 0)
    return "none";
  return budget <= 2048 ? "low" : budget <= 8192 ? "medium" : "high";
}

/// Appends `reasoning`: the object of the parameters, with the effort that was asked for.
void append_reasoning(json_buffer& out, const request_parameters& asked, std::string_view given) {
  std::string members;
  for_each_member(given, [&members](std::string_view key, std::string_view value) {
    if (key != "effort" && key != "max_tokens")
      add_member(members, key, value);
    return true;
  });
  auto effort = std::string_view{asked.reasoning_effort};
  if (effort.empty() && asked.reasoning_budget && *asked.reasoning_budget >= 0)
    effort = effort_of(*asked.reasoning_budget);
  if (!effort.empty())
    add_member(members, "effort", to_json(effort));
  if (!members.empty())
    append_member(out, "reasoning", "{" + members + "}");
}

std::string answer_format(const request_parameters& asked) {
  if (asked.response_schema.empty())
    return R"({"type":"json_object"})";
  return fmt::format(
      R"({{"type":"json_schema","name":{},"schema":{},"strict":{}}})",
      to_json(asked.response_name.empty() ? std::string_view{"answer"} : asked.response_name),
      asked.response_schema, asked.response_strict);
}

/// Appends `text`: the object of the parameters, with the format that was asked for.
void append_text_format(json_buffer& out, request_parameters& asked) {
  const auto given = asked.take("text");
  const auto verbosity = asked.take("verbosity"); // as chat completions call it
  std::string members;
  bool has_format = false;
  const json_source source{given};
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    if (key == "verbosity" && !verbosity.empty())
      return true;
    has_format = has_format || key == "format";
    add_member(members, key, value);
    return true;
  });
  if (!verbosity.empty())
    add_member(members, "verbosity", verbosity);
  if (asked.json_output && !has_format)
    add_member(members, "format", answer_format(asked));
  if (!members.empty())
    append_member(out, "text", "{" + members + "}");
}

/// Appends what makes a request stateless: the server keeps nothing, and seals its reasoning.
void append_state(json_buffer& out, const model_request& request, request_parameters& asked) {
  const auto store = asked.take("store");
  append_member(out, "store", store.empty() ? "false" : store);
  const auto said = find_member(asked.others, "include") != nullptr;
  const auto include = asked.take("include");
  if (said)
    append_member(out, "include", include);
  else if (request.model.reasoning != reasoning_policy::strip &&
           !lacks_sealed_reasoning(model_name(request.model)))
    append_member(out, "include", R"(["reasoning.encrypted_content"])");
}

/// Notes what this API has no word for.
void leave_out_absent(const request_parameters& asked) {
  asked.leave_out("stop", !asked.stop.empty());
  asked.leave_out("seed", !asked.seed.empty());
  asked.leave_out("top_k", !asked.top_k.empty());
  asked.leave_out("presence_penalty", !asked.presence_penalty.empty());
  asked.leave_out("frequency_penalty", !asked.frequency_penalty.empty());
}

/// Returns the last `reasoning` of the parameters.
std::string reasoning_object(const model_request& request) {
  std::string found;
  for (auto json : {std::string_view{request.model.parameters}, request.parameters}) {
    if (json.find("\"reasoning\"") == json.npos)
      continue;
    const json_source source{json};
    std::string_view own;
    read_members(source.root(), {{"reasoning", &own}});
    if (!own.empty())
      found = own;
  }
  return found;
}

} // namespace

void append_responses_parameters(json_buffer& out, const model_request& request) {
  auto asked = read_parameters(request);
  append_member(out, "temperature", asked.temperature);
  append_member(out, "top_p", asked.top_p);
  append_member(out, "user", asked.user);
  if (asked.max_tokens > 0)
    append_member(out, "max_output_tokens",
                  std::to_string(std::max(asked.max_tokens, least_max_tokens)));
  append_tool_choice(out, asked);
  const json_source reasoning{reasoning_object(request)};
  append_reasoning(out, asked, reasoning.root());
  append_text_format(out, asked);
  append_state(out, request, asked);
  asked.append_others(out, {"input", "instructions"},
                      {"previous_response_id", "conversation", "background", "n", "logprobs",
                       "logit_bias", "modalities", "audio", "prediction", "functions",
                       "function_call", "web_search_options", "max_tokens"});
  leave_out_absent(asked);
}

bool lacks_sealed_reasoning(std::string_view name) {
  if (name.starts_with("ft:"))
    name.remove_prefix(3);
  name = name.substr(name.rfind('/') + 1); // npos + 1 is 0
  constexpr std::array<std::string_view, 4> families{"gpt-3", "gpt-4", "chatgpt-", "gpt-5-chat"};
  return std::ranges::any_of(families, [name](auto each) { return name.starts_with(each); });
}

std::string check_responses_parameters(const model_config& model) {
  const json_source source{model.parameters};
  std::string fault;
  for_each_member(source.root(), [&fault](std::string_view key, std::string_view value) {
    if (is_nothing(value))
      return true;
    if (key == "previous_response_id" || key == "conversation")
      fault = fmt::format("parameters.{}: each request has the whole chat, so that the server need "
                          "not keep it; remove this member",
                          key);
    else if (key == "background" && value == "true")
      fault = "parameters.background: an answer in the background cannot be read; remove this "
              "member";
    return fault.empty();
  });
  return fault;
}

// -- openai responses -----------------------------------------------------------------------------

namespace {

/// Returns the JSON array `tools` of a request: a function for each usable_tool. Says `strict` for
/// each, since this API takes it as given where it is left out. The same bytes for the same tools.
std::string responses_tools(const std::vector<tool_definition>& tools) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&out](const usable_tool& each) {
    append_raw(out, out.size() == 1 ? R"({"type":"function","name":)"
                                    : R"(,{"type":"function","name":)");
    append_json(out, each.tool.name);
    if (!each.description.empty()) {
      append_raw(out, R"(,"description":)");
      append_json(out, each.description);
    }
    append_raw(out, R"(,"parameters":)");
    append_raw(out, each.schema);
    append_raw(out, each.tool.strict ? R"(,"strict":true})" : R"(,"strict":false})");
  });
  out.push_back(']');
  return std::string{view(out)};
}

std::string_view rendered_tools_of(const model_request& asked) {
  if (!asked.has_tools())
    return {};
  return asked.tools->rendered.get(responses_tools, asked.tools->tools);
}

std::string responses_body(const model_request& asked) {
  const auto tools = rendered_tools_of(asked);
  if (tools == "[]") { // none of them is usable; an empty list is refused
    auto without = asked;
    without.tools = nullptr;
    return responses_body(without);
  }
  const request_history messages{asked.history, asked.system, responses_rules()};
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(asked.model));
  if (!messages.system().empty()) {
    append_raw(out, R"(,"instructions":)");
    append_json(out, messages.system());
  }
  append_raw(out, R"(,"input":)");
  append_responses_input(out, messages, asked.model, !asked.without_sealed_reasoning);
  if (!tools.empty()) {
    append_raw(out, R"(,"tools":)");
    append_raw(out, tools);
  }
  append_responses_parameters(out, asked);
  append_raw(out, streams(asked) ? R"(,"stream":true})" : R"(,"stream":false})");
  return std::string{view(out)};
}

http_request make_responses_request(const model_request& asked) {
  return json_request(asked, method_url(asked.model.base_url, "/responses"),
                      openai_key(asked.model), responses_body(asked));
}

std::unique_ptr<model_decoder> make_responses_decoder(const model_config& model,
                                                      std::string id_prefix) {
  return std::make_unique<answer_decoder>(
      std::make_unique<responses_answer>(std::move(id_prefix), seal_owner(model)));
}

} // namespace

const provider openai_responses{
    .name = "openai-responses",
    .make_request = make_responses_request,
    .make_decoder = make_responses_decoder,
    .base_url = "https://api.openai.com/v1",
    .environment = {.key = "OPENAI_API_KEY", .base_url = "OPENAI_BASE_URL"},
    .files = {.images = true, .documents = true},
    .check = check_responses_parameters};

} // namespace troupe
