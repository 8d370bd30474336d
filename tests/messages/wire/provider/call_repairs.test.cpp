#include "messages/wire/provider/call_repairs.hpp"

#include <string>
#include <vector>

#include "messages/json.hpp"
#include "tests/support/catch.hpp"

namespace call_repairs_test {

using namespace troupe;

namespace {

tool_set some_tools() {
  tool_set made;
  for (const char* name : {"Read", "echo", "get_weather", "list-files", "read", "tools"})
    made.tools.push_back({name, "", "{}", "one", name});
  return made;
}

/// Returns "tool (what was repaired)", or "" if no tool is meant.
std::string meant(std::string_view name) {
  static const auto tools = some_tools();
  call_repairs how;
  const auto* tool = matching_tool(name, tools, how);
  return tool == nullptr ? std::string{how.any() ? "?" : ""}
                         : tool->name + (how.any() ? " (" + how.text() + ")" : "");
}

/// Returns "arguments (what was repaired)", or "" if there is no reading.
std::string read(std::string arguments) {
  const auto before = arguments;
  call_repairs how;
  if (repair_arguments(arguments, how))
    return arguments + (how.any() ? " (" + how.text() + ")" : "");
  CHECK(arguments == before);
  CHECK_FALSE(how.any());
  return "";
}

struct row {
  std::string written;
  std::string meant;
};

} // namespace

TEST_CASE("a tool is found by what models add to its name", "[messages][call_repairs]") {
  const std::vector<row> rows{
      {"echo", "echo"},
      {" echo", "echo (space around the name)"},
      {"echo ", "echo (space around the name)"},
      {"echo\n", "echo (space around the name)"},
      {"\r\n\techo \r\n", "echo (space around the name)"},
      {"\xC2\xA0"
       "echo\xE3\x80\x80 \xE2\x80\x8B",
       "echo (space around the name)"},
      {"`echo`", "echo (marks around the name)"},
      {"\"echo\"", "echo (marks around the name)"},
      {"'echo'\n", "echo (space around the name, marks around the name)"},
      {"\" echo \"", "echo (marks around the name)"},
      {"echo()", "echo (marks around the name)"},
      {"echo:0", "echo (marks around the name)"},
      {"echo<|channel|>commentary", "echo (marks around the name)"},
      {"functions.echo", "echo (prefix of the name)"},
      {"functions.echo:12", "echo (marks around the name, prefix of the name)"},
      {"default_api:echo", "echo (prefix of the name)"},
      {"Tools/echo", "echo (prefix of the name)"},
      {"tools", "tools"},
      {"ECHO", "echo (case of the name)"},
      {"Get-Weather", "get_weather (case of the name)"},
      {"list_files", "list-files (case of the name)"},
      {"Read", "Read"},
      {"read", "read"},
  };
  for (const auto& each : rows) {
    INFO("name: " << each.written);
    CHECK(meant(each.written) == each.meant);
  }
}

TEST_CASE("a name with no reading, or with two, is nobody's", "[messages][call_repairs]") {
  for (const char* name : {"", " ", "nope", " nope ", "echoes", "ec ho", "my.echo", "functions.",
                           "functions.nope", "READ", "<|x|>", "echo.functions", ":0", "()"}) {
    INFO("name: " << name);
    CHECK(meant(name) == "");
  }
}

TEST_CASE("arguments that are an object stay as they are, byte for byte",
          "[messages][call_repairs]") {
  for (const char* text : {"{}", " {\"a\" : 1.0 }\n", R"({"a":"{\"b\":1}","b":"{}{}"})",
                           R"({"a":"'True', ```json"})", R"({"a":"\\ud83d","a":1})"}) {
    INFO("arguments: " << text);
    CHECK(read(text) == text);
  }
}

TEST_CASE("arguments that have one reading are read so", "[messages][call_repairs]") {
  const std::vector<row> rows{
      {"null", "{} (no arguments)"},
      {" None\n", "{} (no arguments)"},
      {"[]", "{} (no arguments)"},
      {R"("")", "{} (no arguments, encoded again)"},
      {R"("null")", "{} (no arguments, encoded again)"},
      {R"("{\"a\":1}")", R"({"a":1} (encoded again))"},
      {R"("\"{\\\"a\\\":1}\"")", R"({"a":1} (encoded again))"},
      {R"({\"a\":\"x \\\"y\\\"\"})", R"({"a":"x \"y\""} (encoded again))"},
      {"\"{\n\\\"a\\\": 1}\"", "{\n\"a\": 1} (encoded again, raw controls)"},
      {R"("{'a': True}")", R"({"a": true} (encoded again, single quotes, Python words))"},
      {R"({"a":1}{"a":1})", R"({"a":1} (repeated))"},
      {"{\"a\":1}\n\n{ \"a\": 1.0 }\n{\"a\":1}", R"({"a":1} (repeated))"},
      {R"({"a":1,"b":2}{"b":2,"a":1})", R"({"a":1,"b":2} (repeated))"},
      {R"({}{"a":1})", R"({"a":1} (repeated))"},
      {"{}{}", "{} (repeated)"},
      {R"("{\"a\":1}{\"a\":1}")", R"({"a":1} (encoded again, repeated))"},
      {"{\"a\":\"x\ny\tz\r\x01\"}", R"({"a":"x\ny\tz\r\u0001"} (raw controls))"},
      {"{\"a\nb\":1}", R"({"a\nb":1} (raw controls))"},
      {"```json\n{\"a\":1}\n```", R"({"a":1} (text around))"},
      {R"(Here's what I send: {"a":{"b":[1]}})", R"({"a":{"b":[1]}} (text around))"},
      {R"({"a":1}</tool_call>)", R"({"a":1} (text around))"},
      {R"(echo({"a":1});)", R"({"a":1} (text around))"},
      {R"("{"a":1}")", R"({"a":1} (text around))"},
      {R"({"a":1} and once more {"a":1})", R"({"a":1} (repeated, text around))"},
      {R"({"a":[1,2,],})", R"({"a":[1,2]} (trailing comma))"},
      {"{\"a\":1,\n}", "{\"a\":1\n} (trailing comma)"},
      {R"({"a":True,"b":[False,None]})", R"({"a":true,"b":[false,null]} (Python words))"},
      {R"({'a': 'say "hi"', 'b': 'it\'s'})", R"({"a": "say \"hi\"", "b": "it's"} (single quotes))"},
      {R"({"a":"it\'s"})", R"({"a":"it's"} (single quotes))"},
  };
  for (const auto& each : rows) {
    INFO("arguments: " << each.written);
    CHECK(read(each.written) == each.meant);
  }
}

