#include "messages/wire/openai_chat/openai_chat.hpp"

#include <algorithm>
#include <array>

#include "messages/ascii_case.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_answer.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/openai_chat/openai_messages.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/earlier_reasoning.hpp"
#include "messages/wire/provider/json_members.hpp"
#include "messages/wire/provider/request_frame.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

// -- openai bound ---------------------------------------------------------------------------------

namespace {

/// How servers say that they do not take a member, in lower case.
constexpr std::array<std::string_view, 8> not_taken{"unsupported", "not supported", "unrecognized",
                                                    "unknown",     "unexpected",    "extra inputs",
                                                    "not allowed", "instead"};

/// How they lead to the name that they want: "Use 'max_completion_tokens' instead".
constexpr std::array<std::string_view, 3> wanted{"use ", "requires ", "expects "};

constexpr bound_name other(bound_name name) {
  return name == bound_name::old ? bound_name::newer : bound_name::old;
}

/// Returns which name the refusal is about: the one that it mentions first, unless it asks for
/// that.
bound_name refused_name(std::string_view text) {
  const auto old = text.find(old_bound);
  const auto newer = text.find(new_bound);
  if (old == newer)
    return bound_name::usual; // it mentions neither
  const auto first = old < newer ? bound_name::old : bound_name::newer;
  auto before = text.substr(0, std::min(old, newer));
  while (before.ends_with('\'') || before.ends_with('"') || before.ends_with('`'))
    before.remove_suffix(1);
  const auto asks = std::ranges::any_of(
      wanted, [before](std::string_view words) { return before.ends_with(words); });
  return asks ? other(first) : first;
}

} // namespace

std::string_view usual_bound(const model_config& model, const openai_dialect& dialect) {
  const auto learned = model.lessons.bound();
  if (learned == bound_name::usual)
    return dialect.has_new_bound ? new_bound : old_bound;
  return learned == bound_name::newer ? new_bound : old_bound;
}

bool learn_openai_bound(const model_config& model, std::string_view refusal) {
  const auto text = in_lower_case(refusal);
  const auto is_of_name = std::ranges::any_of(
      not_taken, [&text](auto words) { return text.find(words) != std::string::npos; });
  if (!is_of_name)
    return false;
  const auto refused = refused_name(text);
  if (refused == bound_name::usual)
    return false;
  return model.lessons.use_bound(other(refused));
}

// -- openai parameters ----------------------------------------------------------------------------

namespace {

constexpr std::string_view any_bound = "max_output_tokens"; ///< of clients of other protocols

/// Returns whether servers refuse the member without tools.
bool is_of_tools(std::string_view key) {
  return key == "tool_choice" || key == "parallel_tool_calls";
}

bool is_bound(const json_members::value_type& member) {
  return member.first == old_bound || member.first == new_bound;
}

bool sets_bound(const json_members::value_type& member) {
  return is_bound(member) && member.second != "null";
}

/// Adds the parameters of a request. A bound of null only removes the bound of the same name.
void overrule(json_members& into, const json_members& asked) {
  if (std::any_of(asked.begin(), asked.end(), sets_bound))
    std::erase_if(into, is_bound); // a bound has two names, and models refuse both at once
  for (const auto& each : asked)
    if (!is_bound(each) || sets_bound(each))
      put_member(into, each.first, each.second);
    else
      std::erase_if(into, [&](const auto& known) { return known.first == each.first; });
}

/// @param choice value of `tool_choice`: a mode, or the tool to call
bool demands_call(std::string_view choice) {
  if (choice == R"("required")")
    return true;
  std::string_view type;
  read_members(choice, {{"type", &type}});
  return type == R"("function")";
}

/// @param usual the model's name for the bound, which stands for the one of all protocols
void merge(json_members& into, std::string_view json, const model_request& request,
           std::string_view usual) {
  const bool has_tools = request.has_tools();
  if (json.empty())
    return;
  json_source source{json};
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    if (!is_decided_by_engine(key) && (has_tools || !is_of_tools(key)) &&
        !(request.has_results && key == "tool_choice" && demands_call(value)))
      put_member(into, key == any_bound ? usual : key, value);
    return true;
  });
}

/// Adds the options of the configuration that are not written in OpenAI's words.
/// @param bound the name of the bound
void add_options(json_members& into, const generation_options& options, bool has_tools,
                 std::string_view bound) {
  if (options.max_output_tokens > 0)
    put_member(into, bound, std::to_string(options.max_output_tokens));
  if (!options.reasoning_effort.empty())
    put_member(into, "reasoning_effort", to_json(options.reasoning_effort));
  if (has_tools && options.parallel_tool_calls >= 0)
    put_member(into, "parallel_tool_calls", options.parallel_tool_calls != 0 ? "true" : "false");
  if (!options.response_schema.empty())
    put_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" +
                   options.response_schema + "}}");
}

/// Sets the bound under the one name that the parameters have for it, else under `usual`.
void set_bound(json_members& into, uint32_t max_tokens, std::string_view usual) {
  auto name = usual;
  for (const auto& each : into)
    if (is_bound(each))
      name = each.first == new_bound ? new_bound : old_bound;
  std::erase_if(into, [name](const auto& each) { return is_bound(each) && each.first != name; });
  put_member(into, name, std::to_string(max_tokens));
}

