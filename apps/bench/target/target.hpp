// The target of a load, as the generator sees it: turns that begin, and their observations.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"

namespace troupe {
class loop;
}

namespace troupe::bench {

/// The clock of all measurements.
using time_point = std::chrono::steady_clock::time_point;

/// Observations of a turn from outside. Not every target makes each of them.
enum class observed : uint8_t {
  event,         ///< the first bytes of the answer's stream, whatever they say; once
  text,          ///< `count` pieces of text came with one read
  arguments_end, ///< the arguments of a tool call are complete
  tool_start,    ///< the tool was asked
  tool_end,      ///< the tool has answered
  model_request, ///< the model was asked (again)
  end,           ///< it ended well, with the protocol's own terminator; the last one
  failed,        ///< it ended otherwise; the last one
};

/// One thing that was seen of a turn.
struct turn_observation {
  observed what = observed::event;
  uint32_t count = 1;
  time_point at;          ///< when the bytes were read
  uint64_t bytes = 0;     ///< read so far
  usage used = {};        ///< of end; 0 tokens: the target did not report any
  errc code = errc::none; ///< of failed
  std::string text;       ///< of failed: what the other side said, at most 200 bytes
};

/// Most bytes of turn_observation::text.
inline constexpr size_t max_observed_text_bytes = 200;

/// Returns whether nothing follows in the turn.
constexpr bool is_last(observed what) noexcept {
  return what == observed::end || what == observed::failed;
}

/// The request for a turn.
struct turn_ask {
  std::string session_id;
  uint32_t number = 0;  ///< of the turn in its session, from 0
  std::string text;     ///< of the user's message
  uint32_t history = 0; ///< messages before it that the target makes up; with number 0 only
};

/// A turn under way. Destroying it cuts it off without a further observation.
class running_turn {
public:
  virtual ~running_turn() = default;

  /// Stops the turn as a user would: closes the connection, or takes the target's own way. @return
  /// true: a last observation follows when the target has stopped; false: the turn is over now,
  /// without a further observation
  virtual bool cancel() = 0;

  /// Stop reading and read on, for slow readers. Do nothing if the target cannot pause.
  virtual void pause() = 0;
  virtual void resume() = 0;
};

/// One target on one lane. Members and observations run on the lane's loop only, observations never
/// within start() and cancel(); no turn is destroyed within its own observation. Outlives its
/// turns.
class target {
public:
  using watcher = std::function<void(const turn_observation&)>;

  virtual ~target() = default;

  /// Never null: what cannot begin fails with an observation.
  virtual std::unique_ptr<running_turn> start(const turn_ask& ask, watcher watch) = 0;
};

/// Makes a target for each lane, and owns what they share: connections, an engine, servers. Any
/// thread; outlives its targets.
class target_factory {
public:
  virtual ~target_factory() = default;

  /// Returns config_invalid where the plan's target cannot be reached as described; asks it once
  /// where that is cheap. Blocks.
  virtual failure check() = 0;

  virtual std::unique_ptr<target> make(loop& lane) = 0;

  /// Returns the process to watch that is the target's own, or 0.
  virtual int pid() const { return 0; }

  /// Returns what to know about the way to the target; mostly "".
  virtual std::string route_note() const { return {}; }

  /// Returns whether other threads of this process than the lanes' do the generator's work, too:
  /// then they may be its bottleneck.
  virtual bool has_own_threads() const { return false; }
};

} // namespace troupe::bench
