// The output of a response, made of the events of its turn: as a stream, or whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/call_pieces.hpp"
#include "messages/wire/clients/responses/response_object.hpp"

namespace troupe {

/// Collects the events of a turn as output items, and writes what each of them adds. Calls that the
/// engine runs are items of the kind mcp_call. One object per turn; not thread safe.
class response_output {
public:
  explicit response_output(response_head head) : head_(std::move(head)) {}

  /// Takes events. @param out gets them as SSE; nullptr: they are only collected
  void take(const event_batch& batch, json_buffer* out);

  /// Returns the failure of the turn; no error when it ended well. After the terminal event.
  const failure& error() const noexcept { return outcome_.error; }

  /// Returns the response object.
  std::string body() const;

private:
  class reader; // one overload per event

  /// A call for the engine.
  struct asked_call {
    tool_args_complete call;
    size_t number; ///< among all calls of the turn
  };

  static constexpr size_t none = SIZE_MAX;

  response_head head_;
  std::vector<response_item> items_;
  std::vector<asked_call> asked_; ///< calls for the engine that have not begun
  response_outcome outcome_;
  call_pieces pieces_;
  size_t open_ = none;     ///< the message, reasoning or call that grows
  size_t rounds_ = 0;      ///< how often the model was asked
  size_t round_begin_ = 0; ///< the first item of the last round
  size_t calls_ = 0;       ///< that the model made
  uint64_t sequence_ = 0;  ///< number of the stream's next event
  bool begun_ = false;     ///< response.created is written
  bool apart_ = false;     ///< a round has begun since the open item's last piece
};

/// Writes a response as a stream of events.
class response_stream {
public:
  explicit response_stream(response_head head) : output_(std::move(head)) {}

  /// Appends the events as SSE.
  void encode(const event_batch& batch, json_buffer& out) { output_.take(batch, &out); }

private:
  response_output output_;
};

/// Makes one response of the events of a turn.
class response_collector {
public:
  explicit response_collector(response_head head) : output_(std::move(head)) {}

  void take(const event_batch& batch) { output_.take(batch, nullptr); }
  const failure& error() const noexcept { return output_.error(); }
  std::string body() const { return output_.body(); }

private:
  response_output output_;
};

} // namespace troupe
