#include "messages/wire/openai_responses/responses_delta_shape.hpp"

#include <algorithm>
#include <utility>

#include "messages/wire/json/json_literal.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

constexpr size_t max_shape_bytes = size_t{2} * 1024;  ///< larger shapes are not worth their memory
constexpr size_t max_delta_bytes = size_t{16} * 1024; ///< longer deltas go the usual way
constexpr uint32_t max_shapes_in_vain = 16;
constexpr std::string_view end_of_event = "\n\n";

/// Returns whether a number of JSON stands there that is a whole one, and its length.
size_t digits_at(std::string_view text) noexcept {
  const auto end = std::ranges::find_if(text, [](char c) { return c < '0' || c > '9'; });
  const auto length = static_cast<size_t>(end - text.begin());
  return length > 1 && text.front() == '0' ? 0 : length; // no number begins with a zero
}

bool is_delta_of_text(responses_event_kind kind) {
  return kind == responses_event_kind::text || kind == responses_event_kind::summary ||
         kind == responses_event_kind::thought;
}

} // namespace

void responses_delta_shape::learn(std::string_view type, const responses_event& read) {
  const auto json = read.json;
  known_ = false;
  kind_ = read.kind_or(type);
  if (in_vain_ == max_shapes_in_vain || !is_delta_of_text(kind_) || read.delta.size() < 2 ||
      json.size() - read.delta.size() > max_shape_bytes ||
      json.find('\n') != std::string_view::npos)
    return;
  ++in_vain_;
  std::vector<place> places;
  // The views are of `json`: each has its place there. Quotes do not change.
  auto note = [&](hole::content holds, std::string_view value, size_t quote) {
    const auto first = static_cast<size_t>(value.data() - json.data());
    places.push_back({holds, first + quote, first + value.size() - quote});
  };
  note(hole::content::delta, read.delta, 1);
  if (const auto number = read.sequence_number;
      !number.empty() && digits_at(number) == number.size())
    note(hole::content::number, number, 0);
  if (kind_of(read.obfuscation) == json_kind::string)
    note(hole::content::other_string, read.obfuscation, 1);
  type_ = type;
  head_ = type.empty() ? "data: " : "event: " + type_ + "\ndata: ";
  remember(json, std::move(places));
  output_index_ = integer_of(read.output_index).value_or(-1);
  part_index_ = integer_of(read.part_index).value_or(0);
  known_ = true;
}

void responses_delta_shape::remember(std::string_view json, std::vector<place> places) {
  std::ranges::sort(places, {}, &place::first);
  holes_ = {};
  size_t from = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    holes_[i] = {places[i].holds, std::string{json.substr(from, places[i].first - from)}};
    from = places[i].end;
  }
  behind_ = json.substr(from);
}

size_t responses_delta_shape::match_event(std::string_view stream,
                                          std::string_view& literal) noexcept {
  if (!known_ || !stream.starts_with(head_))
    return 0;
  const auto json = match_json(stream.substr(head_.size()), literal);
  const auto end = head_.size() + json;
  return json > 0 && stream.substr(end).starts_with(end_of_event) ? end + end_of_event.size() : 0;
}

std::string_view responses_delta_shape::match(std::string_view type,
                                              std::string_view json) noexcept {
  std::string_view literal;
  const auto same = known_ && type == type_ && match_json(json, literal) == json.size();
  return same ? literal : std::string_view{};
}

/// Returns the length of the JSON of the known shape at the start of `text`; 0 if it has another.
size_t responses_delta_shape::match_json(std::string_view text,
                                         std::string_view& literal) noexcept {
  size_t at = 0;
  for (const auto& each : holes_) {
    if (each.holds == hole::content::none)
      break;
    if (!text.substr(at).starts_with(each.before))
      return 0;
    at += each.before.size();
    if (each.holds == hole::content::number) {
      const auto length = digits_at(text.substr(at, 20));
      if (length == 0)
        return 0;
      at += length;
      continue;
    }
    const auto end = end_of_json_string(text, at);
    if (end == std::string_view::npos || end - at > max_delta_bytes)
      return 0;
    if (each.holds == hole::content::delta)
      literal = text.substr(at - 1, end - at + 2);
    at = end;
  }
  if (!text.substr(at).starts_with(behind_))
    return 0;
  in_vain_ = 0;
  return at + behind_.size();
}

} // namespace troupe
