#include "messages/wire/json/surrogate_joiner.hpp"

#include <vector>

#include "messages/json.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "tests/support/catch.hpp"

namespace surrogate_joiner_test {

using namespace troupe;

namespace {

const std::string replaced{utf8_replacement};
const std::string smile = "\xF0\x9F\x98\x80";

/// Returns what each of the JSON strings, given without quotes, adds, and what the end adds.
std::vector<std::string> joined(const std::vector<std::string>& insides) {
  surrogate_joiner text;
  std::vector<std::string> added;
  for (const auto& each : insides)
    added.push_back(text.read('"' + each + '"'));
  text.flush(added.emplace_back());
  CHECK_FALSE(text.waits());
  return added;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("the halves of a character in two strings are joined", "[messages][surrogate_joiner]") {
  CHECK(joined({R"(a\ud83d)", R"(\ude00b)"}) == texts{"a", smile + "b", ""});
  CHECK(joined({R"(\uD83D)", R"(\uDE00)"}) == texts{"", smile, ""});
  CHECK(joined({R"(\ud83d)", "", R"(\ude00)"}) == texts{"", "", smile, ""});
  CHECK(joined({R"(\ud83d)", R"(\ude00\ud83d)", R"(\ude00)"}) == texts{"", smile, smile, ""});
  CHECK(joined({R"(\ud83d\ude00)", R"(\n)"}) == texts{smile, "\n", ""});
}

TEST_CASE("a half that is not completed becomes U+FFFD", "[messages][surrogate_joiner]") {
  CHECK(joined({R"(a\ud83d)", "b"}) == texts{"a", replaced + "b", ""});
  CHECK(joined({R"(a\ud83d)"}) == texts{"a", replaced});
  CHECK(joined({R"(\ud83d)", R"(\ud83d)", R"(\ude00)"}) == texts{"", replaced, smile, ""});
  CHECK(joined({R"(\ud83dx)", R"(\ude00)"}) == texts{replaced + "x", replaced, ""});
  CHECK(joined({R"(\ud83d)", R"(\ud83d\ude00)"}) == texts{"", replaced + smile, ""});
  CHECK(joined({R"(\ude00\ud83d)", R"(x\ude00)"}) ==
        texts{replaced, replaced + "x" + replaced, ""});
  CHECK(joined({R"(\ude00\ude00)"}) == texts{replaced + replaced, ""});
  CHECK(joined({R"(\ud83d)", R"(\x)"}) == texts{"", "", replaced}); // no JSON: it ends there
}

TEST_CASE("a backslash that stands for itself begins no half", "[messages][surrogate_joiner]") {
  CHECK(joined({R"(\\ud83d)", R"(\ude00)"}) == texts{R"(\ud83d)", replaced, ""});
  CHECK(joined({R"(\\\ud83d)", R"(\ude00)"}) == texts{"\\", smile, ""});
  CHECK(joined({R"(\ud83d)", R"(\\ude00)"}) == texts{"", replaced + R"(\ude00)", ""});
}

TEST_CASE("characters whose bytes begin as halves do are left alone",
          "[messages][surrogate_joiner]") {
  const std::string last_hangul = "\xED\x9F\xBB"; // U+D7FB
  CHECK(joined({last_hangul, last_hangul + R"(\n)" + last_hangul}) ==
        texts{last_hangul, last_hangul + "\n" + last_hangul, ""});
}

TEST_CASE("strings cut between any UTF-16 units give the text they were cut from",
          "[messages][surrogate_joiner]") {
  const std::vector<std::string> units{"a",     R"(\ud83d)", R"(\ude00)", R"(\ud83c)", R"(\udf0d)",
                                       R"(\n)", R"(\ud83d)", R"(\ud83d)", R"(\ude00)", R"(\udc00)"};
  std::string all;
  for (const auto& each : units)
    all += each;
  const auto whole = json_string('"' + all + '"');
  for (unsigned cuts = 0; cuts < 1U << (units.size() - 1); ++cuts) {
    texts pieces{""};
    for (size_t i = 0; i < units.size(); ++i) {
      pieces.back() += units[i];
      if ((cuts >> i & 1U) != 0)
        pieces.emplace_back();
    }
    std::string text;
    for (const auto& each : joined(pieces))
      text += each;
    if (text != whole)
      CHECK(text == whole);
  }
}

TEST_CASE("what is no string adds nothing and completes nothing", "[messages][surrogate_joiner]") {
  surrogate_joiner text;
  CHECK(text.read(R"("\ud83d")").empty());
  CHECK(text.read("null").empty());
  CHECK(text.read("").empty());
  CHECK(text.waits());
  CHECK(text.read(R"("\ude00")") == smile);
}

TEST_CASE("escapes of lone halves in a JSON text become U+FFFD", "[messages][surrogate_joiner]") {
  auto replaced = [](std::string json) {
    const auto before = json;
    const auto found = replace_lone_halves(json);
    CHECK(found == (json != before));
    return json;
  };
  const std::string unknown = "\xEF\xBF\xBD";
  CHECK(replaced(R"(["\ud83d"])") == "[\"" + unknown + "\"]");
  CHECK(replaced(R"(["\uDE00\uD83D"])") == "[\"" + unknown + unknown + "\"]");
  CHECK(replaced(R"({"\ud83d\ud83d\ude00":"\ude00x"})") ==
        "{\"" + unknown + R"(\ud83d\ude00":")" + unknown + "x\"}");
  CHECK(replaced(R"(["\ud83d\n\ude00"])") == "[\"" + unknown + "\\n" + unknown + "\"]");
  for (const char* sound : {"", "{}", R"(["\ud83d\ude00\u0041\uFFFF\uD7FF\uE000"])",
                            R"(["\\ud83d\\\\ude00\""])", R"(["\\\ud83d\ude00"])"})
    CHECK(replaced(sound) == sound);
}

} // namespace surrogate_joiner_test
