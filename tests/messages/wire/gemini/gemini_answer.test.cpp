// Streamed equals whole, for random answers of Gemini.
#include <random>

#include "tests/messages/wire/provider/decoded_body.hpp"

namespace gemini_answer_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// The parts of a random answer: each as JSON that begins with its own text, if it is one.
struct random_part {
  std::string text; ///< "": the part is no text
  std::string json; ///< of a text: what stands behind it
};

class random_answer {
public:
  explicit random_answer(uint32_t seed) : random_{seed} {}

  std::vector<random_part> make() {
    std::vector<random_part> parts;
    for (auto n = random_() % 6; n > 0; --n)
      parts.push_back(part());
    return parts;
  }

  /// Writes the parts as one answer.
  static std::string whole(const std::vector<random_part>& parts, std::string_view finish) {
    std::string list;
    for (const auto& each : parts)
      list.append(list.empty() ? "" : ",").append(written(each.text, each));
    return fmt::format(
        R"({{"candidates":[{{"content":{{"parts":[{}],"role":"model"}},)"
        R"("finishReason":"{}"}}],"usageMetadata":{{"promptTokenCount":7,)"
        R"("candidatesTokenCount":3,"thoughtsTokenCount":2,"totalTokenCount":12}}}})",
        list, finish);
  }

  /// Writes the same as a stream: texts in pieces, a signature on the last of them.
  std::string stream(const std::vector<random_part>& parts, std::string_view finish, bool as_list) {
    std::vector<std::string> chunks;
    for (const auto& each : parts) {
      auto left = std::string_view{each.text};
      while (left.size() > 1 && each.json.find("thoughtSignature") == std::string::npos &&
             random_() % 3 > 0) {
        const auto size = 1 + random_() % (left.size() - 1);
        chunks.push_back(chunk(written(left.substr(0, size), each)));
        left.remove_prefix(size);
      }
      chunks.push_back(chunk(written(left, each)));
    }
    chunks.push_back(fmt::format(
        R"({{"candidates":[{{"finishReason":"{}"}}],"usageMetadata":{{"promptTokenCount":7,)"
        R"("candidatesTokenCount":3,"thoughtsTokenCount":2,"totalTokenCount":12}}}})",
        finish));
    std::string body;
    for (const auto& each : chunks)
      body += as_list ? (body.empty() ? "[" : ",\r\n") + each : "data: " + each + "\r\n\r\n";
    return as_list ? body + "]" : body;
  }

private:
  random_part part() {
    const auto number = std::to_string(++number_);
    const auto sealed = random_() % 3 == 0 ? R"(,"thoughtSignature":"s)" + number + "\"" : "";
    switch (random_() % 6) {
    case 0:
      return {"", R"({"functionCall":{"name":"f)" + number + R"(","args":{"a":)" + number + "}}" +
                      sealed + "}"};
    case 1:
      return {"", R"({"functionCall":{"name":"_3d","id":"i)" + number + "\"}" + sealed + "}"};
    case 2:
      return {"I think " + number, R"(,"thought":true)" + sealed};
    case 3:
      return {"", R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})"};
    default:
      return {"text " + number + "\n", sealed};
    }
  }

  static std::string written(std::string_view text, const random_part& part) {
    return part.text.empty() ? part.json : R"({"text":)" + to_json(text) + part.json + "}";
  }

  static std::string chunk(const std::string& part) {
    return R"({"candidates":[{"content":{"parts":[)" + part +
           R"(],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":7}})";
  }

  std::mt19937 random_;
  int number_ = 0;
};

std::string shown(const decoded_body& answer) {
  std::string text;
  for (const auto& each : merged_lines(answer))
    text += each + "\n";
  return text;
}

} // namespace

TEST_CASE("a stream of Gemini gives what the same answer gives in one piece",
          "[messages][gemini]") {
  random_answer random{17};
  for (int i = 0; i < 2000; ++i) {
    const auto parts = random.make();
    const auto* finish = i % 7 == 0 ? "MAX_TOKENS" : i % 11 == 0 ? "SAFETY" : "STOP";
    const auto whole = random_answer::whole(parts, finish);
    const auto expected = shown(decode_body("gemini", {200, "application/json"}, {whole}));
    INFO(whole);
    REQUIRE(expected.find(parts.empty() ? "E" : "END") != std::string::npos);
    const auto stream = random.stream(parts, finish, false);
    INFO(stream);
    REQUIRE(shown(decode_body("gemini", {}, pieces_of_body(stream, i % 40))) == expected);
    const auto list = random.stream(parts, finish, true);
    REQUIRE(shown(decode_body("gemini", {200, "application/json"}, pieces_of_body(list, i % 40))) ==
            expected);
  }
}

} // namespace gemini_answer_test
