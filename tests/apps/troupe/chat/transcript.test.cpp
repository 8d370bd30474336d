#include "apps/troupe/chat/transcript.hpp"

#include "tests/support/catch.hpp"

namespace transcript_test {

using namespace troupe;

namespace {

constexpr std::string_view kept = R"({"id":"c","title":"Sums","messages":[
  {"role":"user","parts":[{"type":"file","filename":"a.txt","mediaType":"text/plain"},
                          {"type":"text","text":"What is 2 plus 3?"}]},
  {"role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm"},
    {"type":"dynamic-tool","toolName":"get-sum","state":"output-available","input":{"a":2},
     "output":"```5```"},
    {"type":"text","text":"It is **5**."}]}],
  "lastTurn":{"state":"aborted"}})";

} // namespace

TEST_CASE("a chat is exported as Markdown", "[apps][transcript]") {
  CHECK(markdown_transcript(kept) == R"(# Sums

## You

*File a.txt*

What is 2 plus 3?

## Assistant

*Called `get-sum`:*

```
{"a":2}
```

*It answered:*

````
```5```
````

It is **5**.
)");
}

TEST_CASE("a transcript is a file of the folder, whatever the chat is called",
          "[apps][transcript]") {
  CHECK(transcript_name("chat_0a.1-B") == "chat_0a.1-B.md");
  CHECK(transcript_name("../notes/a b") == "_._notes_a_b.md");
  CHECK(transcript_name("-rf") == "_rf.md");
  CHECK(transcript_name(std::string(256, 'x')).size() == 203);
}

TEST_CASE("a chat's system message is found, and its lack", "[apps][transcript]") {
  CHECK(system_message_of(kept) == "");
  CHECK(system_message_of(R"({"messages":[{"role":"system","parts":[{"type":"text","text":"a"}]},
    {"role":"user","parts":[{"type":"text","text":"b"}]}]})") == "a");
  CHECK(system_message_of("oops") == "");
}

TEST_CASE("the end of a chat is its last question and what followed", "[apps][transcript]") {
  const auto end = read_last_exchange(kept);
  CHECK(end.title == "Sums");
  CHECK(end.question == "What is 2 plus 3?");
  CHECK(end.answer == "It is **5**.");
  CHECK(end.state == "aborted");
  CHECK(read_last_exchange(R"({"messages":[],"lastTurn":null})").question.empty());
}

} // namespace transcript_test
