#include "apps/model/responses/responses_request.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"
#include "apps/model/responses/responses_input_check.hpp"

namespace troupe::scripted {

namespace {

constexpr int64_t least_output_tokens = 16;

failure check_responses_tool(element tool, std::vector<std::string_view>& names) {
  const auto place = fmt::format("tools[{}]", names.size());
  object fields;
  if (tool.get(fields) != simdjson::SUCCESS)
    return invalid_request(place + " must be an object");
  if (string_in(fields, "type") != "function")
    return invalid_request(place + ".type: this model has functions only");
  if (const auto other =
          unknown_key(fields, {"type", "name", "description", "parameters", "strict"});
      !other.empty())
    return invalid_request(fmt::format("Unknown parameter: '{}.{}'.", place, other));
  names.push_back(string_in(fields, "name"));
  if (!fits_name(names.back()))
    return invalid_request(place + ".name must match ^[a-zA-Z0-9_-]{1,64}$");
  element schema;
  if (!find(fields, "parameters", schema))
    return {};
  if (const auto fault = schema_fault(schema, true); !fault.empty())
    return invalid_request(
        fmt::format("Invalid schema for function '{}': {}", names.back(), fault));
  return {};
}

failure check_responses_tools(object request) {
  element tools;
  array list;
  if (!find(request, "tools", tools))
    return {};
  if (tools.get(list) != simdjson::SUCCESS)
    return invalid_request("tools must be an array");
  std::vector<std::string_view> names;
  for (element each : list)
    if (auto bad = check_responses_tool(each, names))
      return bad;
  const auto twice = repeated_name(std::move(names));
  return twice.empty() ? failure{}
                       : invalid_request(fmt::format("tools: '{}' is used twice", twice));
}

const std::initializer_list<std::string_view> known_options{"model",
                                                            "input",
                                                            "instructions",
                                                            "tools",
                                                            "tool_choice",
                                                            "parallel_tool_calls",
                                                            "max_output_tokens",
                                                            "temperature",
                                                            "top_p",
                                                            "reasoning",
                                                            "text",
                                                            "include",
                                                            "store",
                                                            "stream",
                                                            "stream_options",
                                                            "previous_response_id",
                                                            "conversation",
                                                            "truncation",
                                                            "metadata",
                                                            "prompt_cache_key",
                                                            "prompt_cache_retention",
                                                            "safety_identifier",
                                                            "service_tier",
                                                            "background",
                                                            "top_logprobs",
                                                            "max_tool_calls",
                                                            "user"};

failure read_responses_options(object request, chat_call& out) {
  if (const auto other = unknown_key(request, known_options); !other.empty())
    return invalid_request(fmt::format("Unknown parameter: '{}'.", other));
  out = {};
  out.model = string_in(request, "model");
  if (out.model.empty())
    return invalid_request("Missing required parameter: 'model'.");
  element found;
  if (find(request, "max_output_tokens", found) && !is_count(found, least_output_tokens))
    return invalid_request("Invalid 'max_output_tokens': integer below minimum value. Expected a "
                           "value >= 16.");
  if (find(request, "previous_response_id", found))
    return invalid_request("Previous response not found: this model keeps nothing.");
  return read_bool(request, "stream", out.stream);
}

void add_item(object item, talk_collector& out) {
  const auto type = string_in(item, "type");
  const auto role = string_in(item, "role");
  element content;
  std::string_view call, name;
  if (type == "function_call_output") {
    out.result(string_in(item, "call_id"),
               find(item, "output", content) ? joined_text(content) : std::string{});
  } else if (role == "user") {
    out.user(find(item, "content", content) ? joined_text(content) : std::string{});
  } else if (type == "function_call") {
    out.call(string_in(item, "call_id"), string_in(item, "name"));
  } else if (split_call_item_id(string_in(item, "id"), call, name)) {
    out.call(call, name);
  }
}

/// Returns whether the item is a part of an answer.
bool is_of_answer(object item) {
  const auto type = string_in(item, "type");
  return type == "function_call" || type == "reasoning" || type == "item_reference" ||
         string_in(item, "role") == "assistant";
}

void add_items(array items, talk_collector& out) {
  bool in_answer = false;
  for (object item : items) {
    const bool is_answer = is_of_answer(item);
    if (is_answer && !in_answer)
      out.begin_answer();
    in_answer = is_answer;
    if (string_in(item, "type") == "reasoning" || string_in(item, "id").starts_with("rs_"))
      out.seal();
    add_item(item, out);
  }
}

} // namespace

failure check_responses(object request, chat_call& out) {
  if (auto bad = read_responses_options(request, out))
    return bad;
  bool stores = true;
  if (auto bad = read_bool(request, "store", stores))
    return bad;
  element input;
  array items;
  std::string_view text;
  if (!find(request, "input", input))
    return invalid_request("Missing required parameter: 'input'.");
  if (input.get(text) == simdjson::SUCCESS) {
    if (is_blank(text))
      return invalid_request("input must not be empty");
  } else if (input.get(items) != simdjson::SUCCESS) {
    return invalid_request("input must be a string or a list");
  } else if (auto bad = check_responses_input(items, stores)) {
    return bad;
  }
  return check_responses_tools(request);
}

conversation talk_of_responses(object request) {
  talk_collector out;
  element input;
  array items;
  if (find(request, "input", input) && input.get(items) == simdjson::SUCCESS)
    add_items(items, out);
  else
    out.user(joined_text(input));
  out.tools(request, "", "parameters");
  return std::move(out.talk());
}

} // namespace troupe::scripted
