#include "messages/wire/openai_chunk_shape.hpp"

#include <cstdint>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t max_shape_bytes = size_t{2} * 1024; ///< larger ones are not worth their memory

/// Returns whether `text` is the inside of one JSON string literal. Escapes are not looked at
/// closer: whoever reads the string does that.
bool is_literal(std::string_view text) noexcept {
  for (size_t at = 0; at < text.size();) {
    auto byte = static_cast<uint8_t>(text[at]);
    if (byte < 0x20 || byte == '"')
      return false;
    if (byte == '\\') {
      if (at + 1 == text.size() || static_cast<uint8_t>(text[at + 1]) < 0x20)
        return false;
      ++at;
    }
    auto unit = utf8_at(text, at);
    if (!unit.valid)
      return false;
    at += unit.bytes;
  }
  return true;
}

} // namespace

void openai_chunk_shape::learn(std::string_view json, std::string_view literal, bool is_reasoning) {
  around_.clear();
  if (json.size() - literal.size() > max_shape_bytes)
    return;
  before_bytes_ = static_cast<size_t>(literal.data() - json.data());
  around_.append(json.substr(0, before_bytes_)).append(json.substr(before_bytes_ + literal.size()));
  is_reasoning_ = is_reasoning;
}

std::string_view openai_chunk_shape::match(std::string_view json) const noexcept {
  std::string_view around = around_;
  if (around.empty() || json.size() < around.size() + 2)
    return {};
  auto literal = json.substr(before_bytes_, json.size() - around.size());
  bool same = json.starts_with(around.substr(0, before_bytes_)) &&
              json.ends_with(around.substr(before_bytes_)) && literal.front() == '"' &&
              literal.back() == '"' && is_literal(literal.substr(1, literal.size() - 2));
  return same ? literal : std::string_view{};
}

} // namespace troupe
