// Random turns as UI message streams, in each profile.
#include <set>

#include "messages/wire/clients/ui/ui_message_stream.hpp"
#include "tests/messages/wire/clients/turn_generator.hpp"
#include "tests/messages/wire/clients/ui/ui_stream_checker.hpp"
#include "tests/support/catch.hpp"

namespace ui_message_property_test {

using namespace troupe;

namespace {

std::string stream_of(const std::vector<event>& events, ui_profile profile) {
  ui_message_stream stream{profile};
  json_buffer out;
  event_batch batch;
  batch.events = events;
  stream.encode(batch, out);
  return std::string{view(out)};
}

/// The calls that a turn runs before it asks the model are those of the message that it continues.
std::set<std::string> continued_calls(const std::vector<event>& events) {
  std::set<std::string> ids;
  for (const auto& each : events) {
    if (std::holds_alternative<model_response_waiting>(each))
      break;
    if (const auto* begun = std::get_if<mcp_tool_start>(&each))
      ids.insert(begun->tool_call_id);
    if (const auto* good = std::get_if<mcp_tool_success>(&each))
      ids.insert(good->tool_call_id);
    if (const auto* bad = std::get_if<mcp_tool_error>(&each))
      ids.insert(bad->tool_call_id);
  }
  return ids;
}

} // namespace

TEST_CASE("every legal turn gives a legal stream, however it is cut into batches",
          "[messages][ui_message_stream]") {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    test::turn_generator generate{seed};
    auto events = generate.legal_turn();
    auto profile = static_cast<ui_profile>(seed % 3);
    auto whole = stream_of(events, profile);
    INFO("seed " << seed);
    REQUIRE(test::ui_stream_fault(whole, profile, continued_calls(events)) == "");
    ui_message_stream stream{profile};
    json_buffer out;
    for (const auto& batch : generate.cut(events))
      stream.encode(batch, out);
    REQUIRE(std::string{view(out)} == whole);
  }
}

TEST_CASE("even events in an order that no session sends give a legal stream",
          "[messages][ui_message_stream]") {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    auto events = test::turn_generator{seed}.any_events();
    auto profile = static_cast<ui_profile>(seed % 3);
    INFO("seed " << seed);
    REQUIRE(test::ui_stream_fault(stream_of(events, profile), profile, continued_calls(events)) ==
            "");
  }
}

} // namespace ui_message_property_test
