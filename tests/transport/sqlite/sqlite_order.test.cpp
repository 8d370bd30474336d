// The order of lists and hits while the clock is wrong, and afterwards.
#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_order_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using ids = std::vector<std::string>;

constexpr int64_t year_ms = int64_t{365} * 86'400'000;

/// A store with the chats "old" and "older", whose clock goes wrong for the chat "wrong".
class strayed_clock : public data_folder {
public:
  explicit strayed_clock(int64_t by_ms) {
    open();
    keep("older");
    keep("old");
    store_time() += by_ms;
    keep("wrong");
    store_time() -= by_ms;
  }

  void keep(const std::string& id) {
    const auto there = store->load({id}).history.size();
    save(*store, saving(id, {said(role::user, "word " + id, "m")}, there));
  }

  ids listed(uint32_t limit = 10) {
    ids out;
    list_conversations ask{"", limit, {}};
    do {
      const auto page = store->list(ask);
      CHECK_FALSE(page.error);
      for (const auto& each : page.conversations)
        out.push_back(each.id);
      ask.cursor = page.next;
    } while (!ask.cursor.empty() && out.size() < 100);
    return out;
  }

  ids found(uint32_t limit = 10) {
    ids out;
    search_conversations ask{"", "word", limit, {}};
    do {
      const auto page = store->search(ask);
      CHECK_FALSE(page.error);
      for (const auto& each : page.hits)
        out.push_back(each.id);
      ask.cursor = page.next;
    } while (!ask.cursor.empty() && out.size() < 100);
    return out;
  }
};

change_conversation changing(const std::string& id, conversation_verb verb) {
  change_conversation out;
  out.session_id = id;
  out.verb = verb;
  return out;
}

} // namespace

TEST_CASE("a chat that was kept while the clock was wrong does not stay on top",
          "[transport][sqlite][order]") {
  const auto by_ms = GENERATE(100 * year_ms, 10 * 86'400'000, -10 * year_ms);
  strayed_clock folder{by_ms};
  CHECK(folder.listed() == ids{"wrong", "old", "older"});
  folder.keep("new");
  CHECK(folder.listed() == ids{"new", "wrong", "old", "older"});
  folder.keep("older");
  CHECK(folder.listed() == ids{"older", "new", "wrong", "old"});
  CHECK(folder.listed(1) == folder.listed());
  folder.open();
  folder.keep("newest");
  CHECK(folder.listed() == ids{"newest", "older", "new", "wrong", "old"});
  folder.keep("wrong");
  CHECK(folder.listed().front() == "wrong");
  const auto shown = folder.store->get({"new"}).found.info.updated_ms;
  CHECK(shown < store_time() + 1); // times are shown as the clock said
  CHECK(shown > store_time() - 1000);
}

TEST_CASE("every change goes to the top after the clock was wrong", "[transport][sqlite][order]") {
  strayed_clock folder{100 * year_ms};
  SECTION("rename") {
    auto ask = changing("old", conversation_verb::rename);
    ask.title = "new name";
    REQUIRE_FALSE(folder.store->change(ask).error);
    CHECK(folder.listed() == ids{"old", "wrong", "older"});
  }
  SECTION("overrides") {
    REQUIRE_FALSE(folder.store->change(changing("older", conversation_verb::override)).error);
    CHECK(folder.listed() == ids{"older", "wrong", "old"});
  }
  SECTION("branch") {
    auto ask = changing("old", conversation_verb::branch);
    ask.to = "copy";
    REQUIRE_FALSE(folder.store->change(ask).error);
    CHECK(folder.listed() == ids{"copy", "wrong", "old", "older"});
  }
  SECTION("import of now") {
    REQUIRE_FALSE(folder.store->change(changing("taken", conversation_verb::import)).error);
    CHECK(folder.listed() == ids{"taken", "wrong", "old", "older"});
  }
}

TEST_CASE("an import of an old conversation stands where its time is",
          "[transport][sqlite][order]") {
  strayed_clock folder{0};
  auto ask = changing("ancient", conversation_verb::import);
  ask.content.info.updated_ms = 1'500'000'000'000;
  REQUIRE_FALSE(folder.store->change(ask).error);
  CHECK(folder.listed() == ids{"wrong", "old", "older", "ancient"});
  CHECK(folder.store->get({"ancient"}).found.info.updated_ms == 1'500'000'000'000);
}

TEST_CASE("in one millisecond the later chat comes first", "[transport][sqlite][order]") {
  strayed_clock folder{0};
  for (const char* id : {"a", "b", "c"}) {
    --store_time(); // each look is one more
    folder.keep(id);
  }
  CHECK(folder.listed() == ids{"c", "b", "a", "wrong", "old", "older"});
}

TEST_CASE("hits of a time that lies ahead come last, once each", "[transport][sqlite][order]") {
  strayed_clock folder{100 * year_ms};
  folder.keep("new");
  CHECK(folder.found() == ids{"new", "old", "older", "wrong"});
  for (const uint32_t limit : {1, 2, 3})
    CHECK(folder.found(limit) == folder.found());
}

TEST_CASE("hits of tomorrow morning are the newest", "[transport][sqlite][order]") {
  strayed_clock folder{20 * 3'600'000}; // a clock that shows another zone's time
  folder.keep("new");
  CHECK(folder.found() == ids{"wrong", "new", "old", "older"});
}

TEST_CASE("where the clock shows the past all hits are found", "[transport][sqlite][order]") {
  strayed_clock folder{0};
  store_time() = 1'000'000; // 1970
  CHECK(folder.found() == ids{"wrong", "old", "older"});
  CHECK(folder.found(2) == folder.found());
}

} // namespace sqlite_order_test
