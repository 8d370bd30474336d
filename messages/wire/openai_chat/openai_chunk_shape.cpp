#include "messages/wire/openai_chat/openai_chunk_shape.hpp"

#include <cstdint>

#include "messages/wire/json/json_literal.hpp"

namespace troupe {

namespace {

constexpr size_t max_shape_bytes = size_t{2} * 1024; ///< larger shapes are not worth their memory

constexpr uint32_t max_in_vain = 16;
constexpr size_t max_event_string_bytes = size_t{16} * 1024; ///< longer strings go the usual way
constexpr std::string_view head_of_event = "data: ";
constexpr std::string_view end_of_event = "\n\n";
constexpr std::string_view obfuscation = R"("obfuscation":")";

} // namespace

void openai_chunk_shape::learn(std::string_view json, std::string_view literal, bool is_reasoning) {
  before_.clear();
  if (in_vain_ == max_in_vain || json.size() - literal.size() > max_shape_bytes)
    return;
  ++in_vain_;
  auto first = static_cast<size_t>(literal.data() - json.data());
  auto behind = json.substr(first + literal.size() - 1);
  between_.clear();
  if (auto second = behind.find(obfuscation); second != std::string_view::npos) {
    auto inside = second + obfuscation.size();
    auto end = end_of_json_string(behind, inside);
    if (end == std::string_view::npos)
      return;
    between_ = behind.substr(0, inside);
    behind.remove_prefix(end);
  }
  before_ = json.substr(0, first + 1);
  behind_ = behind;
  one_line_ = json.find('\n') == std::string_view::npos;
  is_reasoning_ = is_reasoning;
}

std::string_view openai_chunk_shape::match(std::string_view json) noexcept {
  std::string_view literal;
  return match_start(json, literal) == json.size() ? literal : std::string_view{};
}

size_t openai_chunk_shape::match_event(std::string_view stream,
                                       std::string_view& literal) noexcept {
  if (!one_line_ || !stream.starts_with(head_of_event))
    return 0;
  auto json = match_start(stream.substr(head_of_event.size()), literal);
  auto end = head_of_event.size() + json;
  auto is_whole = json > 0 && literal.size() <= max_event_string_bytes &&
                  stream.substr(end).starts_with(end_of_event);
  return is_whole ? end + end_of_event.size() : 0;
}

/// Returns the length of the known JSON at the start of `text`; 0 if `text` has another shape.
size_t openai_chunk_shape::match_start(std::string_view text, std::string_view& literal) noexcept {
  if (before_.empty() || !text.starts_with(before_))
    return 0;
  auto end = end_of_json_string(text, before_.size());
  if (end == std::string_view::npos)
    return 0;
  literal = text.substr(before_.size() - 1, end - before_.size() + 2);
  if (!between_.empty()) {
    if (!text.substr(end).starts_with(between_))
      return 0;
    end = end_of_json_string(text, end + between_.size());
    if (end == std::string_view::npos)
      return 0;
  }
  if (!text.substr(end).starts_with(behind_))
    return 0;
  in_vain_ = 0;
  return end + behind_.size();
}

} // namespace troupe
