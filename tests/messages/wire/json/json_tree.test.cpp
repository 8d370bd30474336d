#include "messages/wire/json/json_tree.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

namespace json_tree_test {

using namespace troupe;

namespace {

json_node tree(std::string_view text) {
  auto read = read_json_tree(text, 1000);
  INFO(text);
  REQUIRE(read.has_value());
  return *read;
}

} // namespace

TEST_CASE("a text becomes a tree", "[messages][json_tree]") {
  auto read = tree(R"( {"a\n":[1,"\u00e9",true,null,{}],"b":{"c":2}} )");
  CHECK(read.kind == json_kind::object);
  REQUIRE(read.children.size() == 2);
  CHECK(read.children[0].key == "a\n");
  REQUIRE(read.children[0].children.size() == 5);
  const auto& list = read.children[0].children;
  CHECK(list[0].text == "1");
  CHECK(list[1].text == "\xC3\xA9");
  CHECK(list[2].is(true));
  CHECK_FALSE(list[2].is(false));
  CHECK(list[3].kind == json_kind::null);
  CHECK(list[4].kind == json_kind::object);
  REQUIRE(read.find("b") != nullptr);
  CHECK(read.find("b")->find("c")->text == "2");
  CHECK(read.find("x") == nullptr);
  CHECK(list[4].find("x") == nullptr);
  CHECK(read.children[0].find("") == nullptr);
  CHECK(tree(R"({"a":1,"a":2})").find("a")->text == "2");
  CHECK(tree("7").text == "7");
}

TEST_CASE("equal values have equal hashes", "[messages][json_tree]") {
  CHECK(tree(R"({"a":1,"b":[2,"x"]})").hash == tree(R"({ "b" : [2.0,"\u0078"], "a": 1e0 })").hash);
  CHECK(tree("-0").hash == tree("0.0").hash);
  CHECK(make_string_node("x\n").hash == tree(R"("x\n")").hash);
  const char* different[] = {"[1,2]",
                             "[2,1]",
                             "[[1,2]]",
                             "{}",
                             "[]",
                             "\"\"",
                             "null",
                             "1",
                             "\"1\"",
                             "[1]",
                             "true",
                             "\"true\"",
                             "[[]]",
                             "[{}]",
                             R"({"a":{"b":1}})",
                             R"({"b":{"a":1}})"};
  for (const auto* a : different)
    for (const auto* b : different)
      CHECK((tree(a).hash == tree(b).hash) == (a == b));
}

TEST_CASE("what is no text, or too large a one, is no tree", "[messages][json_tree]") {
  for (auto text : {"", "{", "[1,]", "\xFF", "1 2"})
    CHECK_FALSE(read_json_tree(text, 1000).has_value());
  CHECK(read_json_tree("[1,2,{\"a\":3}]", 4).has_value());
  CHECK_FALSE(read_json_tree("[1,2,{\"a\":3}]", 3).has_value());
}

TEST_CASE("numbers keep the precision of 64-bit integers", "[messages][json_tree]") {
  CHECK(wide_number(tree("9007199254740993")) != wide_number(tree("9007199254740992")));
  CHECK(wide_number(tree("1e1")) == 10);
  CHECK(std::isnan(wide_number(tree("1e999999"))));
  CHECK(std::isnan(wide_number(tree("\"1\""))));
}

} // namespace json_tree_test
