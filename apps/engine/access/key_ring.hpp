// The API keys that are good now.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "apps/engine/access/principal.hpp"
#include "messages/store/api_key.hpp"

namespace troupe {

/// All keys, as last read; whoever reads them hands them over, and requests are looked up without
/// a lock. Any thread, also at once.
class key_ring {
public:
  key_ring();
  ~key_ring();

  key_ring(const key_ring&) = delete;
  key_ring& operator=(const key_ring&) = delete;

  /// Replaces all keys. Those that stay keep what was counted; those that are gone or revoked are
  /// no good any more, also for connections that they opened. A list with an error changes nothing.
  void update(const key_list& list);

  /// Finds whose key it is, in a time that does not tell how much of it is right.
  /// @return unauthorized; store_failed while no keys have been read yet
  failure find(std::string_view key, principal& out) const;

private:
  struct snapshot;
  std::atomic<std::shared_ptr<const snapshot>> now_;
};

} // namespace troupe
