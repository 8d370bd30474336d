// A part of a loop's exchanges: one libcurl multi handle and its timer.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "transport/http_client/http_client_sockets.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

/// libcurl looks for a free connection by walking over all open connections to the host. A lane
/// therefore takes a bounded number of exchanges: the cost of an exchange does not grow with the
/// number of open ones. Loop thread only, or any single thread after the loop's stop().
class http_client_lane {
public:
  /// The lane's place among the lanes, and the number of exchanges that it takes at a time.
  struct position {
    size_t row;
    size_t index;
    size_t room;
  };

  /// @param due gets this lane, once, when run() has something to do
  http_client_lane(http_client_sockets& sockets, loop& home, std::vector<http_client_lane*>& due,
                   position where);

  /// Closes the connections. The lane must hold no exchange.
  ~http_client_lane();
  http_client_lane(const http_client_lane&) = delete;
  http_client_lane& operator=(const http_client_lane&) = delete;

  const position& where() const noexcept { return where_; }
  bool is_full() const noexcept { return used_ >= where_.room; }
  bool is_empty() const noexcept { return used_ == 0; }

  /// Returns whether the lane is empty and was empty since the last call.
  bool is_unused() noexcept { return !std::exchange(worked_, used_ > 0); }

  /// Begins an exchange. Returns the reason of a failure, or "".
  std::string add(CURL* easy);

  /// Removes an exchange; an incomplete answer closes its connection.
  void remove(CURL* easy);

  /// Sends an exchange of this lane once more. Returns whether libcurl takes it.
  bool repeat(CURL* easy);

  /// Tells libcurl that a socket is ready. @param events CURL_CSELECT_*
  void act(curl_socket_t socket, int events);

  /// Adds the lane to the list `due`.
  void touch();

  /// Runs libcurl's due timeouts. Returns whether there were any.
  bool run();

  /// Returns the next exchange that is complete, with its result; nullptr = no more.
  CURL* next_finished(CURLcode& result);

private:
  using time_point = std::chrono::steady_clock::time_point;

  static int on_socket(CURL*, curl_socket_t socket, int what, void* lane, void*) noexcept;
  static int on_timer(CURLM*, long milliseconds, void* lane) noexcept;

  void wake_at(time_point when);
  void on_wake();

  http_client_sockets& sockets_;
  std::vector<http_client_lane*>& all_due_;
  CURLM* multi_;
  timer wake_;
  time_point wake_due_ = time_point::max();   // when libcurl wants to be called; max = not at all
  time_point wake_armed_ = time_point::max(); // when the timer fires, never later than due
  const position where_;
  size_t used_ = 0;
  bool worked_ = true;   // an exchange was in it since the last is_unused()
  bool run_now_ = false; // libcurl asked to be called without delay
  bool due_ = false;
};

} // namespace troupe
