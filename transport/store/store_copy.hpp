// A copy of a whole store into another one, of any kind.
#pragma once

#include <cstdint>
#include <string>

#include "messages/store/file_shelf.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// The result of a copy so far. Numbers of conversations, but for the last five.
struct copy_report {
  uint64_t copied = 0;
  uint64_t replaced = 0; ///< of the copied: an earlier copy of them was there
  uint64_t there = 0;    ///< were there, the same
  uint64_t removed = 0;  ///< were copied earlier, and are gone in the source since
  uint64_t left_out = 0; ///< could not be copied
  uint64_t owners = 0;
  uint64_t usage_rows = 0;
  uint64_t keys = 0;
  uint64_t settings = 0;
  uint64_t files = 0; ///< that owners have uploaded
};

/// Is told of a copy while it is made, on its thread.
class copy_watcher {
public:
  virtual ~copy_watcher() = default;
  virtual void went_on(const copy_report& so_far) = 0; ///< a piece is there for good
  virtual void left_out(const std::string& owner, const std::string& id, const failure& why) = 0;
};

/// From where to where.
struct copy_way {
  store_connection& from;
  store_connection& to;
  std::string from_name;       ///< the same each time that it is copied
  bool adds = false;           ///< the target may have something: that stays, and the rest comes
  file_shelf* files = nullptr; ///< of the source; nullptr: there are none
  file_shelf* files_to = nullptr;
};

/// Copies owners, conversations with their turns, usage, keys, settings and files; nobody else uses
/// either store meanwhile. Conversations go one after the other, each whole, so a copy that was
/// broken off goes on when it is begun again: it leaves a mark in the target, which
/// unfinished_copy() finds, and what has changed in the source since is copied again. Blocks; one
/// thread.
/// @param out what was done, also after a failure; with some left out the mark stays
/// @return request_invalid: the target has something else; a failure of either store
failure copy_store(const copy_way& way, copy_watcher& watcher, copy_report& out);

/// Returns why a store is not to be served: a copy into it was begun, and is not whole. A store
/// that cannot be read says so to whoever uses it.
/// @param shown how people call the store
failure unfinished_copy(store_connection& store, const std::string& shown);

/// Has a store used as it is, whatever a copy into it has left out.
failure accept_copy(store_connection& store);

/// Copies all files that the target does not have, one after the other, with the chats that use
/// them. Blocks. @param count how many were copied, also after a failure
failure copy_files(file_shelf& from, file_shelf& to, uint64_t& count);

/// Removes files of the target that the source does not have any more: an earlier copy brought
/// them.
failure remove_gone_files(file_shelf& from, file_shelf& to);

} // namespace troupe
