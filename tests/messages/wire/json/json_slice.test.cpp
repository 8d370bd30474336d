#include "messages/wire/json/json_slice.hpp"

#include "tests/support/catch.hpp"

namespace json_slice_test {

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
  CHECK(json_string(R"("\ud83c\u0041")") == "\xEF\xBF\xBD"
                                            "A");
  CHECK(json_string(R"("\u0000")") == std::string(1, '\0'));
  CHECK(json_string(R"("\ude00\ud83d")") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(json_string("12").empty());
}

TEST_CASE("at an escape that JSON does not know the text ends", "[messages][json_slice]") {
  for (auto literal :
       {R"("a\x")", R"("a\")", R"("a\u12")", R"("a\u12g4")", R"("a\u-123")", R"("a\u")"})
    CHECK(json_string(literal) == "a");
}

TEST_CASE("whole numbers are read in every spelling", "[messages][json_slice]") {
  CHECK(integer_of("42") == 42);
  CHECK(integer_of("-42.0") == -42);
  CHECK(integer_of("1e3") == 1000);
  CHECK(integer_of("9223372036854775807") == INT64_MAX);
  CHECK_FALSE(integer_of("1.5"));
  CHECK_FALSE(integer_of("1e300"));
  CHECK_FALSE(integer_of("1e999")); // no double holds it
  CHECK_FALSE(integer_of("-1E+400"));
  CHECK_FALSE(integer_of("1" + std::string(400, '0')));
  CHECK_FALSE(integer_of("1e-999"));
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

} // namespace json_slice_test
