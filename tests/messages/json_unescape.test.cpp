#include "messages/wire/json_unescape.hpp"

#include <optional>

#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

std::optional<std::string> unescaped(std::string_view literal) {
  std::string out;
  return append_unescaped(out, literal) ? std::optional{out} : std::nullopt;
}

} // namespace

TEST_CASE("all escapes of JSON are read", "[messages][json_unescape]") {
  CHECK(unescaped("plain") == "plain");
  CHECK(unescaped(R"(\"\\\/\b\f\n\r\t)") == "\"\\/\b\f\n\r\t");
  CHECK(unescaped(R"(x\u0041\u00e4\u4e16y)") == "xAä世y");
  CHECK(unescaped(R"(\ud83c\udf0d)") == "🌍");
  CHECK(unescaped(R"(\u0000)") == std::string(1, '\0'));
}

TEST_CASE("a lone surrogate becomes U+FFFD and nothing around it is lost",
          "[messages][json_unescape]") {
  CHECK(unescaped(R"(a\ud83cb)") == "a\xEF\xBF\xBD"
                                    "b");
  CHECK(unescaped(R"(\udf0d\n)") == "\xEF\xBF\xBD\n");
  CHECK(unescaped(R"(\ud83c\u0041)") == "\xEF\xBF\xBD"
                                        "A");
  CHECK(unescaped(R"(\ud83c)") == "\xEF\xBF\xBD");
}

TEST_CASE("what JSON does not know as an escape is refused", "[messages][json_unescape]") {
  for (auto literal : {R"(\x)", R"(\)", R"(\u12)", R"(\u12g4)", R"(\u-123)", R"(\u)"})
    CHECK_FALSE(unescaped(literal).has_value());
}
