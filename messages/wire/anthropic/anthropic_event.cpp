#include "messages/wire/anthropic/anthropic_event.hpp"

#include <array>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_literal.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t max_delta_string_bytes = size_t{16} * 1024; ///< longer ones go the usual way
constexpr std::string_view event_start = "event: content_block_delta\ndata: ";
constexpr std::string_view delta_start = R"({"type":"content_block_delta","index":)";
constexpr std::string_view delta_middle = R"(,"delta":{"type":")";

struct delta_row {
  std::string_view start; ///< up to the string's opening quote
  anthropic_delta_kind kind;
};

constexpr std::array delta_rows{
    delta_row{R"(text_delta","text":)", anthropic_delta_kind::text},
    delta_row{R"(input_json_delta","partial_json":)", anthropic_delta_kind::arguments},
    delta_row{R"(thinking_delta","thinking":)", anthropic_delta_kind::thinking},
};

size_t skip_blanks(std::string_view text, size_t at) noexcept {
  while (at < text.size() && text[at] == ' ')
    ++at;
  return at;
}

/// Reads the index of the block; returns its length, 0 if it is none.
size_t read_index(std::string_view text, int64_t& index) noexcept {
  constexpr size_t max_digits = 6;
  size_t digits = 0;
  index = 0;
  while (digits < text.size() && digits < max_digits && text[digits] >= '0' && text[digits] <= '9')
    index = index * 10 + (text[digits++] - '0');
  return digits;
}

/// Returns the place after the opening quote of the delta's string; 0 if it is another delta.
size_t match_head(std::string_view text, anthropic_delta& out) noexcept {
  if (!text.starts_with(delta_start))
    return 0;
  auto at = delta_start.size();
  const auto digits = read_index(text.substr(at), out.index);
  at += digits;
  if (digits == 0 || !text.substr(at).starts_with(delta_middle))
    return 0;
  at += delta_middle.size();
  for (const auto& row : delta_rows) {
    const auto quote = at + row.start.size();
    if (!text.substr(at).starts_with(row.start) || quote >= text.size() || text[quote] != '"')
      continue;
    out.kind = row.kind;
    return quote + 1;
  }
  return 0;
}

} // namespace

bool read_anthropic_event(std::string_view json, anthropic_event& out) {
  const std::array<json_member, 12> wanted{{{"type", &out.type},
                                            {"index", &out.index},
                                            {"message", &out.message},
                                            {"content_block", &out.block},
                                            {"delta", &out.delta},
                                            {"usage", &out.usage},
                                            {"error", &out.error},
                                            {"id", &out.id},
                                            {"content", &out.content},
                                            {"stop_reason", &out.stop_reason},
                                            {"stop_sequence", &out.stop_sequence},
                                            {"stop_details", &out.stop_details}}};
  const auto whole = for_each_member(
      json,
      [&wanted](std::string_view key, std::string_view value) {
        for (const auto& each : wanted)
          if (each.key == key)
            *each.value = value == "null" ? std::string_view{} : value;
        return true;
      },
      out.behind);
  // The members are walked once more: a walk over what is no JSON may lead out of it.
  return whole && json_fault(json.substr(0, json.size() - out.behind.size())).empty();
}

size_t match_anthropic_delta(std::string_view text, anthropic_delta& out) noexcept {
  const auto inside = match_head(text, out);
  if (inside == 0)
    return 0;
  const auto end = end_of_json_string(text, inside);
  if (end == std::string_view::npos || end - inside > max_delta_string_bytes)
    return 0;
  auto at = end + 1;
  for (int brackets = 2; brackets > 0; --brackets) { // blanks stand before the last one
    at = skip_blanks(text, at);
    if (at >= text.size() || text[at] != '}')
      return 0;
    ++at;
  }
  out.literal = text.substr(inside - 1, end - inside + 2);
  return at;
}

size_t match_anthropic_delta_event(std::string_view stream, anthropic_delta& out) noexcept {
  if (!stream.starts_with(event_start))
    return 0;
  const auto json = match_anthropic_delta(stream.substr(event_start.size()), out);
  if (json == 0)
    return 0;
  const auto at = skip_blanks(stream, event_start.size() + json);
  return stream.substr(at).starts_with("\n\n") ? at + 2 : 0;
}

} // namespace troupe
