// A turn in OpenAI's format of before there were chats: as chunks, or as one answer.
#pragma once

#include <string>
#include <utility>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"

namespace troupe {

// The text of the answer is all that is shown: the format has no place for reasoning and calls.

/// Encodes the events of a turn as chunks of a `text_completion`. One object per turn; not thread
/// safe.
class text_completion_stream {
public:
  /// @param identity its id is "cmpl-..."
  text_completion_stream(const completion_identity& identity, bool include_usage);

  /// Appends the chunks for these events as SSE, and `data: [DONE]` after the terminal event.
  void encode(const event_batch& batch, json_buffer& out);

private:
  class writer; // one overload per event

  std::string head_; ///< of every chunk, up to `choices`
  round_texts texts_;
  bool include_usage_;
};

/// Collects the events of a turn and makes one `text_completion` of them. Not thread safe.
class text_completion_collector {
public:
  explicit text_completion_collector(completion_identity identity)
      : identity_(std::move(identity)) {}

  void take(const event_batch& batch);

  /// Returns the failure of the turn; no error when it ended well. After the terminal event.
  const failure& error() const noexcept { return outcome_.error; }

  /// Returns the answer's body. After the terminal event.
  std::string body() const;

private:
  class reader; // one overload per event

  completion_identity identity_;
  std::string text_;
  round_texts texts_;
  turn_outcome outcome_;
};

} // namespace troupe
