#include "messages/wire/json_slice.hpp"

#include "messages/wire/json_source.hpp"
#include "tests/support/catch.hpp"

using namespace troupe;

TEST_CASE("the first character tells what a slice holds", "[messages][json_slice]") {
  CHECK(kind_of("") == json_kind::absent);
  CHECK(kind_of("{}") == json_kind::object);
  CHECK(kind_of("[]") == json_kind::array);
  CHECK(kind_of("\"\"") == json_kind::string);
  CHECK(kind_of("-1") == json_kind::number);
  CHECK(kind_of("true") == json_kind::boolean);
  CHECK(kind_of("false") == json_kind::boolean);
  CHECK(kind_of("null") == json_kind::null);
  CHECK(is_nothing(""));
  CHECK(is_nothing("null"));
  CHECK_FALSE(is_nothing("0"));
}

TEST_CASE("strings are unescaped, and lone surrogates replaced", "[messages][json_slice]") {
  CHECK(json_string(R"("a\"\\\/\b\f\n\r\tz")") == "a\"\\/\b\f\n\r\tz");
  CHECK(json_string(R"("\u0041\u00e9\u20ac\ud83d\ude00")") ==
        "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(json_string(R"("\ud83dx")") == "\xEF\xBF\xBDx");
  CHECK(json_string(R"("\ude00\ud83d")") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(json_string("12").empty());
}

TEST_CASE("whole numbers are read in every spelling", "[messages][json_slice]") {
  CHECK(integer_of("42") == 42);
  CHECK(integer_of("-42.0") == -42);
  CHECK(integer_of("1e3") == 1000);
  CHECK(integer_of("9223372036854775807") == INT64_MAX);
  CHECK_FALSE(integer_of("1.5"));
  CHECK_FALSE(integer_of("1e300"));
  CHECK_FALSE(integer_of("9223372036854775808"));
  CHECK_FALSE(integer_of("\"1\""));
  CHECK(id_of("\"17\"") == 17);
  CHECK_FALSE(id_of("\"17a\""));
  CHECK_FALSE(id_of("\"\""));
  CHECK(number_of("2.5") == 2.5);
  CHECK(number_of("null") == 0);
}

TEST_CASE("line ends become blanks, and only after the mark", "[messages][json_slice]") {
  json_buffer out;
  append_raw(out, "a\n{\r\n\"b\":\n1}");
  keep_on_one_line(out, 2);
  CHECK(view(out) == "a\n{  \"b\": 1}");
}

TEST_CASE("members come as slices, and of a repeated key the last", "[messages][json_slice]") {
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

TEST_CASE("elements are visited until the visitor has enough", "[messages][json_slice]") {
  json_source source{"[ 1 , [2] ,\"3\",{}]"};
  std::vector<std::string> seen;
  for_each_element(source.root(), [&](std::string_view element) {
    seen.emplace_back(element);
    return seen.size() < 3;
  });
  CHECK(seen == std::vector<std::string>{"1", "[2]", "\"3\""});
}

TEST_CASE("a source with a fault has no root", "[messages][json_slice]") {
  json_source source{"{"};
  CHECK(source.fault() == "a key is expected at byte 1");
  CHECK(source.root().empty());
  CHECK(json_source{"\n7\n"}.root() == "7");
}
