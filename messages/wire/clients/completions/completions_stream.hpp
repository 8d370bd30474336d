// A turn as a chat completion of OpenAI's: chunks, or one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"

namespace troupe {

/// What all pieces of one completion say about it.
struct completion_identity {
  std::string id;      ///< "chatcmpl-..."
  std::string model;   ///< as the client asked for it
  int64_t created = 0; ///< Unix time, seconds
};

/// Keeps what the model wrote in one round of a turn apart from what it wrote in the next one,
/// where the client sees one text. Not thread safe.
class round_texts {
public:
  /// The model is asked, once more perhaps.
  void next_round() noexcept { apart_ = any_; }

  /// Returns what goes before the next piece of text: a blank line, or nothing.
  std::string_view before_piece() noexcept {
    any_ = true;
    return std::exchange(apart_, false) ? "\n\n" : "";
  }

private:
  bool any_ = false;   ///< there was a piece
  bool apart_ = false; ///< the next one is the first of its round, and not of the turn
};

/// Encodes the events of a turn as `chat.completion.chunk`s. Calls that run here are not shown;
/// those of the client are, each in one piece. One object per turn; not thread safe.
class completions_stream {
public:
  completions_stream(const completion_identity& identity, bool include_usage);

  /// Appends the chunks for these events as SSE; after the terminal one `data: [DONE]`.
  void encode(const event_batch& batch, json_buffer& out);

private:
  class writer; // one overload per event

  std::string head_; ///< of every chunk, up to the members of its choice's delta
  size_t calls_ = 0; ///< that were written
  round_texts texts_, thoughts_;
  bool include_usage_;
  bool started_ = false;
};

/// Collects the events of a turn and makes one `chat.completion` of them. Not thread safe.
class completion_collector {
public:
  explicit completion_collector(completion_identity identity) : identity_(std::move(identity)) {}

  void take(const event_batch& batch);

  /// Returns what the turn failed with; no error when it ended well. After the terminal event.
  const failure& error() const noexcept { return error_; }

  /// Returns the answer's body. After the terminal event.
  std::string body() const;

private:
  class reader; // one overload per event

  completion_identity identity_;
  std::string text_;
  std::string reasoning_;
  round_texts texts_, thoughts_;
  std::vector<tool_args_complete> calls_; ///< that the client runs
  finish_reason reason_ = finish_reason::stop;
  usage used_;
  failure error_;
};

/// Returns an error as OpenAI's clients read it: {"error":{"message","type","param","code"}}.
std::string completions_error(const failure& why);

} // namespace troupe
