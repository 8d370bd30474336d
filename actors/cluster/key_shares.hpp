// Which part of the rates of keys this node may use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "messages/cluster/limit_port.hpp"

namespace troupe {

/// Finds out the part of each key's rate that this node may use: what it took in the last seconds,
/// of what all nodes took; and at least its equal part, so that a key that comes to another node
/// is let in there at once. Where all nodes use all they may, the parts come to 1 together. Not
/// thread safe.
class key_shares {
public:
  /// A second has passed.
  /// @param counts the requests in it; a key is named once
  void note(const std::vector<key_count>& counts);

  /// Returns what the other nodes are to know; empty: nothing was used of late.
  std::vector<key_use> mine() const;

  /// Returns the parts of the keys that were used here of late. All others have the equal part.
  std::vector<key_share> parts(const std::vector<key_use>& others, uint32_t nodes) const;

private:
  std::map<std::string, double> used_; ///< requests, by key; each second the older ones count less
};

} // namespace troupe
