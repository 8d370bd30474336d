#include "messages/wire/gemini/gemini_partial_args.hpp"

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace gemini_partial_args_test {

using namespace troupe;

namespace {

/// Returns the text that the values make; "refused" behind what a value cannot be added to.
std::string joined(std::string_view values) {
  const json_source source{values};
  gemini_partial_args arguments;
  std::string text;
  auto taken = true;
  for_each_element(source.root(), [&](std::string_view each) {
    taken = arguments.add(each, text);
    return taken;
  });
  if (!taken)
    return "refused";
  arguments.finish(text);
  CHECK(is_json_object(text));
  return text;
}

} // namespace

TEST_CASE("values with their paths become one object", "[messages][gemini]") {
  CHECK(joined("[]") == "{}");
  CHECK(joined(R"([{"jsonPath":"$.a","numberValue":1.5},{"jsonPath":"$.b","boolValue":false},)"
               R"({"jsonPath":"$.c","nullValue":"NULL_VALUE"},{"jsonPath":"$.d"}])") ==
        R"({"a":1.5,"b":false,"c":null,"d":""})");
  CHECK(joined(R"([{"jsonPath":"$.a.b[0].c","stringValue":"x"},)"
               R"({"jsonPath":"$.a.b[0].d","stringValue":"y"},)"
               R"({"jsonPath":"$.a.b[1].c","stringValue":"z"},)"
               R"({"jsonPath":"$.e","stringValue":"w"}])") ==
        R"({"a":{"b":[{"c":"x","d":"y"},{"c":"z"}]},"e":"w"})");
  CHECK(joined(R"([{"jsonPath":"$['x.y'][\"a]b\"]","numberValue":1}])") == R"({"x.y":{"a]b":1}})");
}

TEST_CASE("pieces of a string are joined as they are escaped", "[messages][gemini]") {
  CHECK(joined(R"([{"jsonPath":"$.a","stringValue":"x\"\ud83d","willContinue":true},)"
               R"({"jsonPath":"$.a","stringValue":"\ude00","willContinue":true},)"
               R"({"jsonPath":"$.a"}])") == R"({"a":"x\"\ud83d\ude00"})");
  CHECK(joined(R"([{"jsonPath":"$.a","stringValue":"open","willContinue":true},)"
               R"({"jsonPath":"$.b","numberValue":1}])") == R"({"a":"open","b":1})");
}

TEST_CASE("a value that goes back, or has no path, is refused", "[messages][gemini]") {
  const auto behind = [](const std::string& path) {
    return joined(R"([{"jsonPath":"$.a[0].x","numberValue":1},{"jsonPath":")" + path +
                  R"(","numberValue":2}])");
  };
  CHECK(behind("$.a[0].y") == R"({"a":[{"x":1,"y":2}]})");
  CHECK(behind("$.a[1].x") == R"({"a":[{"x":1},{"x":2}]})");
  for (const char* path : {"$.a[0].x", "$.a", "$.a[0]", "$.a[2]", "$.a.b", "$.b[1]", "$.a[0].x.y",
                           "", "$", "a", "$a", "$.", "$[0]", "$.a[", "$.a[x]", "$.a['b", "$.."}) {
    INFO(path);
    CHECK(behind(path) == "refused");
  }
  CHECK(joined(R"([{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","numberValue":2},)"
               R"({"jsonPath":"$.a.y","numberValue":3}])") == "refused");
  std::string deep = "$";
  for (size_t i = 0; i <= gemini_partial_args::max_depth; ++i)
    deep += ".a";
  CHECK(joined(R"([{"jsonPath":")" + deep + R"(","numberValue":1}])") == "refused");
}

} // namespace gemini_partial_args_test
