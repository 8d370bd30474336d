// Rounds of tools that clients do not have in the history that they send.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actors/session_hub/conversation_digest.hpp"
#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_messages.hpp"
#include "messages/chat/turn_request.hpp"

namespace troupe {

/// Keeps rounds of tools that ran here before a client had to run its own, and puts them back into
/// the history that the client sends next. A client is told the texts of such rounds, and in some
/// protocols what they called, but never all. The rounds that were not used for longest go first.
///
/// Rounds are found by an id that the turn made up for a call of the client (turn_answer.hpp),
/// which no other conversation has, and only where all that was said before them is what it was. So
/// a conversation gets its own rounds or none. Not thread safe; a part of the session hub.
class round_cache {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Rounds of a call whose id is known already are ambiguous: neither of both is kept.
  /// @param before what restore() returned for the request that led to them
  /// @param most bytes of all rounds; those of one owner have half
  void keep(unseen_rounds rounds, const conversation_digest& before, size_t most, time_point now);

  /// Puts what is known into the messages of the request. Rounds stay out where the client tells
  /// them differently. Returns the digest of the messages as they were sent; of none, if the client
  /// has no tools and nothing can be kept for it.
  conversation_digest restore(turn_request& request, time_point now);

  /// Drops rounds that were not used for this long. Returns when to call this again; nothing, if an
  /// earlier call has said so, or no rounds are left.
  std::optional<time_point> tidy(time_point now, std::chrono::milliseconds idle);

  size_t bytes() const noexcept { return bytes_; }

private:
  struct entry {
    std::string key; ///< of its first call that is the client's
    std::string owner;
    conversation_digest before; ///< of what the client had sent
    std::vector<chat_message> messages;
    std::vector<tool_call> calls; ///< the client's
    size_t bytes = 0;
    time_point used;
  };

  using place = std::list<entry>::iterator;

  place find(std::string_view owner, const std::vector<tool_call>& calls);
  void drop(place which);
  void drop_oldest_of(const std::string& owner);

  std::list<entry> entries_; ///< by their last use
  std::unordered_map<std::string, place> by_call_;
  std::map<std::string, size_t, std::less<>> bytes_of_; ///< by owner; none is 0
  size_t bytes_ = 0;
  time_point alarm_ = time_point::max(); ///< when tidy() is called again
};

} // namespace troupe
