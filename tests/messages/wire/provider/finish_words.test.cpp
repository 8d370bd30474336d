#include "messages/wire/provider/finish_words.hpp"

#include "tests/support/catch.hpp"

namespace finish_words_test {

using namespace troupe;

TEST_CASE("each API has its own words for the same end", "[messages][finish_words]") {
  struct row {
    finish_api api;
    std::string_view stop, length, filter, calls;
  };
  const auto each = GENERATE(
      row{finish_api::of_openai, "stop", "length", "content_filter", "tool_calls"},
      row{finish_api::of_anthropic, "end_turn", "max_tokens", "refusal", "tool_use"},
      row{finish_api::of_ollama, "stop", "length", "stop", "stop"}); // says "stop" with calls, too
  CHECK(finish_word(each.api, finish_reason::stop, false) == each.stop);
  CHECK(finish_word(each.api, finish_reason::stop, true) == each.stop);
  CHECK(finish_word(each.api, finish_reason::length, true) == each.length);
  CHECK(finish_word(each.api, finish_reason::content_filter, false) == each.filter);
  CHECK(finish_word(each.api, finish_reason::tool_calls, true) == each.calls);
  CHECK(finish_word(each.api, finish_reason::tool_calls, false) == each.length);
  CHECK(finish_word(each.api, finish_reason::error, false) == each.stop);
  CHECK(finish_word(each.api, finish_reason::other, false) == each.stop);
}

TEST_CASE("a word is read only of the APIs that have it", "[messages][finish_words]") {
  CHECK(read_finish_word(finish_api::of_openai, "Max_Tokens") == finish_reason::length);
  CHECK(read_finish_word(finish_api::of_anthropic, "max_tokens") == finish_reason::length);
  CHECK(read_finish_word(finish_api::of_anthropic, "MAX_TOKENS") == finish_reason::other);
  CHECK(read_finish_word(finish_api::of_gemini, "MAX_TOKENS") == finish_reason::length);
  CHECK(read_finish_word(finish_api::of_ollama, "max_tokens") == finish_reason::other);
  CHECK(read_finish_word(finish_api::of_openai, "refusal") == finish_reason::other);
  CHECK(read_finish_word(finish_api::of_anthropic, "refusal") == finish_reason::content_filter);
  CHECK(read_finish_word(finish_api::of_gemini, "SPII") == finish_reason::content_filter);
  CHECK(read_finish_word(finish_api::of_ollama, "") == finish_reason::other);
}

} // namespace finish_words_test
