// A sign of life for streamed answers that have nothing to show yet.
#pragma once

#include <chrono>
#include <memory>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

namespace troupe {

/// A streamed answer whose head is held back.
class held_back_stream {
public:
  virtual ~held_back_stream() = default;

  /// Begins the answer with a comment, unless it has begun or is over. Called after
  /// stream_keep_alive::limit of silence, on any thread.
  virtual void send_keep_alive() = 0;
};

/// Calls send_keep_alive() of each added answer that still exists after `limit`. Any thread.
class stream_keep_alive {
public:
  /// The longest silence, as for a server's keep-alive: proxies close connections that are silent.
  static constexpr std::chrono::seconds limit{15};

  /// @param system outlives the object
  explicit stream_keep_alive(caf::actor_system& system);
  ~stream_keep_alive();

  stream_keep_alive(const stream_keep_alive&) = delete;
  stream_keep_alive& operator=(const stream_keep_alive&) = delete;

  void add(const std::shared_ptr<held_back_stream>& which);

private:
  struct waiting;

  caf::actor_system& system_;
  std::shared_ptr<waiting> waiting_;
  caf::actor timer_;
};

} // namespace troupe
