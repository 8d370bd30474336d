// An answer as the server-sent events that OpenAI streams it in, one frame at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/model/answer.hpp"
#include "apps/model/chat_call.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

/// Makes the frames of one answer: role, one per token, finish_reason, usage if it was asked for,
/// and [DONE]. An answer that does not end as a whole has no frames after its last token. Equal
/// answers to equal calls give equal bytes. Not thread safe.
class answer_frames {
public:
  answer_frames(answer what, const chat_call& call);
  answer_frames(const answer_frames&) = delete;
  answer_frames& operator=(const answer_frames&) = delete;

  /// Returns whether there are no more frames.
  bool done() const noexcept { return stage_ == stage::over; }

  /// Returns whether the next frame is one that a pace holds back.
  bool next_is_token() const noexcept;

  /// Returns how many tokens were made so far.
  size_t tokens() const noexcept { return tokens_; }

  /// Appends the next frame; does nothing when done().
  void next(json_buffer& out);

  const answer& what() const noexcept { return what_; }

private:
  enum class stage : uint8_t { role, reasoning, text, call, arguments, finish, usage, end, over };

  void enter(stage next);
  void skip_empty();
  std::string_view take_token();
  void append_role(json_buffer& out) const;
  void append_text(json_buffer& out);
  void append_delta(json_buffer& out, std::string_view name, std::string_view text);
  void append_call(json_buffer& out) const;
  void append_arguments(json_buffer& out);
  void append_finish(json_buffer& out) const;
  void append_usage(json_buffer& out) const;

  const answer what_;
  std::string prefix_;    // of every frame, up to its choice
  std::string_view rest_; // of what is being cut into tokens
  size_t tokens_ = 0;
  size_t text_tokens_ = 0; // of the text, where it repeats
  size_t call_ = 0;
  const bool include_usage_;
  stage stage_ = stage::role;
};

/// Returns the frames of the whole answer at once, without regard to its pace.
std::string all_frames(answer what, const chat_call& call);

} // namespace troupe::scripted
