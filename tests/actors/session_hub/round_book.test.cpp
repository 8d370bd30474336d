#include "actors/session_hub/round_book.hpp"

#include "tests/support/call_messages.hpp"
#include "tests/support/catch.hpp"

namespace round_book_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr size_t most = 1 << 20;
const round_book::time_point start{1h};

/// A round of the server's tool, and an answer with both kinds of calls.
hidden_rounds rounds(std::string session = "one", std::string id = "a") {
  return {std::move(session),
          "go",
          {model_says("First.", {{"s1", "echo", "{}"}}), tool_says("s1", "from the server"),
           model_says("Then.", {{std::move(id), "mine", R"({"x":1})"}, {"s2", "echo", "{}"}}),
           tool_says("s2", "again")}};
}

/// What the client sends after it: it was told the texts and its own call.
turn_request sent(std::string session = "two") {
  turn_request made;
  made.session_id = std::move(session);
  made.options.tools.push_back({"mine", "", "{}", "", ""});
  made.messages = {user_message("go"),
                   model_says("First.\n\nThen.", {{"a", "mine", R"({"x": 1})"}}),
                   tool_says("a", "from the client")};
  return made;
}

std::vector<std::string> texts_of(const turn_request& request) {
  std::vector<std::string> texts;
  for (const auto& each : request.messages)
    texts.push_back(each.text);
  return texts;
}

const std::vector<std::string> restored{"go",    "First.", "from the server",
                                        "Then.", "again",  "from the client"};

std::vector<std::string> after(turn_request request, hidden_rounds kept = rounds()) {
  round_book book;
  book.keep(std::move(kept), most, start);
  book.restore(request, start);
  return texts_of(request);
}

} // namespace

TEST_CASE("rounds come back in front of the client's results, in every later request",
          "[actors][round_book]") {
  round_book book;
  book.keep(rounds(), most, start);
  auto next = sent();
  next.messages.push_back(model_says("Done."));
  next.messages.push_back(user_message("and?"));
  for (int i = 0; i < 2; ++i) {
    auto request = next;
    book.restore(request, start);
    auto expected = restored;
    expected.insert(expected.end(), {"Done.", "and?"});
    CHECK(texts_of(request) == expected);
    REQUIRE(request.messages.size() == 8);
    CHECK(request.messages[3].tool_calls.size() == 2);
    CHECK(request.messages[3].tool_calls[0].arguments == R"({"x":1})");
  }
}

TEST_CASE("each answer to a question gets its own rounds back", "[actors][round_book]") {
  auto later = rounds("one", "b");
  later.messages[0].text = "Now.";
  auto request = sent();
  request.messages.push_back(model_says("Now. Then.", {{"b", "mine", R"({"x":1})"}}));
  request.messages.push_back(tool_says("b", "yes"));
  round_book book;
  book.keep(rounds(), most, start);
  book.keep(std::move(later), most, start);
  book.restore(request, start);
  auto expected = restored;
  expected.insert(expected.end(), {"Now.", "from the server", "Then.", "again", "yes"});
  CHECK(texts_of(request) == expected);
}

TEST_CASE("a client may part the texts, or leave them out", "[actors][round_book]") {
  auto parted = sent();
  parted.messages[1].text = "Then.\n";
  parted.messages.insert(parted.messages.begin() + 1, model_says("First. "));
  CHECK(after(std::move(parted)) == restored);
  auto without = sent();
  without.messages[1].text.clear();
  CHECK(after(std::move(without)) == restored);
}

TEST_CASE("a client that tells calls and results gets them back as they were",
          "[actors][round_book]") {
  auto request = sent();
  SECTION("each call in an answer of its own") {
    request.messages[1].text = "";
    request.messages.insert(request.messages.begin() + 1,
                            {model_says("First.", {{"m", "echo", "{}"}}),
                             tool_says("m", "from the server"),
                             model_says("Then.", {{"n", "echo", "{}"}}), tool_says("n", "again")});
  }
  SECTION("both kinds of calls in one answer") {
    request.messages[1].text = "Then.";
    request.messages[1].tool_calls.push_back({"n", "echo", "{}"});
    request.messages.insert(request.messages.begin() + 2, tool_says("n", "again"));
    request.messages.insert(
        request.messages.begin() + 1,
        {model_says("First.", {{"m", "echo", "{}"}}), tool_says("m", "from the server")});
  }
  round_book book;
  book.keep(rounds(), most, start);
  book.restore(request, start);
  CHECK(texts_of(request) == restored);
  CHECK(request.messages[1].tool_calls[0].id == "s1");
  CHECK(request.messages[3].tool_calls.size() == 2);
}

