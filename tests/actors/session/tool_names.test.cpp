#include "actors/session/tool_names.hpp"

#include <algorithm>
#include <random>
#include <regex>
#include <set>

#include "messages/wire/openai_chat/openai_chat.hpp"
#include "tests/support/catch.hpp"

namespace tool_names_test {

using namespace troupe;

namespace {

tool_definition tool(const std::string& name, const std::string& server,
                     const std::string& server_tool) {
  return {name, "does " + server_tool, R"({"type":"object"})", server, server_tool};
}

/// A set as the hub makes it.
frozen<tool_set> set_of(std::vector<tool_definition> tools) {
  std::sort(tools.begin(), tools.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  tool_set made;
  made.tools = std::move(tools);
  return frozen<tool_set>{std::move(made)};
}

std::string name_in(const tool_set& tools, const std::string& server, const std::string& original) {
  for (const auto& each : tools.tools)
    if (each.server == server && each.server_tool == original)
      return each.name;
  return "(none)";
}

} // namespace

TEST_CASE("a set that agrees with what was seen is passed on as it is", "[actors][tool_names]") {
  tool_names names;
  auto first = set_of({tool("echo", "one", "echo")});
  CHECK(&*names.keep(first) == &*first);
  auto second = set_of({tool("echo", "one", "echo"), tool("sum", "two", "sum")});
  CHECK(&*names.keep(second) == &*second);
  CHECK(&*names.keep(second) == &*second);
}

TEST_CASE("a tool keeps the name it was seen under", "[actors][tool_names]") {
  tool_names names;
  names.keep(set_of({tool("search", "two", "search")}));
  auto kept =
      names.keep(set_of({tool("search", "one", "search"), tool("two_search", "two", "search")}));
  CHECK(name_in(*kept, "two", "search") == "search");
  CHECK(name_in(*kept, "one", "search") == "one_search");
  REQUIRE(kept->find("search") != nullptr);
  CHECK(kept->find("search")->server == "two");
}

TEST_CASE("the name of a tool that is gone waits for it", "[actors][tool_names]") {
  tool_names names;
  names.keep(set_of({tool("search", "one", "search")}));
  names.keep(set_of({}));
  auto meanwhile = names.keep(set_of({tool("search", "two", "search")}));
  CHECK(name_in(*meanwhile, "two", "search") == "two_search");
  auto back =
      names.keep(set_of({tool("search", "one", "search"), tool("two_search", "two", "search")}));
  CHECK(name_in(*back, "one", "search") == "search");
  CHECK(name_in(*back, "two", "search") == "two_search");
}

TEST_CASE("a tool is told to the model by the name it was seen under", "[actors][tool_names]") {
  tool_names names;
  names.keep(set_of({tool("a", "one", "x")}));
  auto kept = names.keep(set_of({tool("b", "one", "x")}));
  CHECK(openai_tools(kept->tools).find(R"("name":"a")") != std::string::npos);
  CHECK(openai_tools(kept->tools).find(R"("name":"b")") == std::string::npos);
}

TEST_CASE("more names of tools that are gone than the limit are free again",
          "[actors][tool_names]") {
  tool_names names;
  std::vector<tool_definition> many;
  for (size_t i = 0; i < tool_names::max_gone + 10; ++i)
    many.push_back(tool("t" + std::to_string(i), "one", "t" + std::to_string(i)));
  names.keep(set_of(many));
  names.keep(set_of({}));
  for (auto& each : many)
    each.server = "two";
  auto later = names.keep(set_of(many));
  auto same = std::count_if(later->tools.begin(), later->tools.end(),
                            [](const auto& each) { return each.name == each.server_tool; });
  CHECK(same == 10);
}

namespace {

/// An index whose names change in every way that one can, short of being wrong.
std::vector<tool_definition> random_index(std::mt19937& random) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::vector<tool_definition> tools;
  std::set<std::string> used;
  std::set<std::string> known;
  for (auto n = below(12); n > 0; --n) {
    auto server = "s" + std::to_string(below(3));
    auto original = std::string(1 + below(2) * 80, static_cast<char>('a' + below(4)));
    auto name = std::string(1, static_cast<char>('a' + below(6)));
    if (below(3) == 0)
      name = server + '_' + original.substr(0, 61);
    if (known.insert(server + '/' + original).second && used.insert(name).second)
      tools.push_back(tool(name, server, original));
  }
  return tools;
}

} // namespace

TEST_CASE("whatever the index does, a chat sees valid, unique names that never change",
          "[actors][tool_names]") {
  const std::regex valid{"[A-Za-z0-9_-]{1,64}"};
  size_t renamed = 0;
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    std::mt19937 random{seed};
    tool_names names;
    std::map<std::pair<std::string, std::string>, std::string> seen;
    std::map<std::string, std::pair<std::string, std::string>> owner;
    INFO("seed " << seed);
    for (int step = 0; step < 20; ++step) {
      auto fresh = set_of(random_index(random));
      auto kept = names.keep(fresh);
      renamed += &*kept != &*fresh;
      REQUIRE(kept->tools.size() == fresh->tools.size());
      for (const auto& each : kept->tools) {
        auto which = std::make_pair(each.server, each.server_tool);
        REQUIRE(std::regex_match(each.name, valid));
        REQUIRE(name_in(*fresh, each.server, each.server_tool) != "(none)");
        REQUIRE(seen.emplace(which, each.name).first->second == each.name);
        REQUIRE(owner.emplace(each.name, which).first->second == which);
        REQUIRE(kept->find(each.name) == &each);
      }
    }
  }
  CHECK(renamed > 1000); // the dice did bring conflicts
}

} // namespace tool_names_test
