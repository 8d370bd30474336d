#include "actors/session_hub/session_hub.hpp"

#include "tests/actors/session/chat.hpp"

namespace session_hub_busy_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A chat whose clients do not wait for its turns to end.
struct busy_chat : chat {
  using got = std::shared_ptr<received>;

  static turn_request request_with(const std::string& text, busy_policy when_busy) {
    auto made = request(text);
    made.options.when_busy = when_busy;
    return made;
  }

  got ask(const std::string& text, busy_policy when_busy) {
    auto into = send(request_with(text, when_busy));
    run();
    return into;
  }
  got wait(const std::string& text) { return ask(text, busy_policy::wait); }
  got replace(const std::string& text) { return ask(text, busy_policy::abort); }

  /// Learns the session's handle by being its client for one turn.
  session_actor find_session() {
    session_actor found;
    auto client =
        sys.spawn([&found](subscriber_actor::pointer me) -> subscriber_actor::behavior_type {
          return {[me, &found](const event_batch& batch) {
                    found = caf::actor_cast<session_actor>(me->current_sender());
                    if (is_terminal(batch.events.back()))
                      me->quit();
                  },
                  [](const turn_refused&) {}, [](const client_signal&) {}};
        });
    caf::send_as(client, hub, start_turn{request("find"), 1000});
    run();
    answer({text_chunk("here")});
    return found;
  }

  bool last_question_is(const std::string& text) {
    return contains(http.calls.back()->request.body, text);
  }
};

} // namespace

TEST_CASE_METHOD(busy_chat, "turns that wait run one after the other, in their order",
                 "[actors][session_hub]") {
  open();
  auto first = wait("one");
  auto second = wait("two");
  auto third = wait("three");
  CHECK(http.calls.size() == 1);
  CHECK(second->events.empty());
  answer({text_chunk("1")});
  CHECK(first->names() == plain_turn);
  CHECK(last_question_is("two"));
  CHECK(http.calls.size() == 2);
  answer({text_chunk("2")});
  CHECK(last_question_is("three"));
  answer({text_chunk("3")});
  CHECK(second->names() == plain_turn);
  CHECK(third->names() == plain_turn);
  CHECK(counts().running_turns == 0);
  CHECK(counts().turns == 3);
}

TEST_CASE_METHOD(busy_chat, "a turn that waits can be aborted by its id, and the others go on",
                 "[actors][session_hub]") {
  open();
  auto first = wait("one");
  auto asked = request_with("two", busy_policy::wait);
  asked.turn_id = "the second";
  auto second = send(asked);
  run();
  auto third = wait("three");
  caf::anon_send(hub, abort_turn{"s", "the second", "stop"});
  run();
  CHECK(second->refused.code == errc::aborted);
  answer({text_chunk("1")});
  CHECK(first->names() == plain_turn);
  CHECK(last_question_is("three"));
  answer({text_chunk("3")});
  CHECK(third->names() == plain_turn);
}

TEST_CASE_METHOD(busy_chat, "an abort that overtakes its turn on the way to the session holds",
                 "[actors][session_hub]") {
  open();
  auto session = find_session();
  strings names;
  auto client =
      sys.spawn([&names](subscriber_actor::pointer me) -> subscriber_actor::behavior_type {
        return {[me, &names](const event_batch& batch) {
                  for (const auto& each : batch.events)
                    names.emplace_back(name_of(each));
                  if (is_terminal(batch.events.back()))
                    me->quit();
                },
                [](const turn_refused&) {}, [](const client_signal&) {}};
      });
  auto asked = request("two");
  asked.turn_id = "the second";
  caf::send_as(client, session, start_turn{asked, 1000});
  caf::anon_send<caf::message_priority::high>(session, abort_turn{"s", "the second", "stop"});
  run();
  REQUIRE_FALSE(names.empty());
  CHECK(names.back() == "SESSION_END");
  CHECK(names.at(names.size() - 2) == "ABORT");
}

TEST_CASE_METHOD(busy_chat, "only so many turns wait, and each chat has its own queue",
                 "[actors][session_hub]") {
  settings.chats.max_waiting_turns = 2;
  open();
  wait("one");
  wait("two");
  wait("three");
  CHECK(wait("four")->refused.code == errc::session_busy);
  CHECK(ask("five", busy_policy::refuse)->refused.code == errc::session_busy);
  auto other = request_with("else", busy_policy::wait);
  other.session_id = "other";
  auto elsewhere = send(std::move(other));
  run();
  CHECK(elsewhere->names().front() == "SESSION_START");
  answer({text_chunk("x")});
}

