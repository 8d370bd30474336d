#include "messages/wire/json/tool_schema.hpp"

#include "tests/support/catch.hpp"

namespace tool_schema_test {

using namespace troupe;

namespace {

const std::string any_object = R"({"type":"object","properties":{}})";

std::string repaired(std::string_view schema) {
  auto made = repair_tool_schema(schema);
  CHECK(made.fault.empty());
  if (!made.repaired.empty()) // what is repaired is right
    CHECK(repair_tool_schema(made.repaired).repaired.empty());
  return made.repaired;
}

std::string fault(std::string_view schema) {
  auto made = repair_tool_schema(schema);
  CHECK(made.repaired.empty());
  return made.fault;
}

/// Returns what becomes of the schema of a property.
std::string property(const std::string& schema) {
  const std::string head = R"({"type":"object","properties":{"p":)";
  auto made = repaired(head + schema + "}}");
  if (made.empty())
    return schema;
  CHECK(made.starts_with(head));
  return made.substr(head.size(), made.size() - head.size() - 2);
}

} // namespace

TEST_CASE("a schema that is right stays byte for byte", "[messages][tool_schema]") {
  for (
      const char* right : {
          R"({ "type" : "object", "properties" : { } })",
          R"({"type":"object","properties":{"q":{"$ref":"#/$defs/F"}},"$defs":{"F":{"type":"string",)"
          R"("enum":["x"]}},"required":["q"],"additionalProperties":false,"x-own":[]})",
          R"({"type":"object","properties":{"properties":{"type":"string"},"required":{"type":)"
          R"("array","items":{"type":"object"}}},"required":[]})",
          R"({"type":"object","properties":{"a":{"default":{"properties":[]},"enum":[{"required":)"
          R"(null}],"const":null,"examples":[[]]}}})",
          R"({"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":["string",)"
          R"("null"]}]},"b":true,"node":{"$ref":"#"}}})",
      })
    CHECK(repaired(right).empty());
}

TEST_CASE("a schema that says nothing is that of any object", "[messages][tool_schema]") {
  for (const char* nothing :
       {"", "null", "true", "[]", "{}", R"({"type":"object"})",
        R"({"type":"object","properties":[]})",
        R"({"type":null,"properties":null,"required":null})", R"({"type":[],"required":{}})",
        R"({"type":"OBJECT"})", R"({"type":["null","object"],"required":false})",
        R"({"type":"object","properties":"none"})"}) {
    INFO(nothing);
    CHECK(repaired(nothing) == any_object);
  }
}

TEST_CASE("what no object fits is refused, with the reason", "[messages][tool_schema]") {
  CHECK(fault(R"({"type":"string"})") == R"(is of type "string", not "object")");
  CHECK(fault(R"({"type":["array","null"]})") == R"(is of type ["array","null"], not "object")");
  CHECK(fault("7") == "is no object");
  CHECK(fault(R"(["a"])") == "is no object");
  CHECK(fault(R"("string")") == "is no object");
  CHECK(fault("false") == "is no object");
  CHECK(fault("{") == "is no JSON, or has more than 100000 values");
  CHECK(fault(R"({"enum":["a","b"]})") == "has only values that are no objects");
  CHECK(fault(R"({"anyOf":[{"type":"string"},{"type":"number"}]})") ==
        "has no alternative that is an object");
  CHECK(fault(R"({"allOf":[{"type":"object"},{"type":"string"}]})") ==
        R"(is of type "string", not "object")");
  CHECK(fault(R"({"$ref":"#/$defs/A","$defs":{"A":{"type":"integer"}}})") ==
        R"(is of type "integer", not "object")");
}

TEST_CASE("the properties of alternatives at the top are merged", "[messages][tool_schema]") {
  CHECK(repaired(R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":)"
                 R"(["a"]},{"type":"object","properties":{"b":{"type":"string"}}}]})") ==
        R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}})");
  CHECK(repaired(R"({"type":"object","properties":{"a":{},"b":{}},"required":["c"],)"
                 R"("oneOf":[{"required":["a","b"]},{"required":["b"]}]})") ==
        R"({"type":"object","properties":{"a":{},"b":{}},"required":["b","c"]})");
  CHECK(
      repaired(R"({"allOf":[{"properties":{"a":{}},"required":["a"]},{"$ref":"#/$defs/B"}],)"
               R"("$defs":{"B":{"type":"object","properties":{"b":{}},"required":["b"]}}})") ==
      R"({"type":"object","$defs":{"B":{"type":"object","properties":{"b":{}},"required":["b"]}},)"
      R"("properties":{"a":{},"b":{}},"required":["a","b"]})");
  CHECK(repaired(
            R"({"anyOf":[{"type":"null"},{"properties":{"a":{"type":"string"}}},)"
            R"({"properties":{"a":{"type":"number"}}},{"properties":{"a":{"type":"null"}}}]})") ==
        R"({"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"},)"
        R"({"type":"null"}]}}})");
  CHECK(repaired(R"({"type":"object","properties":{},"not":{"required":["a"]}})") == any_object);
}

