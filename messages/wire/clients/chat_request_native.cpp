#include <optional>
#include <string>

#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/native_messages.hpp"
#include "messages/wire/clients/request_members.hpp"

namespace troupe {

namespace {

/// The members of a body that are no options.
struct native_members {
  std::string_view message;
  std::string_view messages;
  std::string_view replace_history;
  std::string_view prompt;
  std::string_view resume;
  std::string_view replace_from;
  option_members options;
};

constexpr member_table<native_members, 6> native_table{{
    {"message", &native_members::message},
    {"messages", &native_members::messages},
    {"replaceHistory", &native_members::replace_history},
    {"prompt", &native_members::prompt},
    {"resume", &native_members::resume},
    {"replaceFrom", &native_members::replace_from},
}};

/// Reads the members; returns the first key that is none.
std::optional<std::string> read_body(std::string_view body, native_members& in) {
  std::optional<std::string> unknown;
  for_each_member(body, [&](std::string_view key, json_value value) {
    if (!take_member(in, native_table, key, value) && !in.options.take(key, value))
      unknown = key;
    return !unknown;
  });
  return unknown;
}

/// Reads the place in the stored history where the turn begins, if it is not the end.
failure read_place(const native_members& in, turn_request& out) {
  if (auto bad = read_flag(in.replace_history, "replaceHistory", out.replaces_history))
    return bad;
  if (auto bad = read_flag(in.resume, "resume", out.resumes))
    return bad;
  if (is_nothing(in.replace_from))
    return {};
  if (!is_id(in.replace_from))
    return invalid_request("replaceFrom must be a string of 1 to 256 bytes, the id of a message");
  if (out.replaces_history)
    return invalid_request("replaceFrom cannot stand beside replaceHistory");
  out.cut_at = json_string(in.replace_from);
  return {};
}

failure read_history(const native_members& in, turn_request& out) {
  auto has_prompt = !out.prompt.server.empty();
  auto has_nothing = in.messages.empty() && in.message.empty();
  if (out.resumes && (!has_nothing || has_prompt || out.replaces_history || !out.cut_at.empty()))
    return invalid_request("resume cannot stand beside message, messages, prompt, replaceHistory "
                           "or replaceFrom");
  if (has_nothing && (has_prompt || out.resumes || !out.cut_at.empty()))
    return {};
  if (in.messages.empty() == in.message.empty())
    return invalid_request("the body must have either message or messages");
  if (!in.messages.empty()) {
    if (auto bad = read_native_messages(in.messages, out.messages))
      return bad;
    return out.messages.empty() && !has_prompt ? invalid_request("messages must not be empty")
                                               : failure{};
  }
  auto text = json_string(in.message);
  if (text.empty())
    return invalid_request("message must be a string that is not empty");
  out.messages.push_back({role::user, std::move(text), {}, {}, {}});
  return {};
}

} // namespace

failure parse_native_request(std::string_view body, turn_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  native_members in;
  if (auto key = read_body(source.root(), in))
    return invalid_request("the body has the unknown key \"" + *key + "\"");
  turn_request read;
  read.session_id = out.session_id; // from the path
  if (auto bad = read_options(in.options, read.options))
    return bad;
  if (auto bad = read_flag(in.options.ephemeral, "ephemeral", read.ephemeral))
    return bad;
  if (auto bad = read_prompt(in.prompt, read.prompt))
    return bad;
  if (auto bad = read_place(in, read))
    return bad;
  if (auto bad = read_history(in, read))
    return bad;
  out = std::move(read);
  return {};
}

} // namespace troupe