TEST_CASE_METHOD(busy_chat, "a waiting client that leaves is forgotten", "[actors][session_hub]") {
  settings.chats.max_waiting_turns = 2;
  open();
  wait("one");
  auto second = wait("two");
  auto third = wait("three");
  second->signal(response_signal::gone);
  run();
  auto fourth = wait("four"); // its place is free
  answer({text_chunk("1")});
  CHECK(last_question_is("three"));
  answer({text_chunk("3")});
  CHECK(last_question_is("four"));
  answer({text_chunk("4")});
  CHECK(third->names() == plain_turn);
  CHECK(fourth->names() == plain_turn);
  CHECK(second->events.empty());
  CHECK(http.calls.size() == 3);
}

TEST_CASE_METHOD(busy_chat, "a turn that replaces the running one aborts it first",
                 "[actors][session_hub]") {
  open();
  auto first = wait("one");
  auto waits = wait("later");
  auto second = replace("two");
  CHECK(http.calls.at(0)->cancelled);
  REQUIRE(first->names() ==
          strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "ABORT", "SESSION_END"});
  CHECK(std::get<abort_event>(first->events.at(2)).reason == "replaced");
  CHECK(last_question_is("two"));
  answer({text_chunk("2")});
  CHECK(second->names() == plain_turn);
  CHECK(last_question_is("later"));
  answer({text_chunk("3")});
  CHECK(waits->names() == plain_turn);
}

TEST_CASE_METHOD(busy_chat, "of several that replace the last one stays", "[actors][session_hub]") {
  open();
  auto first = send(request_with("one", busy_policy::abort));
  auto second = send(request_with("two", busy_policy::abort));
  auto third = send(request_with("three", busy_policy::abort));
  run();
  CHECK(last_question_is("three"));
  answer({text_chunk("3")});
  for (const auto& each : {first, second}) {
    CHECK(each->names().back() == "SESSION_END");
    CHECK(each->names().at(each->names().size() - 2) == "ABORT");
  }
  CHECK(third->names() == plain_turn);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(busy_chat, "a client that reads slowly does not hold its successor up",
                 "[actors][session_hub]") {
  open();
  auto slow = stalled_client(1100);
  run();
  CHECK(slow->events.size() == 1024);
  auto next = replace("next");
  answer({text_chunk("x")});
  CHECK(next->names() == plain_turn);
  slow->wants_more = true;
  slow->signal(response_signal::drained);
  run();
  CHECK(slow->numbers == numbers_from_one(slow->numbers.size()));
  CHECK(slow->names().at(slow->names().size() - 2) == "ABORT");
}

TEST_CASE_METHOD(busy_chat, "a waiting turn that is refused in the end makes way for the next",
                 "[actors][session_hub]") {
  open();
  wait("one");
  auto odd = request_with("odd", busy_policy::wait);
  odd.options.model = "nope";
  auto refused = send(std::move(odd));
  run();
  auto third = wait("three");
  answer({text_chunk("1")});
  CHECK(refused->refused.code == errc::model_unknown);
  answer({text_chunk("3")});
  CHECK(third->names() == plain_turn);
}

TEST_CASE_METHOD(busy_chat, "a waiting turn runs in a new session when the old one crashed",
                 "[actors][session_hub]") {
  open();
  auto session = find_session();
  auto first = wait("one");
  auto second = wait("two");
  crash(*this, session);
  CHECK(first->names().back() == "SESSION_ERROR");
  answer({text_chunk("2")});
  CHECK(second->names() == plain_turn);
  CHECK(counts().sessions == 1);
}

TEST_CASE_METHOD(busy_chat, "a drain refuses those who wait", "[actors][session_hub]") {
  open();
  auto first = wait("one");
  auto second = wait("two");
  auto pending = self->request(hub, caf::infinite, atom::drain_v, caf::timespan{10s});
  run();
  CHECK(second->refused.code == errc::shutting_down);
  answer({text_chunk("1")});
  CHECK(first->names() == plain_turn);
  pending.receive([](atom::done) {}, [](caf::error& why) { FAIL(to_string(why)); });
}

TEST_CASE_METHOD(busy_chat, "an ephemeral session ends with its turn", "[actors][session_hub]") {
  open();
  auto what = request_with("remember me", busy_policy::wait);
  what.ephemeral = true;
  auto first = send(std::move(what));
  run();
  CHECK(counts().sessions == 1);
  auto second = wait("who am I?");
  answer({text_chunk("yes")});
  CHECK(first->names() == plain_turn);
  CHECK_FALSE(last_question_is("remember me")); // that was another session
  answer({text_chunk("no")});
  CHECK(second->names() == plain_turn);
  CHECK(counts().sessions == 1);
}

} // namespace session_hub_busy_test
