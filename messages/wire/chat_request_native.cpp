#include <optional>
#include <string>

#include "messages/wire/chat_request.hpp"
#include "messages/wire/native_messages.hpp"
#include "messages/wire/request_members.hpp"

namespace troupe {

namespace {

/// The members of a body that are no options.
struct native_members {
  std::string_view message;
  std::string_view messages;
  std::string_view replace_history;
  std::string_view prompt;
  option_members options;
};

constexpr member_table<native_members, 4> native_table{{
    {"message", &native_members::message},
    {"messages", &native_members::messages},
    {"replaceHistory", &native_members::replace_history},
    {"prompt", &native_members::prompt},
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

failure read_history(const native_members& in, turn_request& out) {
  if (auto bad = read_flag(in.replace_history, "replaceHistory", out.replaces_history))
    return bad;
  auto has_prompt = !out.prompt.server.empty();
  if (in.messages.empty() && in.message.empty() && has_prompt)
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
  if (auto bad = read_prompt(in.prompt, read.prompt))
    return bad;
  if (auto bad = read_history(in, read))
    return bad;
  out = std::move(read);
  return {};
}

} // namespace troupe