TEST_CASE("arguments with no reading, or with two, are refused", "[messages][call_repairs]") {
  for (const char* text :
       {"", " ", "hello", "5", "true", "[1]", "[{\"a\":1}]", R"("hello")",
        // cut
        "{", R"({"a":1)", R"({"a":"x)", R"({"a":1}{"a")", R"("{\"a\":1)", R"("{\"a\":")",
        // two objects, or a part of one
        R"({"a":1}{"a":2})", R"({"a":1},{"a":1})", R"({"a":1}{})", R"({"a":1}, "b":2})",
        R"("a": {"b":1})", R"({"a":1}})", R"({"a":1}, b: 2)", R"([{"a":1},{"a":2}])",
        "use {a} or {\"a\":1}",
        // strings that may end in two places, and what no grammar has
        R"({"a":"say "hi""})", R"({'a':'it's'})", R"({a:1})", R"({"a":01})", R"({"a":"\d+"})",
        R"({"a":NaN})", R"({"a" 1})", R"({"a":1,,})", "{,}", R"({"a":tru})"}) {
    INFO("arguments: " << text);
    CHECK(read(text) == "");
  }
}

TEST_CASE("arguments are taken out of at most three strings", "[messages][call_repairs]") {
  std::string text = R"({"a":1})";
  for (int strings = 1; strings <= 4; ++strings) {
    text = to_json(text);
    CHECK(read(text) == (strings <= 3 ? R"({"a":1} (encoded again))" : ""));
  }
}

TEST_CASE("half a character becomes U+FFFD in all strings of the arguments",
          "[messages][call_repairs]") {
  const std::vector<row> rows{
      {R"({"q":"a\ud83d b"})", "{\"q\":\"a\xEF\xBF\xBD b\"} (lone half)"},
      {R"({"\uDE00":["\uD83D\uD83D\uDE00"]})",
       "{\"\xEF\xBF\xBD\":[\"\xEF\xBF\xBD\\uD83D\\uDE00\"]} (lone half)"},
      {R"("{\"q\":\"\\ud83d\"}")", "{\"q\":\"\xEF\xBF\xBD\"} (encoded again, lone half)"},
      {R"("{\"q\":\"\ud83d\"}")", "{\"q\":\"\xEF\xBF\xBD\"} (encoded again)"},
      {R"({"q":"\ud83d\ude00"})", R"({"q":"\ud83d\ude00"})"},
  };
  for (const auto& each : rows) {
    INFO("arguments: " << each.written);
    CHECK(read(each.written) == each.meant);
  }
}

TEST_CASE("long and deep arguments are read in time that grows with them",
          "[messages][call_repairs]") {
  std::string many;
  for (int i = 0; i < 100'000; ++i)
    many += "{\"a\":1} ";
  CHECK(read(many) == R"({"a":1} (repeated))");
  CHECK(read(std::string(1'000'000, '{')) == "");
  CHECK(read("{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + ",}") == "");
  CHECK(read(std::string(1'000'000, '"')) == "");
  std::string commas = "{\"a\":[";
  for (int i = 0; i < 100'000; ++i)
    commas += "{\"b\":1,},";
  CHECK(read(commas + "]}").ends_with(" (trailing comma)"));
}

} // namespace call_repairs_test
