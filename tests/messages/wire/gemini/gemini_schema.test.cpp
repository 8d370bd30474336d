#include "messages/wire/gemini/gemini_schema.hpp"

#include <random>

#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/json/tool_schema.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemini_schema_check.hpp"

namespace gemini_schema_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string reduced(std::string_view schema) {
  auto made = reduced_gemini_schema(schema);
  if (made.empty())
    return made;
  INFO(made);
  const auto tree = read_json_tree(made, 100'000);
  REQUIRE(tree.has_value());
  CHECK(gemini_schema_fault(*tree) == "");
  return made;
}

/// Returns the reduced form of a property's schema.
std::string property(const std::string& schema, const std::string& more = "") {
  const auto made = reduced(R"({"type":"object","properties":{"p":)" + schema + "}" + more + "}");
  constexpr std::string_view before = R"({"type":"object","properties":{"p":)";
  REQUIRE(made.starts_with(before));
  return made.substr(before.size(), made.size() - before.size() - 2);
}

} // namespace

TEST_CASE("what Gemini takes of a schema stays", "[messages][gemini]") {
  const std::string schema =
      R"({"type":"object","description":"D","properties":{"a":{"type":"string",)"
      R"("minLength":1,"description":"A"},"b":{"type":"array","items":)"
      R"({"type":"integer"},"minItems":1}},"required":["a"]})";
  CHECK(reduced_gemini_schema(schema).find(R"("required":["a"])") != std::string::npos);
  CHECK(reduced(schema).find(R"("description":"A")") != std::string::npos);
}

TEST_CASE("an object without properties has no schema of its own", "[messages][gemini]") {
  CHECK(reduced(R"({"type":"object","properties":{}})").empty());
  CHECK(property(R"({"type":"object"})") == R"({"type":"object"})");
  CHECK(property(R"({"type":"object","additionalProperties":{"type":"string"}})") ==
        R"({"type":"object"})");
}

TEST_CASE("a schema with very many members takes no work beyond their number",
          "[messages][gemini]") {
  std::string places, properties, required;
  for (int i = 0; i < 20'000; ++i) { // pairs of them would take minutes
    const auto number = std::to_string(i);
    const auto* const comma = i == 0 ? "" : ",";
    places += comma + (R"({"type":"string","description":")" + number + "\"}");
    properties += comma + ("\"p" + number + R"(":{"type":"string"})");
    required += comma + ("\"p" + number + "\"");
  }
  const auto list = reduced_gemini_schema(
      R"({"type":"object","properties":{"p":{"type":"array","prefixItems":[)" + places + "]}}}");
  CHECK(list.find(R"({"type":"string","description":"4990"})") != std::string::npos);
  const auto object = reduced_gemini_schema(R"({"type":"object","properties":{)" + properties +
                                            R"(},"required":[)" + required + "]}");
  CHECK(object.ends_with(R"("p19999"]})"));
}

TEST_CASE("references are written out, and those in a circle end", "[messages][gemini]") {
  CHECK(property(R"({"$ref":"#/$defs/x"})", R"(,"$defs":{"x":{"type":"integer"}})") ==
        R"({"type":"integer"})");
  CHECK(property(R"({"$ref":"#/$defs/x","description":"near"})",
                 R"(,"$defs":{"x":{"type":"integer","description":"far"}})") ==
        R"({"type":"integer","description":"near"})");
  CHECK(property(R"({"$ref":"#/$defs/n"})",
                 R"(,"$defs":{"n":{"type":"object","description":"N","properties":)"
                 R"({"next":{"$ref":"#/$defs/n"}}}})") ==
        R"({"type":"object","description":"N","properties":{"next":{"type":"object"}}})");
  CHECK(property(R"({"$ref":"#"})") == R"({"type":"object"})");
}

TEST_CASE("null becomes nullable, and alternatives stand alone", "[messages][gemini]") {
  CHECK(property(R"({"type":["string","null"]})") == R"({"type":"string","nullable":true})");
  CHECK(property(R"({"anyOf":[{"type":"string"},{"type":"null"}],"description":"D"})") ==
        R"({"type":"string","nullable":true,"description":"D"})");
  CHECK(property(R"({"type":["string","integer"],"description":"D"})") ==
        R"({"anyOf":[{"type":"string","description":"D"},{"type":"integer","description":"D"}]})");
  CHECK(property(R"({"oneOf":[{"type":"string"},{"anyOf":[{"type":"integer"},{"type":"null"}]},)"
                 R"({"type":["boolean","number"]}]})") ==
        R"({"anyOf":[{"type":"string"},{"type":"integer","nullable":true},)"
        R"({"type":"boolean"},{"type":"number"}]})");
  CHECK(property(R"({"type":"object","properties":{"a":{"type":"string"}},)"
                 R"("anyOf":[{"required":["a"]},{"required":["b"]}]})") ==
        R"({"type":"object","properties":{"a":{"type":"string"}}})");
  CHECK(property(R"({"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},)"
                 R"({"properties":{"b":{"type":"string"}},"required":["a","c"]}]})") ==
        R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},)"
        R"("required":["a"]})");
}

