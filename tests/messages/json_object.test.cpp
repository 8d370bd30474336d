#include "messages/json_object.hpp"

#include "messages/errors.hpp"
#include "tests/support/catch.hpp"

namespace json_object_test {

using namespace troupe;

namespace {

struct nothing {
  std::string text;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field_when_given("text", &nothing::text));
  }
};

} // namespace

TEST_CASE("an object in one expression ends after what nests in it", "[messages][json_object]") {
  json_buffer out;
  json_object{out}
      .member("id", "a\"b")
      .object("error")
      .member("code", errc::internal)
      .member("n", 2);
  CHECK(view(out) == R"({"id":"a\"b","error":{"code":"internal","n":2}})");
}

TEST_CASE("objects and arrays without members are written, too", "[messages][json_object]") {
  json_buffer out;
  { json_object all{out}; }
  json_array{out};
  CHECK(view(out) == "{}[]");
}

TEST_CASE("what is not given is left out or null", "[messages][json_object]") {
  const auto text = json_text([](json_object& out) {
    out.given("text", std::string{}).given("view", std::string_view{}).given("flag", false);
    out.given("number", 0).given("there", 1).or_null("lacking", std::string{}).or_null("some", 7);
  });
  CHECK(text == R"({"there":1,"lacking":null,"some":7})");
}

TEST_CASE("members of a struct stand among others as the struct has them",
          "[messages][json_object]") {
  const auto text = json_text([](json_object& out) {
    out.members(nothing{}).members(failure{errc::aborted, "it stopped"});
    out.members(nothing{}).raw("last", "[1, 2]");
  });
  CHECK(text == R"({"code":"aborted","message":"it stopped","last":[1, 2]})");
}

TEST_CASE("arrays hold values, objects and what a function writes", "[messages][json_object]") {
  const auto text = json_text([](json_object& out) {
    out.array("values").element(true).element("x");
    auto list = out.array("list");
    list.object().member("a", 1);
    list.each(std::vector{2, 3}, [](json_buffer& each, int number) { append_json(each, -number); });
  });
  CHECK(text == R"({"values":[true,"x"],"list":[{"a":1},-2,-3]})");
}

TEST_CASE("a map is an object of its pairs", "[messages][json_object]") {
  const std::map<std::string, std::string> values{{"b", "2"}, {"a", "1"}};
  CHECK(json_text([&](json_object& out) { out.member("values", values); }) ==
        R"({"values":{"a":"1","b":"2"}})");
}

} // namespace json_object_test
