// Queries about conversations. Session ids are scoped (session_id.hpp); an unknown one is answered
// with conversation_unknown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/fields.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// Asks for an owner's conversations, latest change first. Answered with conversation_page.
struct list_conversations {
  std::string owner;
  uint32_t limit = 50; ///< 1 to 1000
  std::string cursor;  ///< conversation_page::next of the page before; empty: the first
  static constexpr auto fields(auto...) {
    using self = list_conversations;
    return std::make_tuple(field("owner", &self::owner), field("limit", &self::limit),
                           field("cursor", &self::cursor));
  }
};

/// Answers list_conversations: one page of the list.
struct conversation_page {
  failure error; ///< request_invalid for an invalid cursor
  std::vector<conversation_info> conversations;
  std::string next; ///< empty: this was the last page
  static constexpr auto fields(auto...) {
    using self = conversation_page;
    return std::make_tuple(field("error", &self::error),
                           field("conversations", &self::conversations),
                           field("next", &self::next));
  }
};

/// Looks for words in the texts of an owner's messages. Answered with search_page.
struct search_conversations {
  std::string owner;
  std::string query; ///< words that must all occur; "in quotes": one after the other; word*: begins
  uint32_t limit = 20; ///< 1 to 100
  std::string cursor;
  static constexpr auto fields(auto...) {
    using self = search_conversations;
    return std::make_tuple(field("owner", &self::owner), field("query", &self::query),
                           field("limit", &self::limit), field("cursor", &self::cursor));
  }
};

/// A message that has the words.
struct search_hit {
  std::string id; ///< public_id of the conversation
  std::string title;
  std::string message_id;
  role who = role::user;
  std::string snippet; ///< the words stand between U+0002 and U+0003
  int64_t created_ms = 0;
  static constexpr auto fields(auto...) {
    using self = search_hit;
    return std::make_tuple(field("conversationId", &self::id), field("title", &self::title),
                           field("messageId", &self::message_id), field("role", &self::who),
                           field("snippet", &self::snippet), field("createdAt", &self::created_ms));
  }
};

/// Answers search_conversations: the hits, newest message first.
struct search_page {
  failure error;
  std::vector<search_hit> hits; ///< may be fewer than asked for, or none, while there is a `next`
  std::string next;
  static constexpr auto fields(auto...) {
    using self = search_page;
    return std::make_tuple(field("error", &self::error), field("hits", &self::hits),
                           field("next", &self::next));
  }
};

/// Asks for one conversation with its messages and turns. Answered with conversation_answer.
struct get_conversation {
  std::string session_id;
  /// The limit of a conversation's bytes: for one that takes more only the `info` is read, with
  /// too_many_connections.
  uint64_t most_bytes = UINT64_MAX;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &get_conversation::session_id),
                           field("most_bytes", &get_conversation::most_bytes));
  }
};

/// Answers get_conversation.
struct conversation_answer {
  failure error;
  conversation found;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &conversation_answer::error),
                           field("found", &conversation_answer::found));
  }
};

} // namespace troupe
