#include "messages/wire/clients/responses/referred_items.hpp"

#include <algorithm>

#include "messages/wire/clients/responses/item_id.hpp"
#include "messages/wire/clients/responses/kept_response.hpp"

namespace troupe {

namespace {

size_t bytes_of(const std::vector<response_item>& answer) {
  size_t bytes = 0;
  for (const auto& each : answer)
    bytes += each.text.size() + each.output.size() + each.extra.size();
  return bytes;
}

} // namespace

std::vector<std::string> referred_items::chats() const {
  std::vector<std::string> named;
  for (const auto& id : wanted)
    if (const auto place = place_of_item(id); place)
      named.push_back(place->chat);
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

failure find_items(std::string_view chat, const conversation& kept, referred_items& items) {
  std::map<size_t, std::vector<response_item>> answers; // by the place where they begin
  for (const auto& id : items.wanted) {
    const auto place = place_of_item(id);
    if (!place || place->chat != chat || items.found.contains(id))
      continue;
    const auto [answer, is_new] = answers.try_emplace(place->from);
    auto& all = answer->second;
    if (is_new) {
      all = kept_items_of(kept, *place);
      items.read_bytes += bytes_of(all);
    }
    if (items.read_bytes > max_referred_bytes)
      return {errc::request_too_large, "input refers to more than 64 MiB of answers; send fewer "
                                       "items, or the response as previous_response_id"};
    const auto item = std::ranges::find(all, id, &response_item::id);
    if (item == all.end())
      continue;
    json_buffer out;
    append_response_item(out, *item);
    items.found.emplace(id, view(out));
  }
  return {};
}

} // namespace troupe
