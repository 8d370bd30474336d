// What a store of conversations without a disk holds, how it fails, and what happened to it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/memory_data.hpp"

namespace troupe::test {

/// The test reads and sets members between runs; connections, which tests may have on threads, use
/// them under `mutex`.
struct memory_disk {
  std::mutex mutex;
  memory_data data; ///< committed

  // -- failures; each stands until the test takes it back ----------------------------------------
  failure opening, beginning, saving, committing, loading, changing, probing, tidying, moved;
  std::string poisoned;   ///< a commit with a write of this session fails: store_failed
  std::string unfit;      ///< a save of this session writes nothing: store_failed
  bool gathers = false;   ///< saves come together, see store_connection::gathers
  std::string thrower;    ///< a save of this session throws, once
  uint64_t tidy_work = 0; ///< pieces of upkeep that are left
  uint64_t pieces = 0;    ///< of each import and branch; 0: they are done at once
  uint64_t readings = 0;  ///< pieces of each load, beside the store; 0: it loads at once

  std::function<void()> at_begin;  ///< called when a transaction begins, without the mutex
  std::function<void()> at_commit; ///< called when a commit begins, without the mutex
  std::function<void()> at_tidy;   ///< called when a piece of upkeep begins, without the mutex

  // -- what happened -----------------------------------------------------------------------------
  std::vector<std::vector<std::string>> commits; ///< the session ids of each one's writes, or ""
  size_t begins = 0;
  size_t roll_backs = 0;
  size_t loads = 0;
  size_t saves = 0;             ///< tried
  std::vector<size_t> gathered; ///< how many saves came in each call of save_all
  size_t probes = 0;
  size_t tidies = 0;
  size_t closes = 0;               ///< calls of close_running_turns
  std::vector<std::string> pieced; ///< the session id of each piece of a change
  std::vector<std::string> read;   ///< ... and of a load
  size_t connections = 0;          ///< open ones
  durability opened_as = durability::none;
  uint64_t keys_version = 0; ///< count it up when `data.keys` was changed
  std::string said;          ///< notice()
};

} // namespace troupe::test
