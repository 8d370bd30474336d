// A turn in OpenAI's chat-completions format: as chunks, or as one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/call_pieces.hpp"
#include "messages/wire/clients/completions/turn_outcome.hpp"

namespace troupe {

/// The members that all chunks of one completion share.
struct completion_identity {
  std::string id;      ///< "chatcmpl-..."
  std::string model;   ///< as the client asked for it
  int64_t created = 0; ///< Unix time, seconds
};

/// Separates the texts of two rounds of a turn by a blank line, because the client sees one text.
/// Not thread safe.
class round_texts {
public:
  /// A model request begins.
  void next_round() noexcept { apart_ = any_; }

  /// Returns the text to write before the next piece: a blank line, or nothing.
  std::string_view before_piece() noexcept {
    any_ = true;
    return std::exchange(apart_, false) ? "\n\n" : "";
  }

private:
  bool any_ = false;   ///< a piece was written
  bool apart_ = false; ///< the next piece is the first of a later round
};

/// Encodes the events of a turn as `chat.completion.chunk`s. Calls that the engine runs are not
/// shown; client-side calls are, their arguments as they come (call_pieces.hpp). One object per
/// turn; not thread safe.
class completions_stream {
public:
  completions_stream(const completion_identity& identity, bool include_usage);

  /// Appends the chunks for these events as SSE, and `data: [DONE]` after the terminal event.
  void encode(const event_batch& batch, json_buffer& out);

private:
  class writer; // one overload per event

  std::string head_;     ///< of every chunk, up to the members of its choice's delta
  size_t calls_ = 0;     ///< that were written
  size_t open_call_ = 0; ///< number of the one whose arguments come
  call_pieces pieces_;
  round_texts texts_, thoughts_;
  bool include_usage_;
  bool started_ = false;
};

/// Collects the events of a turn and makes one `chat.completion` of them. Not thread safe.
class completion_collector {
public:
  explicit completion_collector(completion_identity identity) : identity_(std::move(identity)) {}

  void take(const event_batch& batch);

  /// Returns the failure of the turn; no error when it ended well. After the terminal event.
  const failure& error() const noexcept { return outcome_.error; }

  /// Returns the answer's body. After the terminal event.
  std::string body() const;

private:
  class reader; // one overload per event

  completion_identity identity_;
  std::string text_;
  std::string reasoning_;
  round_texts texts_, thoughts_;
  std::vector<tool_args_complete> calls_; ///< client-side calls
  turn_outcome outcome_;
};

/// Returns an error as OpenAI's clients read it: {"error":{"message","type","param","code"}}.
std::string completions_error(const failure& why);

/// The last event of a stream of completions.
inline constexpr std::string_view completions_done = "data: [DONE]\n\n";

/// Appends the event of a failure in the middle of a stream.
void append_completions_failure(json_buffer& out, const failure& why);

/// Appends the chunk that has the usage and no choices. @param head of the stream's chunks
void append_completions_usage_chunk(json_buffer& out, std::string_view head, const usage& used);

} // namespace troupe
