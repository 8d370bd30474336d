// The part of a shared database by which limits hold over all nodes of a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/cluster/place_messages.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// How much a key was used of late.
struct key_use {
  std::string key;    ///< api_key::id
  uint64_t taken = 0; ///< thousandths of a request; those of long ago count little
  bool operator==(const key_use& other) const = default;
};

/// The requests of a key in a stretch of time.
struct key_count {
  std::string key; ///< api_key::id
  uint64_t requests = 0;
};

/// The part of a key's rate that one node may use.
struct key_share {
  std::string key;  ///< api_key::id
  double part = 1.; ///< above 0, at most 1
};

/// Tells the other nodes what this one uses of limits. One thread at a time; calls block, each for
/// at most some seconds.
class limit_port {
public:
  virtual ~limit_port() = default;

  /// Tells the use of keys here, and reads that of the same keys on all other nodes together.
  /// @param others keys that no other node uses are left out
  virtual failure exchange(const std::vector<key_use>& mine, std::vector<key_use>& others) = 0;

  /// Takes a place for a turn, if the nodes that live have one left; of several that ask at once
  /// each knows what the others got.
  virtual failure take_place_of(const take_place& want, bool& taken) = 0;

  /// Tells how many places of an owner this node has.
  virtual failure put(const owner_turns& now) = 0;

  /// Gives back all places of this node.
  virtual failure clear_places() = 0;
};

} // namespace troupe
