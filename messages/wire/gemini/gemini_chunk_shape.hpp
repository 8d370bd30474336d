// The chunks of a stream differ only in their text and their counts: one of a known shape is not
// parsed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Remembers the bytes around the text of the last chunk that had nothing but a text. A chunk with
/// the same bytes is the same JSON with another text; behind `usageMetadata` its numbers may
/// differ. Not thread safe.
class gemini_chunk_shape {
public:
  /// @param json a whole chunk @param literal its text, a JSON string inside of `json`
  void learn(std::string_view json, std::string_view literal, bool is_thought);

  /// Finds the text of a chunk of the known shape at the start of `text`.
  /// @param literal gets the text, a JSON string
  /// @return the length of the chunk; 0 when it has another shape or is incomplete
  size_t match(std::string_view text, std::string_view& literal) const noexcept;

  bool is_thought() const noexcept { return is_thought_; }

private:
  std::string head_;                ///< up to the opening quote; "": nothing is known
  std::string tail_;                ///< from the closing quote on, up to the counts
  std::vector<std::string> counts_; ///< from the counts on, between the numbers
  bool is_thought_ = false;
};

} // namespace troupe
