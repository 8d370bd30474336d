// The messages of a chat, for endpoints that keep nothing of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "messages/chat/role.hpp"

namespace troupe::bench {

/// One message. Strings hold the characters of JSON strings without quotes: what came out of an
/// answer goes into the next request as it is.
struct past_message {
  role who = role::user;
  std::string text;
  std::string id; ///< of a UI message
};

/// The messages of one chat. Only texts are kept, not the calls of tools, and not more than
/// max_text_bytes of them: the oldest go first.
class chat_history {
public:
  static constexpr size_t max_text_bytes = size_t{1024} * 1024;

  /// Begins with that many messages of about 100 bytes, the same ones in each chat, of which the
  /// last is the assistant's.
  void make_up(uint32_t messages);

  /// @param text as it is, not escaped
  void add_user(std::string_view text);

  /// @param text characters of a JSON string @param id the same; "" makes one
  void add_answer(std::string text, std::string id);

  const std::deque<past_message>& messages() const noexcept { return messages_; }

private:
  void add(past_message said);

  std::deque<past_message> messages_;
  size_t text_bytes_ = 0;
  uint64_t made_ = 0; ///< counts messages, for their ids
};

} // namespace troupe::bench
