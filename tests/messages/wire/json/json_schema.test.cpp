#include "messages/wire/json/json_schema.hpp"

#include "tests/support/catch.hpp"

namespace json_schema_test {

using namespace troupe;

namespace {

/// A schema, a value that matches it, and one that does not, with what is said then.
struct rule_case {
  const char* schema;
  const char* good;
  const char* bad;
  const char* mismatch;
};

const rule_case cases[] = {
    {"true", "1", nullptr, ""},
    {"{}", "[null]", nullptr, ""},
    {R"({"properties":{"a":false}})", R"({"b":1})", R"({"a":1})", "/a is not allowed"},
    // any value
    {R"({"type":"string"})", "\"\"", "1", "the value must be of type string"},
    {R"({"type":"number"})", "1.5", "\"1\"", "the value must be of type number"},
    {R"({"type":"integer"})", "1.0", "1.5", "the value must be of type integer"},
    {R"({"type":"integer"})", "1e2", "true", "the value must be of type integer"},
    {R"({"type":"integer"})", "18446744073709551616", "1e-1", "the value must be of type integer"},
    {R"({"type":"boolean"})", "false", "null", "the value must be of type boolean"},
    {R"({"type":"null"})", "null", "false", "the value must be of type null"},
    {R"({"type":"array"})", "[]", "{}", "the value must be of type array"},
    {R"({"type":"object"})", "{}", "[]", "the value must be of type object"},
    {R"({"type":["string","null"]})", "null", "1", "the value must be of type string or null"},
    {R"({"enum":["a",1,{"b":[2]},null]})", R"({"b":[2.0]})", R"({"b":[3]})",
     "the value must be one of the values of its enum"},
    {R"({"enum":[]})", nullptr, "1", "the value must be one of the values of its enum"},
    {R"({"const":{"a":1,"b":2}})", R"({"b":2,"a":1.0})", R"({"a":1})",
     "the value must be the value of its const"},
    {R"({"const":9007199254740992})", "9007199254740992", "9007199254740993",
     "the value must be the value of its const"},
    {R"({"const":null})", "null", "0", "the value must be the value of its const"},
    // numbers
    {R"({"minimum":1.5})", "1.5", "1.4", "the value must be at least 1.5"},
    {R"({"minimum":-9223372036854775808})", "-9223372036854775808", "-9223372036854775809",
     "the value must be at least -9223372036854775808"},
    {R"({"maximum":3})", "3.0", "3.0001", "the value must be at most 3"},
    {R"({"exclusiveMinimum":1})", "1.1", "1", "the value must be above 1"},
    {R"({"exclusiveMaximum":1})", "0.9", "1", "the value must be below 1"},
    {R"({"multipleOf":0.1})", "0.3", "0.35", "the value must be a multiple of 0.1"},
    {R"({"multipleOf":3})", "-9", "10", "the value must be a multiple of 3"},
    {R"({"multipleOf":2})", "9007199254740994", "9007199254740993",
     "the value must be a multiple of 2"},
    {R"({"minimum":5,"multipleOf":7})", "\"x\"", "4", "the value must be at least 5"},
    // strings
    {R"({"minLength":2})", R"("\u00e9\ud83d\ude00")", R"("\ud83d\ude00")",
     "the value must have at least 2 characters"},
    {R"({"maxLength":1})", R"("\ud83d\ude00")", "\"ab\"",
     "the value must have at most 1 characters"},
    {R"({"minLength":2})", "1", "\"a\"", "the value must have at least 2 characters"},
    // objects
    {R"({"properties":{"a":{"type":"string"},"b":{"minimum":1}}})", R"({"a":"x","b":2,"c":null})",
     R"({"a":"x","b":0})", "/b must be at least 1"},
    {R"({"properties":{"a/b~c":{"type":"null"}}})", R"({"a/b~c":null})", R"({"a/b~c":1})",
     "/a~1b~0c must be of type null"},
    {R"({"required":["a","b"]})", R"({"b":null,"a":1})", R"({"a":1})", "the value must have \"b\""},
    {R"({"required":["a"]})", "[]", "{}", "the value must have \"a\""},
    {R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1})", R"({"a":1,"b":2})",
     "/b is not allowed"},
    {R"({"additionalProperties":{"type":"integer"}})", R"({"x":1})", R"({"x":"1"})",
     "/x must be of type integer"},
    {R"({"minProperties":1})", R"({"a":1})", "{}", "the value must have at least 1 members"},
    {R"({"maxProperties":1})", R"({"a":1})", R"({"a":1,"b":2})",
     "the value must have at most 1 members"},
    {R"({"propertyNames":{"maxLength":2}})", R"({"ab":1})", R"({"abc":1})",
     "the value must not have the name \"abc\""},
    {R"({"propertyNames":{"enum":["a","b"]}})", R"({"a":1})", R"({"c":1})",
     "the value must not have the name \"c\""},
    {R"({"dependentRequired":{"a":["b"]}})", R"({"c":1})", R"({"a":1})",
     "the value must have \"b\""},
    // arrays
    {R"({"items":{"type":"integer"}})", "[1,2]", R"([1,"2"])", "/1 must be of type integer"},
    {R"({"items":false})", "[]", "[1]", "/0 is not allowed"},
    {R"({"prefixItems":[{"type":"string"},{"type":"null"}]})", R"(["a",null,7])", R"(["a",1])",
     "/1 must be of type null"},
    {R"({"prefixItems":[{}],"items":{"type":"null"}})", "[1,null]", "[null,1]",
     "/1 must be of type null"},
    {R"({"items":[{"type":"string"}]})", R"(["a",1])", "[1]", "/0 must be of type string"},
    {R"({"contains":{"const":1}})", "[0,1]", "[0,2]",
     "the value has too few elements that match its contains"},
    {R"({"contains":{"const":1},"minContains":2})", "[1,0,1]", "[1]",
     "the value has too few elements that match its contains"},
    {R"({"contains":{"const":1},"minContains":0,"maxContains":1})", "[]", "[1,1]",
     "the value has too many elements that match its contains"},
    {R"({"minItems":1})", "[1]", "[]", "the value must have at least 1 elements"},
    {R"({"maxItems":1})", "[1]", "[1,2]", "the value must have at most 1 elements"},
    {R"({"uniqueItems":true})", R"([1,"1",[1],{"a":1},{"a":2},true,[[1]]])", "[1,2,1.0]",
     "the value must not have two equal elements"},
    {R"({"uniqueItems":true})", R"([{"a":1,"b":2}])", R"([{"a":1,"b":2},{"b":2,"a":1}])",
     "the value must not have two equal elements"},
    {R"({"uniqueItems":false})", "[1,1]", nullptr, ""},
    // schemas
    {R"({"allOf":[{"minimum":1},{"maximum":2}]})", "2", "3", "the value must be at most 2"},
    {R"({"anyOf":[{"type":"string"},{"minimum":5}]})", "5", "4",
     "the value matches nothing of its anyOf"},
    {R"({"oneOf":[{"minimum":5},{"type":"integer"}]})", "4", "4.5",
     "the value matches nothing of its oneOf"},
    {R"({"oneOf":[{"minimum":5},{"type":"integer"}]})", "5.5", "6",
     "the value matches more than one of its oneOf"},
    {R"({"not":{"type":"string"}})", "1", "\"\"", "the value must not match its not"},
    {R"({"not":{"not":{"type":"string"}}})", "\"\"", "1", "the value must not match its not"},
    {R"({"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}})", "\"a\"", "\"\"",
     "the value must have at least 1 characters"},
    {R"({"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}})", "1", "0",
     "the value must be at least 1"},
    {R"({"if":{"type":"string"}})", "1", nullptr, ""},
    {R"({"then":false,"else":false})", "1", nullptr, ""},
    // references
    {R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", "\"\"", "1",
     "the value must be of type string"},
    {R"({"$ref":"#/$defs/a~1b~0%25c","$defs":{"a/b~%c":{"type":"null"}}})", "null", "1",
     "the value must be of type null"},
    {R"({"$ref":"#/prefixItems/1","prefixItems":[{},{"type":"array"}]})", "[]", "1",
     "the value must be of type array"},
    {R"({"$ref":"#node","definitions":{"x":{"$anchor":"node","type":"string"}}})", "\"\"", "1",
     "the value must be of type string"},
    {R"({"type":"object","required":["v"],"properties":{"next":{"$ref":"#"}}})",
     R"({"v":1,"next":{"v":2,"next":{"v":3}}})", R"({"v":1,"next":{"v":2,"next":{}}})",
     "/next/next must have \"v\""},
    {R"({"$defs":{"tree":{"$anchor":"t","type":"object","properties":{"sub":{"type":"array",)"
     R"("items":{"$ref":"#t"}}},"additionalProperties":false}},"$ref":"#/$defs/tree"})",
     R"({"sub":[{"sub":[]},{}]})", R"({"sub":[{"sub":[{"x":1}]}]})",
     "/sub/0/sub/0/x is not allowed"},
};

} // namespace

