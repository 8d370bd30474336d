// The chunks of a stream differ in one string only: known ones are not parsed again.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Remembers the last chunk that carried nothing but one string, as what stands before and behind
/// that string. A text with the same bytes around another string literal is the same JSON with
/// another value, so it needs no parser: this makes a long answer several times cheaper to decode.
class openai_chunk_shape {
public:
  /// Remembers `json` around `literal`, which is a view of it, quotes included.
  void learn(std::string_view json, std::string_view literal, bool is_reasoning);

  /// Returns the string of `json` with its quotes, or "" when the text has another shape.
  std::string_view match(std::string_view json) const noexcept;

  /// Returns whether the string is reasoning rather than content.
  bool is_reasoning() const noexcept { return is_reasoning_; }

private:
  std::string around_;      ///< what stands before the opening quote, then what follows the closing
  size_t before_bytes_ = 0; ///< how much of it stands before
  bool is_reasoning_ = false;
};

} // namespace troupe
