// Long changes: what is seen of them before, between and after their pieces.
#include "messages/chat/session_id.hpp"
#include "tests/transport/store/long_chats.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_pieces_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using texts = std::vector<std::string>;

texts texts_in(store_connection& store, const char* id) {
  return texts_of(store.load({id}).history);
}

/// A branch whose source is cut off meanwhile has what the source had, or is refused.
void check_whole_or_none(store_connection& store, const char* id, const failure& why,
                         const texts& source) {
  if (why)
    CHECK(why.code == errc::conversation_changed);
  CHECK((texts_in(store, id) == (why ? texts{} : source)));
}

} // namespace

TEST_CASE("a short change needs no pieces", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto ask = importing("a", 10);
  CHECK(store.stage(ask) == nullptr);
  change_at_once(store, ask);
  auto copy = branching("a", "b");
  CHECK(store.stage(copy) == nullptr);
  change_at_once(store, copy);
  auto none = branching("nobody", "c");
  CHECK(store.stage(none) == nullptr);
}

TEST_CASE("a long import is seen when it is whole", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto work = staged(store, importing("a", many));
  do_pieces(*work, 4);
  CHECK(store.load({"a"}).version == 0);
  CHECK(store.list({"", 50, {}}).conversations.empty());
  CHECK(store.search({"", "word", 20, {}}).hits.empty());
  CHECK(save(store, saving("other", {said(role::user, "in between")})) == 1);
  REQUIRE_FALSE(finish(*work));
  const auto got = store.get({"a"}).found;
  CHECK(got.messages.size() == many);
  CHECK(got.turns.size() == many / 2);
  CHECK(got.messages[many - 1].created_ms == 1'600'000'000'000 + static_cast<int64_t>(many) - 1);
  CHECK(got.info.title == "word 0");
  tidy_up(store);
  CHECK(store.search({"", "999", 20, {}}).hits.size() == 1);
}

TEST_CASE("a staged change makes what the same change makes at once",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  const auto ask = importing("whole", many);
  change_at_once(store, ask);
  auto same = ask;
  same.session_id = "pieces";
  REQUIRE_FALSE(finish(*staged(store, same)));
  auto copy = branching("whole", "copy of whole");
  copy.message_id = "m777";
  change_at_once(store, copy);
  copy.to = "copy in pieces";
  REQUIRE_FALSE(finish(*staged(store, copy)));
  const auto shown = [&](const std::string& id) {
    auto found = store.get({id}).found;
    found.info.id.clear();
    found.info.created_ms = found.info.updated_ms = 0;
    return to_json(found);
  };
  CHECK(shown("pieces") == shown("whole"));
  CHECK(shown("copy in pieces") == shown("copy of whole"));
  CHECK(store.get({"copy in pieces"}).found.turns.size() == 389);
}

TEST_CASE("while a change is made its rows are not cleared away", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto work = staged(store, importing("a", many));
  do_pieces(*work, 2);
  tidy_up(store);
  REQUIRE_FALSE(finish(*work));
  CHECK(store.get({"a"}).found.messages.size() == many);
}

TEST_CASE("of two imports of one id the second is refused, whenever it began",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto first = staged(store, importing("a", many));
  auto second = staged(store, importing("a", many));
  do_pieces(*second, 2);
  REQUIRE_FALSE(finish(*first));
  CHECK(finish(*second).code == errc::conversation_exists);
  CHECK(finish(*staged(store, importing("a", many))).code == errc::conversation_exists);
  second.reset();
  tidy_up(store);
}

TEST_CASE("a chat that began meanwhile is not overwritten by an import",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto work = staged(store, importing("a", many));
  do_pieces(*work, 1);
  save(store, saving("a", {said(role::user, "mine")}));
  CHECK(finish(*work).code == errc::conversation_exists);
  CHECK(texts_of(store.load({"a"}).history) == std::vector<std::string>{"mine"});
}

TEST_CASE("a branch has what its chat had, or fails", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  change_at_once(store, importing("a", many));
  auto work = staged(store, branching("a", "b"));
  do_pieces(*work, 1);
  save(store, saving("a", {said(role::user, "later")}, many));
  REQUIRE_FALSE(finish(*work));
  CHECK(store.get({"b"}).found.messages.size() == many);

  auto source = texts_in(store, "a");
  work = staged(store, branching("a", "c"));
  do_pieces(*work, 1);
  save(store, saving("a", std::vector(many, said(role::user, "other")), 1));
  check_whole_or_none(store, "c", finish(*work), source);

  source = texts_in(store, "a");
  work = staged(store, branching("a", "d"));
  do_pieces(*work, 1);
  change_conversation removal;
  removal.verb = conversation_verb::remove;
  removal.session_id = "a";
  change_at_once(store, removal);
  check_whole_or_none(store, "d", finish(*work), source);
}

TEST_CASE("each branch of a chat sees for itself that messages were cut off",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  change_at_once(store, importing("a", many));
  const auto source = texts_in(store, "a");
  auto first = staged(store, branching("a", "b"));
  auto second = staged(store, branching("a", "c"));
  do_pieces(*first, 1);
  do_pieces(*second, 1);
  save(store, saving("a", std::vector(many, said(role::user, "other")), 1)); // as long as before
  check_whole_or_none(store, "b", finish(*first), source);
  first = nullptr;
  auto third = staged(store, branching("a", "d"));
  check_whole_or_none(store, "c", finish(*second), source);
  second = nullptr;
  REQUIRE_FALSE(finish(*third)); // it began afterwards
  CHECK(store.get({"d"}).found.messages.size() == many + 1);
}

TEST_CASE("a long chat that is removed is gone at once, and its id is free",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  const auto id = scoped_id("eve", "a");
  change_at_once(store, importing(id, many));
  tidy_up(store);
  change_conversation removal;
  removal.verb = conversation_verb::remove;
  removal.session_id = id;
  change_at_once(store, removal);
  CHECK(store.load({id}).version == 0);
  CHECK(store.list({"eve", 50, {}}).conversations.empty());
  CHECK(store.search({"eve", "word", 20, {}}).hits.empty());
  save(store, saving(id, {said(role::user, "a new word")}));
  tidy_up(store);
  CHECK(store.load({id}).history.size() == 1);
  CHECK(store.search({"eve", "word", 20, {}}).hits.size() == 1);
}

} // namespace contract_pieces_test
