#include "apps/troupe/terminal/text_width.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "tests/support/catch.hpp"

namespace text_width_test {

using namespace troupe;

TEST_CASE("a text is as wide as a terminal shows it", "[apps][text_width]") {
  const std::pair<std::string_view, size_t> rows[] = {
      {"", 0},
      {"plain", 5},
      {"naïve", 5},
      {"nai\xCC\x88ve", 5},  // the same, with the dots as a character of their own
      {"\xCC\x81", 0},       // an accent without a letter
      {"天氣預報", 8},       // Chinese
      {"ワニ", 4},           // Japanese
      {"ﾜﾆ", 2},             // ... of half width
      {"날씨", 4},           // Korean
      {"ᄂᆞᆯ", 2},         // ... in parts
      {"ＡＢ", 4},           // letters of full width
      {"ทำ", 2},             // Thai
      {"क्षि", 2},            // Devanagari
      {"🦊", 2},           // an emoji
      {"👋🏿", 2},       // ... with a colour of skin
      {"👩‍🚒", 2},    // ... of two people's parts
      {"🇯🇵🇰🇷", 4},           // two flags
      {"☎️", 2},         // a sign that is to be an emoji
      {"☎", 1},              // ... and that is not
      {"7️⃣", 2},        // a key
      {"a\xFF\xE5\xA4", 4},  // broken bytes, one U+FFFD each
      {"a\u200B\u200Db", 2}, // characters that take no room
      {"→ …", 3},            // signs that only some terminals widen
  };
  for (const auto& [text, width] : rows) {
    INFO(text);
    CHECK(text_width(text) == width);
  }
}

TEST_CASE("a text that fits is not cut", "[apps][text_width]") {
  CHECK(shortened("", 3).empty());
  CHECK(shortened("seven", 5) == "seven");
  CHECK(shortened("天氣預報", 8) == "天氣預報");
  CHECK(shortened("👩‍🚒👩‍🚒", 4) == "👩‍🚒👩‍🚒");
}

TEST_CASE("a text that is too wide ends with dots within its columns", "[apps][text_width]") {
  CHECK(shortened("sevens", 5) == "se...");
  CHECK(shortened("天氣預報", 7) == "天氣...");
  CHECK(shortened("天氣預報", 6) == "天..."); // half a character is none
  CHECK(shortened("天氣", 3) == "...");
  CHECK(shortened("a天氣預", 6) == "a天...");
}

TEST_CASE("what is seen as one character is cut off whole", "[apps][text_width]") {
  CHECK(shortened("e\xCC\x81\xCC\xA3"
                  "clairs",
                  5) == "e\xCC\x81\xCC\xA3"
                        "c...");
  CHECK(shortened("👩‍🚒👩‍🚒👩‍🚒", 5) == "👩‍🚒...");
  CHECK(shortened("x👩‍🚒👩‍🚒👩‍🚒", 5) == "x...");
  CHECK(shortened("🇯🇵🇰🇷🇯🇵", 5) == "🇯🇵...");
}

TEST_CASE("every cut keeps to its columns and is a beginning", "[apps][text_width]") {
  const std::string text = "1 天e\xCC\x81👩‍🚒 ﾜ☎️ ทำ 🇯🇵 \xFF end";
  const auto whole = text_width(text);
  for (size_t columns = 3; columns <= whole + 2; ++columns) {
    const auto cut = shortened(text, columns);
    CHECK(text_width(cut) <= columns);
    if (columns >= whole) {
      CHECK(cut == text);
      continue;
    }
    CHECK(text_width(cut) + 1 >= columns); // one stays free where a wide character has no room
    CHECK(text.rfind(cut.substr(0, cut.size() - 3), 0) == 0);
  }
}

} // namespace text_width_test
