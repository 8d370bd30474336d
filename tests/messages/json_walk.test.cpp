#include "messages/wire/json_walk.hpp"

#include <vector>

#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

using lines = std::vector<std::string>;

/// Walks down as deep as it goes; returns how many arrays were open at once.
int depth_of(std::string_view json) {
  int below = 0;
  walk_array(json, [&below](std::string_view each) {
    below = std::max(below, depth_of(each));
    return true;
  });
  return below + 1;
}

} // namespace

TEST_CASE("members are shown as JSON text without the space around them", "[messages][json_walk]") {
  lines seen;
  bool whole = walk_object(R"( {"a" : 1 , "b":[1, {"x":2} ] , "c":"t\n" ,"d\u0065": null} )",
                           [&seen](std::string_view key, std::string_view value) {
                             seen.push_back(std::string{key} + "=" + std::string{value});
                             return true;
                           });
  CHECK(whole);
  CHECK(seen == lines{"a=1", "b=[1, {\"x\":2} ]", "c=\"t\\n\"", "de=null"});
}

TEST_CASE("a walk can walk again inside", "[messages][json_walk]") {
  lines seen;
  bool whole = walk_array("[[1,2],[3]]", [&seen](std::string_view each) {
    return walk_array(each, [&seen](std::string_view inner) {
      seen.emplace_back(inner);
      return true;
    });
  });
  CHECK(whole);
  CHECK(seen == lines{"1", "2", "3"});
}

TEST_CASE("what is no object or breaks off is refused", "[messages][json_walk]") {
  auto ignore = [](std::string_view, std::string_view) { return true; };
  for (auto json : {"", "[]", "1", "null", "{", R"({"a":1)", R"({"a")", R"({"a":"x)", "{1:2}"})
    CHECK_FALSE(walk_object(json, ignore));
  CHECK_FALSE(walk_object(R"({"a":1})", [](auto, auto) { return false; }));
}

TEST_CASE("deep nesting ends the walk, not the process", "[messages][json_walk]") {
  std::string deep(200'000, '[');
  deep.append(200'000, ']');
  CHECK(depth_of(deep) < 50);
}

TEST_CASE("counts are whole and positive, or 0", "[messages][json_walk]") {
  CHECK(count_of("12") == 12);
  CHECK(count_of("12.0") == 12);
  for (auto json : {"", "-1", "null", "\"5\"", "1e99", "nan", "[]"})
    CHECK(count_of(json) == 0);
}
