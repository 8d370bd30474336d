#include "messages/wire/clients/ui/ui_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/chat/shown_layout.hpp"
#include "messages/json.hpp"
#include "messages/store/stored_file.hpp"
#include "messages/wire/clients/ui/ui_steps.hpp"
#include "messages/wire/clients/ui/ui_tool_part.hpp"

namespace troupe {

// -- ui step reader -------------------------------------------------------------------------------

/// Reads the parts of one message, in their order. Not thread safe.
class ui_step_reader {
public:
  /// @param out outlives this
  explicit ui_step_reader(std::vector<chat_message>& out) : out_{out}, first_{out.size()} {
    begin(false);
  }

  /// Adds a part. @param index of the part, for the failure's text
  failure add(const ui_part& part, std::string_view type, size_t index, ui_rest& rest);

  /// Ends the step: appends its message and its results. A step with nothing for a model joins a
  /// neighbour, or `rest.silent`.
  /// @param rest its answered calls become those of the step, unless that says nothing
  void end(ui_rest& rest);

private:
  void begin(bool has_start);
  void text(const ui_part& part);
  void reasoning(const ui_part& part);
  void file(const ui_part& part);
  void other(const ui_part& part);
  failure tool(const ui_part& part, std::string_view name, size_t index);
  void call(ui_tool_call read);
  void end_silent(ui_rest& rest);

  std::vector<chat_message>& out_;
  size_t first_;    ///< number of the first message that this one brings
  size_t runs_ = 0; ///< texts and thoughts of earlier steps
  chat_message assistant_;
  std::vector<chat_message> results_;
  std::vector<tool_approval> approvals_; ///< of the calls; an empty id: no answer
  shown_layout layout_;
};

namespace {

/// Returns the members of a part that are written otherwise than of one without any; "{}" for none.
std::string members_or_none(const ui_part& part) {
  auto members = part.others({"type", "text"});
  return members.empty() ? "{}" : members;
}

} // namespace

void ui_step_reader::begin(bool has_start) {
  assistant_ = {};
  assistant_.who = role::assistant;
  results_.clear();
  approvals_.clear();
  runs_ += layout_.runs();
  layout_.open(has_start);
}

void ui_step_reader::text(const ui_part& part) {
  const auto usual = part.state == R"("done")" && part.has_only({"type", "text", "state"});
  auto more = json_string(part.text);
  layout_.add_part(shown_run::text, more.size(), usual ? std::string{} : members_or_none(part));
  assistant_.text += more;
}

/// In a stream each part of this kind has its number as its id.
void ui_step_reader::reasoning(const ui_part& part) {
  const auto number = fmt::format("\"{}\"", runs_ + layout_.runs() + 1);
  const auto usual = part.state == R"("done")" && part.id == number &&
                     part.has_only({"type", "text", "state", "id"});
  auto more = json_string(part.text);
  layout_.add_part(shown_run::reasoning, more.size(),
                   usual ? std::string{} : members_or_none(part));
  assistant_.reasoning += more;
}

void ui_step_reader::file(const ui_part& part) {
  auto what = file_of(part);
  layout_.put(make_shown("file", other_file_members(part, what)));
  assistant_.files.push_back(std::move(what));
}

void ui_step_reader::call(ui_tool_call read) {
  auto& calls = assistant_.tool_calls;
  const auto same = std::ranges::find(calls, read.call.id, &tool_call::id);
  chat_message answer;
  answer.who = role::tool;
  answer.text = std::move(read.result);
  answer.tool_call_id = read.call.id;
  answer.shown = std::move(read.shown);
  answer.failed = shows_failure(answer.shown);
  if (same == calls.end()) {
    layout_.put_call(read.call.id, read.title);
    calls.push_back(std::move(read.call));
    results_.push_back(std::move(answer));
    approvals_.push_back(std::move(read.approval));
    return;
  }
  auto at = static_cast<size_t>(same - calls.begin());
  results_[at] = std::move(answer);
  approvals_[at] = std::move(read.approval);
  *same = std::move(read.call);
}

void ui_step_reader::end(ui_rest& rest) {
  if (says_nothing(assistant_))
    return end_silent(rest);
  assistant_.shown = layout_.take(assistant_.tool_calls);
  if (auto before = std::exchange(rest.silent, {}); !before.empty())
    show_before(assistant_, std::move(before));
  out_.push_back(std::move(assistant_));
  rest.answered.clear();
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!approvals_[i].approval_id.empty())
      rest.answered.push_back({std::move(approvals_[i]), out_.size()});
    out_.push_back(std::move(results_[i]));
  }
}

