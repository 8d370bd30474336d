#include "messages/wire/ui_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/message_pieces.hpp"
#include "messages/wire/json_source.hpp"
#include "messages/wire/mcp/tools_call.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

constexpr size_t max_id_bytes = 256;

failure invalid(size_t index, std::string_view what) {
  return {errc::request_invalid, fmt::format(".parts[{}].{}", index, what)};
}

std::string file_note(const ui_part& part) {
  std::string note = "[file";
  for (auto member : {part.filename, part.media_type})
    if (auto text = json_string(member); !text.empty())
      note += ' ' + text;
  return note + ']';
}

std::string denied_text(std::string_view approval) {
  std::string_view reason;
  read_members(approval, {{"reason", &reason}});
  auto text = json_string(reason);
  return text.empty() ? "Tool call execution denied." : text;
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

/// Returns the text of an MCP result with a `content`, of other JSON that as it stands.
std::string server_output_text(std::string_view output) {
  std::string_view content;
  read_members(output, {{"content", &content}});
  mcp::call_result result;
  return kind_of(content) == json_kind::array && !mcp::parse(output, result)
             ? result.text
             : tool_output_text(output);
}

/// Returns the one result that a call has in the history, whatever became of it.
/// @param of_client the tool is the client's: what a dynamic part has comes from a server
std::string result_text(const ui_part& part, std::string_view state, bool of_client) {
  if (state == "output-available")
    return of_client ? tool_output_text(part.output) : server_output_text(part.output);
  if (state == "output-error")
    return json_string(part.error_text);
  std::string_view approved;
  read_members(part.approval, {{"approved", &approved}});
  if (state == "output-denied" || (state == "approval-responded" && approved == "false"))
    return denied_text(part.approval);
  return "The tool was not run.";
}

std::string arguments_of(const ui_part& part) {
  for (auto input : {part.input, part.raw_input})
    if (kind_of(input) == json_kind::object)
      return std::string{input};
  return "{}";
}

/// One step of an assistant's message.
class block {
public:
  explicit block(std::vector<chat_message>& out) : out_{out} { assistant_.who = role::assistant; }

  void text(const std::string& more) { assistant_.text += more; }
  void reasoning(const std::string& more) { assistant_.reasoning += more; }

  /// Adds a call and its result; a later part with the same id replaces an earlier one.
  /// @param approval of an id, if the user gave or refused it
  void call(tool_call what, std::string result, tool_approval approval);

  /// Appends the step; thoughts alone are no answer and are left out.
  /// @param answered is replaced by the answered calls of the step, unless that is left out
  void end(std::vector<answered_call>& answered);

private:
  std::vector<chat_message>& out_;
  chat_message assistant_;
  std::vector<chat_message> results_;
  std::vector<tool_approval> approvals_; ///< of the calls; without an id: not answered
};

void block::call(tool_call what, std::string result, tool_approval approval) {
  auto& calls = assistant_.tool_calls;
  auto same = std::find_if(calls.begin(), calls.end(),
                           [&](const tool_call& known) { return known.id == what.id; });
  chat_message answer;
  answer.who = role::tool;
  answer.text = std::move(result);
  answer.tool_call_id = what.id;
  if (same == calls.end()) {
    calls.push_back(std::move(what));
    results_.push_back(std::move(answer));
    approvals_.push_back(std::move(approval));
    return;
  }
  auto at = static_cast<size_t>(same - calls.begin());
  results_[at] = std::move(answer);
  approvals_[at] = std::move(approval);
  *same = std::move(what);
}

void block::end(std::vector<answered_call>& answered) {
  if (!assistant_.text.empty() || !assistant_.tool_calls.empty()) {
    out_.push_back(std::move(assistant_));
    answered.clear();
    for (size_t i = 0; i < results_.size(); ++i) {
      if (!approvals_[i].approval_id.empty())
        answered.push_back({std::move(approvals_[i]), out_.size()});
      out_.push_back(std::move(results_[i]));
    }
  }
  assistant_ = {};
  assistant_.who = role::assistant;
  results_.clear();
  approvals_.clear();
}

bool knows_state(std::string_view state) {
  constexpr std::string_view states[] = {
      "input-streaming",  "input-available", "approval-requested", "approval-responded",
      "output-available", "output-error",    "output-denied"};
  return std::find(std::begin(states), std::end(states), state) != std::end(states);
}

/// Reads what the user said to a call; nothing in other states.
failure read_approval(const ui_part& part, std::string_view state, size_t index,
                      tool_approval& out) {
  if (state != "approval-responded")
    return {};
  std::string_view id, approved, reason;
  read_members(part.approval, {{"id", &id}, {"approved", &approved}, {"reason", &reason}});
  out = {json_string(id), approved == "true", json_string(reason)};
  if (out.approval_id.empty() || out.approval_id.size() > max_id_bytes)
    return invalid(index, "approval.id must be a string of 1 to 256 bytes");
  if (kind_of(approved) != json_kind::boolean)
    return invalid(index, "approval.approved must be true or false");
  if (!is_nothing(reason) && kind_of(reason) != json_kind::string)
    return invalid(index, "approval.reason must be a string");
  return {};
}

/// @param name of the tool; from the type of a static part, else "" and toolName counts
failure append_tool(const ui_part& part, std::string name, size_t index, block& out) {
  const auto of_client = !name.empty();
  auto id = json_string(part.tool_call_id);
  if (!is_call_id(id))
    return invalid(index, fmt::format("toolCallId {}", call_id_rule));
  if (name.empty())
    name = json_string(part.tool_name);
  if (name.empty() || name.size() > max_id_bytes)
    return invalid(index, "toolName must be a string of 1 to 256 bytes");
  auto state = json_string(part.state);
  if (!knows_state(state))
    return invalid(index, "state must be the state of a tool part");
  if (state == "output-error" && kind_of(part.error_text) != json_kind::string)
    return invalid(index, "errorText must be a string");
  if (!is_nothing(part.call_metadata) && kind_of(part.call_metadata) != json_kind::object)
    return invalid(index, "callProviderMetadata must be an object");
  tool_approval approval;
  if (auto bad = read_approval(part, state, index, approval))
    return bad;
  if (state == "input-streaming")
    return {};
  tool_call call{std::move(id), std::move(name), arguments_of(part)};
  if (!is_nothing(part.call_metadata))
    call.provider_metadata = part.call_metadata;
  out.call(std::move(call), result_text(part, state, of_client), std::move(approval));
  return {};
}

failure append_assistant_part(const ui_part& part, std::string_view type, size_t index, block& out,
                              std::vector<answered_call>& answered) {
  constexpr std::string_view static_tool = "tool-";
  if (type == "text")
    out.text(json_string(part.text));
  else if (type == "reasoning")
    out.reasoning(json_string(part.text));
  else if (type == "file")
    out.text(file_note(part));
  else if (type == "step-start")
    out.end(answered);
  else if (type == "dynamic-tool")
    return append_tool(part, {}, index, out);
  else if (type.substr(0, static_tool.size()) == static_tool)
    return append_tool(part, std::string{type.substr(static_tool.size())}, index, out);
  return {};
}

/// Returns what a page says of an image as the AI SDK's provider of OpenAI reads it.
std::string image_detail(std::string_view metadata) {
  std::string_view openai, detail;
  read_members(metadata, {{"openai", &openai}});
  read_members(openai, {{"imageDetail", &detail}});
  return json_string(detail);
}

/// Adds a part of a user's or the system's message; what they do not have is left out.
/// @param texts of `out` @return whether it is a text
bool append_plain_part(const ui_part& part, std::string_view type, chat_message& out,
                       piece_collector& texts) {
  if (type == "file" && out.who == role::user) {
    out.files.push_back({json_string(part.media_type), json_string(part.url),
                         json_string(part.filename), image_detail(part.metadata)});
    return false;
  }
  if (type != "text" && type != "file")
    return false;
  texts.line(type == "text" ? json_string(part.text) : file_note(part));
  return true;
}

/// A file's URL is passed on to the model, and only these kinds mean the same there.
bool is_file_url(std::string_view slice) {
  for (std::string_view scheme : {"\"data:", "\"http:", "\"https:"})
    if (slice.starts_with(scheme)) // may be megabytes long, so it is not unescaped for this
      return true;
  return false;
}

/// Checks what every part with this type must have.
failure check_part(const ui_part& part, std::string_view type, size_t index) {
  if (type.empty())
    return invalid(index, "type must be a string");
  if ((type == "text" || type == "reasoning") && kind_of(part.text) != json_kind::string)
    return invalid(index, "text must be a string");
  if (type != "file")
    return {};
  if (json_string(part.media_type).empty())
    return invalid(index, "mediaType must be a string that is not empty");
  if (!is_file_url(part.url))
    return invalid(index, "url must be a data:, http: or https: URL");
  if (!is_nothing(part.filename) && kind_of(part.filename) != json_kind::string)
    return invalid(index, "filename must be a string");
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

failure append_ui_parts(role who, const std::vector<ui_part>& parts, std::vector<chat_message>& out,
                        std::vector<answered_call>& answered) {
  answered.clear();
  block step{out};
  chat_message plain;
  plain.who = who;
  piece_collector texts{plain.text, plain.files};
  bool has_text = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto type = json_string(parts[i].type);
    if (auto bad = check_part(parts[i], type, i))
      return bad;
    if (who != role::assistant)
      has_text |= append_plain_part(parts[i], type, plain, texts);
    else if (auto bad = append_assistant_part(parts[i], type, i, step, answered))
      return bad;
  }
  step.end(answered);
  texts.end();
  if (has_text || !plain.files.empty())
    out.push_back(std::move(plain));
  return {};
}

} // namespace troupe