TEST_CASE("values are an enum of strings, or told", "[messages][gemini]") {
  CHECK(property(R"({"const":"x"})") == R"({"type":"string","enum":["x"]})");
  CHECK(property(R"({"enum":["x",null]})") == R"({"type":"string","enum":["x"],"nullable":true})");
  CHECK(property(R"({"enum":[1,2],"description":"D"})") ==
        R"({"type":"integer","description":"D One of: 1, 2."})");
  CHECK(property(R"({"type":"string","enum":["","x"]})") ==
        R"({"type":"string","description":"One of: \"\", \"x\"."})");
}

TEST_CASE("keywords that Gemini refuses are told or left out", "[messages][gemini]") {
  CHECK(property(R"({"type":"string","format":"email","pattern":"^x+"})") ==
        R"({"type":"string","description":"Format: email."})");
  CHECK(property(R"({"type":"string","format":"date-time","default":"now"})") ==
        R"({"type":"string","description":"Default: \"now\".","format":"date-time"})");
  CHECK(property(R"({"type":"integer","exclusiveMinimum":0,"maximum":99999999999})") ==
        R"({"type":"integer"})");
  CHECK(property(R"({"type":"array"})") == R"({"type":"array","items":{"type":"string"}})");
  CHECK(property(R"({"type":"array","prefixItems":[{"type":"string"},{"type":"integer"},)"
                 R"({"type":"string"}]})") ==
        R"({"type":"array","items":{"anyOf":[{"type":"string"},{"type":"integer"}]}})");
  CHECK(property("{}") == R"({"type":"string"})");
  CHECK(property("true") == R"({"type":"string"})");
}

TEST_CASE("a schema that would become very large, or deep, is bounded", "[messages][gemini]") {
  std::string many = R"({"type":"object","properties":{"p":{"$ref":"#/$defs/d0"}},"$defs":{)";
  for (int i = 0; i < 20; ++i) {
    const auto next = "#/$defs/d" + std::to_string(i + 1);
    many += fmt::format(R"("d{}":{{"type":"object","properties":{{"a":{{"$ref":"{}"}},)"
                        R"("b":{{"$ref":"{}"}},"c":{{"$ref":"{}"}}}}}},)",
                        i, next, next, next);
  }
  many += R"("d20":{"type":"string"}}})";
  CHECK(reduced(many).size() < 500'000);
}

TEST_CASE("random schemas are reduced to what Gemini takes", "[messages][gemini]") {
  constexpr std::array<std::string_view, 22> pieces{R"("type":"object")",
                                                    R"("type":"string")",
                                                    R"("type":["array","null"])",
                                                    R"("type":"INTEGER")",
                                                    R"("$ref":"#/$defs/x")",
                                                    R"("$ref":"#")",
                                                    R"("enum":["a","",3,null])",
                                                    R"("enum":[true])",
                                                    R"("const":{"a":1})",
                                                    R"("format":"uri")",
                                                    R"("format":"int32")",
                                                    R"("minimum":1e99)",
                                                    R"("minLength":2)",
                                                    R"("additionalProperties":false)",
                                                    R"("required":["p","q"])",
                                                    R"("title":"T")",
                                                    R"("description":"D")",
                                                    R"("default":[])",
                                                    R"("patternProperties":{"^x":{}})",
                                                    R"("not":{"type":"null"})",
                                                    R"("if":{},"then":{})",
                                                    R"("$schema":"x","$id":"y")"};
  std::mt19937 random{5};
  const auto make = [&](const auto& self, int depth) -> std::string {
    std::string text;
    for (auto n = random() % 4; n > 0; --n)
      text.append(text.empty() ? "" : ",").append(pieces[random() % pieces.size()]);
    for (const char* nested :
         {R"("properties":{"p":%,"":%})", R"("items":%)", R"("anyOf":[%,%])", R"("allOf":[%])",
          R"("oneOf":[%,{"type":"null"}])", R"("prefixItems":[%,%])", R"("$defs":{"x":%})"})
      if (depth < 4 && random() % 4 == 0) {
        text.append(text.empty() ? "" : ",");
        for (const char* c = nested; *c != '\0'; ++c)
          text.append(*c == '%' ? self(self, depth + 1) : std::string(1, *c));
      }
    return "{" + text + "}";
  };
  for (int i = 0; i < 3000; ++i) {
    const auto schema = make(make, 0);
    const auto [repaired, fault] = repair_tool_schema(schema);
    if (!fault.empty())
      continue;
    INFO(schema);
    reduced(repaired.empty() ? schema : repaired);
    reduced(schema);
  }
}

} // namespace gemini_schema_test
