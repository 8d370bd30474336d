
#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"

namespace troupe {

namespace {

/// The members of a body that are not options, as JSON text.
struct ui_members {
  std::string_view id;
  std::string_view message;
  std::string_view messages;
  std::string_view message_id;
  std::string_view trigger;
  std::string_view prompt;
  std::string_view profile;
  option_members options;
};

constexpr member_table<ui_members, 7> ui_table{{
    {"id", &ui_members::id},
    {"message", &ui_members::message},
    {"messages", &ui_members::messages},
    {"messageId", &ui_members::message_id},
    {"trigger", &ui_members::trigger},
    {"prompt", &ui_members::prompt},
    {"uiProfile", &ui_members::profile},
}};

ui_members members_of(std::string_view body) {
  ui_members in;
  for_each_member(body, [&](std::string_view key, json_value value) {
    // Other keys are the application's own.
    static_cast<void>(take_member(in, ui_table, key, value) || in.options.take(key, value));
    return true;
  });
  return in;
}

/// Checks the small members that only the AI SDK sends.
failure read_ids(const ui_members& in, turn_request& out) {
  if (!is_id(in.id))
    return invalid_request("id must be a string of 1 to 256 bytes");
  out.session_id = json_string(in.id);
  if (!is_nothing(in.trigger) && kind_of(in.trigger) != json_kind::string)
    return invalid_request("trigger must be a string");
  if (!is_nothing(in.message_id) && kind_of(in.message_id) != json_kind::string)
    return invalid_request("messageId must be a string");
  return {};
}

failure read_profile(std::string_view name, ui_profile& out) {
  if (is_nothing(name))
    return {};
  auto known = ui_profile_of(json_string(name));
  if (!known)
    return invalid_request("uiProfile must be \"v5-min\", \"v6\" or \"v7\"");
  out = *known;
  return {};
}

/// Finds the place where the server's history is cut: at the answer that is generated again, or at
/// the user's message that is sent again. Removes a `message` that the chat already has.
failure read_cut(ui_members& in, turn_request& out) {
  if (!in.messages.empty())
    return {};
  std::string_view id, who;
  if (kind_of(in.message) == json_kind::object)
    read_members(in.message, {{"id", &id}, {"role", &who}});
  auto regenerates = json_string(in.trigger) == "regenerate-message";
  auto of_user = json_string(who) == "user" ? json_string(id) : std::string{};
  // without `messageId`: the client has cut its messages after the user's message
  auto named = is_nothing(in.message_id) && regenerates ? of_user : json_string(in.message_id);
  if (regenerates && (named.empty() || named.size() > max_id_bytes))
    return invalid_request("to regenerate an answer, the body must have messageId or messages");
  if (regenerates && of_user != named)
    in.message = {};
  if (regenerates || (!named.empty() && of_user == named))
    out.cut_at = std::move(named);
  return {};
}

failure read_history(const ui_members& in, turn_request& out) {
  auto has_prompt = !out.prompt.server.empty();
  if (in.message.empty() && !out.cut_at.empty())
    return {};
  if (in.messages.empty() && in.message.empty() && !has_prompt)
    return invalid_request("the body must have messages or message");
  ui_history history;
  failure bad;
  out.replaces_history = !in.messages.empty();
  if (out.replaces_history)
    bad = read_ui_messages(in.messages, history);
  else if (!in.message.empty())
    bad = read_ui_message(in.message, history);
  if (bad)
    return bad;
  if (history.messages.empty() && history.approvals.empty() && !has_prompt)
    return invalid_request(out.replaces_history ? "messages must hold something for the model"
                                                : "message must hold something for the model");
  out.messages = std::move(history.messages);
  out.approvals = std::move(history.approvals);
  // With a new id the client would show the continued answer twice: it extends its own message.
  out.message_id = std::move(history.continued_id);
  return {};
}

} // namespace

failure parse_ui_request(std::string_view body, turn_request& out, ui_profile& profile) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  auto in = members_of(source.root());
  turn_request read;
  auto chosen = profile;
  if (auto bad = read_ids(in, read))
    return bad;
  if (auto bad = read_options(in.options, read.options))
    return bad;
  if (auto bad = read_flag(in.options.ephemeral, "ephemeral", read.ephemeral))
    return bad;
  if (auto bad = read_profile(in.profile, chosen))
    return bad;
  if (auto bad = read_prompt(in.prompt, read.prompt))
    return bad;
  if (auto bad = read_cut(in, read))
    return bad;
  if (auto bad = read_history(in, read))
    return bad;
  // The AI SDK answers an approval with a turn of its own.
  read.options.approval_ends_turn = true;
  out = std::move(read);
  profile = chosen;
  return {};
}

} // namespace troupe
