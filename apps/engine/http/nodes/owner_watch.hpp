// Whether a node that has not answered yet still lives.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <caf/event_based_actor.hpp>

#include "messages/cluster/cluster_messages.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Looks after the node that a request went to, while its answer has not begun. A process that
/// hangs takes connections: only the database knows that it is dead. One behind a line that is cut
/// is alive in the database: only a probe tells. Part of one actor, which passes its messages on.
class owner_watch {
public:
  enum class news : uint8_t {
    dead,  ///< its lease is over
    silent ///< it lives, but no answer comes from it
  };
  using teller = std::function<void(news)>;

  /// @param self outlives this, as does `http` @param tell is called in `self`, maybe repeatedly
  owner_watch(caf::event_based_actor* self, http_port& http, teller tell);

  /// A request has just gone to that node.
  void begin(const chat_owner& to);

  /// For atom::look, which begin() has sent after a while.
  void look();

  /// For the answer of a probe, which look() has sent. @param number of the probe
  void on_probed(uint64_t number, bool answers);

private:
  void probe();

  caf::event_based_actor* self_;
  http_port& http_;
  teller tell_;
  chat_owner owner_;
  bool looks_ = false;
  int silent_looks_ = 0;
  uint64_t probes_ = 0;
  std::unique_ptr<http_exchange> probe_;
};

} // namespace troupe
