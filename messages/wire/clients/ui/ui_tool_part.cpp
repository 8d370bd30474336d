#include "messages/wire/clients/ui/ui_tool_part.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/chat/skipped_call_texts.hpp"
#include "messages/chat/tool_name.hpp"
#include "messages/wire/clients/ui/ui_tool_output.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/tools_call.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

std::string denied_result(std::string_view approval) {
  std::string_view reason;
  read_members(approval, {{"reason", &reason}});
  return denial(json_string(reason));
}

/// Returns whether it is the result of an MCP tool, and not a client's JSON that has a "content",
/// too: it has no other members, and its parts are MCP's.
bool is_mcp_result(std::string_view output) {
  constexpr std::string_view types[] = {"text", "image", "audio", "resource", "resource_link"};
  std::string_view content, structured, is_error, meta;
  auto other = read_only_members(output, {{"content", &content},
                                          {"structuredContent", &structured},
                                          {"isError", &is_error},
                                          {"_meta", &meta}});
  auto known = !other && kind_of(content) == json_kind::array;
  for_each_element(known ? content : std::string_view{}, [&](std::string_view part) {
    std::string_view type;
    read_members(part, {{"type", &type}});
    known = std::ranges::find(types, json_string(type)) != std::end(types);
    return known;
  });
  return known;
}

/// Returns the text of an MCP result with a `content`; other JSON as tool_output_text().
std::string server_output_text(std::string_view output) {
  std::string_view content;
  read_members(output, {{"content", &content}});
  mcp::call_result result;
  return kind_of(content) == json_kind::array && !mcp::parse(output, result)
             ? result.text
             : tool_output_text(output);
}

/// Returns the result of a call for the history, for every state of the call.
/// @param of_client the tool is the client's; the tool of a dynamic part is a server's
std::string result_text(const ui_part& part, std::string_view state, bool of_client) {
  if (state == "output-available")
    return of_client ? tool_output_text(part.output) : server_output_text(part.output);
  if (state == "output-error")
    return json_string(part.error_text);
  std::string_view approved;
  read_members(part.approval, {{"approved", &approved}});
  if (state == "output-denied" || (state == "approval-responded" && approved == "false"))
    return denied_result(part.approval);
  return std::string{not_run_text};
}

std::string arguments_of(const ui_part& part) {
  for (auto input : {part.input, part.raw_input})
    if (kind_of(input) == json_kind::object)
      return std::string{input};
  return "{}";
}

/// Returns whether the call broke off while its arguments came. The stream then has an empty text
/// in place of the arguments.
bool is_broken_off(const ui_part& part, std::string_view state) {
  const auto error = state == "output-error";
  return state == "input-streaming" ||
         (error && (part.input == "\"\"" || part.raw_input == "\"\""));
}

/// Returns the members of a finished part that do not follow from the call and its result.
void show_input(const ui_part& part, std::vector<shown_part>& out) {
  if (kind_of(part.input) != json_kind::object)
    out.push_back(make_shown("input", std::string{part.input}));
  if (!part.raw_input.empty())
    out.push_back(make_shown("rawInput", std::string{part.raw_input}));
}

/// Returns how the result is shown. A call that is not finished counts as not run.
std::vector<shown_part> shown_result(const ui_part& part, std::string_view state,
                                     std::string_view text) {
  std::vector<shown_part> out;
  std::string_view approved;
  read_members(part.approval, {{"approved", &approved}});
  if (state == "output-denied" || (state == "approval-responded" && approved == "false"))
    out.push_back(make_shown("denied"));
  else if (state != "output-available")
    out.push_back(make_shown("error"));
  else if (auto output = shown_output(part.output, text, {}))
    out.push_back(std::move(*output));
  show_input(part, out);
  if (kind_of(part.approval) == json_kind::object)
    out.push_back(make_shown("approval", std::string{part.approval}));
  auto more = part.more;
  if (!part.title.empty() && json_string(part.title).empty()) // no label, but the client's
    more.append(R"(,"title":)").append(part.title);
  if (!more.empty())
    out.push_back(make_shown("more", '{' + more.substr(1) + '}'));
  return out;
}

bool knows_state(std::string_view state) {
  constexpr std::string_view states[] = {
      "input-streaming",  "input-available", "approval-requested", "approval-responded",
      "output-available", "output-error",    "output-denied"};
  return std::find(std::begin(states), std::end(states), state) != std::end(states);
}

/// Reads the user's answer to an approval request; leaves `out` in other states.
failure read_approval(const ui_part& part, std::string_view state, size_t index,
                      tool_approval& out) {
  if (state != "approval-responded")
    return {};
  std::string_view id, approved, reason;
  read_members(part.approval, {{"id", &id}, {"approved", &approved}, {"reason", &reason}});
  out = {json_string(id), approved == "true", json_string(reason)};
  if (out.approval_id.empty() || out.approval_id.size() > max_id_bytes)
    return invalid_part(index, "approval.id must be a string of 1 to 256 bytes");
  if (kind_of(approved) != json_kind::boolean)
    return invalid_part(index, "approval.approved must be true or false");
  if (!is_nothing(reason) && kind_of(reason) != json_kind::string)
    return invalid_part(index, "approval.reason must be a string");
  return {};
}

} // namespace

std::string tool_output_text(std::string_view output) {
  if (kind_of(output) == json_kind::string)
    return json_string(output);
  if (output.empty())
    return "null"; // a tool without a result: JSON has no "undefined"
  mcp::call_result result;
  if (is_mcp_result(output) && !mcp::parse(output, result))
    return result.text;
  return std::string{output};
}

failure read_tool_part(const ui_part& part, std::string name, size_t index, ui_tool_call& out) {
  const auto of_client = !name.empty();
  auto id = json_string(part.tool_call_id);
  if (!is_call_id(id))
    return invalid_part(index, fmt::format("toolCallId {}", call_id_rule));
  if (name.empty())
    name = json_string(part.tool_name);
  if (name.empty() || name.size() > max_id_bytes)
    return invalid_part(index, "toolName must be a string of 1 to 256 bytes");
  auto state = json_string(part.state);
  if (!knows_state(state))
    return invalid_part(index, "state must be the state of a tool part");
  if (state == "output-error" && kind_of(part.error_text) != json_kind::string)
    return invalid_part(index, "errorText must be a string");
  if (!is_nothing(part.call_metadata) && kind_of(part.call_metadata) != json_kind::object)
    return invalid_part(index, "callProviderMetadata must be an object");
  ui_tool_call read;
  if (auto bad = read_approval(part, state, index, read.approval))
    return bad;
  read.made = !is_broken_off(part, state);
  read.call = {std::move(id), std::move(name), arguments_of(part)};
  if (!is_nothing(part.call_metadata))
    read.call.provider_metadata = part.call_metadata;
  read.call.client_side = of_client;
  read.title = json_string(part.title);
  read.result = result_text(part, state, of_client);
  read.shown = shown_result(part, state, read.result);
  if (model_tool_name(read.call.name) != read.call.name) // a provider gets another one
    read.shown.push_back(make_shown("name", read.call.name));
  out = std::move(read);
  return {};
}

} // namespace troupe
