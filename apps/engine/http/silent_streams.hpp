// A sign of life for streamed answers that have nothing to show yet.
#pragma once

#include <chrono>
#include <memory>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

namespace troupe {

/// A streamed answer whose head is held back.
class silent_stream {
public:
  virtual ~silent_stream() = default;

  /// It has been silent for long: begins the answer with a comment, unless it has begun or is over.
  /// Any thread.
  virtual void show_life() = 0;
};

/// Remembers answers for as long as a connection may be silent; what is gone or has begun by then
/// is forgotten. Any thread.
class silent_streams {
public:
  /// Of silence, then proxies get impatient; as a server's keep-alive.
  static constexpr std::chrono::seconds limit{15};

  /// @param system outlives the object
  explicit silent_streams(caf::actor_system& system);
  ~silent_streams();

  silent_streams(const silent_streams&) = delete;
  silent_streams& operator=(const silent_streams&) = delete;

  void add(const std::shared_ptr<silent_stream>& which);

private:
  struct waiting;

  caf::actor_system& system_;
  std::shared_ptr<waiting> waiting_;
  caf::actor timer_;
};

} // namespace troupe
