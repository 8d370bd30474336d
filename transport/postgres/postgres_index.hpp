// The part of a message that goes into the search index.
#pragma once

#include <cstdint>
#include <string>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// The word that stands for an owner in the index: no text has such a word.
std::string owner_word(int64_t owner);

/// Returns what a words_list takes: the words of the first 65,536 characters of a text of a user or
/// a model, and the owner's. "" for a message that no search finds.
std::string index_entry(int64_t owner, const chat_message& message);

/// Returns in `waits` whether an update left texts in the index by the words of an earlier version.
failure texts_wait(postgres_connection& db, bool& waits);

/// Indexes some texts of a conversation by the words of this version, in the transaction that runs.
/// One program does so at a time. @param more set to whether others may be left
failure index_again(postgres_connection& db, bool& more);

} // namespace troupe
