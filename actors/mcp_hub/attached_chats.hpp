// Which chats have attachments, so that the turns of all others need not ask.
#pragma once

#include <string>
#include <unordered_set>

#include "messages/mcp/resource_messages.hpp"

namespace troupe {

/// What the resource store has said. Not thread safe.
class attached_chats {
public:
  /// The store has fewer chats; this bounds what a defect of it can cost.
  static constexpr size_t limit = 100'000;

  void note(const attachment_news& news) {
    if (!news.any)
      chats_.erase(news.session_id);
    else if (chats_.size() < limit)
      chats_.insert(news.session_id);
    else
      lose_count();
  }

  /// From now on every chat may have some.
  void lose_count() noexcept { counted_ = false; }

  /// Returns false if the chat certainly has none. @param session_id empty: no chat
  bool maybe(const std::string& session_id) const {
    return !session_id.empty() && (!counted_ || chats_.contains(session_id));
  }

private:
  std::unordered_set<std::string> chats_;
  bool counted_ = true;
};

} // namespace troupe
