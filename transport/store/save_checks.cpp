#include "transport/store/save_checks.hpp"

#include <fmt/format.h>

#include "transport/store/kept_message.hpp"

namespace troupe {

failure check_message_count(uint64_t messages) {
  if (messages <= most_kept_messages)
    return {};
  return {errc::store_failed,
          fmt::format("a conversation can have {} messages; begin a new one", most_kept_messages)};
}

failure check_save(const conversation_info& there, const save_chat& ask, bool is_done) {
  if (ask.if_version != 0 && ask.if_version != there.version && !is_done)
    return {errc::conversation_changed, {}};
  if (ask.keep > there.messages)
    return {errc::conversation_changed, // the session then loads the chat again
            fmt::format("{} messages are to stay, but {} are kept; load the chat again", ask.keep,
                        there.messages)};
  for (const auto& message : ask.more)
    if (auto error = check_message(message))
      return error;
  return check_message_count(ask.keep + ask.more.size());
}

} // namespace troupe
