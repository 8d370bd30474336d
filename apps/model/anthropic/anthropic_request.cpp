#include "apps/model/anthropic/anthropic_request.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/anthropic/anthropic_history_check.hpp"
#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t most_marks = 4; ///< of cache_control

failure check_system(element system) {
  std::string_view text;
  if (system.get(text) == simdjson::SUCCESS)
    return text.empty() ? invalid_request("system: text content must be non-empty") : failure{};
  array blocks;
  if (system.get(blocks) != simdjson::SUCCESS)
    return invalid_request("system: Input should be a valid string or list");
  size_t at = 0;
  for (element each : blocks)
    if (auto bad = check_anthropic_block(each, "system", fmt::format("system.{}", at++)))
      return bad;
  return {};
}

failure check_keys(object schema, const std::string& place) {
  element properties;
  object list;
  if (!find(schema, "properties", properties) || properties.get(list) != simdjson::SUCCESS)
    return {};
  for (auto [key, value] : list) {
    std::string plain{key};
    for (auto& c : plain)
      c = c == '.' ? '_' : c;
    if (!fits_name(plain))
      return invalid_request(fmt::format("{}.properties: Property keys should match pattern "
                                         "'^[a-zA-Z0-9_.-]{{1,64}}$'",
                                         place));
  }
  return {};
}

failure check_one_tool(element tool, const std::string& place,
                       std::vector<std::string_view>& names) {
  object fields;
  if (tool.get(fields) != simdjson::SUCCESS)
    return invalid_request(place + ": Input should be an object");
  if (const auto other =
          unknown_key(fields, {"name", "description", "input_schema", "cache_control", "strict",
                               "type", "eager_input_streaming", "input_examples"});
      !other.empty())
    return invalid_request(fmt::format("{}.{}: Extra inputs are not permitted", place, other));
  names.push_back(string_in(fields, "name"));
  if (!fits_name(names.back()))
    return invalid_request(place + ".name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'");
  object schema;
  element found;
  if (!find(fields, "input_schema", found) || found.get(schema) != simdjson::SUCCESS)
    return invalid_request(place + ".input_schema: Field required");
  if (const auto fault = schema_fault(found, false); !fault.empty())
    return invalid_request(
        fmt::format("{}.input_schema: JSON schema is invalid: {}", place, fault));
  return check_keys(schema, place + ".input_schema");
}

failure check_anthropic_tools(object request) {
  element tools;
  element choice;
  if (!find(request, "tools", tools))
    return find(request, "tool_choice", choice)
               ? invalid_request("tool_choice: may only be specified while providing tools")
               : failure{};
  array list;
  if (tools.get(list) != simdjson::SUCCESS)
    return invalid_request("tools: Input should be a valid list");
  std::vector<std::string_view> names;
  for (element each : list)
    if (auto bad = check_one_tool(each, fmt::format("tools.{}", names.size()), names))
      return bad;
  if (!repeated_name(std::move(names)).empty())
    return invalid_request("tools: Tool names must be unique.");
  object fields;
  if (!find(request, "tool_choice", choice))
    return {};
  if (choice.get(fields) != simdjson::SUCCESS ||
      !is_one_of(string_in(fields, "type"), {"auto", "any", "tool", "none"}))
    return invalid_request("tool_choice: Input should be 'auto', 'any', 'tool' or 'none'");
  return {};
}

failure check_thinking_option(object request, int64_t max_tokens) {
  element found;
  object thinking;
  if (!find(request, "thinking", found))
    return {};
  if (found.get(thinking) != simdjson::SUCCESS)
    return invalid_request("thinking: Input should be an object");
  const auto type = string_in(thinking, "type");
  if (!is_one_of(type, {"enabled", "adaptive", "disabled"}))
    return invalid_request("thinking.type: Input should be 'enabled', 'adaptive' or 'disabled'");
  const auto budget = number_in(thinking, "budget_tokens");
  if (type == "enabled" && budget < 1024)
    return invalid_request("thinking.budget_tokens: Input should be greater than or equal to 1024");
  if (type == "enabled" && budget >= max_tokens)
    return invalid_request("`max_tokens` must be greater than `thinking.budget_tokens`");
  double temperature = 1;
  if (type != "disabled" && find(request, "temperature", found) &&
      (found.get(temperature) != simdjson::SUCCESS || temperature != 1))
    return invalid_request("`temperature` may only be set to 1 when thinking is enabled");
  return {};
}

