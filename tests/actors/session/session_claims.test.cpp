// Chats that other nodes have, too: a turn claims its chat, and may lose it.
#include "tests/actors/session/kept_chat.hpp"

namespace session_claims_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr uint64_t other_node = 2;

/// A chat of node 1, with one turn. What the other node does comes straight into the store.
class shared_chat : public kept_chat {
public:
  shared_chat() {
    settings.shares = true;
    kept.node = 1;
    kept.takes_first = true;
  }

  void begin() {
    open();
    send("before");
    answer({text_chunk("ok")});
    kept.saves.clear();
  }

  /// The other node begins a turn, or does a whole one.
  void other_turn(const std::string& text, bool is_whole) {
    const auto now = kept.data.load({"s"});
    save_chat what;
    what.session_id = "s";
    what.keep = now.history.size();
    what.more = {message(role::user, text, "u-" + text)};
    if (is_whole)
      what.more.push_back(message(role::assistant, "re " + text, "a-" + text));
    what.turn.turn_id = text;
    what.turn.state = is_whole ? turn_state::ended : turn_state::running;
    what.claim = {true, is_whole, now.version, now.fence};
    CHECK_FALSE(kept.data.save(what, other_node).error);
  }

  chat_fence fence() { return kept.data.load({"s"}, kept.node).fence; }
};

} // namespace

TEST_CASE_METHOD(shared_chat, "a turn claims its chat with its first save, and gives it back",
                 "[actors][session_claims]") {
  open();
  kept.takes_first = GENERATE(true, false);
  for (const auto* text : {"one", "two"}) {
    send(text);
    CHECK(fence().node == kept.node);
    const auto epoch = fence().epoch;
    answer({text_chunk("ok")});
    CHECK(fence() == chat_fence{0, epoch});
  }
  CHECK(kept.saves.back().claim.gives);
  CHECK_FALSE(kept.saves.back().claim.takes);
  CHECK(fence().epoch == 2);
}

TEST_CASE_METHOD(shared_chat, "a turn whose chat another node has changed begins once more",
                 "[actors][session_claims]") {
  begin();
  other_turn("elsewhere", true);
  const auto calls = http.calls.size();
  auto got = send("hi");
  REQUIRE(http.calls.size() == calls + 1);
  CHECK(http.calls.back()->request.body.find("re elsewhere") != std::string::npos);
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(stored() == strings{"user before", "assistant ok", "user elsewhere",
                            "assistant re elsewhere", "user hi", "assistant hello"});
  CHECK(fence().node == 0);
}

TEST_CASE_METHOD(shared_chat, "a turn that begins with an old chat a second time is refused",
                 "[actors][session_claims]") {
  begin();
  kept.answers_saves = false;
  auto got = send("hi");
  other_turn("one", true);
  save();
  REQUIRE(kept.waiting.size() == 1); // it has loaded the chat
  other_turn("two", true);
  save();
  CHECK(got->refused.code == errc::conversation_changed);
  CHECK(got->names().empty());
  CHECK(counts().running_turns == 0);
  kept.answers_saves = true;
  got = send("again");
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(stored().size() == 8);
}

TEST_CASE_METHOD(shared_chat, "a turn that was stopped or left begins no second time",
                 "[actors][session_claims]") {
  begin();
  kept.answers_saves = false;
  auto got = send("hi");
  other_turn("elsewhere", true);
  if (GENERATE(true, false))
    got->signal(response_signal::gone);
  else
    self->send(hub, abort_turn{"s", "", "stop"});
  run();
  const auto loads = kept.loads;
  save();
  CHECK(kept.loads == loads);
  CHECK(got->names().empty());
  CHECK(counts().running_turns == 0);
  CHECK(stored().size() == 4);
}

TEST_CASE_METHOD(shared_chat, "a turn is refused while another node runs one of its chat",
                 "[actors][session_claims]") {
  begin();
  other_turn("elsewhere", false);
  const auto calls = http.calls.size();
  auto got = send("hi");
  CHECK(got->refused.code == errc::session_busy);
  CHECK(got->names().empty());
  got = send("again"); // it has loaded the chat, whose turn is not cut off
  CHECK(got->refused.code == errc::session_busy);
  CHECK(http.calls.size() == calls);
  CHECK(last_turn().state == turn_state::running);
  CHECK(stored() == strings{"user before", "assistant ok", "user elsewhere"});
}

TEST_CASE_METHOD(shared_chat, "the chat of a dead node is taken over, its turn is interrupted",
                 "[actors][session_claims]") {
  begin();
  other_turn("elsewhere", false);
  kept.data.dead.insert(other_node);
  auto got = send("hi");
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(stored().back() == "assistant hello");
  CHECK(fence().node == 0);
}

