#include "actors/session/subscriber.hpp"

#include "tests/actors/session/chat.hpp"

namespace subscriber_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// A hub that only writes down; the subscriber's handle is the sender of its start_turn.
struct silent_hub : deterministic {
  silent_hub() {
    hub = sys.spawn([this](session_hub_actor::pointer me) -> session_hub_actor::behavior_type {
      return {
          [this, me](const start_turn& ask) {
            client = caf::actor_cast<subscriber_actor>(me->current_sender());
            started.push_back(ask);
          },
          [](const abort_turn&) {},
          [this](const grant_credit& more) { granted.push_back(more.events); },
          [this, me](const watch_turn& ask) {
            client = caf::actor_cast<subscriber_actor>(me->current_sender());
            watched.push_back(ask);
          },
          [this](const leave_turn& leaving) { left.push_back(leaving); },
          [](const answer_approvals&) {},
          [](const turn_ended&) {},
          [](const chat_saved&) {},
          [](const expire_refused&) {},
          [](const unseen_rounds&) {},
          [](const end_session&) { return failure{}; },
          [](atom::status) { return session_counts{}; },
          [](atom::drain, caf::timespan) { return atom::done_v; },
          [](atom::restart, uint64_t) {},
          [](const find_busy_chats&) { return busy_chats{}; },
          [](atom::expire) {},
      };
    });
    sys.registry().put(session_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
  }
  ~silent_hub() {
    sys.registry().erase(session_hub_name);
    if (client)
      crash(*this, client, caf::exit_reason::kill);
    crash(*this, hub, caf::exit_reason::kill);
    client = nullptr;
    hub = nullptr;
  }

  std::shared_ptr<received> open() {
    auto into = std::make_shared<received>();
    spawn_subscriber(sys, chat::request("hi"), std::make_unique<recording_sink>(into));
    run();
    return into;
  }

  /// As open(), for one who goes on after event number 6.
  std::shared_ptr<received> view() {
    auto into = std::make_shared<received>();
    spawn_viewer(sys, {"s", "t", 6, true, 0}, std::make_unique<recording_sink>(into));
    run();
    return into;
  }

  void events(uint64_t first, std::vector<event> which) {
    self->send(client, event_batch{"s", "t", first, 0, std::move(which)});
    run();
  }

  session_hub_actor hub;
  subscriber_actor client;
  std::vector<start_turn> started;
  std::vector<watch_turn> watched;
  std::vector<leave_turn> left;
  std::vector<uint32_t> granted;
};

std::vector<event> texts(size_t n) {
  return std::vector<event>(n, text_delta{"x"});
}

} // namespace

TEST_CASE_METHOD(silent_hub, "a refusal reaches the sink, and nothing after it",
                 "[actors][subscriber]") {
  auto got = open();
  self->send(client, turn_refused{errc::too_many_sessions, "why"});
  run();
  CHECK(got->refused.code == errc::too_many_sessions);
  CHECK(got->refused.message == "why");
  events(1, texts(1));
  CHECK(got->events.empty());
}

TEST_CASE_METHOD(silent_hub, "credit is given back in lots while the client reads",
                 "[actors][subscriber]") {
  auto got = open();
  REQUIRE(started.at(0).credit == 1024);
  events(1, texts(511));
  CHECK(granted.empty());
  events(512, texts(1));
  CHECK(granted == std::vector<uint32_t>{512});
}

TEST_CASE_METHOD(silent_hub, "a client that reads slowly gives no credit until it has drained",
                 "[actors][subscriber]") {
  auto got = open();
  got->wants_more = false;
  events(1, texts(1024));
  CHECK(granted.empty());
  got->wants_more = true;
  got->signal(response_signal::drained);
  run();
  CHECK(granted == std::vector<uint32_t>{1024});
  got->signal(response_signal::drained);
  run();
  CHECK(granted.size() == 1);
}

TEST_CASE_METHOD(silent_hub, "a hub that dies before it knows of the turn is a refusal",
                 "[actors][subscriber]") {
  auto into = std::make_shared<received>();
  auto recording = std::make_unique<recording_sink>(into);
  caf::anon_send_exit(hub, caf::exit_reason::user_shutdown);
  SECTION("to one who begins") {
    spawn_subscriber(sys, chat::request("hi"), std::move(recording));
  }
  SECTION("to a viewer") {
    spawn_viewer(sys, {"s", "t", 6, true, 0}, std::move(recording));
  }
  run();
  CHECK(into->refused.code == errc::internal);
  CHECK(into->events.empty());
  CHECK(started.empty());
  CHECK(watched.empty());
}

