// No event of a turn comes before its messages are durable.
#include "tests/actors/session/kept_chat.hpp"

namespace session_first_events_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// A chat that is loaded; saves are answered when the test says so.
class held : public kept_chat {
public:
  held() {
    open();
    send("before");
    answer({text_chunk("ok")});
    kept.answers_saves = false;
    kept.saves.clear();
  }

  void stop() {
    self->send(hub, abort_turn{"s", "", "stop"});
    run();
  }
};

const strings begun{"SESSION_START", "MODEL_RESPONSE_WAITING"};

} // namespace

TEST_CASE_METHOD(held, "the first events come when the user's message is kept",
                 "[actors][session_first_events]") {
  auto got = send("hi");
  CHECK(got->names().empty());
  CHECK(http.calls.size() == 1);
  save();
  CHECK(got->names() == begun);
  CHECK(http.calls.size() == 2);
  answer({text_chunk("hello")});
  CHECK(got->names().back() == "TEXT"); // the end waits for its own save, the rest does not
  save();
  CHECK(got->names() == plain_turn);
  CHECK(got->numbers == numbers_from_one(5));
}

TEST_CASE_METHOD(held, "a turn that is aborted before it is kept is shown as a whole afterwards",
                 "[actors][session_first_events]") {
  auto got = send("hi");
  stop();
  CHECK(got->names().empty());
  save();
  if (!kept.waiting.empty())
    save();
  CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "ABORT", "SESSION_END"});
  CHECK(got->numbers == numbers_from_one(4));
  CHECK(last_turn().state == turn_state::aborted);
}

TEST_CASE_METHOD(held, "a turn that cannot be kept says so with its first events",
                 "[actors][session_first_events]") {
  auto got = send("hi");
  SECTION("while it runs") {
    fail_save();
    CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "SESSION_ERROR"});
  }
  SECTION("when it was aborted meanwhile") {
    stop();
    fail_save();
    CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "SESSION_ERROR"});
  }
  CHECK(std::get<session_error>(got->events.back()).error == errc::store_full);
}

TEST_CASE_METHOD(held, "a client that leaves before its turn is kept has asked all the same",
                 "[actors][session_first_events]") {
  auto got = send("hi");
  got->signal(response_signal::gone);
  run();
  save();
  if (!kept.waiting.empty())
    save();
  CHECK(stored().back() == "user hi");
  CHECK(last_turn().state == turn_state::aborted);
}

TEST_CASE_METHOD(kept_chat, "where nobody waits for saves the first events come at once",
                 "[actors][session_first_events]") {
  settings.waits_saved = false;
  kept.answers_saves = false;
  open();
  CHECK(send("hi")->names() == begun);
}

} // namespace session_first_events_test
