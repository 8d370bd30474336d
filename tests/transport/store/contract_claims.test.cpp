// Claims of chats: at most one node runs a turn of a chat, and no other writes it meanwhile.
#include "tests/transport/store/store_kinds.hpp"

namespace contract_claims_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using texts = std::vector<std::string>;

/// What a session knows of its chat, and the saves that it makes.
struct claimant {
  explicit claimant(store_connection& of) : store{&of} {}

  void load() { take(store->load({"s"})); }

  void take(const chat_record& record) {
    version = record.version;
    fence = record.fence;
    messages = record.history.size();
  }

  /// The save of a turn's message. @param id of the turn
  save_chat saves(const std::string& id, turn_state state = turn_state::running) {
    auto out = saving("s", {said(role::user, id)}, messages);
    out.turn.turn_id = id;
    out.turn.state = state;
    out.turn.started_ms = 5;
    out.claim.version = version;
    out.claim.fence = fence;
    return out;
  }
  save_chat begins(const std::string& id) {
    auto out = saves(id);
    out.claim.takes = true;
    return out;
  }
  save_chat ends(const std::string& id) {
    auto out = saves(id, turn_state::ended);
    out.claim.gives = true;
    return out;
  }

  save_answer save(const save_chat& what) {
    auto answer = store->save(what);
    if (!answer.error) {
      version = answer.version;
      fence = answer.fence;
      messages = what.keep + what.more.size();
    }
    return answer;
  }

  /// Saves, and expects the save to be refused.
  claim_state refused(const save_chat& what, errc with) {
    const auto answer = store->save(what);
    CHECK(answer.error.code == with);
    return answer.claim;
  }

  store_connection* store;
  uint64_t version = 0;
  chat_fence fence = {};
  size_t messages = 0;
};

texts stored(store_connection& store) {
  return texts_of(store.load({"s"}).history);
}

} // namespace

TEST_CASE("a turn claims its chat, holds it and gives it back", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  CHECK(tested->port->shared());
  claimant mine{store};
  auto answer = mine.save(mine.begins("t1"));
  REQUIRE_FALSE(answer.error);
  CHECK(answer.claim == claim_state::held);
  CHECK(answer.fence.node != 0);
  const auto fence = answer.fence;
  answer = mine.save(mine.saves("t1"));
  CHECK(answer.claim == claim_state::held);
  CHECK(answer.fence == fence);
  auto record = store.load({"s"});
  CHECK(record.claim == claim_state::held);
  CHECK(record.fence == fence);
  answer = mine.save(mine.ends("t1"));
  REQUIRE_FALSE(answer.error);
  CHECK(answer.claim == claim_state::none);
  CHECK(answer.fence == chat_fence{0, fence.epoch});
  CHECK(answer.version == 3);
  record = store.load({"s"});
  CHECK(record.claim == claim_state::none);
  CHECK(record.fence == answer.fence);
  answer = mine.save(mine.begins("t2"));
  CHECK(answer.fence.epoch > fence.epoch);
}

TEST_CASE("a turn that begins and ends with one save leaves its chat free",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant mine{store};
  auto whole = mine.ends("t1");
  whole.claim.takes = true;
  const auto answer = mine.save(whole);
  REQUIRE_FALSE(answer.error);
  CHECK(answer.claim == claim_state::none);
  CHECK(answer.fence.epoch > 0);
  CHECK_FALSE(mine.save(mine.begins("t2")).error);
}

TEST_CASE("of two nodes that begin a turn of one chat one is refused",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  save(store, saving("s", {said(role::user, "before")}));
  const auto other = tested->other_node();
  claimant mine{store};
  claimant theirs{*other};
  mine.load();
  theirs.load();
  REQUIRE_FALSE(mine.save(mine.begins("t1")).error);
  CHECK(theirs.refused(theirs.begins("t2"), errc::session_busy) == claim_state::held_elsewhere);
  CHECK(other->load({"s"}).claim == claim_state::held_elsewhere);
  CHECK(other->load({"s"}).fence == mine.fence);
  SECTION("until the turn of the other is over: then it has to load the chat again") {
    REQUIRE_FALSE(mine.save(mine.ends("t1")).error);
    CHECK(theirs.refused(theirs.begins("t2"), errc::conversation_changed) == claim_state::stale);
    theirs.load();
    CHECK_FALSE(theirs.save(theirs.begins("t2")).error);
  }
  CHECK(stored(store).at(1) == "t1");
}

TEST_CASE("of two nodes that begin a new chat one is refused", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  const auto other = tested->other_node();
  claimant mine{store};
  claimant theirs{*other};
  REQUIRE_FALSE(mine.save(mine.begins("t1")).error);
  CHECK(theirs.refused(theirs.begins("t2"), errc::session_busy) == claim_state::held_elsewhere);
  REQUIRE_FALSE(mine.save(mine.ends("t1")).error);
  CHECK(theirs.refused(theirs.begins("t2"), errc::conversation_changed) == claim_state::stale);
  CHECK(stored(store) == texts{"t1", "t1"});
}

