// Items that an input names by their ids, in place of sending them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// The items of one input. It is read twice if it names any: the first time collects the ids.
struct referred_items {
  std::vector<std::string> wanted;          ///< kept_id_of() each
  std::map<std::string, std::string> found; ///< JSON of those that are kept, by these ids
  size_t read_bytes = 0;                    ///< of the answers that were read for them
  bool looked_up = false;                   ///< `found` has all that there is

  /// Returns the chats that the wanted items are in, each once.
  std::vector<std::string> chats() const;
};

/// The most bytes of answers that are read for one input.
inline constexpr size_t max_referred_bytes = size_t{64} * 1024 * 1024;

/// Adds those of the wanted items that are in the chat to the found ones.
/// @param chat as the items' ids name it @param kept the conversation
/// @return request_too_large where all answers together are longer than max_referred_bytes
failure find_items(std::string_view chat, const conversation& kept, referred_items& items);

} // namespace troupe
