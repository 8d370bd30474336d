// The stored conversations of an engine, which outlive its sessions and its process.
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
  uint64_t if_version = 0; ///< refuse with conversation_changed unless it has this version; 0: any
};

/// Options of a branch.
struct branch_options {
  std::string message_id = {}; ///< the last message of the branch; empty: all messages
  std::string id = {};         ///< of the new conversation; empty: one is made
  std::string title = {};      ///< empty: that of the old one
};

/// All operations on conversations. Members are for any thread but the engine's own, and block
/// until there is an answer: questions at most 30 s, changes 30 s in each of up to four steps; then
/// store_timeout. An engine without a data folder answers capability_missing, and one that was shut
/// down shutting_down. Owned by its engine.
class conversations {
public:
  virtual ~conversations() = default;

  // -- questions; `owner` is a member of each question -------------------------------------------
  /// The latest change first. request_invalid for a bad cursor.
  virtual conversation_page list(const list_conversations& what) = 0;
  virtual search_page search(const search_conversations& what) = 0;
  /// The whole conversation, as in an export, or conversation_unknown.
  virtual conversation_answer get(const conversation_name& which) = 0;
  /// With what the owner keeps now, and may keep.
  virtual usage_table usage(const usage_query& what) = 0;

  // -- changes: conversation_unknown, conversation_changed, store_*; else the new state. branch and
  // import: quota_used_up, too -------------------------------------------------------------------
  /// @param title at most max_title_bytes
  virtual info_answer rename(const conversation_name& which, const std::string& title) = 0;
  /// Deletes it for good; a turn that runs in it is aborted.
  virtual failure remove(const conversation_name& which) = 0;
  /// The overrides count from the next turn on. model_unknown if their model does not exist.
  virtual info_answer set_overrides(const conversation_name& which,
                                    const chat_overrides& overrides) = 0;
  /// Copies it. Answers with the new one, or with conversation_exists.
  virtual info_answer branch(const conversation_name& which, const branch_options& how = {}) = 0;
  /// Makes the conversation `content.info.id` of that owner, or answers with conversation_exists;
  /// request_invalid for content that an export file must not hold.
  virtual info_answer import(const conversation& content, const std::string& owner = {}) = 0;
  /// The same with the text of a file. @param which its id; empty: that of the file
  virtual info_answer import_file(std::string json, const conversation_name& which = {}) = 0;
};

} // namespace troupe