TEST_CASE_METHOD(silent_hub, "a hub that dies later is the session's business",
                 "[actors][subscriber]") {
  auto got = open();
  events(1, {session_start{"m"}});
  crash(*this, hub);
  CHECK(got->refused.code == errc::none);
  events(2, texts(1));
  CHECK(got->events.size() == 2);
}

TEST_CASE_METHOD(silent_hub, "a client that leaves names its own turn, from the first moment",
                 "[actors][subscriber]") {
  auto got = open();
  got->signal(response_signal::gone);
  run();
  REQUIRE(left.size() == 1);
  CHECK(left[0].session_id == "s");
  CHECK_FALSE(left[0].turn_id.empty());
  CHECK(left[0].turn_id == started.at(0).request.turn_id);
  events(1, texts(1));
  CHECK(got->events.empty());
}

TEST_CASE_METHOD(silent_hub, "a subscriber ends after the terminal event", "[actors][subscriber]") {
  auto got = open();
  events(1, {session_start{"m"}, session_end{}});
  events(3, texts(1));
  CHECK(got->events.size() == 2);
  CHECK(left.empty());
}

TEST_CASE_METHOD(silent_hub, "the crash of the session is one SESSION_ERROR with the next number",
                 "[actors][subscriber]") {
  auto got = open();
  events(1, {session_start{"m"}, text_delta{"x"}});
  crash(*this, client);
  REQUIRE(got->names() == strings{"SESSION_START", "TEXT", "SESSION_ERROR"});
  CHECK(got->numbers == std::vector<uint64_t>{1, 2, 3});
  self->send(client, turn_refused{errc::internal, ""});
  run();
  CHECK(got->refused.code == errc::none);
}

TEST_CASE_METHOD(silent_hub, "a refusal that comes after events is not passed on",
                 "[actors][subscriber]") {
  auto got = open();
  events(1, {session_start{"m"}});
  self->send(client, turn_refused{errc::internal, ""});
  run();
  CHECK(got->refused.code == errc::none);
  events(2, {session_end{}});
  CHECK(got->names() == strings{"SESSION_START", "SESSION_END"});
}

TEST_CASE_METHOD(silent_hub, "a viewer asks for a turn with credit of its own",
                 "[actors][subscriber]") {
  auto got = view();
  REQUIRE(watched.size() == 1);
  CHECK(watched[0].session_id == "s");
  CHECK(watched[0].turn_id == "t");
  CHECK(watched[0].after_seq == 6);
  CHECK(watched[0].replays_ended);
  CHECK(watched[0].credit == 1024);
  events(7, texts(512));
  CHECK(got->numbers.front() == 7);
  CHECK(granted == std::vector<uint32_t>{512});
}

TEST_CASE_METHOD(silent_hub, "a batch without events says that there is a turn to view",
                 "[actors][subscriber]") {
  auto got = view();
  events(7, {});
  CHECK(got->events.empty());
  self->send(client, turn_refused{errc::internal, ""});
  run();
  CHECK(got->refused.code == errc::none);
  events(7, {session_end{}});
  CHECK(got->numbers == std::vector<uint64_t>{7});
}

TEST_CASE_METHOD(silent_hub, "a viewer that leaves says so", "[actors][subscriber]") {
  auto got = view();
  events(7, texts(1));
  got->signal(response_signal::gone);
  run();
  REQUIRE(left.size() == 1);
  CHECK(left[0].turn_id == "t");
}

TEST_CASE_METHOD(silent_hub, "the crash of the session is told a viewer with the next number",
                 "[actors][subscriber]") {
  auto got = view();
  SECTION("after some events") {
    events(7, texts(2));
    crash(*this, client);
    CHECK(got->numbers == std::vector<uint64_t>{7, 8, 9});
  }
  SECTION("before any") {
    events(7, {});
    crash(*this, client);
    CHECK(got->numbers == std::vector<uint64_t>{7});
  }
  CHECK(got->names().back() == "SESSION_ERROR");
}

TEST_CASE_METHOD(deterministic, "without a hub a turn is refused", "[actors][subscriber]") {
  auto into = std::make_shared<received>();
  spawn_subscriber(sys, chat::request("hi"), std::make_unique<recording_sink>(into));
  run();
  CHECK(into->refused.code == errc::shutting_down);
}

} // namespace subscriber_test
