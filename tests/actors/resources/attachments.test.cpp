#include "actors/resources/attachments.hpp"

#include "messages/json.hpp"
#include "tests/support/catch.hpp"

namespace attachments_test {

using namespace troupe;

namespace {

mcp_answer text_answer(const std::string& text) {
  return {{},
          {R"({"contents":[{"uri":"x","mimeType":"text/plain","text":)" + to_json(text) + "}]}"}};
}

attachments::added add(attachments& held, const std::string& chat, const std::string& uri,
                       const std::string& server = "one") {
  return held.add({chat, server, uri});
}

} // namespace

TEST_CASE("an attachment loads, and gives the text of its resource", "[actors][attachments]") {
  attachments held{{}};
  auto made = add(held, "s", "file:///notes/today.txt");
  CHECK(made.fresh);
  CHECK(made.what.loading);
  CHECK(made.what.id.starts_with("res-"));
  CHECK(made.what.name == "today.txt");
  CHECK(held.loading("s"));
  auto changes = held.loaded({"one", "file:///notes/today.txt"}, text_answer("hello"));
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].session_id == "s");
  CHECK(changes[0].text_bytes == 5);
  CHECK_FALSE(held.loading("s"));
  auto all = held.take("s");
  REQUIRE(all.size() == 1);
  CHECK(all[0].text == "hello");
  CHECK(all[0].mime_type == "text/plain");
  CHECK(all[0].error.empty());
  CHECK(held.take("s").empty());
  CHECK_FALSE(held.any("s"));
}

TEST_CASE("the same resource is attached once to a chat", "[actors][attachments]") {
  attachments held{{}};
  auto first = add(held, "s", "x");
  auto again = add(held, "s", "x");
  CHECK_FALSE(again.fresh);
  CHECK(again.what.id == first.what.id);
  CHECK(add(held, "s", "x", "two").what.id != first.what.id);
  CHECK(add(held, "t", "x").what.id != first.what.id);
  CHECK(held.list("s").size() == 2);
}

TEST_CASE("an attachment that cannot be taken is refused with a reason", "[actors][attachments]") {
  attachments held{{2, 10, 100, 1000}};
  CHECK(add(held, "", "x").what.error == "The id of a chat has 1 to 256 bytes.");
  CHECK_FALSE(add(held, std::string(257, 's'), "x").what.error.empty());
  CHECK_FALSE(add(held, "s", "").what.error.empty());
  CHECK_FALSE(add(held, "s", std::string(8193, 'x')).what.error.empty());
  CHECK_FALSE(add(held, "s", "x", "").what.error.empty());
  CHECK_FALSE(held.any());
  add(held, "s", "a");
  add(held, "s", "b");
  auto third = add(held, "s", "c");
  CHECK(third.what.error == "A chat can have 2 attachments.");
  CHECK(third.what.id.empty());
  CHECK_FALSE(third.what.loading);
  CHECK(add(held, "s", "b").what.error.empty());
}

TEST_CASE("a resource that cannot be read gives an error", "[actors][attachments]") {
  attachments held{{}};
  add(held, "s", "x");
  SECTION("when the server refuses") {
    held.loaded({"one", "x"}, {{errc::server_refused, "no such file"}, {}});
    CHECK(held.list("s")[0].error == "no such file");
  }
  SECTION("when its answer is garbage") {
    held.loaded({"one", "x"}, {{}, {R"({"contents":[{}]})"}});
    CHECK_FALSE(held.list("s")[0].error.empty());
  }
  CHECK(held.list("s")[0].text.empty());
  CHECK_FALSE(held.loading("s"));
}

TEST_CASE("a long text is cut, and says so", "[actors][attachments]") {
  attachments held{{50, 10, 10, 1000}};
  add(held, "s", "x");
  held.loaded({"one", "x"}, text_answer("0123456789ab"));
  CHECK(held.list("s")[0].text == "0123456789\n[cut: the first 10 of 12 bytes]");
}

