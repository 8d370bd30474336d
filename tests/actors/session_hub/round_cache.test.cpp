#include "actors/session_hub/round_cache.hpp"

#include "tests/support/call_messages.hpp"
#include "tests/support/catch.hpp"

namespace round_cache_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr size_t most = 1 << 20;
const round_cache::time_point start{1h};

/// A round of the server's tool, and an answer with both kinds of calls.
unseen_rounds rounds(std::string session = "one", std::string id = "a") {
  return {std::move(session),
          {model_says("First.", {{"s1", "echo", "{}"}}), tool_says("s1", "from the server"),
           model_says("Then.", {{std::move(id), "mine", R"({"x":1})"}, {"s2", "echo", "{}"}}),
           tool_says("s2", "again")}};
}

/// Keeps rounds of which the client had sent this before.
void keep(round_cache& cache, unseen_rounds told, size_t bytes = most,
          const std::vector<chat_message>& before = {user_message("go")}) {
  cache.keep(std::move(told), digests_of(before).back(), bytes, start);
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

std::vector<std::string> after(turn_request request, unseen_rounds kept = rounds()) {
  round_cache cache;
  keep(cache, std::move(kept));
  cache.restore(request, start);
  return texts_of(request);
}

} // namespace

TEST_CASE("rounds come back in front of the client's results, in every later request",
          "[actors][round_cache]") {
  round_cache cache;
  keep(cache, rounds());
  auto next = sent();
  next.messages.push_back(model_says("Done."));
  next.messages.push_back(user_message("and?"));
  for (int i = 0; i < 2; ++i) {
    auto request = next;
    cache.restore(request, start);
    auto expected = restored;
    expected.insert(expected.end(), {"Done.", "and?"});
    CHECK(texts_of(request) == expected);
    REQUIRE(request.messages.size() == 8);
    CHECK(request.messages[3].tool_calls.size() == 2);
    CHECK(request.messages[3].tool_calls[0].arguments == R"({"x":1})");
  }
}

TEST_CASE("each answer to a question gets its own rounds back", "[actors][round_cache]") {
  auto later = rounds("one", "b");
  later.messages[0].text = "Now.";
  auto request = sent();
  const auto before = request.messages;
  request.messages.push_back(model_says("Now. Then.", {{"b", "mine", R"({"x":1})"}}));
  request.messages.push_back(tool_says("b", "yes"));
  round_cache cache;
  keep(cache, rounds());
  keep(cache, std::move(later), most, before);
  cache.restore(request, start);
  auto expected = restored;
  expected.insert(expected.end(), {"Now.", "from the server", "Then.", "again", "yes"});
  CHECK(texts_of(request) == expected);
}

TEST_CASE("a client may part the texts, or leave them out", "[actors][round_cache]") {
  auto parted = sent();
  parted.messages[1].text = "Then.\n";
  parted.messages.insert(parted.messages.begin() + 1, model_says("First. "));
  CHECK(after(std::move(parted)) == restored);
  auto without = sent();
  without.messages[1].text.clear();
  CHECK(after(std::move(without)) == restored);
}

TEST_CASE("a client that tells calls and results gets them back as they were",
          "[actors][round_cache]") {
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
  round_cache cache;
  keep(cache, rounds());
  cache.restore(request, start);
  CHECK(texts_of(request) == restored);
  CHECK(request.messages[1].tool_calls[0].id == "s1");
  CHECK(request.messages[3].tool_calls.size() == 2);
}

TEST_CASE("a history that says something else counts as it was sent", "[actors][round_cache]") {
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
          "[actors][round_cache]") {
  auto kept = rounds();
  kept.messages[2].provider_metadata = R"({"seal":1})";
  round_cache cache;
  keep(cache, std::move(kept));
  auto request = sent();
  cache.restore(request, start);
  CHECK(request.messages[3].provider_metadata == R"({"seal":1})");
  request = sent();
  request.messages[1].tool_calls[0].arguments = R"({"x":2})";
  cache.restore(request, start);
  CHECK(texts_of(request) == restored);
  CHECK(request.messages[3].tool_calls[0].arguments == R"({"x":2})");
  CHECK(request.messages[3].provider_metadata.empty());
}

