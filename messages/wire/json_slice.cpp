#include "messages/wire/json_slice.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

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

/// Appends what the escape behind the backslash before `at` means. Returns where to go on, or npos.
size_t append_escape(std::string& out, std::string_view text, size_t at) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  if (at == text.size())
    return std::string_view::npos;
  if (text[at] == 'u')
    return append_unicode(out, text, at + 1);
  auto letter = letters.find(text[at]);
  if (letter == std::string_view::npos)
    return letter;
  out.push_back(meant[letter]);
  return at + 1;
}

/// @param slash where its first backslash is
std::string unescaped(std::string_view literal, size_t slash) {
  std::string out;
  out.reserve(literal.size());
  out.append(literal, 0, slash);
  while (slash < literal.size()) {
    auto at = append_escape(out, literal, slash + 1);
    slash = std::min(literal.find('\\', at), literal.size());
    if (at < literal.size())
      out.append(literal, at, slash - at);
  }
  return out;
}

} // namespace

json_kind kind_of(std::string_view value) noexcept {
  if (value.empty())
    return json_kind::absent;
  switch (value.front()) {
  case '{':
    return json_kind::object;
  case '[':
    return json_kind::array;
  case '"':
    return json_kind::string;
  case 't':
  case 'f':
    return json_kind::boolean;
  case 'n':
    return json_kind::null;
  default:
    return json_kind::number;
  }
}

std::string json_string(std::string_view value) {
  if (kind_of(value) != json_kind::string)
    return {};
  auto literal = value.substr(1, value.size() - 2);
  auto slash = literal.find('\\');
  return slash == std::string_view::npos ? std::string{literal} : unescaped(literal, slash);
}

std::optional<int64_t> integer_of(std::string_view value) {
  if (kind_of(value) != json_kind::number)
    return std::nullopt;
  int64_t exact = 0;
  const auto* end = value.data() + value.size();
  if (auto [at, error] = std::from_chars(value.data(), end, exact);
      error == std::errc{} && at == end)
    return exact;
  auto number = number_of(value);
  constexpr double exact_in_double = 9007199254740992.0; // 2^53
  if (std::abs(number) > exact_in_double || number != std::floor(number))
    return std::nullopt;
  return static_cast<int64_t>(number);
}

std::optional<int64_t> id_of(std::string_view value) {
  if (kind_of(value) != json_kind::string)
    return integer_of(value);
  auto text = json_string(value);
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

double number_of(std::string_view value) {
  double number = 0;
  if (kind_of(value) != json_kind::number)
    return 0;
  auto result = std::from_chars(value.data(), value.data() + value.size(), number);
  return result.ec == std::errc{} ? number : 0;
}

void keep_on_one_line(json_buffer& out, size_t from) {
  for (char end : {'\n', '\r'}) {
    auto* at = out.data() + from;
    auto* last = out.data() + out.size();
    while ((at = static_cast<char*>(std::memchr(at, end, static_cast<size_t>(last - at)))))
      *at++ = ' ';
  }
}

} // namespace troupe
