#include "messages/wire/traceparent.hpp"

#include <algorithm>

namespace troupe {

namespace {

// Where the parts of "00-32 digits-16 digits-2 digits" stand.
constexpr size_t whole_size = 55;
constexpr size_t version_size = 2;
constexpr size_t trace_at = 3, trace_size = 32;
constexpr size_t parent_at = 36, parent_size = 16;
constexpr size_t flags_at = 53, flags_size = 2;

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_id(std::string_view text) {
  return is_hex(text) && text.find_first_not_of('0') != text.npos;
}

} // namespace

bool is_traceparent(std::string_view text) {
  if (text.size() < whole_size || text[trace_at - 1] != '-' || text[parent_at - 1] != '-' ||
      text[flags_at - 1] != '-')
    return false;
  auto version = text.substr(0, version_size);
  auto ends = text.size() == whole_size || (version != "00" && text[whole_size] == '-');
  return ends && is_hex(version) && version != "ff" && is_id(text.substr(trace_at, trace_size)) &&
         is_id(text.substr(parent_at, parent_size)) && is_hex(text.substr(flags_at, flags_size));
}

} // namespace troupe
