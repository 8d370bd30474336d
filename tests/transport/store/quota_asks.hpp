// What owners keep, and saves and imports of known sizes.
#pragma once

#include <string>

#include "tests/support/store_asks.hpp"
#include "tests/transport/store/change_asks.hpp"

namespace troupe::test {

inline owner_holdings held(store_connection& store, const std::string& owner = {}) {
  const auto table = store.used({owner, {}, {}});
  CHECK_FALSE(table.error);
  return table.kept;
}

/// The first save of a turn that appends a message.
inline save_chat beginning(const std::string& id, const std::string& text, uint64_t keep = 0) {
  static int turns = 0;
  auto out = saving(id, {said(role::user, text, "u")}, keep);
  out.begins = true;
  out.turn.turn_id = "t" + std::to_string(++turns);
  return out;
}

/// An import of messages of so many bytes each.
inline change_conversation importing_texts(const std::string& id, size_t messages,
                                           size_t bytes = 10) {
  auto out = changing(id, conversation_verb::import);
  for (size_t i = 0; i < messages; ++i)
    out.content.messages.push_back({said(role::user, std::string(bytes, 'x')), 1});
  return out;
}

} // namespace troupe::test
