#include "actors/message_extras.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

bool is_user(const chat_message& message) {
  return message.who == role::user;
}

message_extra extra_of(attachment from) {
  message_extra made;
  made.name = std::move(from.name);
  made.uri = std::move(from.uri);
  made.server_name = std::move(from.server);
  made.mime_type = std::move(from.mime_type);
  made.content = from.error.empty() ? std::move(from.text)
                                    : "[This resource could not be read: " + from.error + "]";
  return made;
}

} // namespace

bool attach(std::vector<chat_message>& history, std::vector<attachment> attached) {
  auto last = std::find_if(history.rbegin(), history.rend(), is_user);
  if (last == history.rend())
    return false;
  for (auto& each : attached)
    last->extras.push_back(extra_of(std::move(each)));
  return true;
}

bool carry_extras(std::vector<chat_message>& old, std::vector<chat_message>& history) {
  bool any = false;
  auto now = history.begin();
  for (auto& before : old) {
    if (!is_user(before))
      continue;
    now = std::find_if(now, history.end(), is_user);
    if (now == history.end() || now->text != before.text)
      break; // from here on it is another conversation
    if (now->extras.empty())
      now->extras = std::move(before.extras);
    any = any || !now->extras.empty();
    ++now;
  }
  return any;
}

} // namespace troupe
