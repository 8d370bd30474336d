#include "actors/tools_index.hpp"

#include <algorithm>
#include <set>

#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

server_status server(const std::string& name, const std::vector<std::string>& tools) {
  server_status made;
  made.name = name;
  server_tools offered;
  for (const auto& each : tools)
    offered.tools.push_back({each, "", "", "{}", ""});
  made.offered = frozen<server_tools>{std::move(offered)};
  return made;
}

std::string name_for(const std::vector<tool_definition>& index, const std::string& on,
                     const std::string& tool) {
  auto found = std::find_if(index.begin(), index.end(), [&](const auto& each) {
    return each.server == on && each.server_tool == tool;
  });
  return found == index.end() ? "" : found->name;
}

} // namespace

TEST_CASE("a tool keeps its name while it is the only one", "[actors][tools_index]") {
  auto one = server("one", {"echo", "add"});
  auto index = index_tools({&one});
  REQUIRE(index.size() == 2);
  CHECK(index[0].name == "add");
  CHECK(index[1].name == "echo");
}

TEST_CASE("the order of the configuration decides who keeps the plain name",
          "[actors][tools_index]") {
  auto one = server("one", {"echo"});
  auto two = server("two", {"echo"});
  auto index = index_tools({&two, &one});
  CHECK(name_for(index, "two", "echo") == "echo");
  CHECK(name_for(index, "one", "echo") == "one_echo");
}

TEST_CASE("names are what providers take, and unique, whatever servers call their tools",
          "[actors][tools_index]") {
  std::string odd(128, 'x');
  auto one = server("one", {"a.b", "a b", odd, odd + "y", "two_echo", "ä", ""});
  auto two = server("two", {"a.b", odd, "echo", "two_echo"});
  auto three = server("three", {"echo", "two_echo"});
  auto index = index_tools({&one, &two, &three});
  std::set<std::string> names;
  for (const auto& each : index) {
    CHECK(each.name.size() <= 64);
    CHECK(each.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_-") == std::string::npos);
    CHECK(names.insert(each.name).second);
  }
  CHECK(index.size() == 13);
}
