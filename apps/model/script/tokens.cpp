#include "apps/model/script/tokens.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t longest_token = 32;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

} // namespace

std::string_view first_token(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_space(text[end]))
    ++end;
  while (end < text.size() && !is_space(text[end]))
    ++end;
  if (end <= longest_token)
    return text.substr(0, end);
  end = longest_token;
  while (end > 1 && continues_character(text[end]))
    --end;
  return text.substr(0, end);
}

size_t count_tokens(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); text.remove_prefix(first_token(text).size()))
    ++count;
  return count;
}

} // namespace troupe::scripted
