// An answer as the frames that a provider streams it in, one token at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "apps/model/dialect/dialect.hpp"
#include "apps/model/script/answer.hpp"
#include "apps/model/script/chat_call.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

/// Walks over one answer: the beginning, one step per token, the end. An answer that does not end
/// as a whole has nothing after its last token, or an error. Equal answers to equal calls give
/// equal bytes. Not thread safe.
class answer_frames {
public:
  answer_frames(answer what, const chat_call& call, const dialect& spoken);
  answer_frames(const answer_frames&) = delete;
  answer_frames& operator=(const answer_frames&) = delete;

  /// Returns whether there is nothing more.
  bool done() const noexcept { return stage_ == stage::over; }

  /// Returns whether the next step is one that a pace holds back.
  bool next_is_token() const noexcept;

  /// Returns how many tokens were made so far.
  size_t tokens() const noexcept { return tokens_; }

  /// Appends the frames of the next step; does nothing when done().
  void next(json_buffer& out);

  const answer& what() const noexcept { return what_; }

private:
  enum class stage : uint8_t { begin, reasoning, text, call, arguments, end, over };

  void enter(stage next);
  void skip_empty();
  std::string_view take_token();
  void append_text(json_buffer& out);
  void append_call(json_buffer& out);

  const answer what_;
  std::unique_ptr<frame_writer> writer_;
  std::string_view rest_; // of what is being cut into tokens
  size_t tokens_ = 0;
  size_t text_tokens_ = 0; // of the text, where it repeats
  size_t call_ = 0;
  stage stage_ = stage::begin;
};

/// Returns the frames of the whole answer at once, without regard to its pace.
std::string all_frames(answer what, const chat_call& call, const dialect& spoken);

} // namespace troupe::scripted
