#include "messages/wire/clients/responses/response_items.hpp"

#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Appends `"type":...,"id":...,"status":...`.
void append_common(json_buffer& out, std::string_view type, const response_item& item) {
  append_raw(out, R"({"type":)");
  append_json(out, type);
  append_raw(out, R"(,"id":)");
  append_json(out, item.id);
  append_raw(out, R"(,"status":)");
  append_json(out, !item.done ? "in_progress" : item.failed ? "failed" : "completed");
}

void append_text(json_buffer& out, std::string_view key, std::string_view text) {
  append_raw(out, ",\"");
  append_raw(out, key);
  append_raw(out, "\":");
  append_json(out, text);
}

/// Returns the text, which an item has when it is done.
std::string_view shown_text(const response_item& item) {
  return item.done ? std::string_view{item.text} : std::string_view{};
}

void append_message(json_buffer& out, const response_item& item) {
  append_common(out, "message", item);
  append_raw(out, R"(,"role":"assistant","content":[)");
  if (item.done) {
    append_raw(out, R"({"type":"output_text","annotations":[],"logprobs":[])");
    append_text(out, "text", item.text);
    out.push_back('}');
  }
  out.push_back(']');
}

void append_reasoning(json_buffer& out, const response_item& item) {
  append_common(out, "reasoning", item);
  append_raw(out, R"(,"summary":[)");
  if (item.done) {
    append_raw(out, R"({"type":"summary_text")");
    append_text(out, "text", item.text);
    out.push_back('}');
  }
  append_raw(out, R"(],"encrypted_content":null)");
}

void append_call(json_buffer& out, const response_item& item) {
  const auto custom = item.kind == response_kind::custom_call;
  append_common(out, custom ? "custom_tool_call" : "function_call", item);
  append_text(out, "call_id", item.call_id);
  append_text(out, "name", item.name);
  if (!item.name_space.empty())
    append_text(out, "namespace", item.name_space);
  append_text(out, custom ? "input" : "arguments", shown_text(item));
  append_call_metadata(out, item.extra);
}

void append_mcp_call(json_buffer& out, const response_item& item) {
  append_common(out, "mcp_call", item);
  append_text(out, "server_label", item.server);
  append_text(out, "name", item.name);
  append_text(out, "arguments", shown_text(item));
  append_raw(out, R"(,"approval_request_id":null)");
  if (item.done && !item.failed)
    append_text(out, "output", item.output);
  else
    append_raw(out, R"(,"output":null)");
  if (item.done && item.failed)
    append_text(out, "error", item.output);
  else
    append_raw(out, R"(,"error":null)");
}

} // namespace

void append_response_item(json_buffer& out, const response_item& item) {
  switch (item.kind) {
  case response_kind::message:
    append_message(out, item);
    break;
  case response_kind::reasoning:
    append_reasoning(out, item);
    break;
  case response_kind::function_call:
  case response_kind::custom_call:
    append_call(out, item);
    break;
  case response_kind::mcp_call:
    append_mcp_call(out, item);
    break;
  }
  out.push_back('}');
}

std::string_view text_events_of(response_kind kind) {
  switch (kind) {
  case response_kind::message:
    return "output_text";
  case response_kind::reasoning:
    return "reasoning_summary_text";
  case response_kind::function_call:
    return "function_call_arguments";
  case response_kind::custom_call:
    return "custom_tool_call_input";
  case response_kind::mcp_call:
    return "mcp_call_arguments";
  }
  return "";
}

std::string custom_input(std::string_view arguments) {
  const json_source source{arguments};
  std::string_view input;
  read_members(source.root(), {{"input", &input}});
  return kind_of(input) == json_kind::string ? json_string(input) : std::string{arguments};
}

} // namespace troupe
