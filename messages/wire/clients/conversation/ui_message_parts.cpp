#include "messages/wire/clients/conversation/ui_message_parts.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/shown_layout.hpp"
#include "messages/wire/clients/ui/ui_tool_output.hpp"

namespace troupe {

namespace {

/// Returns whether the entry is about the parts of its message.
bool is_layout(const shown_part& part) {
  return part.type != "metadata";
}

std::string_view slice(std::string_view text, const shown_part& of) {
  return of.at < text.size() ? text.substr(of.at, of.size) : std::string_view{};
}

/// Returns whether a part of any kind is one that the stream numbers.
bool is_run(std::string_view json) {
  return json.starts_with(R"({"type":"text")") || json.starts_with(R"({"type":"reasoning")");
}

} // namespace

std::span<const shown_part> steps_behind(const chat_message& result) {
  const auto own = std::span{result.shown}.first(end_of_own(result.shown));
  const auto step = std::ranges::find_if(own, [](const auto& each) { return each.type == "step"; });
  return own.subspan(static_cast<size_t>(step - own.begin()));
}

void ui_part_writer::begin() {
  first_ = true;
  runs_ = 0;
}

void ui_part_writer::message(const chat_message& message, const result_finder& find) {
  files_ = 0;
  for (const auto& each : message.extras)
    extra(each);
  const auto own = std::span{message.shown}.first(end_of_own(message.shown));
  if (std::ranges::any_of(own, is_layout)) {
    for (size_t i = 0; i < own.size(); ++i) {
      const auto titled = i + 1 < own.size() && own[i + 1].type == "title";
      title_ = titled ? std::string_view{own[i + 1].value} : std::string_view{};
      entry(own[i], message, find);
    }
    title_ = {};
    return;
  }
  const auto plain = plain_layout(message);
  for (const auto& each : plain)
    entry(each, message, find);
  if (plain.empty() && message.extras.empty())
    run({"text", 0, 0}, message);
}

void ui_part_writer::steps(std::span<const shown_part> parts) {
  static const chat_message none;
  for (const auto& each : parts)
    entry(each, none, {});
}

void ui_part_writer::entry(const shown_part& what, const chat_message& message,
                           const result_finder& find) {
  if (what.type == "step") {
    open(R"("type":"step-start")");
    close();
  } else if (what.type == "text" || what.type == "reasoning") {
    run(what, message);
  } else if (what.type == "file" && files_ < message.files.size()) {
    file(message.files[files_++], what.value);
  } else if (what.type == "part") {
    part(what.value);
  } else if (what.type == "call") {
    const auto found = std::ranges::find(message.tool_calls, what.value, &tool_call::id);
    if (found != message.tool_calls.end())
      call(*found, find(*found));
  }
}

void ui_part_writer::run(const shown_part& part, const chat_message& message) {
  const auto thinks = part.type == "reasoning";
  runs_ += part.size > 0 ? 1 : 0;
  open(thinks ? R"("type":"reasoning")" : R"("type":"text")");
  if (thinks && part.value.empty())
    member("id", fmt::format_int{runs_}.str());
  member("text", slice(thinks ? message.reasoning : message.text, part));
  if (!part.value.empty())
    members(part.value);
  else if (message.who == role::assistant)
    member("state", "done");
  close();
}

void ui_part_writer::file(const message_file& file, std::string_view others) {
  open(R"("type":"file")");
  member("mediaType", file.media_type);
  member("url", file.url);
  if (!file.filename.empty())
    member("filename", file.filename);
  if (!others.empty()) {
    members(others);
  } else if (!file.detail.empty()) {
    raw(R"(,"providerMetadata":{"openai":{"imageDetail":)");
    append_json(out_, file.detail);
    raw("}}");
  }
  close();
}

/// A resource of an MCP server that goes with a user's message; the model sees its content, too.
void ui_part_writer::extra(const message_extra& extra) {
  open(R"("type":"data-mcp-resource","data":)");
  append_json(out_, extra);
  close();
}

void ui_part_writer::part(std::string_view json) {
  raw(std::exchange(first_, false) ? "" : ",");
  raw(json);
  runs_ += is_run(json) ? 1 : 0;
}

/// @param result nullptr: it has none yet
void ui_part_writer::call(const tool_call& call, const chat_message* result) {
  raw(std::exchange(first_, false) ? "{" : ",{");
  const auto* name = result == nullptr ? nullptr : find_shown(result->shown, "name");
  append_tool_head(out_, call, name == nullptr ? call.name : name->value);
  if (!title_.empty())
    member("title", title_);
  if (result != nullptr) {
    this->result(call, *result);
    return close();
  }
  const auto asks = !call.approval.id.empty();
  member("state", asks ? "approval-requested" : "input-available");
  json_member("input", call.arguments.empty() ? "{}" : call.arguments);
  json_member("callProviderMetadata", call.provider_metadata);
  if (asks) {
    raw(R"(,"approval":{"id":)");
    append_json(out_, call.approval.id);
    close();
  }
  close();
}

/// The members of a tool part that has ended.
void ui_part_writer::result(const tool_call& call, const chat_message& result) {
  const auto& shown = result.shown;
  const auto* input = find_shown(shown, "input");
  // The SDK wants to know which approval it was; without one it is a call that failed.
  const auto refused =
      find_shown(shown, "denied") != nullptr && find_shown(shown, "approval") != nullptr;
  const auto bad_input = find_shown(shown, "input-error") != nullptr;
  const auto failed = shows_failure(shown);
  member("state", refused ? "output-denied" : failed ? "output-error" : "output-available");
  if (input == nullptr)
    json_member("input", call.arguments.empty() ? "{}" : call.arguments);
  else
    json_member("input", input->value);
  if (failed && !refused) {
    member("errorText", result.text);
  } else if (!refused) {
    raw(R"(,"output":)");
    append_output(out_, result);
  }
  if (!bad_input)
    json_member("callProviderMetadata", call.provider_metadata);
  for (const auto& each : shown)
    if (each.type == "rawInput" || each.type == "approval")
      json_member(each.type, each.value);
  if (const auto* more = find_shown(shown, "more"))
    members(more->value);
}

void ui_part_writer::open(std::string_view head) {
  raw(std::exchange(first_, false) ? "{" : ",{");
  raw(head);
}

void ui_part_writer::member(std::string_view name, std::string_view value) {
  raw(",\"");
  raw(name);
  raw("\":");
  append_json(out_, value);
}

/// An empty value is no member.
void ui_part_writer::json_member(std::string_view name, std::string_view json) {
  if (json.empty())
    return;
  raw(",\"");
  raw(name);
  raw("\":");
  raw(json);
}

/// Appends the members of an object to the part that is open.
void ui_part_writer::members(std::string_view object) {
  const auto first = object.find_first_not_of(" \t\r\n", 1);
  if (first == object.npos || object[first] == '}')
    return;
  raw(",");
  raw(object.substr(1, object.rfind('}') - 1));
}

} // namespace troupe
