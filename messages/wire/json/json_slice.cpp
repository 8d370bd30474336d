#include "messages/wire/json/json_slice.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "messages/wire/json/json_unescape.hpp"

namespace troupe {

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
  return slash == std::string_view::npos ? std::string{literal}
                                         : unescaped(literal, slash, lone_halves::replaced);
}

std::optional<int64_t> integer_of(std::string_view value) {
  if (kind_of(value) != json_kind::number)
    return std::nullopt;
  int64_t exact = 0;
  const auto* end = value.data() + value.size();
  if (auto [at, error] = std::from_chars(value.data(), end, exact);
      error == std::errc{} && at == end)
    return exact;
  double number = 0;
  if (std::from_chars(value.data(), end, number).ec != std::errc{}) // 1e999, 1e-999
    return std::nullopt;
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
