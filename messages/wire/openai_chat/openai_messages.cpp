#include "messages/wire/openai_chat/openai_messages.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/history/request_history.hpp"
#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_files.hpp"
#include "messages/wire/provider/earlier_reasoning.hpp"
#include "messages/wire/provider/json_members.hpp"
#include "messages/wire/provider/part_list.hpp"

namespace troupe {

// -- openai user content --------------------------------------------------------------------------

namespace {

void append_file(json_buffer& out, part_list& parts, const model_file& seen,
                 const message_file& from) {
  if (!seen.is_image && seen.data().empty()) // the protocol has no document behind a URL
    return parts.text(file_note(from));
  parts.begin_file();
  if (seen.is_image)
    append_image_part(out, seen.url, from.detail);
  else if (seen.is_audio)
    append_audio_part(out, seen.type(), seen.data());
  else
    append_file_part(out, seen.url, from.filename);
}

/// Appends the content of a message: one string, or, if images are sent, an array of parts in the
/// message's order. Its resources come first, each with a line about its origin and its content;
/// files that are not sent as such become text.
/// @param taken what the model takes
void append_user_content(json_buffer& out, const chat_message& message, const file_kinds& taken) {
  part_list parts{out, append_text_part};
  for_each_content_piece(
      message, taken, [&](std::string_view text) { parts.text(text); },
      [&](const model_file& file, const message_file& from) {
        append_file(out, parts, file, from);
      });
  parts.end();
}

// -- openai messages ------------------------------------------------------------------------------

/// Appends the members of `metadata` that may go out as `extra_content`, if there are any: all that
/// came so. What other providers have sealed goes to them alone.
/// @param own a namespace that does not go out in this way; "" = none
void append_extra_content(json_buffer& out, std::string_view metadata, std::string_view own) {
  json_source source{metadata};
  std::string extra;
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    if (key != own && !is_sealed_namespace(key))
      add_member(extra, key, value);
    return true;
  });
  if (extra.empty())
    return;
  append_raw(out, R"(,"extra_content":{)");
  append_raw(out, extra);
  out.push_back('}');
}

void append_calls(json_buffer& out, const std::vector<tool_call>& calls,
                  const openai_dialect& dialect, bool sealed_reasoning) {
  append_raw(out, R"(,"tool_calls":[)");
  for (size_t i = 0; i < calls.size(); ++i) {
    append_raw(out, i == 0 ? R"({"id":)" : R"(,{"id":)");
    append_json(out, call_id_for(calls[i].id, dialect.call_ids));
    append_raw(out, R"(,"type":"function","function":{"name":)");
    append_json(out, calls[i].name);
    append_raw(out, R"(,"arguments":)");
    append_json(out, calls[i].arguments.empty() ? std::string_view{"{}"} : calls[i].arguments);
    out.push_back('}');
    if (sealed_reasoning && dialect.takes_extras && !calls[i].provider_metadata.empty() &&
        is_json_object(calls[i].provider_metadata))
      append_extra_content(out, calls[i].provider_metadata, "");
    out.push_back('}');
  }
  out.push_back(']');
}

void append_content(json_buffer& out, const chat_message& message, const file_kinds& taken) {
  if (!message.tool_calls.empty() && message.files.empty() && lacks_text(message.text))
    append_raw(out, "null");
  else if (message.files.empty() && message.extras.empty())
    append_json(out, message.text);
  else if (message.who == role::user)
    append_user_content(out, message, taken);
  else
    append_json(out, text_with_notes(message, taken));
}

/// How a message is written.
struct message_rules {
  const model_config& model;
  const openai_dialect& dialect;
  bool sealed_reasoning = true; ///< what servers sealed goes back
  bool is_recent = false;       ///< no user message comes later
  reasoning_policy reasoning = reasoning_policy::keep;
};

/// Returns what an answer says of its reasoning; nothing, if it does not say it.
std::optional<std::string_view> reasoning_of(const chat_message& message,
                                             const message_rules& rules) {
  const auto policy = rules.reasoning;
  if (policy == reasoning_policy::empty)
    return std::string_view{};
  const auto keeps =
      policy == reasoning_policy::all || (policy == reasoning_policy::keep && rules.is_recent);
  if (keeps && !message.reasoning.empty())
    return message.reasoning;
  if (policy == reasoning_policy::all && !message.tool_calls.empty() &&
      rules.model.lessons.wants_earlier_reasoning())
    return no_reasoning;
  return std::nullopt;
}

/// Appends the metadata of openai_metadata, in the members where it came from.
void append_metadata(json_buffer& out, std::string_view metadata, reasoning_policy policy) {
  json_source source{metadata};
  std::string_view own, details;
  read_members(source.root(), {{"openai", &own}});
  read_members(own, {{"reasoning_details", &details}});
  if (kind_of(details) == json_kind::array && policy != reasoning_policy::strip) {
    append_raw(out, R"(,"reasoning_details":)");
    append_raw(out, details);
  }
  append_extra_content(out, metadata, "openai");
}

/// Appends what an answer has beside its text.
void append_answer(json_buffer& out, const chat_message& message, const message_rules& rules) {
  if (const auto reasoning = reasoning_of(message, rules);
      reasoning && rules.dialect.takes_extras) {
    append_raw(out, R"(,"reasoning_content":)");
    append_json(out, *reasoning);
  }
  if (rules.sealed_reasoning && rules.dialect.takes_extras && !message.provider_metadata.empty())
    append_metadata(out, message.provider_metadata, rules.model.reasoning);
  if (!message.tool_calls.empty())
    append_calls(out, message.tool_calls, rules.dialect, rules.sealed_reasoning);
}

void append_message(json_buffer& out, const chat_message& message, const message_rules& rules) {
  append_raw(out, R"({"role":)");
  append_json(out, message.who);
  append_raw(out, R"(,"content":)");
  append_content(out, message, files_of(rules.model));
  if (message.who == role::assistant)
    append_answer(out, message, rules);
  if (message.who == role::tool) {
    append_raw(out, R"(,"tool_call_id":)");
    append_json(out, call_id_for(message.tool_call_id, rules.dialect.call_ids));
  }
  out.push_back('}');
}

} // namespace

void append_openai_messages(json_buffer& out, const model_request& asked,
                            const openai_dialect& dialect) {
  // As strict as the chat templates of Mistral and Gemma, which other servers do not mind.
  const auto& model = asked.model;
  const request_history messages{asked.history,
                                 asked.system,
                                 {.begins_with_user = true,
                                  .alternates = true,
                                  .answers_results = true,
                                  .ends_with_user = true,
                                  .shown_by_user = files_of(model)}};
  const auto reasoning = reasoning_policy_of(model);
  out.push_back('[');
  if (!messages.system().empty()) {
    append_raw(out, R"({"role":"system","content":)");
    append_json(out, messages.system());
    out.push_back('}');
  }
  for (size_t i = 0; i < messages.size(); ++i) {
    if (i > 0 || !messages.system().empty())
      out.push_back(',');
    append_message(
        out, messages[i],
        {model, dialect, !asked.without_sealed_reasoning, i >= messages.up_to_user(), reasoning});
  }
  out.push_back(']');
}

} // namespace troupe
