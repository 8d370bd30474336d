// A turn in the format of Anthropic's messages: as a stream of events, or as one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/tool_events.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/call_pieces.hpp"
#include "messages/wire/clients/completions/turn_outcome.hpp"

namespace troupe {

/// The members of one answer that do not come from the model.
struct claude_identity {
  std::string id;    ///< "msg_..."
  std::string model; ///< as the client asked for it
};

/// Appends `{"id":...,"type":"message","role":"assistant","model":...,`.
void append_claude_head(json_buffer& out, const claude_identity& of);

/// Appends the usage object: what came from a cache or went into it is not in `input_tokens`.
void append_claude_usage(json_buffer& out, const usage& used);

/// Appends `"stop_reason":..,"stop_sequence":..`. @param sequence of the client, which ended the
/// answer; "" = none
void append_claude_stop(json_buffer& out, finish_reason why, bool has_calls,
                        std::string_view sequence);

/// Appends `"id":...,"name":...` of a call for the client, and what its provider wants back.
void append_claude_call(json_buffer& out, const tool_args_complete& call);

/// Returns the HTTP status that has Anthropic's clients do what is right: they try again after 408,
/// 409, 429 and 5xx. @param otherwise the status of other codes
uint16_t claude_status(errc code, uint16_t otherwise);

/// Returns an error as Anthropic's clients read it: {"type":"error","error":{"type","message"}}.
/// @param status as claude_status() has it, which decides about the type
/// @param details JSON of `error.details`; "" = none
std::string claude_error(const failure& why, uint16_t status, std::string_view details = {});

/// `error.details` with which Anthropic's clients send the whole history instead of a thread.
inline constexpr std::string_view claude_thread_refusal =
    R"({"error_code":"thread_unsupported_request","unsupported":["thread"]})";

/// The kinds of blocks that grow piece by piece.
enum class claude_growing : uint8_t { nothing, text, thinking, call };

/// Encodes the events of a turn as Anthropic's. Calls that the engine runs are not shown, and the
/// texts of two rounds are parted by a blank line; calls of the client are shown, their arguments
/// as they come (call_pieces.hpp). One object per turn; not thread safe.
class claude_stream {
public:
  explicit claude_stream(claude_identity identity) : identity_(std::move(identity)) {}

  /// Appends the events as SSE; the first of them is `message_start`.
  void encode(const event_batch& batch, json_buffer& out);

private:
  class writer; // one overload per event

  claude_identity identity_;
  size_t blocks_ = 0; ///< that have begun
  claude_growing open_ = claude_growing::nothing;
  call_pieces pieces_;
  bool begun_ = false;     ///< message_start is written
  bool has_calls_ = false; ///< for the client
  bool apart_ = false;     ///< a round has begun since the open block's last piece
  bool over_ = false;
};

/// A block of a whole answer.
struct claude_answer_block {
  claude_growing kind = claude_growing::nothing; ///< nothing: a call
  std::string text;
  tool_args_complete call;
};

/// Collects the events of a turn and makes one message of them. Not thread safe.
class claude_collector {
public:
  explicit claude_collector(claude_identity identity) : identity_(std::move(identity)) {}

  void take(const event_batch& batch);

  /// Returns the failure of the turn; no error when it ended well. After the terminal event.
  const failure& error() const noexcept { return outcome_.error; }

  /// Returns the answer's body. After the terminal event.
  std::string body() const;

private:
  class reader; // one overload per event

  claude_identity identity_;
  std::vector<claude_answer_block> blocks_;
  bool apart_ = false;
  turn_outcome outcome_;
};

} // namespace troupe
