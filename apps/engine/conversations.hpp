// The conversations that an engine keeps: what outlives its sessions and its process.
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "messages/store/conversation.hpp"
#include "messages/store/conversation_change.hpp"
#include "messages/store/conversation_messages.hpp"
#include "messages/store/usage_messages.hpp"

namespace troupe {

/// Names a conversation.
struct conversation_name {
  std::string id;          ///< as its client knows it: 1 to 256 bytes without control characters
  std::string owner = {};  ///< empty: single-user mode
  uint64_t if_version = 0; ///< refuse with conversation_changed unless this is its; 0: whatever
};

/// What a branch is to be.
struct branch_options {
  std::string message_id = {}; ///< the last one it has; empty: all of them
  std::string id = {};         ///< of the new conversation; empty: one is made
  std::string title = {};      ///< empty: that of the old one
};

/// All that can be done to conversations. Members are for any thread but the engine's own, and
/// block until there is an answer: a question at most for 30 s, a change, which takes up to four
/// steps, for 30 s in each (store_timeout). An engine without a data folder answers everything with
/// capability_missing, one that was shut down with shutting_down. Owned by its engine.
class conversations {
public:
  virtual ~conversations() = default;

  // -- questions; `owner` is part of what is asked -----------------------------------------------
  /// Newest change first. request_invalid for a cursor that is none.
  virtual conversation_page list(const list_conversations& what) = 0;
  virtual search_page search(const search_conversations& what) = 0;
  /// All there is of it, or conversation_unknown; also what an export holds.
  virtual conversation_answer get(const conversation_name& which) = 0;
  virtual usage_table usage(const usage_query& what) = 0;

  // -- changes: conversation_unknown, conversation_changed, store_*; else what it is then --------
  /// @param title at most max_title_bytes
  virtual info_answer rename(const conversation_name& which, const std::string& title) = 0;
  /// Deletes it for good; a turn that runs in it is aborted.
  virtual failure remove(const conversation_name& which) = 0;
  /// They count from the next turn on. model_unknown for a model that there is not.
  virtual info_answer set_overrides(const conversation_name& which,
                                    const chat_overrides& overrides) = 0;
  /// Copies it. Answers with the new one, or with conversation_exists.
  virtual info_answer branch(const conversation_name& which, const branch_options& how = {}) = 0;
  /// Makes the conversation `content.info.id` of that owner, or answers with conversation_exists;
  /// request_invalid for what the file of an export must not hold.
  virtual info_answer import(const conversation& content, const std::string& owner = {}) = 0;
};

} // namespace troupe
