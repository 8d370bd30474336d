// What owners keep is counted, and bounded.
#include "messages/chat/session_id.hpp"
#include "tests/transport/store/quota_asks.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_quota_test {

using namespace troupe;
using namespace troupe::test;

namespace {

failure refusal(store_connection& store, const save_chat& what) {
  return store.save(what).error;
}

} // namespace

TEST_CASE("an owner can keep so many conversations and no more", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(2, 0);
  save(store, beginning("a", "one"));
  save(store, beginning("b", "two"));
  const auto why = refusal(store, beginning("c", "three"));
  CHECK(why.code == errc::quota_used_up);
  CHECK(why.message == "2 conversations are kept, and 2 may be; delete conversations that are not "
                       "needed any more.");
  CHECK(store.load({"c"}).version == 0);
  CHECK(do_change(store, importing_texts("c", 1)).code == errc::quota_used_up);
  CHECK(do_change(store, importing_texts("c", 1000)).code == errc::quota_used_up);
  CHECK(do_change(store, branching("a", "c")).code == errc::quota_used_up);
  save(store, beginning("a", "goes on", 1));
  save(store, beginning(scoped_id("eve", "c"), "another owner"));
  CHECK(held(store).conversations == 2);
  REQUIRE_FALSE(do_change(store, changing("b", conversation_verb::remove)));
  save(store, beginning("c", "three"));
  CHECK(refusal(store, beginning("d", "four")).code == errc::quota_used_up);
}

TEST_CASE("a turn that would pass the bytes is refused, one that runs is kept",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(0, 10'000);
  save(store, beginning("a", std::string(5000, 'x')));
  CHECK(held(store).bytes == 5000 + 1 + 2 * kept_row_bytes);
  const auto why = refusal(store, beginning("a", std::string(5000, 'y'), 1));
  CHECK(why.code == errc::quota_used_up);
  CHECK(why.message == "5513 bytes of conversations are kept, 10000 may be, and this would add "
                       "5513; delete conversations that are not needed any more.");
  CHECK(store.load({"a"}).history.size() == 1);
  SECTION("what it brings is over the bounds by as much as it brings") {
    save(store, beginning("a", "short", 1));
    save(store, saving("a", {said(role::assistant, std::string(20'000, 'z'), "r")}, 2));
    CHECK(held(store).bytes > 25'000);
    CHECK(refusal(store, beginning("a", "", 3)).code == errc::quota_used_up);
    CHECK(refusal(store, beginning("b", "")).code == errc::quota_used_up);
    SECTION("cutting makes room in the same step") {
      save(store, beginning("a", "instead", 1));
      CHECK(held(store).bytes < 10'000);
    }
    SECTION("deleting makes room") {
      REQUIRE_FALSE(do_change(store, changing("a", conversation_verb::remove)));
      save(store, beginning("b", ""));
    }
  }
  SECTION("imports and branches") {
    CHECK(do_change(store, importing_texts("b", 1, 5000)).code == errc::quota_used_up);
    CHECK(do_change(store, importing_texts("b", 2000)).code == errc::quota_used_up);
    CHECK(do_change(store, branching("a", "b")).code == errc::quota_used_up);
    REQUIRE_FALSE(do_change(store, importing_texts("b", 1, 4000)));
  }
}

TEST_CASE("turns of an import count, too", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(0, 10'000);
  auto ask = importing_texts("a", 1);
  for (int i = 0; i < 40; ++i)
    ask.content.turns.emplace_back().turn_id = "t" + std::to_string(i);
  CHECK(do_change(store, ask).code == errc::quota_used_up);
  ask.content.turns.resize(20);
  REQUIRE_FALSE(do_change(store, ask));
  CHECK(held(store).bytes > 20 * kept_row_bytes);
}

TEST_CASE("long texts of imported turns count, and again in each branch",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(0, 10'000);
  auto ask = importing_texts("a", 1);
  ask.content.messages[0].message.id = "m";
  auto& turn = ask.content.turns.emplace_back();
  turn.turn_id = "t";
  turn.message_id = "m";
  turn.state = turn_state::failed;
  turn.error = {errc::model_failed, std::string(4000, 'e')};
  REQUIRE_FALSE(do_change(store, ask));
  const auto once = held(store).bytes;
  CHECK(once > 4000);
  CHECK(once < 5000);
  REQUIRE_FALSE(do_change(store, branching("a", "b")));
  CHECK(held(store).bytes == 2 * once);
  CHECK(do_change(store, branching("a", "c")).code == errc::quota_used_up);
}

TEST_CASE("a long change that passes the quota on its way leaves nothing",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(3, 1'000'000);
  REQUIRE_FALSE(do_change(store, importing_texts("a", 1000)));
  auto ask = GENERATE(0, 1) == 0 ? importing_texts("b", 1000) : branching("a", "b");
  auto work = store.stage(ask);
  REQUIRE(work != nullptr);
  conversation_info info;
  bool more = true;
  REQUIRE_FALSE(work->step(more, info));
  REQUIRE_FALSE(work->step(more, info));
  REQUIRE(more);
  SECTION("others have used the bytes up") {
    save(store, saving("other", {said(role::assistant, std::string(700'000, 'x'))}));
  }
  SECTION("others have used the number up") {
    save(store, beginning("c", "x"));
    save(store, beginning("d", "x"));
  }
  failure why;
  while (more && !why)
    why = work->step(more, info);
  CHECK(why.code == errc::quota_used_up);
  work.reset();
  tidy_up(store);
  CHECK(store.load({"b"}).version == 0);
}

TEST_CASE("a refused beginning leaves the writes that share its commit alone",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(1, 0);
  REQUIRE_FALSE(store.begin());
  save(store, beginning("a", "one"));
  CHECK(refusal(store, beginning("b", "two")).code == errc::quota_used_up);
  CHECK(store.change(importing_texts("c", 1)).error.code == errc::quota_used_up);
  save(store, saving("a", {said(role::assistant, "answer")}, 1));
  REQUIRE_FALSE(store.commit());
  CHECK(store.load({"a"}).history.size() == 2);
  CHECK(held(store).conversations == 1);
}

TEST_CASE("what was rolled back is not counted", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE_WITH(1, 0);
  REQUIRE_FALSE(store.begin());
  save(store, beginning("a", "one"));
  store.roll_back();
  save(store, beginning("b", "two"));
  CHECK(refusal(store, beginning("a", "one")).code == errc::quota_used_up);
}

TEST_CASE("a lower quota after a restart lets nothing grow, and takes nothing away",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  for (const char* id : {"a", "b", "c"})
    save(store, beginning(id, "text"));
  auto& bounded = tested->open({1, 0});
  save(bounded, beginning("a", "goes on", 1));
  CHECK(refusal(bounded, beginning("d", "text")).code == errc::quota_used_up);
  CHECK(bounded.list({"", 10, {}}).conversations.size() == 3);
  CHECK(bounded.used({"", {}, {}}).quota.conversations == 1);
}

TEST_CASE("without a quota nothing is refused, but counted", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  for (int i = 0; i < 20; ++i)
    save(store, beginning("c" + std::to_string(i), std::string(1000, 'x')));
  CHECK(held(store).conversations == 20);
  CHECK_FALSE(store.used({"", {}, {}}).quota.any());
  CHECK(held(store, "nobody").conversations == 0);
}

} // namespace contract_quota_test
