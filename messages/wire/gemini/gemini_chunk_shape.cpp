#include "messages/wire/gemini/gemini_chunk_shape.hpp"

#include <algorithm>

#include "messages/wire/json/json_literal.hpp"

namespace troupe {

namespace {

constexpr bool is_decimal(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Returns the number of digits at the start of `text`.
size_t digits_at(std::string_view text) noexcept {
  size_t count = 0;
  while (count < text.size() && is_decimal(text[count]))
    ++count;
  return count;
}

/// Returns the pieces of `text` between its numbers; the first and the last one may be empty.
std::vector<std::string> pieces_between_numbers(std::string_view text) {
  std::vector<std::string> pieces(1);
  for (size_t at = 0; at < text.size();) {
    if (const auto digits = digits_at(text.substr(at)); digits > 0) {
      pieces.emplace_back();
      at += digits;
    } else {
      pieces.back().push_back(text[at++]);
    }
  }
  return pieces;
}

} // namespace

void gemini_chunk_shape::learn(std::string_view json, std::string_view literal, bool is_thought) {
  const auto first = static_cast<size_t>(literal.data() - json.data());
  const auto behind = json.substr(first + literal.size() - 1);
  const auto counts = std::min(behind.find(R"("usageMetadata")"), behind.size());
  head_ = json.substr(0, first + 1);
  tail_ = behind.substr(0, counts);
  counts_ = pieces_between_numbers(behind.substr(counts));
  is_thought_ = is_thought;
}

size_t gemini_chunk_shape::match(std::string_view text, std::string_view& literal) const noexcept {
  if (head_.empty() || !text.starts_with(head_))
    return 0;
  const auto end = end_of_json_string(text, head_.size());
  if (end == std::string_view::npos || !text.substr(end).starts_with(tail_))
    return 0;
  auto behind = end + tail_.size();
  for (const auto& piece : counts_) {
    const auto digits = &piece == &counts_.front() ? 0 : digits_at(text.substr(behind));
    if (&piece != &counts_.front() && digits == 0)
      return 0;
    behind += digits;
    if (!text.substr(behind).starts_with(piece))
      return 0;
    behind += piece.size();
  }
  literal = text.substr(head_.size() - 1, end - head_.size() + 2);
  return behind;
}

} // namespace troupe