TEST_CASE_METHOD(shared_chat,
                 "a turn that has lost its chat ends with an error, and writes nothing",
                 "[actors][session_claims]") {
  begin();
  auto got = send("hi");
  kept.data.dead.insert(kept.node); // so the others believe
  const auto lost = kept.data.load({"s"});
  save_chat theirs;
  theirs.session_id = "s";
  theirs.keep = 3;
  theirs.claim = {true, false, lost.version, lost.fence};
  CHECK(kept.data.save(theirs, other_node).claim == claim_state::stale);
  other_turn("elsewhere", false);
  answer({text_chunk("hello")});
  REQUIRE_FALSE(got->events.empty());
  const auto& error = std::get<session_error>(got->events.back());
  CHECK(error.error == errc::turn_lost);
  CHECK(stored() == strings{"user before", "assistant ok", "user hi", "user elsewhere"});
  CHECK(counts().running_turns == 0);
  CHECK(fence().node == other_node);
  const auto loads = kept.loads;
  CHECK(send("again")->refused.code == errc::session_busy);
  CHECK(kept.loads == loads + 1);
}

TEST_CASE_METHOD(shared_chat, "a turn ends when the others took its node for dead, before a save",
                 "[actors][session_claims]") {
  begin();
  auto got = send("hi");
  const auto saves = kept.saves.size();
  self->send(hub, atom::restart_v, kept.node + 7); // an incarnation before
  run();
  CHECK(counts().running_turns == 1);
  self->send(hub, atom::restart_v, kept.node);
  run();
  CHECK(std::get<session_error>(got->events.back()).error == errc::turn_lost);
  CHECK(counts().running_turns == 0);
  CHECK(kept.saves.size() == saves);
  const auto loads = kept.loads;
  send("again");
  CHECK(kept.loads == loads + 1);
}

TEST_CASE_METHOD(shared_chat, "a session is busy while its turn runs, and not after it",
                 "[actors][session_claims]") {
  begin();
  const auto busy = [&] {
    return ask<busy_chats>(hub, find_busy_chats{{"s", "unknown"}}).session_ids;
  };
  CHECK(busy().empty());
  send("hi");
  CHECK(busy() == strings{"s"});
  answer({text_chunk("ok")});
  CHECK(busy().empty());
}

TEST_CASE_METHOD(shared_chat,
                 "a node without its lease refuses turns, and lets those go on that run",
                 "[actors][session_claims]") {
  const auto lease = std::make_shared<node_lease>(1, std::chrono::milliseconds{5000});
  const auto now = node_lease::clock::now();
  settings.lease = lease;
  lease->renewed(now, true);
  begin();
  auto got = send("hi");
  lease->renewed(now - std::chrono::milliseconds{4001}, false);
  CHECK(send("late", "other")->refused.code == errc::store_unreachable);
  CHECK(counts().cut_off);
  answer({text_chunk("ok")});
  CHECK(got->names() == plain_turn);
  lease->renewed(node_lease::clock::now(), false);
  CHECK_FALSE(counts().cut_off);
  lease->drain(true);
  CHECK(send("late", "other")->refused.code == errc::shutting_down);
  CHECK(counts().draining);
}

TEST_CASE_METHOD(shared_chat, "what was changed elsewhere is read when the turn is over",
                 "[actors][session_claims]") {
  begin();
  send("hi");
  change_conversation rename;
  rename.session_id = "s";
  rename.title = "name";
  CHECK_FALSE(kept.data.change(rename, other_node).error);
  const auto loads = kept.loads;
  answer({text_chunk("hello")});
  CHECK(kept.loads == loads);
  send("again");
  CHECK(kept.loads == loads + 1);
}

TEST_CASE_METHOD(shared_chat, "where saves are not waited for the claim is",
                 "[actors][session_claims]") {
  settings.waits_saved = false;
  begin();
  kept.answers_saves = false;
  const auto calls = http.calls.size();
  auto got = send("hi");
  CHECK(got->names().empty());
  CHECK(http.calls.size() == calls);
  while (!kept.waiting.empty())
    save();
  CHECK(http.calls.size() == calls + 1);
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
}

TEST_CASE_METHOD(shared_chat, "a session that crashed leaves its claim to the next one",
                 "[actors][session_claims]") {
  begin();
  send("hi");
  const auto before = fence();
  crash(*this, caf::actor_cast<caf::actor>(kept.session));
  auto got = send("again");
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(fence().node == 0);
  CHECK(fence().epoch >= before.epoch);
}

TEST_CASE_METHOD(kept_chat, "a store of one node is asked no more than before",
                 "[actors][session_claims]") {
  kept.takes_first = true;
  open();
  send("one");
  answer({text_chunk("ok")});
  send("two");
  answer({text_chunk("ok")});
  CHECK(kept.loads == 1);
  CHECK(kept.saves.size() == 3); // the first turn's beginning came with its load
}

} // namespace session_claims_test
