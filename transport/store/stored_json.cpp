#include "transport/store/stored_json.hpp"

#include <array>
#include <utility>
#include <variant>

namespace troupe::stored {

namespace {

using event_maker = event (*)();

template <size_t... Is>
std::array<event_maker, sizeof...(Is)> makers_of(std::index_sequence<Is...>) {
  return {[]() -> event { return event{std::in_place_index<Is>}; }...};
}

/// Makes the event of that name; leaves `out` for a name that this version does not know.
void make(std::string_view name, event& out) {
  static const auto makers = makers_of(std::make_index_sequence<std::variant_size_v<event>>{});
  for (auto maker : makers) {
    auto made = maker();
    if (name_of(made) == name) {
      out = std::move(made);
      return;
    }
  }
}

} // namespace

void append(json_buffer& out, const event& value) {
  out.push_back('[');
  append_json(out, name_of(value));
  out.push_back(',');
  std::visit([&out](const auto& members) { append(out, members); }, value);
  out.push_back(']');
}

void read(std::string_view slice, event& out) {
  bool named = false;
  for_each_element(slice, [&](json_value value) {
    std::string_view part = value;
    if (named)
      std::visit([part](auto& members) { read(part, members); }, out);
    else
      make(json_string(part), out);
    named = true;
    return true;
  });
}

} // namespace troupe::stored
