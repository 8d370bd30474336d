#include "messages/wire/clients/ui/ui_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/wire/clients/ui/ui_tool_part.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

std::string file_note(const ui_part& part) {
  std::string note = "[file";
  for (auto member : {part.filename, part.media_type})
    if (auto text = json_string(member); !text.empty())
      note += ' ' + text;
  return note + ']';
}

/// One step of an assistant's message.
class block {
public:
  explicit block(std::vector<chat_message>& out) : out_{out} { assistant_.who = role::assistant; }

  void text(const std::string& more) { assistant_.text += more; }
  void reasoning(const std::string& more) { assistant_.reasoning += more; }

  /// Adds a call and its result; a later part with the same id replaces an earlier one.
  /// @param approval has an id if the user approved or refused the call
  void call(tool_call what, std::string result, tool_approval approval);

  /// Appends the step; a step with only reasoning is no answer and is left out.
  /// @param answered becomes the answered calls of the step, unless the step is left out
  void end(std::vector<answered_call>& answered);

private:
  std::vector<chat_message>& out_;
  chat_message assistant_;
  std::vector<chat_message> results_;
  std::vector<tool_approval> approvals_; ///< of the calls; an empty id: no answer
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

failure append_tool(const ui_part& part, std::string_view name, size_t index, block& out) {
  ui_tool_call read;
  if (auto bad = read_tool_part(part, std::string{name}, index, read))
    return bad;
  if (read.made)
    out.call(std::move(read.call), std::move(read.result), std::move(read.approval));
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
    return append_tool(part, type.substr(static_tool.size()), index, out);
  return {};
}

/// Returns the detail of an image, at the place where the AI SDK's OpenAI provider reads it.
std::string image_detail(std::string_view metadata) {
  std::string_view openai, detail;
  read_members(metadata, {{"openai", &openai}});
  read_members(openai, {{"imageDetail", &detail}});
  return json_string(detail);
}

/// Adds a part of a user's or system message; other kinds of parts are left out.
/// @param texts collects the texts of `out` @return whether the part is a text
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

/// A file's URL goes to the model, where only these schemes have the same meaning.
bool is_file_url(std::string_view slice) {
  for (std::string_view scheme : {"\"data:", "\"http:", "\"https:"})
    if (slice.starts_with(scheme)) // may be megabytes long, so it is not unescaped for this
      return true;
  return false;
}

/// Checks what every part with this type must have.
failure check_part(const ui_part& part, std::string_view type, size_t index) {
  if (type.empty())
    return invalid_part(index, "type must be a string");
  if ((type == "text" || type == "reasoning") && kind_of(part.text) != json_kind::string)
    return invalid_part(index, "text must be a string");
  if (type != "file")
    return {};
  if (json_string(part.media_type).empty())
    return invalid_part(index, "mediaType must be a string that is not empty");
  if (!is_file_url(part.url))
    return invalid_part(index, "url must be a data:, http: or https: URL");
  if (!is_nothing(part.filename) && kind_of(part.filename) != json_kind::string)
    return invalid_part(index, "filename must be a string");
  return {};
}

} // namespace

failure invalid_part(size_t index, std::string_view what) {
  return {errc::request_invalid, fmt::format(".parts[{}].{}", index, what)};
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
