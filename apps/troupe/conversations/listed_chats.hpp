// Which conversations there are, for verbs that work on many.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/troupe/conversations/conversations_backend.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// A conversation as it was listed.
struct listed_chat {
  std::string id;
  uint64_t version = 0;
};

/// Says whether a listed conversation is wanted. @param updated_ms of its last change, since 1970
using id_filter = std::function<bool(const std::string& id, int64_t updated_ms)>;

/// Lists all conversations, before any of them is read. A conversation that is used
/// between two pages moves to the front, so the front is read again until it has no new id.
/// @param wants empty: all are
failure list_chats(conversations_backend& all, const id_filter& wants,
                   std::vector<listed_chat>& out);

} // namespace troupe
