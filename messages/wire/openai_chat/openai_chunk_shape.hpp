// The chunks of a stream differ only in one or two strings: chunks of a known shape are not parsed.
#pragma once

#include <cstddef>
#include <string_view>

#include "messages/wire/provider/known_shape.hpp"

namespace troupe {

/// Remembers the shape of the last chunk that carried only one string. OpenAI's `obfuscation`, a
/// random string after it that hides the length of the text, may differ as well. Not thread safe.
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
  known_shape shape_;
  bool is_reasoning_ = false;
  bool one_line_ = false; ///< the JSON can stand in one line of a stream
};

} // namespace troupe
