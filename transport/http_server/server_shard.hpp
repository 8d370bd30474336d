// One shard's part of the HTTP server: its libwebsockets context and the connections on it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transport/http_server/buffer_budget.hpp"
#include "transport/http_server/http_server.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

struct lws_context;

namespace troupe {

class server_connection;

/// The state that the shards of one server share.
struct shared_server {
  shared_server(server_limits bounds, request_handler to, request_gate at)
      : limits{bounds}, handler{std::move(to)}, gate{std::move(at)}, budget{
                                                                         bounds.max_buffered_bytes,
                                                                         bounds.max_body_bytes} {}

  const server_limits limits;
  const request_handler handler;
  const request_gate gate;
  std::atomic<size_t> open{0}; ///< connections
  buffer_budget budget;
};

/// Carries connections on one loop. libwebsockets reports the events of their sockets; in the
/// loop's last stage each connection with bytes to send writes once. Loop thread only, or any
/// single thread after the loop's stop().
class server_shard final : public loop_stage {
public:
  /// @param server outlives the shard
  server_shard(loop& home, shared_server& server);
  ~server_shard() override;

  /// Returns whether there is a libwebsockets context; without one nothing works.
  bool is_usable() const { return context_ != nullptr; }

  /// Takes ownership of a connected socket. Beyond the limit of connections those that wait for a
  /// request longest give way; if none does, or its address has too many, it is refused with 503.
  void adopt(int socket, const std::string& peer);

  /// Closes every connection as soon as it has no running request.
  void retire();

  /// Closes every connection after its next answer.
  void announce_end() { leaving_ = true; }

  /// Calls flush() on `connection` before the loop sleeps.
  void touch(server_connection& connection);

  /// Like touch(), but after 5 ms. An answer often begins before its first bytes: bytes that come
  /// soon leave in the same write as the head.
  void hold(server_connection& connection);

  /// Calls look_for_client() on `connection` after 200 ms at the latest.
  void look_soon(server_connection& connection);

  /// Forgets a connection whose socket is gone.
  void forget(server_connection& connection);

  bool run() override;

  loop& home() const { return home_; }
  const server_limits& limits() const { return server_.limits; }
  shared_server& server() const { return server_; }
  bool is_retiring() const { return retiring_; }
  bool is_leaving() const { return leaving_ || retiring_; }

private:
  void release_held();
  void look_for_clients();
  void check_deadlines();
  bool is_refused(const server_connection& connection, size_t before);
  void make_way(std::chrono::steady_clock::time_point now);
  void make_room(std::chrono::steady_clock::time_point now);
  size_t give_up_longest(bool stuck, std::chrono::steady_clock::time_point latest, size_t count);
  std::chrono::milliseconds check_interval() const;

  loop& home_;
  shared_server& server_;
  lws_context* context_ = nullptr;
  std::vector<std::unique_ptr<server_connection>> connections_;
  std::vector<std::unique_ptr<server_connection>> gone_; // destroyed when no call is inside
  std::vector<server_connection*> touched_;
  std::vector<server_connection*> flushing_;
  std::vector<server_connection*> held_;
  std::vector<server_connection*> looked_for_;
  timer release_;
  timer looking_;
  timer deadlines_;
  std::chrono::steady_clock::time_point made_way_{};
  size_t given_way_ = 0; // connections that are about to close for others
  bool ticking_ = false;
  bool retiring_ = false;
  bool leaving_ = false;
};

} // namespace troupe
