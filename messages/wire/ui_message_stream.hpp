// The AI SDK's UI message stream v1, profile v6: events in, SSE bytes out (AI SDK 6 and later read
// it).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/events.hpp"
#include "messages/http.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Encodes the events of one turn. Closes every part that it opened, whatever the events are; ends
/// with `data: [DONE]` exactly once. One object per turn; not thread safe.
class ui_message_stream {
public:
  /// The headers of the answer, whose status is 200; the connection's own headers are the
  /// transport's.
  static const headers& head();

  /// Appends the bytes for these events to `out`; events after the terminal one are ignored.
  void encode(const event_batch& batch, json_buffer& out);

  /// Returns whether [DONE] was written.
  bool done() const noexcept { return done_; }

private:
  class writer; // one overload per event, in ui_message_stream.cpp

  enum class part : uint8_t { none, text, reasoning };

  /// A tool call of the current step.
  struct call {
    std::string id;
    std::string name;
    bool client_side = false; ///< decides `dynamic`, which may not change within a call
    bool started = false;     ///< tool-input-start was written
    bool available = false;   ///< tool-input-available was written
    bool ended = false;       ///< it has an output or an error
  };

  std::string delta_head_;   ///< of the open part: the frame up to the delta's characters
  std::vector<call> calls_;  ///< of the current step, in the order in which they began
  uint32_t part_number_ = 0; ///< ids of text and reasoning parts count up
  part open_ = part::none;
  bool started_ = false;
  bool in_step_ = false;
  bool aborted_ = false;
  bool done_ = false;
};

} // namespace troupe