/// Gives the bound the one name that the server takes, whatever the parameters call it.
void rename_bound(json_members& into, std::string_view name) {
  std::string value;
  for (const auto& each : into)
    if (is_bound(each) && (value.empty() || each.first == name))
      value = each.second;
  std::erase_if(into, is_bound);
  if (!value.empty())
    put_member(into, name, value);
}

} // namespace

void append_openai_parameters(json_buffer& out, const model_request& request,
                              const openai_dialect& dialect) {
  json_members merged;
  json_members asked;
  const auto& options = request.model.generation;
  const auto bound = usual_bound(request.model, dialect);
  add_options(merged, options, request.has_tools(), bound);
  if (options.reasoning_budget > -2 && options.reasoning_effort.empty())
    request.model.lessons.leave_out("reasoning.budget");
  if (!options.tool_choice.empty())
    merge(merged, R"({"tool_choice":)" + options.tool_choice + "}", request, bound);
  json_members configured;
  merge(configured, request.model.parameters, request, bound);
  overrule(merged, configured);
  merge(asked, request.parameters, request, bound);
  overrule(merged, asked);
  if (request.max_tokens > 0)
    set_bound(merged, request.max_tokens, bound);
  if (request.model.lessons.bound() != bound_name::usual)
    rename_bound(merged, bound);
  if (dialect.says_any)
    for (auto& [key, value] : merged)
      if (key == "tool_choice" && value == R"("required")")
        value = R"("any")";
  for (const auto& [key, value] : merged)
    if (request.model.lessons.refuses(key))
      request.model.lessons.leave_out(key);
    else
      append_member(out, key, value);
}

// -- openai chat ----------------------------------------------------------------------------------

std::string openai_tools(const std::vector<tool_definition>& tools) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&out](const usable_tool& each) {
    append_raw(out, out.size() == 1 ? R"({"type":"function","function":{"name":)"
                                    : R"(,{"type":"function","function":{"name":)");
    append_json(out, each.tool.name);
    if (!each.description.empty()) {
      append_raw(out, R"(,"description":)");
      append_json(out, each.description);
    }
    append_raw(out, R"(,"parameters":)");
    append_raw(out, each.schema);
    append_raw(out, each.tool.strict ? R"(,"strict":true}})" : "}}");
  });
  out.push_back(']');
  return std::string{view(out)};
}

namespace {

/// Some servers refuse `stream_options`: null in the parameters leaves it out.
bool asks_for_usage(const model_request& asked) {
  const auto& lessons = asked.model.lessons;
  if (lessons.refuses("stream_options")) {
    lessons.leave_out("stream_options");
    return false;
  }
  bool asks = true;
  for (auto json : {std::string_view{asked.model.parameters}, asked.parameters}) {
    if (json.find("\"stream_options\"") == json.npos)
      continue;
    const json_source source{json};
    std::string_view options;
    read_members(source.root(), {{"stream_options", &options}});
    if (!options.empty())
      asks = options != "null";
  }
  return asks;
}

std::string_view tools_of(const model_request& asked) {
  if (!asked.has_tools())
    return {};
  return asked.tools->rendered.get(openai_tools, asked.tools->tools);
}

std::string make_body(const model_request& asked) {
  const auto& model = asked.model;
  const auto tools = tools_of(asked);
  if (tools == "[]") { // none of them is usable; an empty list is refused
    auto without = asked;
    without.tools = nullptr;
    return make_body(without);
  }
  const auto dialect = dialect_of(model);
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(model));
  append_raw(out, R"(,"messages":)");
  append_openai_messages(out, asked, dialect);
  if (!tools.empty()) {
    append_raw(out, R"(,"tools":)");
    append_raw(out, tools);
  }
  append_openai_parameters(out, asked, dialect);
  append_raw(out, streams(asked) ? R"(,"stream":true)" : R"(,"stream":false)");
  if (streams(asked) && dialect.takes_stream_options && asks_for_usage(asked))
    append_raw(out, R"(,"stream_options":{"include_usage":true})");
  out.push_back('}');
  return std::string{view(out)};
}

http_request make_request(const model_request& asked) {
  const auto& model = asked.model;
  return json_request(asked, method_url(model.base_url, "/chat/completions"), openai_key(model),
                      make_body(asked));
}

bool learn_openai(const model_config& model, std::string_view refusal) {
  return learn_openai_bound(model, refusal) || learn_earlier_reasoning(model, refusal);
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<answer_decoder>(
      std::make_unique<openai_answer>(std::move(id_prefix), model.start_with_reasoning));
}

} // namespace

const provider openai_chat{
    .name = "openai",
    .make_request = make_request,
    .make_decoder = make_decoder,
    .base_url = "https://api.openai.com/v1",
    .environment = {.key = "OPENAI_API_KEY",
                    .base_url = "OPENAI_BASE_URL",
                    .model = "OPENAI_MODEL"},
    .files = {},
    .usual_model = "gpt-4o-mini",
    .learn = learn_openai,
};

} // namespace troupe
