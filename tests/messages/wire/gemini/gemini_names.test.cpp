#include "messages/wire/gemini/gemini_names.hpp"

#include <algorithm>
#include <random>

#include "messages/chat/tool_name.hpp"
#include "tests/support/catch.hpp"

namespace gemini_names_test {

using namespace troupe;

namespace {

bool is_taken(std::string_view name) {
  constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return !name.empty() && first.find(name.front()) != name.npos;
}

} // namespace

TEST_CASE("a name that begins with a digit or a dash gets an underscore", "[messages][gemini]") {
  CHECK(gemini_tool_name("get_weather") == "get_weather");
  CHECK(gemini_tool_name("_private") == "_private");
  CHECK(gemini_tool_name("___") == "___");
  CHECK(gemini_tool_name("3d_print") == "_3d_print");
  CHECK(gemini_tool_name("-x") == "_-x");
  CHECK(gemini_tool_name("_3d_print") == "__3d_print");
}

TEST_CASE("each tool's name comes back as it was, and no two become one", "[messages][gemini]") {
  constexpr std::string_view letters = "aB9-_0";
  std::mt19937 random{11};
  std::vector<std::string> names;
  for (size_t i = 0; i < 20'000; ++i) {
    std::string name(1 + random() % 5, 'x');
    for (auto& c : name)
      c = letters[random() % letters.size()];
    names.push_back(i % 10 == 0 ? name + std::string(64 - name.size(), 'y') : name);
  }
  std::vector<std::string> made;
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const auto& name : names) {
    made.push_back(gemini_tool_name(name));
    REQUIRE(is_taken(made.back()));
    REQUIRE(tool_name_of_gemini(made.back()) == name);
  }
  std::ranges::sort(made);
  CHECK(std::unique(made.begin(), made.end()) == made.end());
}

TEST_CASE("a name that was cut to 64 bytes still has 64 bytes at most", "[messages][gemini]") {
  for (const char* first : {"3d-printer", "-x", "_7", "9"}) {
    const auto name = model_tool_name(first + std::string(80, 'z'));
    REQUIRE(name.size() == 64);
    const auto made = gemini_tool_name(name);
    CHECK(made.size() == 64);
    CHECK(is_taken(made));
    CHECK(tool_name_of_gemini(made) == name);
  }
}

} // namespace gemini_names_test
