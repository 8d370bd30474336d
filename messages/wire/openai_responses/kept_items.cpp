#include "messages/wire/openai_responses/kept_items.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

constexpr std::string_view kept_namespace = "openai_responses";

/// With more, nothing is kept. As the metadata of chat completions.
constexpr size_t max_kept_bytes = size_t{1024} * 1024;

/// Appends `"key":[...]` with the texts of a list, without what else and the space it has.
/// @return whether there was any
bool append_texts(std::string& out, std::string_view key, std::string_view type,
                  std::string_view list) {
  out += fmt::format(R"("{}":[)", key);
  for_each_element(list, [&](std::string_view part) {
    std::string_view text;
    read_members(part, {{"text", &text}});
    if (kind_of(text) == json_kind::string)
      out +=
          fmt::format(R"({}{{"type":"{}","text":{}}})", out.ends_with('[') ? "" : ",", type, text);
    return true;
  });
  const auto any = !out.ends_with('[');
  out += ']';
  return any;
}

std::string kept_reasoning(std::string_view item) {
  std::string_view summary, content, sealed;
  read_members(item,
               {{"summary", &summary}, {"content", &content}, {"encrypted_content", &sealed}});
  std::string out = R"({"type":"reasoning",)";
  append_texts(out, "summary", "summary_text", summary); // the member is required
  std::string thoughts;
  if (append_texts(thoughts, "content", "reasoning_text", content))
    out.append(",").append(thoughts);
  if (kind_of(sealed) == json_kind::string)
    out.append(R"(,"encrypted_content":)").append(sealed);
  return out + "}";
}

void append_kept_part(std::string& out, std::string_view part) {
  std::string_view text, refusal;
  read_members(part, {{"text", &text}, {"refusal", &refusal}});
  const auto refuses = kind_of(refusal) == json_kind::string;
  const auto said = refuses ? refusal : text;
  if (kind_of(said) != json_kind::string || said == R"("")")
    return;
  if (!out.ends_with('['))
    out += ',';
  out += refuses ? R"({"type":"refusal","refusal":)" : R"({"type":"output_text","text":)";
  out.append(said).append("}");
}

std::string kept_message(std::string_view item) {
  std::string_view content, phase;
  read_members(item, {{"content", &content}, {"phase", &phase}});
  std::string out = R"({"role":"assistant")";
  if (kind_of(phase) == json_kind::string)
    out.append(R"(,"phase":)").append(phase);
  out += R"(,"content":[)";
  for_each_element(content, [&out](std::string_view part) {
    append_kept_part(out, part);
    return true;
  });
  return out + "]}";
}

std::string kept_call(const responses_item& of) {
  return of.call_id.empty() ? std::string{R"({"type":"function_call"})"}
                            : R"({"type":"function_call","call_id":)" + to_json(of.call_id) + "}";
}

std::string kept_other(std::string_view item) {
  std::string_view type;
  read_members(item, {{"type", &type}});
  return R"({"type":)" + (type.empty() ? "\"other\"" : std::string{type}) + "}";
}

/// Returns whether a message cannot say it: reasoning, and what kind of text a message is.
bool needs_keeping(const responses_item& item) {
  return item.kind == responses_item_kind::reasoning ||
         (item.kind == responses_item_kind::message &&
          item.kept.starts_with(R"({"role":"assistant","phase":)"));
}

/// Appends the text of a kept message. Returns whether it says anything.
bool append_text(std::string& out, std::string_view message) {
  std::string_view content;
  const auto before = out.size();
  read_members(message, {{"content", &content}});
  for_each_element(content, [&](std::string_view part) {
    std::string_view text, refusal;
    read_members(part, {{"text", &text}, {"refusal", &refusal}});
    out += json_string(text.empty() ? refusal : text);
    return true;
  });
  return !lacks_text(std::string_view{out}.substr(before));
}

/// Returns whether something of the reasoning goes back: without, the item is refused.
bool holds_reasoning(std::string_view item) {
  std::string_view content, sealed;
  read_members(item, {{"content", &content}, {"encrypted_content", &sealed}});
  return !content.empty() || !sealed.empty();
}

/// Two calls of one chat may have one id from the server; the later one has got a number then.
bool is_id_of(const tool_call& call, const std::string& kept) {
  return kept.empty() || call.id == kept || call.id.starts_with(kept + "_");
}

} // namespace

std::string seal_owner(const model_config& model) {
  return fmt::format("{} at {}", model_name(model), host_in(model.base_url));
}

std::string kept_item(const responses_item& of, std::string_view item) {
  std::string kept;
  switch (of.kind) {
  case responses_item_kind::message:
    kept = kept_message(item);
    break;
  case responses_item_kind::reasoning:
    kept = kept_reasoning(item);
    break;
  case responses_item_kind::call:
    return kept_call(of);
  case responses_item_kind::other:
    kept = kept_other(item);
    break;
  }
  replace_lone_halves(kept);
  return kept;
}

std::string keep_items(const std::vector<responses_item>& items, const std::string& owner) {
  if (std::none_of(items.begin(), items.end(), needs_keeping))
    return {};
  std::string list = "[";
  for (const auto& each : items) {
    if (each.kept.empty() || list.size() + each.kept.size() > max_kept_bytes)
      return {};
    list.append(list.size() > 1 ? "," : "").append(each.kept);
  }
  list += ']';
  return json_fault(list).empty() ? seal_blocks(kept_namespace, owner, list) : std::string{};
}

kept_answer::kept_answer(const chat_message& message, const std::string& owner)
    : source_{sealed_blocks(message.provider_metadata, kept_namespace, owner)} {
  counts_ = message.files.empty() && matches(message);
}

/// Reads the items, and compares them with the message.
bool kept_answer::matches(const chat_message& message) {
  std::string text;
  size_t calls = 0;
  bool same = for_each_element(source_.root(), [&](std::string_view item) {
    std::string_view type, id;
    read_members(item, {{"type", &type}, {"call_id", &id}});
    const auto kind =
        type.empty() ? responses_item_kind::message : responses_item_kind_of(json_string(type));
    const tool_call* call = nullptr;
    if (kind == responses_item_kind::call) {
      if (calls == message.tool_calls.size() ||
          !is_id_of(message.tool_calls[calls], json_string(id)))
        return false;
      call = &message.tool_calls[calls++];
    }
    const auto says = kind != responses_item_kind::message || append_text(text, item);
    entries_.push_back({says ? kind : responses_item_kind::other, item, call});
    return true;
  });
  return same && !entries_.empty() && calls == message.tool_calls.size() && text == message.text;
}

std::vector<kept_answer::entry> kept_answer::to_send(bool with_reasoning) const {
  std::vector<entry> sent;
  size_t behind = 0; ///< up to the last item that is not reasoning
  for (const auto& each : entries_) {
    if (each.kind == responses_item_kind::reasoning) {
      if (with_reasoning && holds_reasoning(each.json))
        sent.push_back(each);
      continue;
    }
    if (each.kind == responses_item_kind::other)
      sent.resize(behind); // the reasoning in front of it belongs to it
    else
      sent.push_back(each);
    behind = sent.size();
  }
  sent.resize(behind);
  return sent;
}

} // namespace troupe