void ui_step_reader::end_silent(ui_rest& rest) {
  if (layout_.empty())
    return;
  assistant_.shown = layout_.take({});
  auto steps = spelled_steps(assistant_, runs_ + 1);
  if (out_.size() > first_)
    return show_behind(out_.back(), std::move(steps));
  std::move(steps.begin(), steps.end(), std::back_inserter(rest.silent));
}

void ui_step_reader::other(const ui_part& part) {
  layout_.put(make_shown("part", part.whole()));
}

/// @param name in the type of a static part; "" for a dynamic one
failure ui_step_reader::tool(const ui_part& part, std::string_view name, size_t index) {
  ui_tool_call read;
  if (auto bad = read_tool_part(part, std::string{name}, index, read))
    return bad;
  if (read.made)
    call(std::move(read));
  else
    other(part);
  return {};
}

failure ui_step_reader::add(const ui_part& part, std::string_view type, size_t index,
                            ui_rest& rest) {
  constexpr std::string_view static_tool = "tool-";
  if (type == "dynamic-tool")
    return tool(part, {}, index);
  if (type.starts_with(static_tool))
    return tool(part, type.substr(static_tool.size()), index);
  if (type == "text") {
    text(part);
  } else if (type == "reasoning") {
    reasoning(part);
  } else if (type == "file") {
    file(part);
  } else if (type == "step-start") {
    end(rest);
    begin(true);
  } else {
    other(part);
  }
  return {};
}

// -- ui part --------------------------------------------------------------------------------------

