#include "messages/wire/openai_chat/openai_chunk_shape.hpp"

#include "tests/support/catch.hpp"

namespace openai_chunk_shape_test {

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

TEST_CASE("a known shape is met as an event of a stream", "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  std::string_view literal;
  const std::string first = "data: {\"c\":\"b\"}\n\n";
  CHECK(shape.match_event(first, literal) == 0);
  learn(shape, R"({"c":"a"})", R"("a")");
  CHECK(shape.match_event(first, literal) == first.size());
  CHECK(literal == R"("b")");
  CHECK(shape.match_event(first + first, literal) == first.size());
}

TEST_CASE("other events, and parts of one, are left to the parser",
          "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  learn(shape, R"({"c":"a"})", R"("a")");
  std::string_view literal;
  const std::string known = "data: {\"c\":\"b\"}\n\n";
  for (size_t size = 0; size < known.size(); ++size)
    CHECK(shape.match_event(known.substr(0, size), literal) == 0);
  for (const char* other :
       {"data:{\"c\":\"b\"}\n\n", "data: {\"c\":\"b\"}\r\n\r\n", "data: {\"c\":\"b\"}\ndata: 1\n\n",
        "data: {\"c\":\"b\"} \n\n", "id: {\"c\":\"b\"}\n\n", "\ndata: {\"c\":\"b\"}\n\n"})
    CHECK(shape.match_event(other, literal) == 0);
  const std::string huge(20'000, 'x');
  CHECK(shape.match_event("data: {\"c\":\"" + huge + "\"}\n\n", literal) == 0);
}

TEST_CASE("JSON that stood in several lines is not met in one event",
          "[messages][openai_chunk_shape]") {
  openai_chunk_shape shape;
  learn(shape, "{\"c\":\"a\"\n}", R"("a")");
  std::string_view literal;
  CHECK(shape.match("{\"c\":\"b\"\n}") == R"("b")");
  CHECK(shape.match_event("data: {\"c\":\"b\"\n}\n\n", literal) == 0);
}

} // namespace openai_chunk_shape_test
