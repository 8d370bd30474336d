#include "messages/wire/gemini/gemini_chunk_shape.hpp"

#include <algorithm>
#include <vector>

#include "messages/wire/json/json_literal.hpp"

namespace troupe {

namespace {

constexpr std::string_view digits = "0123456789";

/// Adds the numbers from `at` on. Digits inside of strings are none: "gemini-2.0-flash-001".
void add_numbers(std::vector<known_shape::place>& into, std::string_view json, size_t at) {
  while ((at = json.find_first_of("\"0123456789", at)) < json.size()) {
    if (json[at] == '"') {
      at = std::min(end_of_json_string(json, at + 1), json.size() - 1) + 1;
      continue;
    }
    const auto end = std::min(json.find_first_not_of(digits, at), json.size());
    into.push_back({known_shape::hole::number, at, end});
    at = end;
  }
}

} // namespace

void gemini_chunk_shape::learn(std::string_view json, std::string_view literal, bool is_thought) {
  const auto first = static_cast<size_t>(literal.data() - json.data()) + 1;
  const auto end = first + literal.size() - 2;
  std::vector<known_shape::place> places{{known_shape::hole::literal, first, end}};
  const auto counts = json.find(R"("usageMetadata")", end);
  if (json.size() - literal.size() <= 2 * known_shape::max_bytes) // else too large in any case
    add_numbers(places, json, std::min(counts, json.size()));
  shape_.learn(json, places);
  is_thought_ = is_thought;
}

} // namespace troupe
