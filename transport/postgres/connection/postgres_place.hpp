// How a database is reached.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "messages/cluster/node_standing.hpp"

namespace troupe {

/// The parameters that connections are made with.
struct postgres_place {
  std::string url;                            ///< may hold a password: never shown
  std::string shown;                          ///< shown_postgres_url
  std::string settings;                       ///< SQL that each new connection begins with
  std::chrono::milliseconds patience{10'000}; ///< how long a call goes on through an outage
  /// The node that the connections are of, in a cluster. They bear its incarnation's name, by which
  /// others end those of a dead node; one that has an older name is made anew. nullptr: none
  std::shared_ptr<const node_standing> node = nullptr;
  std::chrono::milliseconds longest{20'000}; ///< time of a round trip that has no limit
  std::chrono::milliseconds try_time{3'000}; ///< of a try to connect
};

} // namespace troupe
