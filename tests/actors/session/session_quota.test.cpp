// A store that refuses the beginning of a turn: the owner may keep no more.
#include "tests/actors/session/kept_chat.hpp"

namespace session_quota_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// A chat with one turn; saves are answered when the test says so.
class full : public kept_chat {
public:
  full() {
    settings.has_quota = true;
    kept.takes_first = true;
  }

  void begin() {
    open();
    send("before");
    answer({text_chunk("ok")});
    kept.answers_saves = false;
    kept.saves.clear();
  }

  void refuse() {
    kept.error = {errc::quota_used_up, "4 of 4 are kept"};
    save();
    kept.error = {};
  }

  void play(const std::string& text) {
    kept.answers_saves = true;
    while (!kept.waiting.empty())
      save();
    auto got = send(text);
    answer({text_chunk("re " + text)});
    CHECK(got->names() == plain_turn);
    CHECK(stored().back() == "assistant re " + text);
  }
};

const strings kept_before{"user before", "assistant ok"};

} // namespace

TEST_CASE_METHOD(full, "a refused turn never was: no event, no request, nothing kept",
                 "[actors][session_quota]") {
  begin();
  auto got = send("hi");
  REQUIRE(kept.saves.size() == 1);
  CHECK(kept.saves[0].begins);
  refuse();
  CHECK(got->refused.code == errc::quota_used_up);
  CHECK(got->refused.message == "4 of 4 are kept");
  CHECK(got->names().empty());
  CHECK(http.calls.size() == 1);
  CHECK(stored() == kept_before);
  CHECK(counts().running_turns == 0);
  const auto loads = kept.loads;
  play("again");
  CHECK(kept.loads == loads + 1);
  CHECK(stored() == strings{"user before", "assistant ok", "user again", "assistant re again"});
}

TEST_CASE_METHOD(full, "the first turn of a new chat is refused, and is no chat",
                 "[actors][session_quota]") {
  kept.takes_first = false; // as a store that has refused it
  kept.answers_saves = false;
  open();
  auto got = send("hi");
  REQUIRE(kept.saves.size() == 1);
  CHECK(kept.saves[0].begins);
  CHECK(kept.saves[0].creates);
  refuse();
  CHECK(got->refused.code == errc::quota_used_up);
  CHECK(http.calls.empty());
  CHECK(stored().empty());
  play("later");
  CHECK(stored() == strings{"user later", "assistant re later"});
}

TEST_CASE_METHOD(full, "only the beginning of a turn can be refused", "[actors][session_quota]") {
  begin();
  kept.answers_saves = true;
  auto got = send("hi");
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  REQUIRE(kept.saves.size() == 2);
  CHECK(kept.saves[0].begins);
  CHECK_FALSE(kept.saves[1].begins);
}

TEST_CASE_METHOD(full, "a turn that was stopped or left before it was refused leaves nothing",
                 "[actors][session_quota]") {
  begin();
  auto got = send("hi");
  const bool leaves = GENERATE(false, true);
  if (leaves)
    got->signal(response_signal::gone);
  else
    self->send(hub, abort_turn{"s", "", "stop"});
  run();
  refuse();
  CHECK(got->names().empty());
  CHECK(stored() == kept_before);
  play("again");
}

TEST_CASE_METHOD(full, "what an earlier turn has left is not refused with the next one",
                 "[actors][session_quota]") {
  begin();
  kept.answers_saves = true;
  send("first");
  kept.answers_saves = false;
  answer({text_chunk("answer")});
  fail_save(); // its end
  kept.saves.clear();
  send("second");
  REQUIRE_FALSE(kept.saves.empty());
  CHECK_FALSE(kept.saves[0].begins);
  CHECK(kept.saves[0].more.size() >= 2);
}

TEST_CASE_METHOD(full, "who looks at a turn that is refused hears of it",
                 "[actors][session_quota]") {
  begin();
  auto what = request("hi");
  what.options.resumable = true;
  auto got = send(std::move(what));
  run();
  auto viewer = std::make_shared<received>();
  watch_turn watch;
  watch.session_id = "s";
  spawn_viewer(sys, std::move(watch), std::make_unique<recording_sink>(viewer));
  run();
  refuse();
  CHECK(got->refused.code == errc::quota_used_up);
  REQUIRE(viewer->events.size() == 1);
  CHECK(std::get<session_error>(viewer->events[0]).error == errc::quota_used_up);
  play("again");
}

TEST_CASE_METHOD(full, "a refused turn takes no attachments", "[actors][session_quota]") {
  open_resource_store();
  begin();
  notes->tools.has_attachments = true;
  send("hi");
  CHECK(consumed.empty());
  SECTION("it is refused") {
    refuse();
    CHECK(consumed.empty());
    notes->tools.has_attachments = false;
    play("again");
  }
  SECTION("it is kept") {
    save();
    REQUIRE(consumed.size() == 1);
    kept.answers_saves = true;
    give({text("file:///a", "contents")});
    CHECK(body().find("contents") != std::string::npos);
  }
}

TEST_CASE_METHOD(full, "where saves are not waited for the beginning is",
                 "[actors][session_quota]") {
  settings.waits_saved = false;
  begin();
  auto got = send("hi");
  while (kept.waiting.size() > 1)
    save(); // rests of the turn before
  CHECK(got->names().empty());
  CHECK(http.calls.size() == 1);
  SECTION("it is refused") {
    refuse();
    CHECK(got->refused.code == errc::quota_used_up);
    play("again");
  }
  SECTION("it is kept, and nothing else is waited for") {
    save();
    CHECK(http.calls.size() == 2);
    answer({text_chunk("hello")});
    CHECK(got->names() == plain_turn);
  }
  SECTION("it cannot be kept: the turn goes on") {
    fail_save();
    CHECK(http.calls.size() == 2);
  }
}

TEST_CASE_METHOD(kept_chat, "without a quota no save can be refused, and none is waited for more",
                 "[actors][session_quota]") {
  open();
  send("hi");
  answer({text_chunk("hello")});
  send("more");
  for (const auto& each : kept.saves)
    CHECK_FALSE(each.begins);
}

} // namespace session_quota_test