TEST_CASE("a schema that only leads to another one takes its members", "[messages][tool_schema]") {
  CHECK(repaired(R"({"$ref":"#/definitions/In","definitions":{"In":{"type":"object","properties":)"
                 R"({"a":{"type":"string"}},"required":["a"]}}})") ==
        R"({"type":"object","definitions":{"In":{"type":"object","properties":{"a":{"type":)"
        R"("string"}},"required":["a"]}},"properties":{"a":{"type":"string"}},"required":["a"]})");
  CHECK(repaired(R"({"$ref":"#"})") == any_object);
  CHECK(repaired(R"({"$ref":"#/nowhere"})") == any_object);
}

TEST_CASE("keywords with values of another kind are repaired at every depth",
          "[messages][tool_schema]") {
  CHECK(property(R"({"type":"object","properties":[]})") == R"({"type":"object","properties":{}})");
  CHECK(property(R"({"type":"object","required":{}})") == R"({"type":"object"})");
  CHECK(property(R"({"required":"a"})") == R"({"required":["a"]})");
  CHECK(property(R"({"required":["a",1,"a"]})") == R"({"required":["a"]})");
  CHECK(property(R"({"type":"array"})") == R"({"type":"array","items":{}})");
  CHECK(property(R"({"type":"array","items":[]})") == R"({"type":"array","items":{}})");
  CHECK(property(R"({"type":["array","null"],"items":null})") ==
        R"({"type":["array","null"],"items":{}})");
  CHECK(property(R"({"type":"array","items":[{"type":"int"},{}],"additionalItems":false})") ==
        R"({"type":"array","prefixItems":[{"type":"integer"},{}],"items":false})");
  CHECK(property("[]") == "{}");
  CHECK(property("null") == "{}");
  CHECK(property(R"("string")") == R"({"type":"string"})");
  CHECK(property(R"({"type":"any","description":null,"default":null})") == R"({"default":null})");
  CHECK(property(R"({"type":["string","string","what"]})") == R"({"type":["string"]})");
  CHECK(property(R"({"enum":[],"anyOf":[],"oneOf":{},"allOf":{"type":"STRING"}})") ==
        R"({"allOf":[{"type":"string"}]})");
  CHECK(property(R"({"minimum":0,"exclusiveMinimum":true,"exclusiveMaximum":false})") ==
        R"({"exclusiveMinimum":0})");
  CHECK(property(R"({"additionalProperties":[],"patternProperties":[],"maxLength":"5"})") ==
        R"({"additionalProperties":{},"patternProperties":{}})");
  CHECK(property(R"({"$ref":"#/$defs/gone","title":"x"})") == R"({"title":"x"})");
}

TEST_CASE("schemas are found wherever they stand", "[messages][tool_schema]") {
  const std::string bad = R"({"type":"object","properties":[]})";
  const std::string good = R"({"type":"object","properties":{}})";
  for (const char* place : {"items", "additionalProperties", "not", "if", "then", "else",
                            "contains", "propertyNames", "unevaluatedProperties"})
    CHECK(property(std::string{R"({")"} + place + "\":" + bad + "}") ==
          std::string{R"({")"} + place + "\":" + good + "}");
  for (const char* place : {"anyOf", "allOf", "oneOf", "prefixItems"})
    CHECK(property(std::string{R"({")"} + place + "\":[{}," + bad + "]}") ==
          std::string{R"({")"} + place + "\":[{}," + good + "]}");
  for (const char* place :
       {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
    CHECK(property(std::string{R"({")"} + place + "\":{\"x\":" + bad + "}}") ==
          std::string{R"({")"} + place + "\":{\"x\":" + good + "}}");
}

TEST_CASE("a property that says of itself that it is required is", "[messages][tool_schema]") {
  CHECK(repaired(R"({"type":"object","properties":{"a":{"type":"string","required":true},)"
                 R"("b":{"required":false}}})") ==
        R"({"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["a"]})");
}

TEST_CASE("deep and entangled schemas are bounded", "[messages][tool_schema]") {
  std::string deep = R"({"type":"object","properties":{"a":)";
  for (int i = 0; i < 200; ++i)
    deep += R"({"items":)";
  deep += "[]" + std::string(200, '}') + "}}";
  CHECK(repaired(deep).find("[]") == std::string::npos);
  std::string wide = R"({"$defs":{"A":{"properties":{)";
  for (int i = 0; i < 1000; ++i)
    wide += (i == 0 ? "\"p" : ",\"p") + std::to_string(i) + "\":{\"type\":\"string\"}";
  wide += R"(}}},"anyOf":[{"$ref":"#/$defs/A"})";
  for (int i = 0; i < 1000; ++i)
    wide += R"(,{"$ref":"#/$defs/A"})";
  CHECK(fault(wide + "]}") == "has too many alternatives");
}

} // namespace tool_schema_test
