#include "apps/engine/access/origin_log.hpp"

#include "messages/ports/log_line.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds quiet_time{10};

/// The most bytes of a path or a text in a line: both have what the client wrote.
constexpr size_t max_said_bytes = 500;

} // namespace

void origin_log::note(log_port* log, const server_request& request, const failure& why,
                      clock::time_point now) {
  if (why.code != errc::origin_refused || !takes(log, log_level::warning))
    return;
  const auto at = now.time_since_epoch().count();
  auto next = next_.load();
  const auto later = (now + quiet_time).time_since_epoch().count();
  if (at < next || !next_.compare_exchange_strong(next, later))
    return;
  log_line line;
  line.add("path", utf8_prefix(request.path, max_said_bytes));
  line.add("message", utf8_prefix(why.message, max_said_bytes));
  write_log(log, log_level::warning, "origin_refused", line);
}

} // namespace troupe
