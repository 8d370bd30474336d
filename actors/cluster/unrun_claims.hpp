// Which chats a node is said to run, and does not.
#pragma once

#include <string>
#include <vector>

#include "messages/cluster/member_port.hpp"

namespace troupe {

/// Finds the chats to be given back. A claim is one when two looks in a row have found it, and no
/// session ran it at either: between them its save had the time to arrive. Not thread safe.
class unrun_claims {
public:
  /// A look at the database. @return the chats that sessions must be asked about
  const std::vector<claimed_chat>& look(std::vector<claimed_chat> claimed);

  /// What the sessions said of them. @param busy scoped ids @return the chats to be given back
  std::vector<claimed_chat> heard(const std::vector<std::string>& busy);

  /// Returns whether the next look should come soon.
  bool suspects() const noexcept { return !suspected_.empty(); }

  void forget() { suspected_.clear(); }

private:
  std::vector<claimed_chat> looked_at_;
  std::vector<claimed_chat> suspected_; ///< by the look before
};

} // namespace troupe
