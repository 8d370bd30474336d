#include "actors/mcp_hub/tool_sets.hpp"

#include "tests/support/catch.hpp"

namespace tool_sets_test {

using namespace troupe;

namespace {

using strings = std::vector<std::string>;

server_tools tools_of(const strings& names) {
  server_tools out;
  for (const auto& each : names) {
    out.tools.emplace_back();
    out.tools.back().name = each;
    out.tools.back().input_schema = {"{}"};
  }
  return out;
}

struct two_servers {
  server_tools first = tools_of({"m", "z"});
  server_tools second = tools_of({"a", "b", "c"});
  tool_sets sets;

  two_servers() { sets.index({{"first", &first, true}, {"second", &second, true}}); }

  strings names(const strings& choice, uint32_t most = UINT32_MAX) {
    list_tools ask;
    ask.limits_servers = !choice.empty();
    ask.servers = choice;
    ask.most = most;
    strings out;
    for (const auto& each : sets.get(ask)->tools)
      out.push_back(each.name);
    return out;
  }
};

} // namespace

TEST_CASE("of too many tools those of the last servers are left out, once told",
          "[actors][tool_sets]") {
  two_servers at;
  CHECK(at.names({}) == strings{"a", "b", "c", "m", "z"});
  CHECK(at.sets.take_left_out() == 0);
  CHECK(at.names({}, 5).size() == 5);
  CHECK(at.sets.take_left_out() == 0);
  CHECK(at.names({}, 3) == strings{"a", "m", "z"});
  CHECK(at.sets.take_left_out() == 2);
  CHECK(at.names({}, 3) == strings{"a", "m", "z"});
  CHECK(at.names({}, 1) == strings{"m"});
  CHECK(at.sets.take_left_out() == 0);
  CHECK(at.names({}, 0).empty());
  CHECK(at.names({}) == strings{"a", "b", "c", "m", "z"});
}

TEST_CASE("equal questions get the very same set", "[actors][tool_sets]") {
  two_servers at;
  list_tools ask;
  ask.most = 2;
  const auto& set = at.sets.get(ask);
  CHECK(&*set == &*at.sets.get(ask));
  ask.most = 3;
  CHECK(set->version != at.sets.get(ask)->version);
}

TEST_CASE("a name that looks like two names is not their choice", "[actors][tool_sets]") {
  using namespace std::string_literals;
  for (const auto& each :
       {"first\0second"s, "first\0006:second"s, "first\0"s, "5:first6:second"s}) {
    two_servers at;
    CHECK(at.names({each}).empty());
    CHECK(at.names({"first", "second"}).size() == 5);
    CHECK(at.names({each}).empty());
    CHECK(at.names({"first"}).size() == 2);
  }
}

TEST_CASE("a choice can be single tools of a server", "[actors][tool_sets]") {
  two_servers at;
  CHECK(at.names({"first"}) == strings{"m", "z"});
  CHECK(at.names({"second/b", "first/z"}) == strings{"b", "z"});
  CHECK(at.names({"second/*"}) == strings{"a", "b", "c"});
  CHECK(at.names({"second/nothing"}).empty());
  CHECK(at.names({"second/a", "second/b"}, 1) == strings{"a"});
}

} // namespace tool_sets_test
