#include "messages/wire/clients/responses/response_id.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "messages/ids.hpp"

namespace troupe {

namespace {

constexpr std::string_view prefix = "resp_";
constexpr size_t key_length = 24; // of make_id
constexpr size_t most_chat_bytes = 256;
constexpr size_t most_messages = 100'000'000;

/// Ids of chats that begin with a response have no other characters.
bool is_plain(std::string_view id) {
  return std::ranges::all_of(
      id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_'; });
}

} // namespace

std::string make_response_id(const response_place& place) {
  return make_id(prefix) + '_' + place_text(place);
}

std::string place_text(const response_place& place) {
  return std::to_string(place.from) + '_' + place.chat;
}

std::optional<response_place> place_in(std::string_view text) {
  response_place place;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place.from);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (error != std::errc{} || place.from > most_messages || text.size() < 2 ||
      text.front() != '_' || text.size() - 1 > most_chat_bytes || !is_plain(text))
    return std::nullopt;
  place.chat = text.substr(1);
  return place;
}

std::optional<response_place> place_of_response(std::string_view id) {
  const auto head = prefix.size() + key_length;
  if (!id.starts_with(prefix) || id.size() <= head || id[head] != '_')
    return std::nullopt;
  return place_in(id.substr(head + 1));
}

} // namespace troupe
