// How much each owner may keep.
#pragma once

#include <cstdint>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Bounds of what one owner keeps; 0: no limit.
struct owner_quota {
  uint64_t conversations = 0;
  uint64_t bytes = 0; ///< as owner_holdings counts them

  bool any() const noexcept { return conversations > 0 || bytes > 0; }

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("maxConversations", &owner_quota::conversations),
                           field("maxBytes", &owner_quota::bytes));
  }
};

/// The holdings of one owner.
struct owner_holdings {
  uint64_t conversations = 0;
  uint64_t bytes = 0; ///< of messages as they are stored, and kept_row_bytes for each row

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("conversations", &owner_holdings::conversations),
                           field("bytes", &owner_holdings::bytes));
  }
};

/// Bytes that each message and each turn counts beside its contents: for its row, and for its place
/// in the search index. Without them very many tiny messages would count as nothing.
inline constexpr uint64_t kept_row_bytes = 256;

/// The change of an owner's holdings by a write.
struct holdings_change {
  int64_t conversations = 0;
  int64_t bytes = 0;
};

/// Returns quota_used_up if an owner may not keep so much more; the text says what is used up, how
/// much of it, and what to do.
failure quota_fault(const owner_quota& quota, const owner_holdings& held,
                    const holdings_change& more);

} // namespace troupe
