#include "messages/wire/json_texts.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace json_texts_test {

using namespace troupe;

namespace {

using strings = std::vector<std::string>;

strings cut(std::string_view body, size_t piece, size_t max_bytes = 1000) {
  json_texts texts{max_bytes};
  strings out;
  auto visit = [&out](std::string_view text, size_t readable) {
    CHECK(readable >= text.size());
    out.emplace_back(text);
    return true;
  };
  for (size_t at = 0; at < body.size(); at += piece)
    texts.feed(body.substr(at, piece), visit);
  texts.finish(visit);
  if (texts.overflowed())
    out.emplace_back("too long");
  return out;
}

void check(std::string_view body, const strings& expected) {
  for (size_t piece = 1; piece <= body.size(); ++piece) {
    INFO("pieces of " << piece);
    REQUIRE(cut(body, piece) == expected);
  }
}

} // namespace

TEST_CASE("objects are cut by their brackets, wherever the line ends are",
          "[messages][json_texts]") {
  check("{\"a\":1}\n{\"b\":{}}\r\n\n{}", {"{\"a\":1}", "{\"b\":{}}", "{}"});
  check("{\"a\":1}{\"b\":2} {}", {"{\"a\":1}", "{\"b\":2}", "{}"});
  check("{\n \"a\": [\n  {}\n ]\n}\n", {"{\n \"a\": [\n  {}\n ]\n}"});
  check(R"({"a":"}\"{\\"}{"b":"\\\"}"})", {R"({"a":"}\"{\\"})", R"({"b":"\\\"}"})"});
}

TEST_CASE("labels and comments of server-sent events between objects mean nothing",
          "[messages][json_texts]") {
  check("{}\n: ping\n\nevent: message\nid: 1\nretry: 5\ndata: {\"a\":1}\n\ndata:{}\n\n",
        {"{}", "{\"a\":1}", "{}"});
  check("{}\ndata: [DONE]\n", {"{}", "[DONE]"});
  check("{}\n[DONE]", {"{}", "[DONE]"});
}

TEST_CASE("nothing that stands between objects gets lost", "[messages][json_texts]") {
  check("{}\noops\n{}", {"{}", "oops", "{}"});
  check("{} oops {}", {"{}", "oops", "{}"});
  check("{},\n{}", {"{}", ",", "{}"});
  check("{}}", {"{}", "}"});
}

TEST_CASE("what has no end is shown in the end", "[messages][json_texts]") {
  check("{}\n{\"a\":[1", {"{}", "{\"a\":[1"});
  check("{\"a\":\"}", {"{\"a\":\"}"});
}

TEST_CASE("a text beyond the bound stops the cutting", "[messages][json_texts]") {
  const auto longest = "{\"a\":\"" + std::string(42, 'x') + "\"}"; // 50 bytes
  for (size_t piece : {1, 7, 100}) {
    CHECK(cut(longest + longest, piece, 50) == strings{longest, longest});
    CHECK(cut(longest + longest, piece, 49) == strings{"too long"});
    CHECK(cut("{}" + std::string(50, 'x') + "\n{}", piece, 49) == strings{"{}", "too long"});
  }
}

TEST_CASE("no text is shown after the visitor stops", "[messages][json_texts]") {
  json_texts texts{100};
  size_t shown = 0;
  auto visit = [&shown](std::string_view, size_t) {
    ++shown;
    return false;
  };
  texts.feed("{}{}", visit);
  texts.feed("{}", visit);
  texts.finish(visit);
  CHECK(shown == 1);
}

} // namespace json_texts_test
