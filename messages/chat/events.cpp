#include "messages/chat/events.hpp"

#include <array>

namespace troupe {

namespace {

constexpr std::array event_names{
#define TROUPE_NAME(type, name) std::string_view{name},
    TROUPE_EVENTS(TROUPE_NAME)
#undef TROUPE_NAME
};
static_assert(event_names.size() == std::variant_size_v<event>);

} // namespace

std::string_view name_of(const event& what) {
  return event_names[what.index()];
}

bool is_terminal(const event& what) {
  return std::holds_alternative<session_end>(what) || std::holds_alternative<session_error>(what);
}

} // namespace troupe
