// One loop's share of the HTTP client: a libcurl multi handle, its sockets and its clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <curl/curl.h>
#include <ev.h>

#include "transport/http_client_transfer.hpp"
#include "transport/loop.hpp"

namespace troupe {

/// Loop thread only, except home(); after the loop has stopped, any single thread.
/// libcurl is never entered from its own callbacks, and a receiver only ever runs in the stage.
class http_client_shard final : public loop_stage {
public:
  explicit http_client_shard(loop& home);
  ~http_client_shard() override;

  /// Joins the loop.
  void attach();

  /// Cancels everything and leaves the loop; what is called later does nothing.
  void close();

  void start(std::shared_ptr<http_transfer> transfer);
  void cancel(http_transfer& transfer);
  void pause(http_transfer& transfer);
  void resume(http_transfer& transfer);

  bool run() override;
  loop& home() noexcept { return home_; }

private:
  using time_point = http_transfer::time_point;

  /// A socket of libcurl's as the loop watches it.
  struct watched {
    ev_io io{};
    http_client_shard* shard = nullptr;
  };

  static int on_socket(CURL*, curl_socket_t socket, int what, void* shard, void* watch) noexcept;
  static int on_timer(CURLM*, long milliseconds, void* shard) noexcept;
  static void on_ready(struct ev_loop*, ev_io* io, int events) noexcept;

  void watch(curl_socket_t socket, int what, watched* known);
  void act(curl_socket_t socket, int events);
  void wake_at(time_point when);
  void on_wake();
  CURL* take_easy();
  void end(http_transfer& transfer);
  void finish(http_transfer& transfer, errc error, std::string text);
  void collect_finished();
  bool deliver();
  void place(std::shared_ptr<http_transfer> transfer, time_point now);
  void check_deadlines();
  void bound_idle();

  loop& home_;
  CURLM* multi_ = nullptr;
  std::optional<timer> wake_;     // for libcurl
  time_point wake_due_{};         // when libcurl wants to be called; max = not at all
  time_point wake_armed_{};       // when the timer fires, never later than due
  std::optional<timer> deadline_; // for the exchanges
  time_point deadline_armed_{};
  bool run_now_ = false; // libcurl asked to be called without delay
  bool acted_ = false;   // libcurl has run since the last look at what is finished

  http_transfer::by_deadline active_; // owns the exchanges that libcurl works on
  std::vector<std::shared_ptr<http_transfer>> ready_;
  std::vector<std::shared_ptr<http_transfer>> delivering_;
  std::vector<CURL*> idle_handles_;
  std::vector<std::unique_ptr<watched>> watched_; // by socket
  long connection_limit_ = 0;
};

} // namespace troupe
