// Rows that a copy of a whole store takes along beside conversations, settings and keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/store/usage_messages.hpp"

namespace troupe {

/// Asks for the owners that a store knows. Answered with owner_list.
struct list_owners {
  int64_t after = 0; ///< owner_list::next of the piece before; 0: the first piece
  uint32_t limit = 1000;
};

/// Answers list_owners: a piece, in an order of the store's own.
struct owner_list {
  failure error;
  std::vector<std::string> owners; ///< empty: of single-user mode
  int64_t next = 0;                ///< 0: this was the last piece
};

/// Days of an owner's usage.
struct owner_usage {
  std::string owner;
  std::vector<usage_row> rows;
};

/// How a conversation of another store is taken over.
struct taken_over {
  bool exact = false; ///< as it is there: its version, its times, and calls that wait for approval
  int64_t place = 0;  ///< in the list, the highest first; as a time in milliseconds since 1970
  std::vector<event_batch> events; ///< of its last turn, if that was resumable and did not end
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("exact", &taken_over::exact), field("place", &taken_over::place),
                           field("events", &taken_over::events));
  }
};

} // namespace troupe
