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

/// Carries connections on one loop: libwebsockets reports what their sockets do, and in the loop's
/// last stage each connection that has something to send writes once. Loop thread only, or any
/// single thread after the loop's stop().
class server_shard final : public loop_stage {
public:
  /// @param open counts the connections of all shards
  server_shard(loop& home, const server_limits& limits, const request_handler& handler,
               std::atomic<size_t>& open);
  ~server_shard() override;

  /// Returns whether there is a libwebsockets context; without one nothing works.
  bool is_usable() const { return context_ != nullptr; }

  /// Takes over a connected socket, and with it the duty to close it. Refuses it with 503 beyond
  /// the limit of connections.
  void adopt(int socket, std::string peer);

  /// Makes every connection close as soon as no request is under way on it.
  void retire();

  /// Calls flush() on `connection` before the loop sleeps.
  void touch(server_connection& connection);

  /// Like touch(), but in 5 ms. An answer begins before there is anything of it to tell; what comes
  /// right after it leaves in the same write.
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
  std::vector<std::unique_ptr<server_connection>> gone_; // until nothing can be inside them
  std::vector<server_connection*> touched_;
  std::vector<server_connection*> flushing_;
  std::vector<server_connection*> held_;
  timer release_;
  timer deadlines_;
  bool ticking_ = false;
  bool retiring_ = false;
};

} // namespace troupe
