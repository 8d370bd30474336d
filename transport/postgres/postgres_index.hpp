// The part of a message that goes into the search index.
#pragma once

#include <cstdint>
#include <string>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// The word that stands for an owner in the index: no text has such a word.
std::string owner_word(int64_t owner);

/// Returns what a words_list takes: the words of the first 65,536 characters of a text of a user or
/// a model, and the owner's. "" for a message that no search finds.
std::string index_entry(int64_t owner, const chat_message& message);

} // namespace troupe
