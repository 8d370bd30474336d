#include "messages/wire/openai_chat/openai_chunk_shape.hpp"

#include <array>

#include "messages/wire/json/json_literal.hpp"

namespace troupe {

namespace {

constexpr std::string_view head_of_event = "data: ";
constexpr std::string_view end_of_event = "\n\n";
constexpr std::string_view obfuscation = R"("obfuscation":")";

} // namespace

void openai_chunk_shape::learn(std::string_view json, std::string_view literal, bool is_reasoning) {
  const auto first = static_cast<size_t>(literal.data() - json.data()) + 1;
  const auto end = first + literal.size() - 2;
  std::array places{known_shape::place{known_shape::hole::literal, first, end},
                    known_shape::place{known_shape::hole::string, 0, 0}};
  size_t count = 1;
  if (const auto second = json.find(obfuscation, end); second != std::string_view::npos) {
    const auto inside = second + obfuscation.size();
    places[count++] = {known_shape::hole::string, inside, end_of_json_string(json, inside)};
    if (places.back().end == std::string_view::npos)
      return shape_.forget();
  }
  shape_.learn(json, {places.data(), count});
  one_line_ = json.find('\n') == std::string_view::npos;
  is_reasoning_ = is_reasoning;
}

std::string_view openai_chunk_shape::match(std::string_view json) noexcept {
  std::string_view literal;
  return !json.empty() && shape_.match(json, literal) == json.size() ? literal : std::string_view{};
}

size_t openai_chunk_shape::match_event(std::string_view stream,
                                       std::string_view& literal) noexcept {
  if (!one_line_ || !stream.starts_with(head_of_event))
    return 0;
  const auto json = shape_.match(stream.substr(head_of_event.size()), literal);
  const auto end = head_of_event.size() + json;
  return json > 0 && stream.substr(end).starts_with(end_of_event) ? end + end_of_event.size() : 0;
}

} // namespace troupe
