#include "transport/store/list_cursor.hpp"

#include <charconv>

#include <fmt/format.h>

namespace troupe {

std::string text_of(const list_cursor& at) {
  return fmt::format("{}-{}", at.place, at.key);
}

bool read_list_cursor(std::string_view text, list_cursor& out) {
  const auto* end = text.data() + text.size();
  const auto place = std::from_chars(text.data(), end, out.place);
  if (place.ec != std::errc{} || place.ptr == end || *place.ptr != '-')
    return false;
  const auto key = std::from_chars(place.ptr + 1, end, out.key);
  return key.ec == std::errc{} && key.ptr == end;
}

} // namespace troupe