namespace {

using part_member = std::pair<std::string_view, std::string_view ui_part::*>;

constexpr std::array<part_member, 17> part_members{{
    {"type", &ui_part::type},
    {"id", &ui_part::id},
    {"text", &ui_part::text},
    {"state", &ui_part::state},
    {"toolCallId", &ui_part::tool_call_id},
    {"toolName", &ui_part::tool_name},
    {"input", &ui_part::input},
    {"rawInput", &ui_part::raw_input},
    {"output", &ui_part::output},
    {"errorText", &ui_part::error_text},
    {"title", &ui_part::title},
    {"mediaType", &ui_part::media_type},
    {"filename", &ui_part::filename},
    {"url", &ui_part::url},
    {"approval", &ui_part::approval},
    {"callProviderMetadata", &ui_part::call_metadata},
    {"providerMetadata", &ui_part::metadata},
}};

bool lists(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void ui_part::take(std::string_view key, json_value value) {
  for (const auto& [name, member] : part_members)
    if (name == key) {
      this->*member = value;
      return;
    }
  more.append(",").append(to_json(key)).append(":").append(std::string_view{value});
}

bool ui_part::has_only(std::initializer_list<std::string_view> names) const {
  return more.empty() &&
         std::all_of(part_members.begin(), part_members.end(), [&](const auto& each) {
           return (this->*each.second).empty() || lists(names, each.first);
         });
}

std::string ui_part::others(std::initializer_list<std::string_view> names) const {
  std::string out;
  for (const auto& [name, member] : part_members)
    if (!(this->*member).empty() && !lists(names, name))
      out.append(",\"").append(name).append("\":").append(this->*member);
  out += more;
  if (out.empty())
    return out;
  out.front() = '{';
  return out += '}';
}

// -- ui parts -------------------------------------------------------------------------------------

namespace {

/// The resource that an MCP server gave to a message; the chat has it itself, and a client only
/// shows it.
constexpr std::string_view resource_part = "data-mcp-resource";

std::string file_note(const ui_part& part) {
  std::string note = "[file";
  for (auto member : {part.filename, part.media_type})
    if (auto text = json_string(member); !text.empty())
      note += ' ' + text;
  return note + ']';
}

/// Returns the detail of an image, at the place where the AI SDK's OpenAI provider reads it.
std::string image_detail(std::string_view metadata) {
  std::string_view openai, detail;
  read_members(metadata, {{"openai", &openai}});
  read_members(openai, {{"imageDetail", &detail}});
  return json_string(detail);
}

/// Reads the parts of a user's or system message.
class plain_reader {
public:
  plain_reader(role who, const std::vector<ui_part>& parts)
      : lists_{parts.size() != 1 || !parts[0].has_only({"type", "text"})} {
    message_.who = who;
  }

  void add(const ui_part& part, std::string_view type);

  /// Appends the message, if there is something for a model.
  void end(std::vector<chat_message>& out, ui_rest& rest);

private:
  void text(std::string text, std::string members);

  bool lists_; ///< it may be shown otherwise than in the plain way
  bool has_text_ = false;
  chat_message message_;
  piece_collector texts_{message_.text, message_.files};
};

void plain_reader::add(const ui_part& part, std::string_view type) {
  if (type == "text")
    return text(json_string(part.text), part.others({"type", "text"}));
  if (type == resource_part)
    return;
  if (type == "file" && message_.who == role::user) {
    auto& made = message_.files.emplace_back(file_of(part));
    message_.shown.push_back(make_shown("file", other_file_members(part, made)));
    return;
  }
  if (type == "file") {
    texts_.line(file_note(part));
    has_text_ = true;
  }
  message_.shown.push_back(make_shown("part", part.whole()));
}

void plain_reader::text(std::string text, std::string members) {
  texts_.line(text);
  has_text_ = true;
  if (!lists_)
    return;
  const auto at = message_.text.size() - std::min(text.size(), message_.text.size());
  message_.shown.push_back({"text", at, text.size(), std::move(members)});
}

void plain_reader::end(std::vector<chat_message>& out, ui_rest& rest) {
  texts_.end();
  if (!has_text_ && message_.files.empty()) {
    rest.silent = std::move(message_.shown);
    return;
  }
  if (lists_ && message_.shown == plain_layout(message_))
    message_.shown.clear();
  out.push_back(std::move(message_));
}

constexpr size_t max_file_name = 128; // of what names an uploaded file

/// A file's URL goes to the model, where only these schemes have the same meaning.
bool is_file_url(std::string_view slice) {
  for (std::string_view scheme : {"\"data:", "\"http:", "\"https:"})
    if (slice.starts_with(scheme)) // may be megabytes long, so it is not unescaped for this
      return true;
  return slice.size() < 2 * max_file_name && !file_id_in(json_string(slice)).empty();
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
    return invalid_part(index,
                        "url must be a data:, http: or https: URL, or that of an uploaded file");
  if (!is_nothing(part.filename) && kind_of(part.filename) != json_kind::string)
    return invalid_part(index, "filename must be a string");
  return {};
}

} // namespace

failure invalid_part(size_t index, std::string_view what) {
  return {errc::request_invalid, fmt::format(".parts[{}].{}", index, what)};
}

message_file file_of(const ui_part& part) {
  return {json_string(part.media_type), file_url(json_string(part.url)), json_string(part.filename),
          image_detail(part.metadata)};
}

std::string other_file_members(const ui_part& part, const message_file& file) {
  auto others = part.others({"type", "mediaType", "url", "filename"});
  const auto usual = fmt::format(R"({{"providerMetadata":{{"openai":{{"imageDetail":{}}}}}}})",
                                 to_json(file.detail));
  return others == usual ? std::string{} : others;
}

failure append_ui_parts(role who, const std::vector<ui_part>& parts, std::vector<chat_message>& out,
                        ui_rest& rest) {
  rest = {};
  ui_step_reader steps{out};
  plain_reader plain{who, parts};
  for (size_t i = 0; i < parts.size(); ++i) {
    auto type = json_string(parts[i].type);
    if (auto bad = check_part(parts[i], type, i))
      return bad;
    if (who != role::assistant)
      plain.add(parts[i], type);
    else if (auto bad = steps.add(parts[i], type, i, rest))
      return bad;
  }
  if (who == role::assistant)
    steps.end(rest);
  else
    plain.end(out, rest);
  return {};
}

} // namespace troupe