TEST_CASE("each rule of a schema holds", "[messages][json_schema]") {
  for (const auto& each : cases) {
    INFO(each.schema);
    if (each.good) {
      INFO(each.good);
      CHECK(schema_mismatch(each.schema, each.good) == "");
    }
    if (each.bad) {
      INFO(each.bad);
      CHECK(schema_mismatch(each.schema, each.bad) == each.mismatch);
    }
  }
}

TEST_CASE("each rule is the opposite of its negation", "[messages][json_schema]") {
  for (const auto& each : cases) {
    if (std::string_view{each.schema}.find("\"$ref\"") != std::string_view::npos)
      continue; // it refers to another place then
    auto negated = R"({"not":)" + std::string{each.schema} + "}";
    INFO(negated);
    if (each.good)
      CHECK(schema_mismatch(negated, each.good) == "the value must not match its not");
    if (each.bad)
      CHECK(schema_mismatch(negated, each.bad) == "");
  }
}

TEST_CASE("what is not looked into matches, and so does its opposite", "[messages][json_schema]") {
  const char* unread[] = {R"("pattern":"^b$")",
                          R"("$ref":"https://other.example/schema.json")",
                          R"("$ref":"other.json#/a")",
                          R"("$ref":"#/nowhere")",
                          R"("$ref":"#nowhere")",
                          R"("$ref":"#/type/0")",
                          R"("$ref":7)",
                          R"("$dynamicRef":"#x")",
                          R"("type":"any")",
                          R"("type":7)",
                          R"("enum":7)",
                          R"("minLength":"x")",
                          R"("not":{"pattern":"a"})"};
  for (const std::string rule : unread) {
    INFO(rule);
    CHECK(schema_mismatch("{" + rule + "}", "\"a\"") == "");
    CHECK(schema_mismatch(R"({"not":{)" + rule + "}}", "\"a\"") == "");
    CHECK(schema_mismatch(R"({"oneOf":[{)" + rule + R"(},{"type":"string"}]})", "\"a\"") == "");
    CHECK(schema_mismatch(R"({"if":{)" + rule + R"(},"then":false})", "\"a\"") == "");
    CHECK(schema_mismatch(R"({"contains":{)" + rule + R"(},"maxContains":0})", "[\"a\"]") == "");
    // What is looked into still counts.
    CHECK(schema_mismatch("{" + rule + R"(,"maxLength":0})", "\"a\"") != "");
  }
  CHECK(schema_mismatch(R"({"patternProperties":{"^x":{}},"additionalProperties":false})",
                        R"({"y":1})") == "");
  CHECK(schema_mismatch(R"({"unevaluatedProperties":false})", R"({"y":1})") == "");
  CHECK(schema_mismatch(R"({"unevaluatedItems":false})", "[1]") == "");
  CHECK(schema_mismatch(R"({"if":{"pattern":"a"},"then":false,"else":false})", "\"a\"") ==
        "the value matches neither its then nor its else");
}

