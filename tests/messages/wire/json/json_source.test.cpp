#include "messages/wire/json/json_source.hpp"

#include <random>

#include "tests/support/catch.hpp"

namespace json_source_test {

using namespace troupe;

namespace {

using lines = std::vector<std::string>;

/// Walks all levels in one pass; returns a line for each value, slices of scalars only.
lines all_in(json_value value) {
  lines seen;
  auto take = [&seen](json_value inner) {
    if (inner.kind() == json_kind::object || inner.kind() == json_kind::array) {
      auto below = all_in(inner);
      seen.insert(seen.end(), below.begin(), below.end());
    } else {
      seen.emplace_back(std::string_view{inner});
    }
    return true;
  };
  value.for_each_element(take);
  value.for_each_member([&take](std::string_view, json_value inner) { return take(inner); });
  return seen;
}

} // namespace

TEST_CASE("members come as slices, and of a repeated key the last", "[messages][json_source]") {
  json_source source{R"( {"a" : [1, 2] , "b":"x", "a": {"c": 1 } ,"\u0064":null} )"};
  std::string_view a, b, d, missing;
  read_members(source.root(), {{"a", &a}, {"b", &b}, {"d", &d}, {"e", &missing}});
  CHECK(a == R"({"c": 1 })");
  CHECK(b == "\"x\"");
  CHECK(d == "null");
  CHECK(missing.empty());
  std::string_view c;
  read_members(a, {{"c", &c}});
  CHECK(c == "1");
  CHECK(read_only_members(source.root(), {{"a", &a}, {"b", &b}}) == "d");
  CHECK_FALSE(read_only_members(a, {{"c", &c}}));
}

TEST_CASE("elements are visited until the visitor has enough", "[messages][json_source]") {
  json_source source{"[ 1 , [2] ,\"3\",{}]"};
  lines seen;
  CHECK_FALSE(for_each_element(source.root(), [&](std::string_view element) {
    seen.emplace_back(element);
    return seen.size() < 3;
  }));
  CHECK(seen == lines{"1", "[2]", "\"3\""});
}

TEST_CASE("a source with a fault has no root", "[messages][json_source]") {
  json_source source{"{"};
  CHECK(source.fault() == "a key is expected at byte 1");
  CHECK(source.root().empty());
  CHECK(json_source{"\n7\n"}.root() == "7");
}

TEST_CASE("a source that keeps its text is like one that copies it", "[messages][json_source]") {
  for (const char* text : {"{", "", " \n", "\n7\n", R"( {"a": [1, "b"]} )"}) {
    const json_source copied{text};
    const auto kept = json_source::of(text);
    CHECK(kept.fault() == copied.fault());
    CHECK(kept.root() == copied.root());
  }
  const auto source = json_source::of(R"({"a":7})");
  std::string_view seven;
  read_members(source.root(), {{"a", &seven}});
  CHECK(seven == "7");
}

TEST_CASE("a walk can walk again inside, by slices", "[messages][json_source]") {
  json_source source{"[[1,2],[3]]"};
  lines seen;
  CHECK(for_each_element(source.root(), [&seen](std::string_view inner) {
    return for_each_element(inner, [&seen](std::string_view element) {
      seen.emplace_back(element);
      return true;
    });
  }));
  CHECK(seen == lines{"1", "2", "3"});
}

TEST_CASE("all levels are walked in one pass", "[messages][json_source]") {
  json_source source{R"([[1 , {"a":"x", "b":[]}], {"c":{"d":null , "e":[true]}} ])"};
  lines seen;
  CHECK(for_each_element(source.root(), [&seen](json_value value) {
    auto below = all_in(value);
    seen.insert(seen.end(), below.begin(), below.end());
    return true;
  }));
  CHECK(seen == lines{"1", "\"x\"", "null", "true"});
}

TEST_CASE("a value that was left early does not disturb the walk around it",
          "[messages][json_source]") {
  json_source source{R"([[1,[2,3],4],[5,6]])"};
  lines seen;
  CHECK(for_each_element(source.root(), [&seen](json_value value) {
    CHECK_FALSE(value.for_each_element([&seen](std::string_view first) {
      seen.emplace_back(first);
      return false;
    }));
    return true;
  }));
  CHECK(seen == lines{"1", "5"});
}

TEST_CASE("escaped keys are read, and those no reader can mean are empty",
          "[messages][json_source]") {
  json_source source{R"({"\u0061\"" :1,"\ud800":2,"" :3, "b\\":4})"};
  lines seen;
  CHECK(for_each_member(source.root(), [&seen](std::string_view key, std::string_view value) {
    seen.push_back(std::string{key} + "=" + std::string{value});
    return true;
  }));
  CHECK(seen == lines{"a\"=1", "=2", "=3", "b\\=4"});
}

TEST_CASE("what is no object or breaks off is told", "[messages][json_source]") {
  auto ignore = [](std::string_view, json_value) { return true; };
  auto take = [](std::string_view, std::string_view) { return true; };
  auto enter = [](std::string_view, json_value value) {
    value.for_each_element([](json_value) { return true; });
    return true;
  };
  for (auto text : {"", " ", "[]", "1", "null", "{", R"({"a":1)", R"({"a")", R"({"a":"x)", "{1:2}",
                    R"({"a":[1)", R"({"a":[1 2]})", R"({"a":{"b":1})"}) {
    INFO(text);
    auto source = json_source::unchecked(text);
    CHECK_FALSE((for_each_member(source.root(), ignore) && for_each_member(source.root(), take) &&
                 for_each_member(source.root(), enter)));
  }
}

TEST_CASE("a walk over what is no JSON never leads out of the text", "[messages][json_source]") {
  const std::string right = R"({"a":[{"b":"c"},{"d":["e",{"f":1}]}],"g":{"h":[[],{}]},"i":"j"})";
  std::mt19937 random{1};
  for (int round = 0; round < 20'000; ++round) {
    auto text = right;
    for (auto changes = 1 + random() % 4; changes > 0; --changes)
      text[1 + random() % (text.size() - 1)] = R"("{}[],:1 )"[random() % 9];
    const auto source = json_source::unchecked(text);
    const auto all = std::string_view{source.root()};
    auto outside = false;
    const std::function<void(std::string_view)> walk = [&](std::string_view slice) {
      const auto inside = slice.empty() || (slice.data() >= all.data() &&
                                            slice.data() + slice.size() <= all.data() + all.size());
      outside = outside || !inside;
      if (!inside)
        return;
      for_each_member(slice, [&](std::string_view, std::string_view value) {
        walk(value);
        return true;
      });
      for_each_element(slice, [&](std::string_view value) {
        walk(value);
        return true;
      });
    };
    walk(all);
    if (outside) {
      INFO(text);
      CHECK_FALSE(outside);
      break;
    }
  }
}

} // namespace json_source_test
