// The chunks of a stream differ only in one or two strings: chunks of a known shape are not parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Remembers the last chunk that carried only one string: the bytes before and behind the string. A
/// text with the same bytes around another string literal is the same JSON with another value, so
/// it needs no parser: a long answer is decoded several times faster. OpenAI's `obfuscation`, a
/// random string behind it that hides the length of the text, may differ as well.
class openai_chunk_shape {
public:
  /// Remembers `json` around `literal`, which is a view of it, quotes included. Gives up after 16
  /// shapes of which none came again.
  void learn(std::string_view json, std::string_view literal, bool is_reasoning);

  /// Returns the string of `json` with its quotes, or "" when the text has another shape.
  std::string_view match(std::string_view json) noexcept;

  /// Like match, for an event at the start of `stream` (server-sent events): "data: ", a known
  /// shape on one line, an empty line. Returns the length of the event; 0 when it has another shape
  /// or is incomplete.
  size_t match_event(std::string_view stream, std::string_view& literal) noexcept;

  /// Returns whether the string is reasoning rather than content.
  bool is_reasoning() const noexcept { return is_reasoning_; }

private:
  size_t match_start(std::string_view text, std::string_view& literal) noexcept;

  std::string before_;  ///< up to and with the opening quote
  std::string between_; ///< from the closing quote to the opening one of a second string, or ""
  std::string behind_;  ///< from the last closing quote to the end
  bool is_reasoning_ = false;
  bool one_line_ = false; ///< the JSON can stand in one line of a stream
  uint32_t in_vain_ = 0;  ///< shapes learned since the last match
};

} // namespace troupe
