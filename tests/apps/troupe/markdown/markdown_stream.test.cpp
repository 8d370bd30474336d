#include "apps/troupe/markdown/markdown_stream.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace markdown_stream_test {

using namespace troupe;

namespace {

/// Returns the text without the sequences that paint it, and with all others.
std::string unpainted(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto end = std::min(text.find_first_not_of("0123456789;", at + 2), text.size());
    if (text.compare(at, 2, "\x1b[") == 0 && end < text.size() && text[end] == 'm')
      at = end;
    else
      out.push_back(text[at]);
  }
  return out;
}

std::string shown(std::string_view markdown, size_t step = 1000, size_t columns = 40) {
  std::string out;
  markdown_stream stream{[columns] { return columns; },
                         [&](std::string_view lines) { out += lines; }};
  for (size_t at = 0; at < markdown.size(); at += step)
    stream.add(markdown.substr(at, step));
  stream.end();
  return out;
}

std::string plain(std::string_view markdown, size_t columns = 40) {
  return unpainted(shown(markdown, 1000, columns));
}

constexpr std::string_view answer = R"(# Title
One *two* **three** `four` ~~five~~ &amp; six.

1. first
2. second
   - inner
   - more

   ```sh
   ls

   pwd
   ```

10. tenth

> quoted
> twice

| a | b |
|---|---|
| 1 | two |

```python
def f():

    return "**x**"
```
The [end](https://example.org/x), https://example.org.
)";

} // namespace

TEST_CASE("Markdown is shown as such", "[apps][markdown]") {
  CHECK(plain(answer) == R"(Title

One two three four five & six.

1. first
2. second
   • inner
   • more

   ```sh
   ls

   pwd
   ```
10. tenth

│ quoted twice

a  b
─  ───
1  two

```python
def f():

    return "**x**"
```

The end (https://example.org/x),
https://example.org.
)");
}

TEST_CASE("an answer looks the same however it was cut", "[apps][markdown]") {
  const auto whole = shown(answer);
  for (size_t step = 1; step < 80; ++step)
    REQUIRE(shown(answer, step) == whole);
}

TEST_CASE("a block is shown as soon as it is whole", "[apps][markdown]") {
  std::string out;
  markdown_stream stream{[] { return size_t{40}; }, [&](std::string_view lines) { out += lines; }};
  stream.add("A paragraph.\n\n");
  CHECK(out.empty()); // an indented line could still belong to it
  stream.add("N");
  stream.add("ext.\n");
  CHECK(unpainted(out) == "A paragraph.\n");
  stream.add("```\ncode\n");
  CHECK(unpainted(out) == "A paragraph.\n\nNext.\n\n```\ncode\n");
  stream.add("more");
  stream.end();
  CHECK(unpainted(out) == "A paragraph.\n\nNext.\n\n```\ncode\nmore\n");
}

TEST_CASE("lines are cut between words at the terminal's edge", "[apps][markdown]") {
  CHECK(plain("aaaa bbbb cccc dddd eeee", 20) == "aaaa bbbb cccc dddd\neeee\n");
  CHECK(plain("- 日本語 日本語 日本語 日本語", 24) == "• 日本語 日本語 日本語\n  日本語\n");
  CHECK(plain("a\\\nb") == "a\nb\n");
}

TEST_CASE("no text of a model steers the terminal", "[apps][markdown]") {
  const auto* evil = "a\x1b]0;mine\x07 **b\x1b[2J** `\xC2\x9B"
                     "31K` &#27;[1K &#x9b;2J [l](x\x1b[K&#27;)\n\n"
                     "```\x1b[3K\n\x1b[5Kcode\r\n```\n";
  for (size_t step : {1, 3, 1000})
    CHECK(unpainted(shown(evil, step)).find_first_of("\x1b\x07") == std::string::npos);
}

TEST_CASE("a table that is too wide is shown as lines", "[apps][markdown]") {
  const auto* wide =
      "| name | what it is for |\n|---|---|\n| alpha | a long text that fits nowhere |\n"
      "| beta | short |\n";
  CHECK(plain(wide, 30) == "name: alpha\nwhat it is for: a long text\nthat fits nowhere\n\n"
                           "name: beta\nwhat it is for: short\n");
}

TEST_CASE("tasks, rules and what is broken are shown, too", "[apps][markdown]") {
  CHECK(plain("- [x] done\n- [ ] open\n") == "☑ done\n☐ open\n");
  CHECK(plain("a\n\n---\n\nb") == "a\n\n────────────────────\n\nb\n");
  CHECK(plain("<b>x</b> & y") == "<b>x</b> & y\n");
  CHECK(plain("```\nnever closed") == "```\nnever closed\n");
  CHECK(plain("1. step\n```\ncode\n```\n2. step") == "1. step\n\n```\ncode\n```\n\n2. step\n");
  CHECK(plain("![a cat](cat.png)") == "[image: a cat] (cat.png)\n");
  CHECK(plain("\n\n").empty());
}

TEST_CASE("spans that cross a link end with their block", "[apps][markdown_stream]") {
  const auto* span = GENERATE("[](*)*)", "![](*)*)", "[a](_)_)", "[](**)**)", "[](~~)~~)",
                              "[a](*)b*)", "*[](*)*)", "[](*)*)*)[](*)*)");
  const auto* before = GENERATE("", "# ", "- ", "> ", "1. > ", "| a |\n|---|\n| ");
  CAPTURE(span, before);
  const auto text = shown(std::string{before} + span + "0\n\nafter *em* [b](c)\n");
  CHECK(text.ends_with(shown("after *em* [b](c)\n")));
  CHECK(unpainted(text).find('0') != std::string::npos);
}

TEST_CASE("marks between two halves of a character leave no character", "[apps][markdown_stream]") {
  for (const auto* mark : {"~", "*", "**", "[](x)", "<b>"})
    CHECK(unpainted(shown(std::string{"a \xC2"} + mark + "\x9B" + mark + " b")).find("\xC2\x9B") ==
          std::string::npos);
  CHECK(plain("```\n\xC2\n```\n") == "```\n\xEF\xBF\xBD\n```\n");
}

} // namespace markdown_stream_test
