#include "messages/wire/provider/think_tags.hpp"

#include "tests/support/catch.hpp"

namespace think_tags_test {

using namespace troupe;

namespace {

/// Gives the thoughts, "|" and the text of an answer that comes in pieces.
/// @param opened of think_tags
std::string read(const std::vector<std::string>& pieces, bool opened = false) {
  think_tags tags{opened};
  std::vector<event> events;
  std::string text;
  for (const auto& each : pieces) {
    if (tags.active())
      tags.read(each, events);
    else
      events.emplace_back(text_delta{each});
  }
  tags.flush(events);
  std::string thoughts;
  for (const auto& each : events) {
    if (const auto* thought = std::get_if<reasoning_delta>(&each)) {
      CHECK_FALSE(thought->text.empty());
      CHECK(text.empty());
      thoughts += thought->text;
    } else {
      CHECK_FALSE(std::get<text_delta>(each).text.empty());
      text += std::get<text_delta>(each).text;
    }
  }
  return thoughts + "|" + text;
}

std::vector<std::string> letters(std::string_view text) {
  std::vector<std::string> out;
  for (char c : text)
    out.emplace_back(1, c);
  return out;
}

void check(const std::string& answer, const std::string& expected, bool opened = false) {
  CHECK(read({answer}, opened) == expected);
  CHECK(read(letters(answer), opened) == expected);
  for (size_t at = 1; at < answer.size(); ++at)
    CHECK(read({answer.substr(0, at), answer.substr(at)}, opened) == expected);
}

void check_opened(const std::string& answer, const std::string& expected) {
  check(answer, expected, true);
}

} // namespace

TEST_CASE("an answer that begins with the tag begins with thoughts", "[messages][think_tags]") {
  check("<think>a b</think>c", "a b|c");
  check(" \n<think>\n\na\n\n</think>\n\n c\n", "a|c\n");
  check("<thought>a</think>b</thought>c", "a</think>b|c");
  check("<think></think>c", "|c");
  check("<think>a</thi</think></think>", "a</thi|</think>");
}

TEST_CASE("only the lines next to a closing tag are left out", "[messages][think_tags]") {
  check("<think>a\n\n\n\n</think>b", "a\n\n|b");
  check("<think>a \n b</think>c", "a \n b|c");
}

TEST_CASE("a tag anywhere else is text", "[messages][think_tags]") {
  check("a<think>b</think>", "|a<think>b</think>");
  check("<thinks>b</think>", "|<thinks>b</think>");
  check("\n\na", "|\n\na");
  check("<think>a</think>b<think>c</think>", "a|b<think>c</think>");
}

TEST_CASE("what was held back is shown at the end", "[messages][think_tags]") {
  check("<thin", "|<thin");
  check("\n", "|\n");
  check("<think>a\n</thin", "a\n</thin|");
  check("<think>a", "a|");
}

TEST_CASE("much space before a tag makes it text", "[messages][think_tags]") {
  const std::string most(think_tags::max_blank_bytes, '\n');
  check(most + "<think>a</think>b", "a|b");
  check("\n" + most + "<think>a</think>b", "|\n" + most + "<think>a</think>b");
}

TEST_CASE("where the prompt opened the tag, an answer begins with thoughts",
          "[messages][think_tags]") {
  check_opened("a b\n</think>\n\nc", "a b|c");
  check_opened("\na<b</think>c", "a<b|c");
  check_opened("</think>c", "|c");
  check_opened("<thi", "<thi|");
  check_opened("a\n</thin", "a\n</thin|");
  check_opened("a</think>b</think>", "a|b</think>");
  check_opened(std::string(think_tags::max_blank_bytes + 1, '\n') + "a</think>b", "a|b");
}

TEST_CASE("an opening tag is no thought, wherever it was expected", "[messages][think_tags]") {
  check_opened("<think>a</think>b", "a|b");
  check_opened("\n<thought>a</think>b</thought>c", "a</think>b|c");
}

TEST_CASE("a server that tells thoughts itself leaves none in the text", "[messages][think_tags]") {
  for (const char* before : {"", "\n"}) {
    think_tags tags{true};
    std::vector<event> events;
    tags.read(before, events);
    tags.flush(events); // reasoning came
    CHECK_FALSE(tags.active());
    for (const auto& each : events)
      CHECK(std::get<text_delta>(each).text == before);
  }
}

} // namespace think_tags_test
