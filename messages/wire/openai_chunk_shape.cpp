#include "messages/wire/openai_chunk_shape.hpp"

#include <cstdint>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t max_shape_bytes = size_t{2} * 1024; ///< larger ones are not worth their memory

constexpr uint32_t max_in_vain = 16;
constexpr std::string_view obfuscation = R"("obfuscation":")";

/// Returns where the string literal ends whose inside begins at `at`: its closing quote, or npos if
/// there is none or it is broken. Escapes are not looked at closer: whoever reads the string does
/// that.
size_t end_of_literal(std::string_view text, size_t at) noexcept {
  while (at < text.size()) {
    auto byte = static_cast<uint8_t>(text[at]);
    if (byte == '"')
      return at;
    if (byte < 0x20)
      return std::string_view::npos;
    if (byte == '\\') {
      if (at + 1 == text.size() || static_cast<uint8_t>(text[at + 1]) < 0x20)
        return std::string_view::npos;
      ++at;
    }
    if (static_cast<uint8_t>(text[at]) < 0x80) { // most are
      ++at;
      continue;
    }
    auto unit = utf8_at(text, at);
    if (!unit.valid)
      return std::string_view::npos;
    at += unit.bytes;
  }
  return std::string_view::npos;
}

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
    auto end = end_of_literal(behind, inside);
    if (end == std::string_view::npos)
      return;
    between_ = behind.substr(0, inside);
    behind.remove_prefix(end);
  }
  before_ = json.substr(0, first + 1);
  behind_ = behind;
  is_reasoning_ = is_reasoning;
}

std::string_view openai_chunk_shape::match(std::string_view json) noexcept {
  if (before_.empty() || !json.starts_with(before_))
    return {};
  auto end = end_of_literal(json, before_.size());
  if (end == std::string_view::npos)
    return {};
  auto literal = json.substr(before_.size() - 1, end - before_.size() + 2);
  if (!between_.empty()) {
    if (json.substr(end, between_.size()) != between_)
      return {};
    end = end_of_literal(json, end + between_.size());
    if (end == std::string_view::npos)
      return {};
  }
  if (json.substr(end) != behind_)
    return {};
  in_vain_ = 0;
  return literal;
}

} // namespace troupe
