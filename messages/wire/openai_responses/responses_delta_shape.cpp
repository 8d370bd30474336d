#include "messages/wire/openai_responses/responses_delta_shape.hpp"

#include <algorithm>
#include <vector>

#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

constexpr std::string_view end_of_event = "\n\n";

bool is_delta_of_text(responses_event_kind kind) {
  return kind == responses_event_kind::text || kind == responses_event_kind::summary ||
         kind == responses_event_kind::thought;
}

/// Returns where the values of an event stand that change: its views are of its JSON.
std::vector<known_shape::place> places_in(const responses_event& read) {
  using hole = known_shape::hole;
  std::vector<known_shape::place> places;
  auto note = [&](hole holds, std::string_view value, size_t quote) {
    const auto first = static_cast<size_t>(value.data() - read.json.data());
    places.push_back({holds, first + quote, first + value.size() - quote});
  };
  note(hole::literal, read.delta, 1);
  const auto& number = read.sequence_number;
  if (number.find_first_not_of("0123456789") == number.npos && !number.empty())
    note(hole::number, number, 0);
  if (kind_of(read.obfuscation) == json_kind::string)
    note(hole::string, read.obfuscation, 1);
  std::ranges::sort(places, {}, &known_shape::place::first);
  return places;
}

} // namespace

void responses_delta_shape::learn(std::string_view type, const responses_event& read) {
  kind_ = read.kind_or(type);
  if (!is_delta_of_text(kind_) || kind_of(read.delta) != json_kind::string ||
      read.json.find('\n') != std::string_view::npos)
    return shape_.forget();
  if (!shape_.learn(read.json, places_in(read)))
    return;
  type_ = type;
  head_ = type.empty() ? "data: " : "event: " + type_ + "\ndata: ";
  output_index_ = integer_of(read.output_index).value_or(-1);
  part_index_ = integer_of(read.part_index).value_or(0);
}

size_t responses_delta_shape::match_event(std::string_view stream,
                                          std::string_view& literal) noexcept {
  if (!stream.starts_with(head_))
    return 0;
  const auto json = shape_.match(stream.substr(head_.size()), literal);
  const auto end = head_.size() + json;
  return json > 0 && stream.substr(end).starts_with(end_of_event) ? end + end_of_event.size() : 0;
}

std::string_view responses_delta_shape::match(std::string_view type,
                                              std::string_view json) noexcept {
  std::string_view literal;
  const auto same = !json.empty() && type == type_ && shape_.match(json, literal) == json.size();
  return same ? literal : std::string_view{};
}

} // namespace troupe
