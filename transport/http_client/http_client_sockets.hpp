// The sockets of libcurl's connections, as one loop watches them.
#pragma once

#include <memory>
#include <vector>

#include <curl/curl.h>
#include <ev.h>

#include "transport/loop/loop.hpp"

namespace troupe {

class http_client_lane;

/// Watches the sockets of all lanes of a loop, in one table that is indexed by socket. Loop thread
/// only, or any single thread after the loop's stop(). Must outlive the lanes.
class http_client_sockets {
public:
  explicit http_client_sockets(loop& home) : home_{home} {}
  ~http_client_sockets();
  http_client_sockets(const http_client_sockets&) = delete;
  http_client_sockets& operator=(const http_client_sockets&) = delete;

  /// Does what libcurl asks of a lane: CURLMOPT_SOCKETFUNCTION. @param what CURL_POLL_*
  void watch(http_client_lane& lane, curl_socket_t socket, int what);

private:
  struct watched {
    ev_io io{};
    http_client_lane* lane = nullptr;
  };

  static void on_ready(struct ev_loop* on, ev_io* io, int events) noexcept;

  loop& home_;
  std::vector<std::unique_ptr<watched>> watched_; // by socket
};

} // namespace troupe
