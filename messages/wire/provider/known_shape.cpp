#include "messages/wire/provider/known_shape.hpp"

#include <algorithm>

#include "messages/wire/json/json_literal.hpp"

namespace troupe {

namespace {

constexpr uint32_t max_shapes_in_vain = 16;
constexpr size_t max_digits = 20;

/// Returns the length of the whole number of JSON that stands there; 0: there is none.
size_t number_bytes(std::string_view text) noexcept {
  text = text.substr(0, max_digits);
  const auto end = std::ranges::find_if(text, [](char c) { return c < '0' || c > '9'; });
  const auto length = static_cast<size_t>(end - text.begin());
  return length > 1 && text.front() == '0' ? 0 : length; // no number begins with a zero
}

} // namespace

bool known_shape::learn(std::string_view json, std::span<const place> places) {
  forget();
  size_t changing = 0;
  for (const auto& each : places)
    changing += each.end - each.first;
  if (in_vain_ == max_shapes_in_vain || json.size() - changing > max_bytes)
    return false;
  ++in_vain_;
  bytes_.clear();
  size_t from = 0;
  for (const auto& each : places) {
    bytes_ += json.substr(from, each.first - from);
    holes_.push_back({each.holds, each.first - from});
    from = each.end;
  }
  bytes_ += json.substr(from);
  return true;
}

size_t known_shape::match(std::string_view text, std::string_view& literal) noexcept {
  if (holes_.empty())
    return 0;
  auto same = std::string_view{bytes_};
  size_t at = 0;
  for (const auto& each : holes_) {
    if (!text.substr(at).starts_with(same.substr(0, each.before)))
      return 0;
    at += each.before;
    same.remove_prefix(each.before);
    const auto first = at;
    if (each.holds == hole::number) {
      const auto length = number_bytes(text.substr(at));
      if (length == 0)
        return 0;
      at += length;
      continue;
    }
    at = end_of_json_string(text, at);
    if (at == std::string_view::npos || at - first > max_string_bytes)
      return 0;
    if (each.holds == hole::literal)
      literal = text.substr(first - 1, at - first + 2);
  }
  if (!text.substr(at).starts_with(same))
    return 0;
  in_vain_ = 0;
  return at + same.size();
}

} // namespace troupe