TEST_CASE("who has an old version does not claim", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  save(store, saving("s", {said(role::user, "before")}));
  claimant mine{store};
  mine.load();
  SECTION("it was renamed") {
    change_conversation rename;
    rename.session_id = "s";
    rename.title = "name";
    REQUIRE_FALSE(store.change(rename).error);
  }
  SECTION("another node has run a turn") {
    const auto other = tested->other_node();
    claimant theirs{*other};
    theirs.load();
    REQUIRE_FALSE(theirs.save(theirs.begins("t0")).error);
    REQUIRE_FALSE(theirs.save(theirs.ends("t0")).error);
  }
  SECTION("it was removed") {
    change_conversation remove;
    remove.session_id = "s";
    remove.verb = conversation_verb::remove;
    REQUIRE_FALSE(store.change(remove).error);
  }
  SECTION("the version came a second time, with another epoch") {
    mine.fence.epoch = 77;
  }
  CHECK(mine.refused(mine.begins("t1"), errc::conversation_changed) == claim_state::stale);
  mine.load();
  CHECK_FALSE(mine.save(mine.begins("t1")).error);
}

TEST_CASE("a claim whose answer was lost goes on when it is sent again",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  save(store, saving("s", {said(role::user, "before")}));
  claimant mine{store};
  mine.load();
  auto first = mine.begins("t1");
  const auto lost = store.save(first);
  REQUIRE_FALSE(lost.error);
  first.more.push_back(said(role::assistant, "more"));
  const auto answer = mine.save(first);
  REQUIRE_FALSE(answer.error);
  CHECK(answer.fence == lost.fence);
  CHECK(stored(store) == texts{"before", "t1", "more"});
  CHECK_FALSE(mine.save(mine.ends("t1")).error);
}

TEST_CASE("a last save whose answer was lost is done when it is sent again",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant mine{store};
  mine.save(mine.begins("t1"));
  const auto last = mine.ends("t1");
  REQUIRE_FALSE(store.save(last).error);
  const auto again = mine.save(last);
  REQUIRE_FALSE(again.error);
  CHECK(again.claim == claim_state::none);
  CHECK(stored(store) == texts{"t1", "t1"});
  SECTION("but not when another node has claimed since") {
    const auto other = tested->other_node();
    claimant theirs{*other};
    theirs.load();
    REQUIRE_FALSE(theirs.save(theirs.begins("t2")).error);
    CHECK(mine.refused(last, errc::turn_lost) == claim_state::lost);
  }
}

TEST_CASE("a whole turn in one save is done when it is sent again", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant mine{store};
  auto whole = mine.ends("t1");
  whole.claim.takes = true;
  const auto lost = store.save(whole);
  const auto answer = mine.save(whole);
  REQUIRE_FALSE(answer.error);
  CHECK(answer.fence == lost.fence);
  CHECK(stored(store) == texts{"t1"});
}

TEST_CASE("a node that is dead loses its chats, and writes nothing any more",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  const auto other = tested->other_node();
  claimant theirs{*other};
  REQUIRE_FALSE(theirs.save(theirs.begins("t1")).error);
  auto late = theirs.saves("t1");
  tested->kill_other_node();
  claimant mine{store};
  mine.load();
  SECTION("to who wants one of them") {
    CHECK(mine.refused(mine.begins("t2"), errc::conversation_changed) == claim_state::stale);
  }
  SECTION("when it is found dead") {
    uint64_t interrupted = 0;
    REQUIRE_FALSE(store.close_running_turns(interrupted));
    CHECK(interrupted == 1);
    CHECK(store.load({"s"}).claim == claim_state::none);
  }
  CHECK(store.load({"s"}).last_turn.state == turn_state::interrupted);
  CHECK(store.load({"s"}).last_turn.error.code == errc::server_restarted);
  mine.load();
  REQUIRE_FALSE(mine.save(mine.begins("t2")).error);
  late.claim.fence = theirs.fence;
  const auto answer = store.save(late); // it comes by whatever way
  CHECK(answer.error.code == errc::turn_lost);
  CHECK(answer.claim == claim_state::lost);
  CHECK(stored(store) == texts{"t1", "t2"});
  CHECK_FALSE(mine.save(mine.ends("t2")).error);
}

TEST_CASE("turns of living nodes are not interrupted", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  const auto other = tested->other_node();
  claimant theirs{*other};
  theirs.save(theirs.begins("t1"));
  uint64_t interrupted = 9;
  REQUIRE_FALSE(store.close_running_turns(interrupted));
  CHECK(interrupted == 0);
  CHECK_FALSE(theirs.save(theirs.ends("t1")).error);
}

