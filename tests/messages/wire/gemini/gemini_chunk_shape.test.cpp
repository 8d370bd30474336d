#include "messages/wire/gemini/gemini_answer.hpp"

#include "tests/messages/wire/provider/decoded_body.hpp"

namespace gemini_chunk_shape_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string chunk(const std::string& text, const std::string& index, const std::string& count) {
  return R"({"candidates":[{"content":{"parts":[{"text":")" + text + R"("}]},"index":)" + index +
         R"(}],"usageMetadata":{"candidatesTokenCount":)" + count + R"(},"responseId":"r1"})";
}

gemini_chunk_shape shape_of(const std::string& json, const std::string& literal) {
  gemini_chunk_shape made;
  made.learn(json, std::string_view{json}.substr(json.find(literal), literal.size()), false);
  return made;
}

} // namespace

TEST_CASE("a chunk of the known shape is found by its bytes", "[messages][gemini]") {
  auto shape = shape_of(chunk("a", "0", "7"), "\"a\"");
  std::string_view literal;
  const auto next = chunk("b \\\" \\\\", "0", "1234");
  const auto more = next + "\r\n\r\n"; // the literal is a part of it
  CHECK(shape.match(more, literal) == next.size());
  CHECK(literal == R"("b \" \\")");
  const auto empty = chunk("", "0", "8");
  CHECK(shape.match(empty, literal) > 0);
  CHECK(literal == "\"\"");
}

TEST_CASE("a chunk of another shape, or a part of one, is not taken", "[messages][gemini]") {
  auto shape = shape_of(chunk("a", "0", "7"), "\"a\"");
  const auto same = chunk("b", "0", "8");
  std::string_view literal;
  for (size_t at = 0; at < same.size(); ++at)
    CHECK(shape.match(std::string_view{same}.substr(0, at), literal) == 0);
  CHECK(shape.match(chunk("b", "1", "8"), literal) == 0); // another candidate
  CHECK(shape.match(chunk("b", "0", "x"), literal) == 0);
  CHECK(shape.match(chunk(R"(b","thought":true,"x":")", "0", "8"), literal) == 0);
  CHECK(gemini_chunk_shape{}.match(same, literal) == 0);
}

TEST_CASE("only numbers differ behind the counts, and not what looks like one",
          "[messages][gemini]") {
  const auto with_model = [](const std::string& text, const std::string& model) {
    auto made = chunk(text, "0", "7");
    return made.replace(made.size() - 1, 1, R"(,"modelVersion":")" + model + "\"}");
  };
  auto shape = shape_of(with_model("a", "flash-001"), "\"a\"");
  std::string_view literal;
  const auto same = with_model("b", "flash-001");
  CHECK(shape.match(same, literal) == same.size());
  CHECK(shape.match(with_model("b", "flash-002"), literal) == 0);
  CHECK(shape.match(chunk("b", "0", "07"), literal) == 0);
}

TEST_CASE("shapes of chunks that never come again are given up", "[messages][gemini]") {
  gemini_chunk_shape shape;
  std::string_view literal;
  const auto learn = [&shape](const std::string& json) {
    shape.learn(json, std::string_view{json}.substr(json.find("\"a\""), 3), false);
  };
  for (int i = 0; i < 1000; ++i) {
    learn(chunk("a", "0", "7"));
    CHECK(shape.match(chunk("b", "0", "8"), literal) > 0);
  }
  for (int i = 0; i < 1000; ++i)
    learn(chunk("a", std::to_string(i), "7"));
  CHECK(shape.match(chunk("b", "999", "8"), literal) == 0);
  gemini_chunk_shape fresh;
  const auto huge = chunk("a", "0", "7" + std::string(10'000, ' '));
  fresh.learn(huge, std::string_view{huge}.substr(huge.find("\"a\""), 3), false);
  CHECK(fresh.match(huge, literal) == 0);
}

TEST_CASE("the counts of the last known chunk count, also where the answer broke off",
          "[messages][gemini]") {
  std::string body;
  for (int i = 1; i <= 40; ++i)
    body += "data: " + chunk("w" + std::to_string(i) + " ", "0", std::to_string(i)) + "\r\n\r\n";
  for (size_t bytes : {0, 1, 7, 500}) {
    const auto cut = decode_body("gemini", {}, pieces_of_body(body, bytes));
    CHECK(cut.end.error.code == errc::model_stream_cut);
    CHECK(cut.end.used.output_tokens == 40);
    CHECK(cut.text().ends_with("w39 w40 "));
    const auto end = R"(data: {"candidates":[{"finishReason":"STOP"}]})";
    const auto whole = body + end;
    const auto ended = decode_body("gemini", {}, pieces_of_body(whole, bytes));
    CHECK(ended.end.reason == finish_reason::stop);
    CHECK(ended.end.used.output_tokens == 40);
    CHECK(ended.events.size() == 40);
  }
}

} // namespace gemini_chunk_shape_test
