#include "actors/mcp_hub/tool_sets.hpp"
#include "messages/chat/tool_name.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "tests/support/catch.hpp"

namespace tools_index_test {

using namespace troupe;

namespace {

using strings = std::vector<std::string>;

struct server {
  std::string name;
  server_tools list;
  bool offered = true;

  server(std::string name_, const strings& tools) : name{std::move(name_)} {
    for (const auto& each : tools) {
      list.tools.emplace_back();
      list.tools.back().name = each;
      list.tools.back().description = name + ": " + each;
      list.tools.back().input_schema = {"{}"};
    }
  }
};

std::vector<tool_definition> index_of(const std::vector<server>& servers, bool prefix = false) {
  std::vector<tool_source> sources;
  for (const auto& each : servers)
    sources.push_back({each.name, &each.list, each.offered});
  return index_tools(sources, prefix);
}

std::string name_for(const std::vector<tool_definition>& index, const std::string& on,
                     const std::string& tool) {
  auto found = std::find_if(index.begin(), index.end(), [&](const auto& each) {
    return each.server == on && each.server_tool == tool;
  });
  return found == index.end() ? "" : found->name;
}

/// (server, tool) -> name
using names = std::map<std::pair<std::string, std::string>, std::string>;

names names_of(const std::vector<tool_definition>& index) {
  names found;
  for (const auto& each : index)
    found[{each.server, each.server_tool}] = each.name;
  return found;
}

/// Servers as unpleasant as they get: few different names, long ones, ones that only differ where
/// the model's names cannot, and ones that are what another tool is renamed to.
class unpleasant {
public:
  explicit unpleasant(uint32_t seed) : random_{seed} {}

  std::vector<server> servers() {
    std::vector<server> made;
    strings seen;
    for (uint32_t i = 0, n = 1 + pick(5); i < n; ++i) {
      auto name = server_names_[pick(server_names_.size())];
      if (std::any_of(made.begin(), made.end(),
                      [&](const auto& each) { return each.name == name; }))
        continue;
      strings tools;
      for (uint32_t k = 0, count = pick(12); k < count; ++k)
        tools.push_back(tool(seen));
      made.emplace_back(name, tools);
      for (const auto& each : index_of(made)) // what these are called may be a tool of the next
        seen.push_back(each.name);
    }
    return made;
  }

  template <class T>
  void shuffle(std::vector<T>& values) {
    std::shuffle(values.begin(), values.end(), random_);
  }

  uint32_t pick(size_t below) { return static_cast<uint32_t>(random_() % below); }

private:
  std::string tool(const strings& seen) {
    switch (pick(5)) {
    case 0:
      return seen.empty() ? "echo" : seen[pick(seen.size())];
    case 1:
      return std::string(60 + pick(69), 'x') + characters_[pick(characters_.size())];
    case 2:
      return server_names_[pick(server_names_.size())] + "_echo";
    default:
      break;
    }
    std::string name;
    for (uint32_t i = 0, n = 1 + pick(3); i < n; ++i)
      name += characters_[pick(characters_.size())];
    return name;
  }