TEST_CASE("a history that says something else counts as it was sent", "[actors][round_book]") {
  const auto unchanged = [](turn_request request) {
    auto before = texts_of(request);
    return after(std::move(request)) == before;
  };
  auto other = sent();
  SECTION("another text") {
    other.messages[1].text = "Other.";
  }
  SECTION("another question") {
    other.messages[0].text = "stop";
  }
  SECTION("no question") {
    other.messages.erase(other.messages.begin());
  }
  SECTION("another id") {
    other.messages[1].tool_calls[0].id = "b";
  }
  SECTION("another tool") {
    other.messages[1].tool_calls[0].name = "yours";
  }
  SECTION("one more call") {
    other.messages[1].tool_calls.push_back({"b", "mine", "{}"});
  }
  SECTION("another owner") {
    other.session_id = "me\x1ftwo";
  }
  SECTION("the rounds themselves") {
    other.messages[1].text.clear();
    other.messages.insert(other.messages.begin() + 1, {model_says("", {{"m", "echo", "{}"}}),
                                                       tool_says("m", "from the server")});
  }
  CHECK(unchanged(std::move(other)));
}

TEST_CASE("a call that a person has changed is taken over, without its seal",
          "[actors][round_book]") {
  auto kept = rounds();
  kept.messages[2].provider_metadata = R"({"seal":1})";
  round_book book;
  book.keep(std::move(kept), most, start);
  auto request = sent();
  book.restore(request, start);
  CHECK(request.messages[3].provider_metadata == R"({"seal":1})");
  request = sent();
  request.messages[1].tool_calls[0].arguments = R"({"x":2})";
  book.restore(request, start);
  CHECK(texts_of(request) == restored);
  CHECK(request.messages[3].tool_calls[0].arguments == R"({"x":2})");
  CHECK(request.messages[3].provider_metadata.empty());
}

TEST_CASE("chats whose models count their calls alike do not mix", "[actors][round_book]") {
  round_book book;
  auto other = rounds();
  other.question = "stop";
  other.messages[1].text = "of the other";
  book.keep(rounds(), most, start);
  book.keep(std::move(other), most, start);
  auto request = sent();
  book.restore(request, start);
  CHECK(texts_of(request) == restored);
  request = sent();
  request.messages[0].text = "stop";
  book.restore(request, start);
  CHECK(request.messages[2].text == "of the other");
}

TEST_CASE("the last rounds with an id count", "[actors][round_book]") {
  round_book book;
  book.keep(rounds(), most, start);
  auto later = rounds();
  later.messages[1].text = "later";
  book.keep(std::move(later), most, start);
  auto request = sent();
  book.restore(request, start);
  CHECK(request.messages[2].text == "later");
}

TEST_CASE("rounds without a call for the client are not kept", "[actors][round_book]") {
  auto closed = rounds();
  closed.messages.push_back(tool_says("a", "done"));
  round_book book;
  book.keep(std::move(closed), most, start);
  CHECK(book.bytes() == 0);
}

TEST_CASE("the rounds that were not used for longest give way, those of the owner first",
          "[actors][round_book]") {
  round_book probe;
  probe.keep(rounds(), most, start);
  const auto one = probe.bytes();
  const auto four = 4 * one + one / 2;
  round_book book;
  const auto has = [&book](const std::string& session) {
    auto request = sent(session);
    book.restore(request, start);
    return request.messages.size() > 3;
  };
  book.keep(rounds("", "b"), four, start);
  book.keep(rounds("", "a"), four, start);
  book.keep(rounds("", "c"), four, start);
  CHECK(book.bytes() == 2 * one); // half of all
  CHECK(has(""));
  book.keep(rounds("me\x1f"), four, start);
  book.keep(rounds("you\x1f"), four, start);
  CHECK(has("")); // used now
  book.keep(rounds("us\x1f"), four, start);
  CHECK(book.bytes() <= four);
  CHECK(has(""));
  CHECK(has("you\x1f"));
  book.keep(rounds("big\x1f"), one, start);
  CHECK_FALSE(has("big\x1f"));
  round_book closed;
  closed.keep(rounds(), 0, start);
  CHECK(closed.bytes() == 0);
}

TEST_CASE("rounds that nobody uses are dropped in time", "[actors][round_book]") {
  round_book book;
  CHECK_FALSE(book.tidy(start, 10min));
  book.keep(rounds(), most, start);
  CHECK(book.tidy(start, 10min) == start + 10min);
  CHECK_FALSE(book.tidy(start + 1min, 10min)); // a timer runs
  auto request = sent();
  book.restore(request, start + 5min);
  CHECK(book.tidy(start + 10min, 10min) == start + 15min);
  CHECK(book.bytes() > 0);
  CHECK_FALSE(book.tidy(start + 15min, 10min));
  CHECK(book.bytes() == 0);
}

} // namespace round_book_test
