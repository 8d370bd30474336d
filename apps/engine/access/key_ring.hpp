// The valid API keys.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "apps/engine/access/principal.hpp"
#include "messages/cluster/limit_port.hpp"
#include "messages/store/api_key.hpp"

namespace troupe {

/// All keys, as last read from the store. Lookups take no lock. Any thread, also concurrently.
class key_ring {
public:
  key_ring();
  ~key_ring();

  key_ring(const key_ring&) = delete;
  key_ring& operator=(const key_ring&) = delete;

  /// Replaces all keys. A key that stays keeps its meter; the meter of a key that is gone or
  /// revoked is revoked, which its open connections see. A list with an error changes nothing.
  void update(const key_list& list);

  /// Finds the owner of a key, in a time that does not reveal how much of the key is right.
  /// @return unauthorized; store_failed while no keys have been read yet
  failure find(std::string_view key, principal& out) const;

  /// Returns the requests of each key with a rate since the last call; keys without any are left
  /// out.
  std::vector<key_count> take_counts() const;

  /// Sets which parts of the rates are let in here. @param others of keys that are not named
  void share(const std::vector<key_share>& parts, double others);

private:
  struct snapshot;
  std::shared_ptr<key_meter> new_meter(uint32_t requests_per_minute) const;

  std::atomic<std::shared_ptr<const snapshot>> now_;
  std::atomic<double> others_ = 1; ///< the part of keys that are new
};

} // namespace troupe
