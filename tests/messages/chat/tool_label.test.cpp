#include "messages/chat/tool_label.hpp"

#include "messages/chat/tool_name.hpp"
#include "tests/support/catch.hpp"

namespace tool_label_test {

using namespace troupe;

namespace {

tool_definition tool(std::string own, std::string title = {}, std::string description = {}) {
  auto name = model_tool_name(own);
  return {std::move(name), std::move(description), "{}", "weather", std::move(own),
          false,           std::move(title)};
}

} // namespace

TEST_CASE("a tool whose name says it needs no label", "[messages][tool_label]") {
  auto plain = tool("forecast", "Forecast", "Tells it.");
  CHECK(label_of(plain).empty());
  CHECK(description_of(plain) == "Tells it.");
  plain.name = "weather_forecast";
  CHECK(label_of(plain).empty());
  plain.server.clear();
  plain.name = "other";
  CHECK(label_of(plain).empty());
}

TEST_CASE("a tool whose name had to be changed is known by its own", "[messages][tool_label]") {
  CHECK(label_of(tool("погода")) == "погода");
  CHECK(description_of(tool("погода")) == "\"погода\" of the MCP server \"weather\"");
  CHECK(label_of(tool("天気", "Weather")) == "Weather (天気)");
  CHECK(description_of(tool("天気", "Weather", "Tells it.")) ==
        "\"天気\" of the MCP server \"weather\": Weather\nTells it.");
  CHECK(label_of(tool("get.weather", "get.weather")) == "get.weather");
  CHECK(label_of(tool("🌦")) == "🌦");
  CHECK(label_of(tool(std::string(80, 'x'))) == std::string(80, 'x'));
}

TEST_CASE("a label is bounded, and ends with a whole character", "[messages][tool_label]") {
  std::string name;
  for (int i = 0; i < 1000; ++i)
    name += "天";
  auto label = label_of(tool(name, "a" + name));
  CHECK(label.size() <= 512);
  CHECK(label.ends_with("天)"));
}

TEST_CASE("two tools of one name are told apart by their servers", "[messages][tool_label]") {
  auto first = tool("get");
  auto second = tool("get");
  second.server = "новости";
  second.name = model_tool_name(second.server + "_get");
  CHECK(description_of(first) != description_of(second));
  CHECK(description_of(second) == "\"get\" of the MCP server \"новости\"");
}

} // namespace tool_label_test
