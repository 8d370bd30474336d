// Pages that were refused, for the operator: a page only learns that its request has failed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// Logs refusals of hosts and origins, one in ten seconds, however many there are. Any thread.
class origin_log {
public:
  using clock = std::chrono::steady_clock;

  /// @param why the request was refused; lines are written for origin_refused only
  /// @param log may be nullptr
  void note(log_port* log, const server_request& request, const failure& why,
            clock::time_point now);

private:
  std::atomic<int64_t> next_{INT64_MIN}; ///< ticks of the clock; before them nothing is written
};

} // namespace troupe
