// The order of an answer's parts: nothing is noted of the plain one.
#include "messages/chat/shown_layout.hpp"

#include "tests/support/catch.hpp"

namespace shown_layout_test {

using namespace troupe;
using parts = std::vector<shown_part>;

namespace {

shown_part run(std::string type, uint64_t at, uint64_t size, std::string value = {}) {
  return {std::move(type), at, size, std::move(value)};
}

} // namespace

TEST_CASE("a step in the plain order needs no list", "[messages][shown_layout]") {
  shown_layout layout;
  layout.open();
  layout.add(shown_run::reasoning, 3);
  layout.add(shown_run::reasoning, 4);
  layout.add(shown_run::text, 2);
  layout.add(shown_run::text, 0);
  layout.add(shown_run::text, 5);
  CHECK(layout.runs() == 2);
  SECTION("without calls") {
    CHECK(layout.take({}).empty());
  }
  SECTION("with its calls behind") {
    layout.put(make_shown("call", "a"));
    layout.put(make_shown("call", "b"));
    CHECK(layout.take({{"a", "x", "{}"}, {"b", "x", "{}"}}).empty());
  }
}

TEST_CASE("any other order is listed", "[messages][shown_layout]") {
  shown_layout layout;
  layout.open();
  layout.add(shown_run::text, 2);
  SECTION("thoughts behind a text") {
    layout.add(shown_run::reasoning, 3);
    layout.add(shown_run::text, 4);
    CHECK(layout.take({}) ==
          parts{make_shown("step"), run("text", 0, 2), run("reasoning", 0, 3), run("text", 2, 4)});
  }
  SECTION("a text behind a call") {
    layout.put(make_shown("call", "a"));
    layout.add(shown_run::text, 4);
    CHECK(layout.take({{"a", "x", "{}"}}) ==
          parts{make_shown("step"), run("text", 0, 2), make_shown("call", "a"), run("text", 2, 4)});
  }
  SECTION("two texts side by side") {
    layout.close();
    layout.add(shown_run::text, 4);
    CHECK(layout.take({}) == parts{make_shown("step"), run("text", 0, 2), run("text", 2, 4)});
  }
  SECTION("calls in another order than the message has them") {
    layout.put(make_shown("call", "b"));
    layout.put(make_shown("call", "a"));
    CHECK(layout.take({{"a", "x", "{}"}, {"b", "x", "{}"}}).size() == 4);
  }
  SECTION("a call with a label") {
    layout.put_call("a", "");
    layout.put_call("b", "Weather");
    CHECK(layout.take({{"a", "x", "{}"}, {"b", "y", "{}"}}) ==
          parts{make_shown("step"), run("text", 0, 2), make_shown("call", "a"),
                make_shown("call", "b"), make_shown("title", "Weather")});
  }
  SECTION("a call with a label that became none") {
    layout.put_call("a", "Weather");
    layout.put_call("b", "Tides");
    layout.replace_call("a", make_shown("part", "{}"));
    CHECK(layout.take({{"b", "y", "{}"}}) ==
          parts{make_shown("step"), run("text", 0, 2), make_shown("part", "{}"),
                make_shown("call", "b"), make_shown("title", "Tides")});
  }
  SECTION("a call that became none") {
    layout.put(make_shown("call", "a"));
    layout.replace_call("a", make_shown("part", "{}"));
    layout.replace_call("unknown", make_shown("part", "[]"));
    CHECK(layout.take({}) == parts{make_shown("step"), run("text", 0, 2), make_shown("part", "{}"),
                                   make_shown("part", "[]")});
  }
}

TEST_CASE("a part with members of its own, and an empty one, are listed",
          "[messages][shown_layout]") {
  shown_layout layout;
  layout.open(false);
  CHECK(layout.empty());
  layout.add_part(shown_run::text, 0, {});
  layout.add_part(shown_run::text, 2, R"({"x":1})");
  CHECK(!layout.empty());
  CHECK(layout.runs() == 1);
  CHECK(layout.take({}) == parts{run("text", 0, 0), run("text", 0, 2, R"({"x":1})")});
}

TEST_CASE("thoughts get the number of their part", "[messages][shown_layout]") {
  shown_layout layout;
  layout.open();
  layout.add(shown_run::reasoning, 3);
  layout.add(shown_run::text, 2);
  layout.add(shown_run::reasoning, 1);
  layout.name_reasoning(4);
  auto made = layout.take({});
  REQUIRE(made.size() == 4);
  CHECK(made[1].value == R"({"id":"4","state":"done"})");
  CHECK(made[3].value == R"({"id":"6","state":"done"})");
}

TEST_CASE("a list begins anew with each step", "[messages][shown_layout]") {
  shown_layout layout;
  layout.open();
  layout.put(make_shown("part", "{}"));
  layout.open();
  layout.add(shown_run::text, 1);
  CHECK(layout.take({}).empty());
}

} // namespace shown_layout_test
