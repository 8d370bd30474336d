#include "messages/json.hpp"

#include <cmath>
#include <limits>

#include <simdjson.h>

#include "messages/chat/events.hpp"
#include "tests/support/catch.hpp"

namespace json_test {

using namespace troupe;

namespace {

std::string escaped(std::string_view text) {
  json_buffer out;
  append_escaped(out, text);
  return std::string{view(out)};
}

/// Reads a JSON string with a parser that is not ours.
std::string parsed(const std::string& json) {
  simdjson::dom::parser parser;
  return std::string{std::string_view{parser.parse("[" + json + "]").at(0)}};
}

} // namespace

TEST_CASE("plain text is written as it is, at every length and place", "[messages][json]") {
  for (size_t length = 0; length < 40; ++length) {
    std::string text(length, 'x');
    CHECK(escaped(text) == text);
    for (size_t at = 0; at < length; ++at) {
      auto quoted = text;
      quoted[at] = '"';
      CHECK(escaped(quoted) == text.substr(0, at) + "\\\"" + text.substr(at + 1));
    }
  }
}

TEST_CASE("every ASCII character comes back from a JSON parser", "[messages][json]") {
  for (int c = 0; c < 128; ++c) {
    auto text = std::string(3, 'a') + static_cast<char>(c) + std::string(9, 'b');
    INFO("character " << c);
    CHECK(parsed(to_json(text)) == text);
  }
  CHECK(escaped("\b\f\n\r\t\\\"/") == R"(\b\f\n\r\t\\\"/)");
  CHECK(escaped(std::string_view{"\0\x1f\x7f", 3}) == "\\u0000\\u001f\x7f");
}

TEST_CASE("text of all languages stays UTF-8", "[messages][json]") {
  std::string text = "wörld 世界 🌍 \xF4\x8F\xBF\xBF \xEF\xBF\xBD";
  CHECK(escaped(text) == text);
  CHECK(parsed(to_json(text)) == text);
}

TEST_CASE("broken UTF-8 becomes U+FFFD, once for each broken piece", "[messages][json]") {
  const std::string r = "\xEF\xBF\xBD";
  CHECK(escaped("a\xFF"
                "b") == "a" + r + "b");
  CHECK(escaped("\xE4\xB8") == r);                     // broken off
  CHECK(escaped("\xE4\xB8x") == r + "x");              // broken off by text
  CHECK(escaped("\xC0\xAF") == r + r);                 // overlong
  CHECK(escaped("\xED\xA0\x80") == r + r + r);         // surrogate
  CHECK(escaped("\xF4\x90\x80\x80") == r + r + r + r); // above U+10FFFF
  CHECK(escaped("\x80\x80") == r + r);
  for (int lead = 0x80; lead < 0x100; ++lead)
    for (int next = 0; next < 0x100; ++next) {
      std::string text{static_cast<char>(lead), static_cast<char>(next), 'x'};
      INFO("bytes " << lead << " " << next);
      CHECK(simdjson::validate_utf8(escaped(text)));
    }
}

TEST_CASE("numbers that JSON does not have become null", "[messages][json]") {
  CHECK(to_json(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(to_json(std::numeric_limits<double>::infinity()) == "null");
  CHECK(to_json(-HUGE_VAL) == "null");
  CHECK(to_json(0.5) == "0.5");
  CHECK(to_json(1e300) == "1e+300");
  CHECK(to_json(std::numeric_limits<uint64_t>::max()) == "18446744073709551615");
  CHECK(to_json(std::numeric_limits<int64_t>::min()) == "-9223372036854775808");
  CHECK(to_json(true) == "true");
}

TEST_CASE("described structs, lists, enumerations and passed-on JSON are written",
          "[messages][json]") {
  tool_args_complete call;
  call.tool_call_id = "a\"b";
  call.arguments.text = R"({"x": 1})";
  CHECK(to_json(call) ==
        R"({"toolCallId":"a\"b","toolName":"","arguments":{"x": 1},)"
        R"("clientSide":false,"error":"none","errorText":"","providerMetadata":null})");
  CHECK(to_json(raw_json{}) == "null");
  CHECK(to_json(std::vector<int>{}) == "[]");
  CHECK(to_json(std::vector<std::string>{"a", "b"}) == R"(["a","b"])");
  CHECK(to_json(finish_reason::tool_calls) == R"("tool-calls")");
}

} // namespace json_test