TEST_CASE("a change of the resource makes it load again, and keeps the text meanwhile",
          "[actors][attachments]") {
  attachments held{{}};
  add(held, "s", "x");
  held.loaded({"one", "x"}, text_answer("old"));
  held.reload({"one", "x"});
  CHECK(held.loading("s"));
  SECTION("until it is read") {
    held.loaded({"one", "x"}, text_answer("new"));
    CHECK(held.take("s")[0].text == "new");
  }
  SECTION("also if it is taken before that") {
    auto taken = held.take("s");
    CHECK(taken[0].text == "old");
    CHECK(taken[0].error.empty());
    CHECK_FALSE(taken[0].loading);
  }
}

TEST_CASE("what was never read says so when it is taken", "[actors][attachments]") {
  attachments held{{}};
  add(held, "s", "x");
  auto taken = held.take("s");
  CHECK(taken[0].error == "The MCP server did not send it in time.");
  CHECK_FALSE(taken[0].loading);
}

TEST_CASE("another chat's failing read leaves what is there alone", "[actors][attachments]") {
  attachments held{{}};
  add(held, "s", "x");
  held.loaded({"one", "x"}, text_answer("text"));
  add(held, "t", "x");
  CHECK_FALSE(held.loading("s"));
  auto changes = held.loaded({"one", "x"}, {{errc::server_lost, ""}, {}});
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].session_id == "t");
  CHECK(held.list("s")[0].text == "text");
  CHECK(held.list("t")[0].text.empty());
}

TEST_CASE("an attachment is removed by its id", "[actors][attachments]") {
  attachments held{{}};
  auto first = add(held, "s", "x").what.id;
  auto second = add(held, "s", "y").what.id;
  CHECK_FALSE(held.remove("s", "nope"));
  CHECK_FALSE(held.remove("t", first));
  CHECK(held.remove("s", first) == "one");
  CHECK(held.list("s")[0].id == second);
  CHECK(held.remove("s", second));
  CHECK_FALSE(held.any());
  CHECK(held.attached({"one", ""}).empty());
}

TEST_CASE("the server's own name replaces the one made of the uri", "[actors][attachments]") {
  attachments held{{}};
  auto id = add(held, "s", "demo://a/1").what.id;
  CHECK(held.list("s")[0].name == "1");
  held.describe("s", id, "Resource 1", "text/html");
  held.describe("s", "nope", "other", "");
  CHECK(held.list("s")[0].name == "Resource 1");
  CHECK(held.list("s")[0].mime_type == "text/html");
}

TEST_CASE("over the bound of chats the one that is oldest loses its attachments",
          "[actors][attachments]") {
  attachments held{{50, 2, 100, 1000}};
  add(held, "a", "x");
  add(held, "b", "x");
  add(held, "a", "y");
  add(held, "c", "x");
  CHECK(held.take_evicted() == std::vector<std::string>{"b"});
  CHECK(held.take_evicted().empty());
  CHECK_FALSE(held.any("b"));
  CHECK(held.sessions() == std::vector<std::string>{"a", "c"});
}

TEST_CASE(
    "over the bound of bytes the oldest chats lose their attachments; shared texts count once",
    "[actors][attachments]") {
  attachments held{{50, 100, 100, 100}};
  for (const auto* chat : {"a", "b", "c"})
    add(held, chat, "shared");
  held.loaded({"one", "shared"}, text_answer(std::string(60, 'x')));
  CHECK(held.take_evicted().empty());
  add(held, "d", "own");
  held.loaded({"one", "own"}, text_answer(std::string(50, 'x')));
  CHECK(held.take_evicted() == std::vector<std::string>{"a", "b", "c"});
  CHECK(held.list("d")[0].text.size() == 50);
  held.remove("d", held.list("d")[0].id);
  add(held, "e", "more");
  held.loaded({"one", "more"}, text_answer(std::string(100, 'x')));
  CHECK(held.take_evicted().empty());
}

TEST_CASE("the attached resources of one server are found", "[actors][attachments]") {
  attachments held{{}};
  add(held, "s", "a");
  add(held, "t", "a");
  add(held, "t", "b");
  add(held, "t", "a", "two");
  CHECK(held.attached({"one", ""}) == std::vector<resource_key>{{"one", "a"}, {"one", "b"}});
  CHECK(held.attached({"one", "b"}) == std::vector<resource_key>{{"one", "b"}});
  CHECK(held.attached({"three", ""}).empty());
}

} // namespace attachments_test
