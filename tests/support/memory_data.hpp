// What a store of conversations holds, and what is done to it, without a disk.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "messages/store/store_port.hpp"

namespace troupe::test {

/// One conversation, the events of its last turn, and who runs it.
struct memory_chat {
  conversation kept;
  std::vector<event_batch> events;
  chat_fence fence;      ///< node 0: it is free
  chat_fence turn_fence; ///< under which its last turn was written
};

/// Returns whose a chat is for the node `me`.
claim_state state_of(const chat_fence& fence, uint64_t me);

/// All that a store holds. Copied for a transaction. `me` is the node that asks; 0: there are no
/// other nodes, and claims mean nothing.
struct memory_data {
  std::map<std::string, memory_chat> chats; ///< by scoped id
  std::map<std::string, std::string> settings;
  std::map<std::string, api_key> keys;
  std::map<std::string, usage_row> used; ///< by owner, day and model
  std::set<std::string> counted;         ///< turns that are in `used`
  std::set<uint64_t> dead;               ///< nodes
  int64_t clock_ms = 1000;               ///< goes on with every change
  std::string day = "2026-11-21";        ///< of what is used

  memory_chat* find(const std::string& session_id);
  chat_record load(const load_chat& ask, uint64_t me = 0);
  save_answer save(const save_chat& ask, uint64_t me = 0);
  info_answer change(const change_conversation& ask, uint64_t me = 0);
  /// Of dead nodes, or of all if there are no others.
  uint64_t close_running_turns(uint64_t me = 0);

private:
  // -- saves
  claim_state claim_of(const save_chat& ask, memory_chat* chat, uint64_t me, bool& anew);
  memory_chat& make(const std::string& session_id);
  void touch(memory_chat& chat);
  void apply(const save_chat& ask, memory_chat& chat);
  void count(const save_chat& ask);
  usage_row& row_of(const save_chat& ask, const std::string& model);

  // -- changes
  info_answer remove(const change_conversation& ask, const memory_chat& chat, uint64_t me);
  info_answer import(const change_conversation& ask);
  info_answer branch(const change_conversation& ask, const memory_chat& from);
};

} // namespace troupe::test
