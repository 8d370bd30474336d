// One shard's part of the HTTP server: its libwebsockets context and the connections on it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "transport/http_server/http_server.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

struct lws_context;

namespace troupe {

class server_connection;

/// Carries connections on one loop. libwebsockets reports the events of their sockets; in the
/// loop's last stage each connection with bytes to send writes once. Loop thread only, or any
/// single thread after the loop's stop().
class server_shard final : public loop_stage {
public:
  /// @param open counts the connections of all shards
  server_shard(loop& home, const server_limits& limits, const request_handler& handler,
               std::atomic<size_t>& open);
  ~server_shard() override;

  /// Returns whether there is a libwebsockets context; without one nothing works.
  bool is_usable() const { return context_ != nullptr; }

  /// Takes ownership of a connected socket. Refuses it with 503 beyond the limit of connections.
  void adopt(int socket, std::string peer);

  /// Closes every connection as soon as it has no running request.
  void retire();

  /// Calls flush() on `connection` before the loop sleeps.
  void touch(server_connection& connection);

  /// Like touch(), but after 5 ms. An answer often begins before its first bytes: bytes that come
  /// soon leave in the same write as the head.
  void hold(server_connection& connection);

  /// Forgets a connection whose socket is gone.
  void forget(server_connection& connection);

  bool run() override;

  loop& home() const { return home_; }
  const server_limits& limits() const { return limits_; }
  const request_handler& handler() const { return handler_; }
  bool is_retiring() const { return retiring_; }

private:
  void release_held();
  void check_deadlines();
  std::chrono::milliseconds check_interval() const;

  loop& home_;
  const server_limits& limits_;
  const request_handler& handler_;
  std::atomic<size_t>& open_;
  lws_context* context_ = nullptr;
  std::vector<std::unique_ptr<server_connection>> connections_;
  std::vector<std::unique_ptr<server_connection>> gone_; // destroyed when no call is inside
  std::vector<server_connection*> touched_;
  std::vector<server_connection*> flushing_;
  std::vector<server_connection*> held_;
  timer release_;
  timer deadlines_;
  bool ticking_ = false;
  bool retiring_ = false;
};

} // namespace troupe