TEST_CASE("a chat that was removed does not come back with its turn",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant mine{store};
  mine.save(mine.begins("t1"));
  change_conversation remove;
  remove.session_id = "s";
  remove.verb = conversation_verb::remove;
  const auto other = tested->other_node();
  CHECK(other->change(remove).error.code == errc::session_busy);
  REQUIRE_FALSE(store.change(remove).error);
  CHECK(mine.refused(mine.ends("t1"), errc::turn_lost) == claim_state::lost);
  CHECK(store.load({"s"}).version == 0);
}

TEST_CASE("a change from outside leaves the turn its chat", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant mine{store};
  mine.save(mine.begins("t1"));
  const auto other = tested->other_node();
  change_conversation rename;
  rename.session_id = "s";
  rename.title = "name";
  REQUIRE_FALSE(other->change(rename).error);
  const auto answer = mine.save(mine.ends("t1"));
  REQUIRE_FALSE(answer.error);
  CHECK(answer.version == 3); // one more than the session would expect
  CHECK(store.get({"s"}).found.info.title == "name");
}

TEST_CASE("a session that crashed leaves its chat to the next one of its node",
          "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant crashed{store};
  crashed.save(crashed.begins("t1"));
  claimant next{store};
  next.load();
  const auto answer = next.save(next.begins("t2"));
  REQUIRE_FALSE(answer.error);
  CHECK(answer.fence.epoch > crashed.fence.epoch);
  CHECK(crashed.refused(crashed.ends("t1"), errc::turn_lost) == claim_state::lost);
  CHECK(stored(store) == texts{"t1", "t2"});
}

TEST_CASE("who claims nothing writes only a chat that is free", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  const auto other = tested->other_node();
  save(*other, saving("s", {said(role::user, "one")}));
  claimant mine{store};
  mine.load();
  auto copied = mine.saves("t1", turn_state::ended);
  SECTION("as it is") {
    CHECK_FALSE(mine.save(copied).error);
    CHECK(store.load({"s"}).claim == claim_state::none);
  }
  SECTION("but not an old version of it") {
    save(*other, saving("s", {said(role::user, "two")}, 1));
    CHECK(mine.refused(copied, errc::conversation_changed) == claim_state::stale);
  }
  SECTION("and not while a turn runs") {
    claimant theirs{*other};
    theirs.load();
    theirs.save(theirs.begins("t2"));
    CHECK(mine.refused(copied, errc::session_busy) == claim_state::held_elsewhere);
  }
}

TEST_CASE("a refused claim is none: nothing is written", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  claimant mine{store};
  mine.save(mine.begins("t1"));
  mine.save(mine.ends("t1"));
  const auto before = store.load({"s"});
  auto ask = mine.begins("t2");
  ask.if_version = 9;
  CHECK(store.save(ask).error.code == errc::conversation_changed);
  const auto after = store.load({"s"});
  CHECK(after.fence == before.fence);
  CHECK(after.version == before.version);
  CHECK(after.history == before.history);
}

TEST_CASE("claims that come together are judged each for itself", "[transport][store_contract]") {
  TROUPE_EACH_SHARED_STORE;
  const auto other = tested->other_node();
  claimant theirs{*other};
  theirs.save(theirs.begins("t1"));
  claimant mine{store};
  mine.load();
  auto foreign = mine.begins("t2");
  auto good = saving("n", {said(role::user, "new")});
  good.claim.takes = true;
  good.turn.turn_id = "t3";
  std::vector<save_answer> answers;
  const bool alone = store.gathers();
  if (!alone)
    REQUIRE_FALSE(store.begin());
  REQUIRE_FALSE(store.save_all({&foreign, &good}, answers));
  if (!alone)
    REQUIRE_FALSE(store.commit());
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].claim == claim_state::held_elsewhere);
  CHECK(answers[0].fence == theirs.fence);
  CHECK(answers[1].claim == claim_state::held);
  CHECK(store.load({"n"}).claim == claim_state::held);
  CHECK(stored(store) == texts{"t1"});
}

TEST_CASE("a store of one node does not care for claims", "[transport][store_contract]") {
  TROUPE_EACH_OF(kinds_of_one_node());
  CHECK_FALSE(tested->port->shared());
  claimant mine{store};
  auto answer = mine.save(mine.begins("t1"));
  REQUIRE_FALSE(answer.error);
  CHECK(answer.claim == claim_state::none);
  CHECK(answer.fence == chat_fence{});
  auto odd = mine.ends("t1");
  odd.claim = {true, true, 99, {5, 6}};
  CHECK_FALSE(mine.save(odd).error);
  CHECK(store.load({"s"}).claim == claim_state::none);
}

} // namespace contract_claims_test
