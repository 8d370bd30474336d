// The chunks of a stream differ only in their text and their counts: one of a known shape is not
// parsed.
#pragma once

#include <cstddef>
#include <string_view>

#include "messages/wire/provider/known_shape.hpp"

namespace troupe {

/// Remembers the shape of the last chunk that had nothing but a text. Beside the text the numbers
/// behind `usageMetadata` may differ. Not thread safe.
class gemini_chunk_shape {
public:
  /// @param json a whole chunk @param literal its text, a JSON string inside of `json`
  void learn(std::string_view json, std::string_view literal, bool is_thought);

  /// Finds the text of a chunk of the known shape at the start of `text`.
  /// @param literal gets the text, a JSON string
  /// @return the length of the chunk; 0 when it has another shape or is incomplete
  size_t match(std::string_view text, std::string_view& literal) noexcept {
    return shape_.match(text, literal);
  }

  bool is_thought() const noexcept { return is_thought_; }

private:
  known_shape shape_;
  bool is_thought_ = false;
};

} // namespace troupe