size_t marks_in(element value) {
  size_t count = 0;
  array list;
  object fields;
  if (value.get(list) == simdjson::SUCCESS)
    for (element each : list)
      count += marks_in(each);
  if (value.get(fields) == simdjson::SUCCESS)
    for (auto [key, each] : fields)
      count += key == "cache_control" ? 1 : key == "input_schema" ? 0 : marks_in(each);
  return count;
}

failure check_options(object request, chat_call& out) {
  if (const auto other = unknown_key(request, {"model",
                                               "max_tokens",
                                               "messages",
                                               "system",
                                               "stop_sequences",
                                               "temperature",
                                               "top_p",
                                               "top_k",
                                               "stream",
                                               "tools",
                                               "tool_choice",
                                               "thinking",
                                               "output_config",
                                               "metadata",
                                               "cache_control",
                                               "service_tier",
                                               "container",
                                               "inference_geo",
                                               "context_management",
                                               "mcp_servers"});
      !other.empty())
    return invalid_request(fmt::format("{}: Extra inputs are not permitted", other));
  out = {};
  out.model = string_in(request, "model");
  if (out.model.empty())
    return invalid_request("model: Field required");
  element found;
  if (!find(request, "max_tokens", found))
    return invalid_request("max_tokens: Field required");
  if (!is_count(found, 1))
    return invalid_request("max_tokens: Input should be greater than or equal to 1");
  double temperature = 0;
  if (find(request, "temperature", found) &&
      (found.get(temperature) != simdjson::SUCCESS || temperature < 0 || temperature > 1))
    return invalid_request("temperature: range: 0..1");
  if (auto bad = read_bool(request, "stream", out.stream))
    return bad;
  return check_thinking_option(request, number_in(request, "max_tokens"));
}

/// Returns the blocks of a message; a text stands for one block.
void add_blocks(std::string_view role, array blocks, talk_collector& out) {
  bool has_results = false;
  std::string text;
  for (object block : blocks) {
    const auto type = string_in(block, "type");
    element content;
    if (type == "thinking" || type == "redacted_thinking") {
      out.seal();
    } else if (type == "text") {
      text += string_in(block, "text");
    } else if (type == "tool_use") {
      out.call(string_in(block, "id"), string_in(block, "name"));
    } else if (type == "tool_result") {
      has_results = true;
      out.result(string_in(block, "tool_use_id"),
                 find(block, "content", content) ? joined_text(content) : std::string{});
    }
  }
  if (role == "user" && (!has_results || !text.empty()))
    out.user(std::move(text));
}

} // namespace

failure check_anthropic(object request, chat_call& out) {
  if (auto bad = check_options(request, out))
    return bad;
  element found;
  if (find(request, "system", found))
    if (auto bad = check_system(found))
      return bad;
  array messages;
  if (request["messages"].get(messages) != simdjson::SUCCESS)
    return invalid_request("messages: Field required");
  if (auto bad = check_anthropic_history(messages, out.model == "pause"))
    return bad;
  if (auto bad = check_anthropic_tools(request))
    return bad;
  size_t marks = find(request, "cache_control", found) ? 1 : 0;
  for (const char* key : {"system", "tools", "messages"})
    if (find(request, key, found))
      marks += marks_in(found);
  if (marks > most_marks)
    return invalid_request("A maximum of 4 blocks with cache_control may be provided.");
  return {};
}

conversation talk_of_anthropic(object request) {
  talk_collector out;
  array messages;
  if (request["messages"].get(messages) == simdjson::SUCCESS)
    for (object message : messages) {
      const auto role = string_in(message, "role");
      element content;
      array blocks;
      out.talk().goes_on = role == "assistant";
      out.begin_answer();
      if (!find(message, "content", content))
        continue;
      if (content.get(blocks) == simdjson::SUCCESS)
        add_blocks(role, blocks, out);
      else if (role == "user")
        out.user(joined_text(content));
    }
  out.tools(request, "", "input_schema");
  return std::move(out.talk());
}

} // namespace troupe::scripted
