#include "messages/chat/tool_set.hpp"

#include <array>
#include <atomic>
#include <thread>

#include "messages/frozen.hpp"
#include "tests/support/catch.hpp"

namespace tool_set_test {

using namespace troupe;

namespace {

std::atomic<int> renderings;

std::string names(const std::vector<tool_definition>& tools) {
  ++renderings;
  std::string out;
  for (const auto& each : tools)
    out += each.name + ' ';
  return out;
}

std::string count(const std::vector<tool_definition>& tools) {
  return std::to_string(tools.size());
}

tool_set two_tools() {
  tool_set made;
  made.tools = {{"a", "", "{}", "one", "a"}, {"b", "", "{}", "one", "b"}};
  return made;
}

} // namespace

TEST_CASE("a set is rendered once for all who share it", "[messages][tool_set]") {
  renderings = 0;
  const frozen<tool_set> shared{two_tools()};
  std::array<const std::string*, 4> seen{};
  {
    std::array<std::jthread, 4> threads;
    for (size_t i = 0; i < threads.size(); ++i)
      threads[i] = std::jthread{[&, i] { seen[i] = &shared->rendered.get(names, shared->tools); }};
  }
  for (const auto* each : seen)
    CHECK(each == seen[0]);
  CHECK(*seen[0] == "a b ");
  CHECK(renderings == 1);
}

TEST_CASE("each provider has its own rendering of a set", "[messages][tool_set]") {
  const auto set = two_tools();
  const auto& by_name = set.rendered.get(names, set.tools);
  CHECK(set.rendered.get(count, set.tools) == "2");
  CHECK(by_name == "a b ");
}

TEST_CASE("a copy of a set is rendered anew, because its tools may be changed",
          "[messages][tool_set]") {
  const auto set = two_tools();
  CHECK(set.rendered.get(names, set.tools) == "a b ");
  auto copy = set;
  copy.tools[0].name = "c";
  CHECK(copy.rendered.get(names, copy.tools) == "c b ");
  copy = set;
  CHECK(copy.rendered.get(names, copy.tools) == "a b ");
}

} // namespace tool_set_test