TEST_CASE("rounds of a history that was another one stay out", "[actors][round_cache]") {
  const std::vector<chat_message> history{user_message("I am 17."), model_says("Noted."),
                                          user_message("go")};
  const auto is_found = [&](const std::vector<chat_message>& now) {
    round_cache cache;
    keep(cache, rounds(), most, history);
    auto request = sent();
    const auto begin = request.messages.erase(request.messages.begin());
    request.messages.insert(begin, now.begin(), now.end());
    const auto before = request.messages.size();
    cache.restore(request, start);
    return request.messages.size() > before;
  };
  CHECK(is_found(history));
  auto other = history;
  SECTION("another text before the question") {
    other[0].text = "I am 42.";
  }
  SECTION("a message less") {
    other.erase(other.begin(), other.begin() + 2);
  }
  SECTION("a message more") {
    other.insert(other.begin(), user_message("Hello."));
  }
  SECTION("another role") {
    other[0].who = role::assistant;
  }
  SECTION("another file") {
    other[0].files.push_back({"image/png", "data:image/png;base64,AA=="});
  }
  SECTION("texts that are parted elsewhere") {
    other[0].text = "I am 17.N";
    other[1].text = "oted.";
  }
  SECTION("another call") {
    other[1].tool_calls.push_back({"c", "mine", "{}"});
  }
  CHECK_FALSE(is_found(other));
}

TEST_CASE("a system message may change: programs write the time into it", "[actors][round_cache]") {
  chat_message system;
  system.who = role::system;
  system.text = "It is five past nine.";
  auto request = sent();
  request.messages.insert(request.messages.begin(), system);
  round_cache cache;
  keep(cache, rounds());
  cache.restore(request, start);
  CHECK(request.messages.size() == 7);
}

TEST_CASE("two rounds with one id are ambiguous, and none is found", "[actors][round_cache]") {
  round_cache cache;
  keep(cache, rounds());
  auto later = rounds();
  later.messages[1].text = "of another chat";
  keep(cache, std::move(later));
  auto request = sent();
  cache.restore(request, start);
  CHECK(request.messages.size() == 3);
  CHECK(cache.bytes() == 0);
}

TEST_CASE("nothing is read where the client has no tools, and nothing kept",
          "[actors][round_cache]") {
  round_cache cache;
  auto request = sent();
  request.options.tools.clear();
  CHECK(cache.restore(request, start) == conversation_digest{});
  cache.keep(rounds(), {}, most, start);
  CHECK(cache.bytes() == 0);
}

TEST_CASE("rounds without a call for the client are not kept", "[actors][round_cache]") {
  auto closed = rounds();
  closed.messages.push_back(tool_says("a", "done"));
  round_cache cache;
  keep(cache, std::move(closed));
  CHECK(cache.bytes() == 0);
}

TEST_CASE("the rounds that were not used for longest give way, those of the owner first",
          "[actors][round_cache]") {
  round_cache probe;
  keep(probe, rounds());
  const auto one = probe.bytes();
  const auto four = 4 * one + one / 2;
  round_cache cache;
  const auto has = [&cache](const std::string& session) {
    auto request = sent(session);
    cache.restore(request, start);
    return request.messages.size() > 3;
  };
  keep(cache, rounds("", "b"), four);
  keep(cache, rounds("", "a"), four);
  keep(cache, rounds("", "c"), four);
  CHECK(cache.bytes() == 2 * one); // half of all
  CHECK(has(""));
  keep(cache, rounds("me\x1f"), four);
  keep(cache, rounds("you\x1f"), four);
  CHECK(has("")); // used now
  keep(cache, rounds("us\x1f"), four);
  CHECK(cache.bytes() <= four);
  CHECK(has(""));
  CHECK(has("you\x1f"));
  keep(cache, rounds("big\x1f"), one);
  CHECK_FALSE(has("big\x1f"));
  round_cache closed;
  keep(closed, rounds(), 0);
  CHECK(closed.bytes() == 0);
}

TEST_CASE("rounds that nobody uses are dropped in time", "[actors][round_cache]") {
  round_cache cache;
  CHECK_FALSE(cache.tidy(start, 10min));
  keep(cache, rounds());
  CHECK(cache.tidy(start, 10min) == start + 10min);
  CHECK_FALSE(cache.tidy(start + 1min, 10min)); // a timer runs
  auto request = sent();
  cache.restore(request, start + 5min);
  CHECK(cache.tidy(start + 10min, 10min) == start + 15min);
  CHECK(cache.bytes() > 0);
  CHECK_FALSE(cache.tidy(start + 15min, 10min));
  CHECK(cache.bytes() == 0);
}

} // namespace round_cache_test
