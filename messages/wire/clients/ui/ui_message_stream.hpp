// The AI SDK's UI message stream v1: events in, SSE bytes out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/http.hpp"
#include "messages/json.hpp"

namespace troupe {

/// The set of chunks and keys that a stream may hold. A client fails the whole stream at an unknown
/// one, and does not tell the server which ones it knows.
enum class ui_profile : uint8_t {
  v5_min, ///< all clients since AI SDK 5.0.0: no finishReason, no approvals
  v6,     ///< AI SDK 6.0.0 and later, and later versions of 5 if no call needs an approval
  v7,     ///< AI SDK 7.0.0 and later: v6, and the reason of an abort
};

/// Returns the profile called "v5-min", "v6" or "v7".
std::optional<ui_profile> ui_profile_of(std::string_view name);

/// Encodes the events of one turn. Closes every part that it opened, whatever the events are; ends
/// with `data: [DONE]` exactly once. One object per turn; not thread safe.
class ui_message_stream {
public:
  explicit ui_message_stream(ui_profile profile = ui_profile::v6) : profile_{profile} {}

  /// The headers of the answer, whose status is 200. The transport adds the connection's own
  /// headers.
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
    bool asked = false;       ///< the client was asked for its approval
    bool continued = false;   ///< the call is in an earlier step, of the turn before
    bool ended = false;       ///< it has an output or an error
  };

  ui_profile profile_;
  std::string model_; ///< of the last model request

  std::string delta_head_;   ///< of the open part: the frame up to the delta's characters
  std::vector<call> calls_;  ///< of the current step, in the order in which they began
  uint32_t part_number_ = 0; ///< ids of text and reasoning parts count up
  part open_ = part::none;
  bool started_ = false;
  bool in_step_ = false;
  bool asked_model_ = false; ///< false: calls belong to the message that the turn continues
  bool aborted_ = false;
  bool done_ = false;
};

} // namespace troupe
