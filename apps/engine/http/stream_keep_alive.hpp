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

  /// It has been silent for long: begins the answer with a comment, unless it has begun or is over.
  /// Any thread.
  virtual void send_keep_alive() = 0;
};

/// Remembers answers for as long as a connection may be silent; what is gone or has begun by then
/// is forgotten. Any thread.
class stream_keep_alive {
public:
  /// Of silence, then proxies get impatient; as a server's keep-alive.
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