  std::mt19937 random_;
  std::string characters_ = "ab0_-.";
  strings server_names_{"a", "a_b", "b", "b.c", "b_c", std::string(128, 's'), "srv \xC3\xA4"};
};

} // namespace

TEST_CASE("a tool keeps its name while it is the only one", "[actors][tools_index]") {
  auto index = index_of({{"one", {"echo", "add"}}});
  REQUIRE(index.size() == 2);
  CHECK(index[0].name == "add");
  CHECK(index[1].name == "echo");
}

TEST_CASE("the order of the configuration decides who keeps the plain name",
          "[actors][tools_index]") {
  auto index = index_of({{"two", {"echo"}}, {"one", {"echo"}}});
  CHECK(name_for(index, "two", "echo") == "echo");
  CHECK(name_for(index, "one", "echo") == "one_echo");
}

TEST_CASE("with always_prefix every tool has its server's name in front", "[actors][tools_index]") {
  auto index = index_of({{"two", {"echo"}}, {"one", {"echo", "add"}}}, true);
  CHECK(name_for(index, "two", "echo") == "two_echo");
  CHECK(name_for(index, "one", "add") == "one_add");
}

TEST_CASE("a server that is down keeps its names", "[actors][tools_index]") {
  std::vector<server> servers{{"one", {"echo"}}, {"two", {"echo", "add"}}};
  servers[0].offered = false;
  auto index = index_of(servers);
  REQUIRE(index.size() == 2);
  CHECK(name_for(index, "two", "echo") == "two_echo");
  CHECK(name_for(index, "two", "add") == "add");
}

TEST_CASE("a tool that is listed twice is one tool, the first", "[actors][tools_index]") {
  server twice{"one", {"echo", "echo", "a.b", "a.b", "echo"}};
  twice.list.tools[1].description = "another";
  auto index = index_of({twice});
  REQUIRE(index.size() == 2);
  CHECK(index[1].description == "one: echo");
}

TEST_CASE("names are what providers take, and unique, whatever servers call their tools",
          "[actors][tools_index]") {
  std::string odd(128, 'x');
  auto index = index_of({{"one", {"a.b", "a b", odd, odd + "y", "two_echo", "\xC3\xA4", ""}},
                         {"two", {"a.b", odd, "echo", "two_echo"}},
                         {"three", {"echo", "two_echo"}}});
  CHECK(index.size() == 13);
  CHECK(names_of(index).size() == 13);
}

TEST_CASE("a name that had to be changed ends in a hash of the original", "[actors][tools_index]") {
  CHECK(model_tool_name("plain-name_1") == "plain-name_1");
  CHECK(model_tool_name("a.b") == "a_b_108bf50c");
  CHECK(model_tool_name("a b") != model_tool_name("a.b"));
  CHECK(model_tool_name(std::string(128, 'x')).size() == 64);
}

TEST_CASE("a changed name never takes that of a tool which needs no change",
          "[actors][tools_index]") {
  auto changed = model_tool_name("a.b");
  auto index = index_of({{"one", {"a.b", changed}}});
  CHECK(name_for(index, "one", changed) == changed);
  CHECK(name_for(index, "one", "a.b") == "one_a_b_" + model_tool_name("one_a.b").substr(8));
}

TEST_CASE("a tool finds a name however many of its names another server takes",
          "[actors][tools_index]") {
  strings taken;
  for (int i = 0; i < 6; ++i) {
    auto name = name_for(index_of({{"first", taken}, {"last", {"echo"}}}), "last", "echo");
    CHECK(model_tool_name(name) == name);
    CHECK(std::find(taken.begin(), taken.end(), name) == taken.end());
    taken.push_back(name);
  }
  CHECK(taken[0] == "echo");
  CHECK(taken[1] == "last_echo");
}

TEST_CASE("each name is valid, unique, and leads back to its own tool", "[actors][tools_index]") {
  const std::regex valid{"^[a-zA-Z0-9_-]{1,64}$"};
  for (uint32_t seed = 0; seed < 300; ++seed) {
    auto servers = unpleasant{seed}.servers();
    auto index = index_of(servers, seed % 3 == 0);
    std::set<std::string> unique;
    std::set<std::pair<std::string, std::string>> expected;
    for (const auto& each : servers)
      for (const auto& tool : each.list.tools)
        expected.emplace(each.name, tool.name);
    INFO("seed " << seed);
    for (const auto& each : index) {
      CHECK(std::regex_match(each.name, valid));
      CHECK(unique.insert(each.name).second);
      CHECK(each.description == each.server + ": " + each.server_tool);
    }
    CHECK(index.size() == expected.size());
    CHECK(names_of(index).size() == expected.size());
    CHECK(std::is_sorted(index.begin(), index.end(),
                         [](const auto& a, const auto& b) { return a.name < b.name; }));
  }
}

TEST_CASE("names do not depend on how a server lists its tools, nor on who is down",
          "[actors][tools_index]") {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    unpleasant world{seed};
    auto servers = world.servers();
    auto before = names_of(index_of(servers));
    for (auto& each : servers) {
      world.shuffle(each.list.tools);
      each.offered = world.pick(2) == 0;
    }
    auto now = names_of(index_of(servers));
    INFO("seed " << seed);
    for (const auto& [tool, name] : now)
      CHECK(before.at(tool) == name);
  }
}

TEST_CASE("names do not depend on servers that come later in the configuration",
          "[actors][tools_index]") {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    auto servers = unpleasant{seed}.servers();
    auto all = names_of(index_of(servers));
    servers.pop_back();
    INFO("seed " << seed);
    for (const auto& [tool, name] : names_of(index_of(servers)))
      CHECK(all.at(tool) == name);
  }
}

} // namespace tools_index_test