TEST_CASE("rules that mean nothing for a value are not missing", "[messages][json_schema]") {
  CHECK(schema_mismatch(R"({"not":{"pattern":"a"}})", "1") == "the value must not match its not");
  CHECK(schema_mismatch(R"({"not":{"unevaluatedItems":false}})", "{}") ==
        "the value must not match its not");
  CHECK(schema_mismatch(R"({"not":{"format":"email","title":"x","x-own":1}})", "\"a\"") ==
        "the value must not match its not");
}

TEST_CASE("references within an embedded schema are bound to it", "[messages][json_schema]") {
  constexpr auto schema = R"({"properties":{"a":{"$id":"inner","$ref":"#/$defs/x",
    "$defs":{"x":{"type":"string"}}}},"$defs":{"x":{"type":"number"}}})";
  CHECK(schema_mismatch(schema, R"({"a":"s"})") == "");
  CHECK(schema_mismatch(R"({"$id":"https://a.example/s","$ref":"#/$defs/x",
    "$defs":{"x":{"type":"number"}}})",
                        "\"s\"") == "the value must be of type number");
}

TEST_CASE("schemas that never end are given up", "[messages][json_schema]") {
  CHECK(schema_mismatch(R"({"$ref":"#"})", "1") == "");
  CHECK(schema_mismatch(R"({"not":{"$ref":"#"}})", "1") == "");
  CHECK(schema_mismatch(R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},
    "$ref":"#/$defs/a"})",
                        "1") == "");
  CHECK(schema_mismatch(R"({"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]})", "1") == "");
  CHECK(schema_mismatch(R"({"allOf":[{"$ref":"#"}],"minimum":2})", "1") ==
        "the value must be at least 2");
}

TEST_CASE("what is deeper than the bound is taken as matching", "[messages][json_schema]") {
  constexpr auto schema = R"({"items":{"$ref":"#"},"type":"array"})";
  auto nested = [](size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  auto pointer = [](size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i)
      text += "/0";
    return text;
  };
  CHECK(schema_mismatch(schema, nested(31)) == pointer(31) + " must be of type array");
  CHECK(schema_mismatch(schema, nested(32)) == "");
  CHECK(schema_mismatch(schema, nested(500)) == "");
  CHECK(schema_mismatch(schema, nested(600)) == "");
}

TEST_CASE("what is more work than the bound is taken as matching", "[messages][json_schema]") {
  std::string many = "[0";
  for (int i = 1; i < 99'000; ++i)
    many += "," + std::to_string(i);
  CHECK(schema_mismatch(R"({"uniqueItems":true})", many + "]") == "");
  CHECK(schema_mismatch(R"({"uniqueItems":true})", many + ",7]") ==
        "the value must not have two equal elements");
  CHECK(schema_mismatch(R"({"items":{"type":"integer"}})", many + ",\"x\"]") == "");
  CHECK(schema_mismatch(R"({"maxItems":3})", many + "]") ==
        "the value must have at most 3 elements");
  CHECK(schema_mismatch(R"({"maxItems":3})", many + ",1,1" + many.substr(1) + "]") == "");
  // A thousand members, each of which is looked for among a thousand.
  std::string members, wanted;
  for (int i = 0; i < 1000; ++i) {
    auto name = "\"m" + std::to_string(i) + "\"";
    members += (i == 0 ? "" : ",") + name + ":1";
    wanted += (i == 0 ? "" : ",") + name;
  }
  auto value = "{" + members + "}";
  CHECK(schema_mismatch(R"({"required":[)" + wanted + "]}", value) == "");
  CHECK(schema_mismatch(R"({"required":[)" + wanted + R"(,"x"]})", value) ==
        "the value must have \"x\"");
}

TEST_CASE("texts that are not JSON have nothing to be checked", "[messages][json_schema]") {
  for (auto text : {"", "{", "[1", "\xFF"}) {
    CHECK(schema_mismatch(text, "1") == "");
    CHECK(schema_mismatch("false", text) == "");
  }
  CHECK(schema_mismatch("7", "1") == "");
  CHECK(schema_mismatch("null", "1") == "");
}

} // namespace json_schema_test
