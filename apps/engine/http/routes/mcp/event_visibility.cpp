#include "apps/engine/http/routes/mcp/event_visibility.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view chat_member = "sessionId";
constexpr std::string_view log_member = "log";
constexpr std::string_view error_member = "error";
constexpr std::string_view code_member = "code"; // of an error
constexpr std::string_view text_member = "message";

/// An object that is copied member by member.
class object_copy {
public:
  void add(std::string_view key, std::string_view json) {
    out_.push_back(out_.size() == 0 ? '{' : ',');
    append_json(out_, key);
    out_.push_back(':');
    append_raw(out_, json);
  }

  void add_text(std::string_view key, std::string_view text) {
    json_buffer json;
    append_json(json, text);
    add(key, view(json));
  }

  raw_json take() {
    append_raw(out_, out_.size() == 0 ? "{}" : "}");
    return {std::string{view(out_)}};
  }

private:
  json_buffer out_;
};

/// Returns whether events of this kind can belong to a chat.
bool is_of_chat(std::string_view kind) {
  return kind == "attachment" || kind == "attachmentRemoved" || kind == "clientRequest" ||
         kind == "clientRequestOver";
}

/// Returns a server's error as those see it who are no admins.
std::string public_error(std::string_view json, bool with_text) {
  if (is_nothing(json))
    return "null";
  object_copy copy;
  errc code = errc::internal;
  for_each_member(json, [&](std::string_view key, std::string_view value) {
    if (key == code_member)
      code = errc_from(json_string(value));
    if (key == text_member && !with_text)
      copy.add_text(key, user_text(code)); // the code comes first
    else if (key == text_member)
      copy.add_text(key, without_stderr_tail(json_string(value)));
    else
      copy.add(key, value);
    return true;
  });
  return copy.take().text;
}

} // namespace

std::optional<mcp_event> visible_event(const mcp_event& told, const principal& who) {
  if (who.owner.empty())
    return told;
  if (told.kind == "log" && !who.admin)
    return {};
  const auto of_chat = is_of_chat(told.kind);
  if (!of_chat && (told.kind != "server" || who.admin))
    return told;
  json_source data{told.data.text};
  object_copy copy;
  std::string scoped;
  for_each_member(data.root(), [&](std::string_view key, std::string_view value) {
    if (of_chat && key == chat_member)
      scoped = json_string(value);
    else if (!of_chat && key == log_member)
      copy.add(key, "[]");
    else if (!of_chat && key == error_member)
      copy.add(key, public_error(value, who.inner_texts));
    else
      copy.add(key, value);
    return true;
  });
  if (!of_chat)
    return mcp_event{told.kind, told.server, copy.take()};
  const auto owner = owner_of(scoped);
  if (owner != who.owner && !who.admin)
    return {};
  copy.add_text(chat_member, public_id(scoped));
  if (owner != who.owner && !owner.empty())
    copy.add_text("owner", owner);
  return mcp_event{told.kind, told.server, copy.take()};
}

} // namespace troupe
