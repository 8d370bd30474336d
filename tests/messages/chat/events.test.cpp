#include "messages/chat/events.hpp"

#include <set>

#include "tests/support/catch.hpp"

namespace events_test {

using namespace troupe;

TEST_CASE("every event has the name of the vocabulary", "[messages][events]") {
#define TROUPE_CHECK(type, name) CHECK(name_of(event{type{}}) == name);
  TROUPE_EVENTS(TROUPE_CHECK)
#undef TROUPE_CHECK
  CHECK(name_of(event{abort_event{}}) == "ABORT");
}

TEST_CASE("no two events share a name", "[messages][events]") {
  std::set<std::string_view> names{
#define TROUPE_NAME(type, name) name,
      TROUPE_EVENTS(TROUPE_NAME)
#undef TROUPE_NAME
  };
  CHECK(names.size() == std::variant_size_v<event>);
}

TEST_CASE("only the end of a session and its error are terminal", "[messages][events]") {
#define TROUPE_CHECK(type, name)                                                                   \
  CHECK(is_terminal(event{type{}}) ==                                                              \
        (std::string_view{name} == "SESSION_END" || std::string_view{name} == "SESSION_ERROR"));
  TROUPE_EVENTS(TROUPE_CHECK)
#undef TROUPE_CHECK
}

} // namespace events_test
