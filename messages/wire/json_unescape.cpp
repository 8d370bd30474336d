#include "messages/wire/json_unescape.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Reads the four digits of \uXXXX at `at`.
std::optional<uint16_t> hex_at(std::string_view text, size_t at) {
  uint16_t code = 0;
  if (at + 4 > text.size())
    return std::nullopt;
  auto [end, error] = std::from_chars(text.data() + at, text.data() + at + 4, code, 16);
  if (error != std::errc{} || end != text.data() + at + 4)
    return std::nullopt;
  return code;
}

/// Appends the character of \uXXXX, whose digits begin at `at`, together with the low half of a
/// pair where one follows. Returns where to go on, or npos.
size_t append_unicode(std::string& out, std::string_view text, size_t at) {
  auto code = hex_at(text, at);
  if (!code)
    return std::string_view::npos;
  at += 4;
  if (*code >= 0xD800 && *code < 0xDC00 && text.substr(at, 2) == "\\u") {
    auto low = hex_at(text, at + 2);
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      append_code_point(out, 0x10000 + ((char32_t{*code} - 0xD800) << 10) + (*low - 0xDC00));
      return at + 6;
    }
  }
  append_code_point(out, *code);
  return at;
}

} // namespace

bool append_unescaped(std::string& out, std::string_view literal) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  size_t at = 0;
  for (;;) {
    auto slash = literal.find('\\', at);
    out.append(literal.substr(at, slash == std::string_view::npos ? slash : slash - at));
    if (slash == std::string_view::npos)
      return true;
    if (slash + 1 == literal.size())
      return false;
    if (literal[slash + 1] == 'u') {
      at = append_unicode(out, literal, slash + 2);
      if (at == std::string_view::npos)
        return false;
      continue;
    }
    auto letter = letters.find(literal[slash + 1]);
    if (letter == std::string_view::npos)
      return false;
    out.push_back(meant[letter]);
    at = slash + 2;
  }
}

} // namespace troupe
