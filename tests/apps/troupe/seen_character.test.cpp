#include "apps/troupe/terminal/seen_character.hpp"

#include <string_view>

#include "tests/support/catch.hpp"

namespace seen_character_test {

using namespace troupe;

TEST_CASE("what is seen as one character has no border inside", "[apps][seen_character]") {
  for (const std::wstring_view one :
       {L"a", L"\n", L"e\u0301", L"a\u0328\u0301", L"\u5929", L"\U0001F44D\U0001F3FD",
        L"\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", L"\U0001F1EF\U0001F1F5",
        L"\u2764\uFE0F\u200D\U0001F525", L"7\uFE0F\u20E3",
        L"\U0001F3F4\U000E0067\U000E0062\U000E007F", L"\u1112\u1161\u11AB", L"\u0E19\u0E49\u0E33",
        L"\u0915\u093C\u093E"}) {
    const auto text = std::wstring{L"x"}.append(one).append(L"y");
    CAPTURE(one.size());
    for (size_t at = 1; at <= one.size(); ++at)
      CHECK(seen_character_end(text, at) == 1 + one.size());
    for (size_t at = 2; at <= 1 + one.size(); ++at)
      CHECK(seen_character_begin(text, at) == 1);
    CHECK(seen_character_begin(text, text.size()) == 1 + one.size());
    CHECK(seen_character_end(text, 0) == 1);
  }
}

TEST_CASE("borders are told from the beginning of the line on", "[apps][seen_character]") {
  const std::wstring_view flags = L"\n\U0001F1EF\U0001F1F5\U0001F1F0\U0001F1F7\U0001F1EF";
  CHECK(seen_character_begin(flags, 6) == 5);
  CHECK(seen_character_begin(flags, 5) == 3);
  CHECK(seen_character_begin(flags, 3) == 1);
  CHECK(seen_character_begin(flags, 1) == 0);
  CHECK(seen_character_end(flags, 1) == 3);
  CHECK(seen_character_end(flags, 4) == 5);
  CHECK(seen_character_end(flags, 5) == 6);
}

TEST_CASE("at the ends of a text there is nothing beyond", "[apps][seen_character]") {
  CHECK(seen_character_begin(L"", 0) == 0);
  CHECK(seen_character_end(L"", 0) == 0);
  CHECK(seen_character_begin(L"ab", 0) == 0);
  CHECK(seen_character_end(L"ab", 2) == 2);
  CHECK(seen_character_begin(L"\u0301a", 1) == 0);
}

} // namespace seen_character_test
