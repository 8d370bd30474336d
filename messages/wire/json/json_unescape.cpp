#include "messages/wire/json/json_unescape.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "messages/utf8.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

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

/// One JSON string while it is unescaped.
struct unescaping {
  std::string_view text;
  lone_halves halves;
  std::string out;
};

/// Appends a lone unit, whose digits end at `end`.
void append_unit(unescaping& of, uint16_t code, size_t end) {
  constexpr size_t first_end = 6; // of an escape that begins the text
  bool at_an_end =
      (is_high_half(code) && end == of.text.size()) || (is_low_half(code) && end == first_end);
  if (at_an_end && of.halves == lone_halves::kept_at_ends)
    append_half(of.out, code);
  else
    append_code_point(of.out, code);
}

/// Appends the character of \uXXXX, whose digits begin at `at`, together with the low half of a
/// pair if one follows. Returns where to continue, or npos.
size_t append_unicode(unescaping& of, size_t at) {
  auto code = hex_at(of.text, at);
  if (!code)
    return std::string_view::npos;
  at += 4;
  if (is_high_half(*code) && of.text.substr(at, 2) == "\\u") {
    auto low = hex_at(of.text, at + 2);
    if (low && is_low_half(*low)) {
      append_code_point(of.out, pair_of(*code, *low));
      return at + 6;
    }
  }
  append_unit(of, *code, at);
  return at;
}

/// Appends the meaning of the escape whose backslash is before `at`. Returns where to continue, or
/// npos.
size_t append_escape(unescaping& of, size_t at) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  if (at == of.text.size())
    return std::string_view::npos;
  if (of.text[at] == 'u')
    return append_unicode(of, at + 1);
  auto letter = letters.find(of.text[at]);
  if (letter == std::string_view::npos)
    return letter;
  of.out.push_back(meant[letter]);
  return at + 1;
}

} // namespace

std::string unescaped(std::string_view literal, size_t slash, lone_halves halves) {
  unescaping of{literal, halves, {}};
  of.out.reserve(literal.size());
  of.out.append(literal, 0, slash);
  while (slash < literal.size()) {
    auto at = append_escape(of, slash + 1);
    slash = std::min(literal.find('\\', at), literal.size());
    if (at < literal.size())
      of.out.append(literal, at, slash - at);
  }
  return std::move(of.out);
}

} // namespace troupe
