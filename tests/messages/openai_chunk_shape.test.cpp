#include "messages/wire/openai_chunk_shape.hpp"

#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

void learn(openai_chunk_shape& shape, std::string_view json, std::string_view literal) {
  shape.learn(json, json.substr(json.find(literal), literal.size()), false);
}

} // namespace

TEST_CASE("a known shape gives its string", "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  CHECK(shape.match(R"({"c":"a"})").empty());
  learn(shape, R"({"c":"a"})", R"("a")");
  CHECK(shape.match(R"({"c":"b"})") == R"("b")");
  CHECK(shape.match(R"({"c":""})") == R"("")");
  CHECK(shape.match(R"({"c":"\"}\\"})") == R"("\"}\\")");
  CHECK(shape.match("{\"c\":\"w\xC3\xB6\"}") == "\"w\xC3\xB6\"");
}

TEST_CASE("another shape gives nothing", "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  learn(shape, R"({"c":"a"})", R"("a")");
  for (const char* json :
       {"", "{", R"({"c":"b")", R"({"c":"b"}})", R"({"c":"b","d":1})", R"({"c":"b)", R"({"d":"b"})",
        R"({"c":"\)", "{\"c\":\"\n\"}", "{\"c\":\"\xC3\"}", "{\"c\":\"\\\xC3\"}"})
    CHECK(shape.match(json).empty());
}

TEST_CASE("obfuscation may differ, and nothing else", "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  learn(shape, R"({"c":"a","n":1,"obfuscation":"xyz","m":2})", R"("a")");
  CHECK(shape.match(R"({"c":"b","n":1,"obfuscation":"","m":2})") == R"("b")");
  CHECK(shape.match(R"({"c":"","n":1,"obfuscation":"q\"r","m":2})") == R"("")");
  CHECK(shape.match(R"({"c":"b","n":2,"obfuscation":"x","m":2})").empty());
  CHECK(shape.match(R"({"c":"b","n":1,"obfuscation":"x","m":3})").empty());
  CHECK(shape.match(R"({"c":"b","n":1,"obfuscation":"x)").empty());
  CHECK(shape.match(R"({"c":"b","n":1})").empty());
}

TEST_CASE("shapes that never come back are not learned for ever",
          "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  auto chunk = [](int number) { return R"({"n":)" + std::to_string(number) + R"(,"c":"a"})"; };
  for (int i = 0; i < 1000; ++i) {
    learn(shape, chunk(0), R"("a")");
    CHECK(shape.match(chunk(0)) == R"("a")");
  }
  for (int i = 0; i < 1000; ++i)
    learn(shape, chunk(i), R"("a")");
  CHECK(shape.match(chunk(999)).empty());
}
