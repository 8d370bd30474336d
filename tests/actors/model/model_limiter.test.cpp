#include "actors/model/model_limiter.hpp"

#include "tests/actors/model/stream_listener.hpp"

namespace model_limiter_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class crowd : public stream_listener {
public:
  crowd() {
    parent = make_parent(
        *this, ends, [this](caf::local_actor& by) { limiter = spawn_model_limiter(by, nodes); });
    sys.registry().put(model_limiter_name, caf::actor_cast<caf::strong_actor_ptr>(limiter));
    model().max_concurrent = 1;
    model().max_queued = 1;
  }

  ~crowd() {
    crash(*this, parent);
    sys.registry().erase(model_limiter_name);
  }

  /// The answer of the n-th request, from 0.
  void answer_to(size_t n, const std::string& said) {
    http.calls.at(n)->stream({text_chunk(said)});
    run();
  }

  endings ends = std::make_shared<std::vector<caf::error>>();
  caf::actor parent;
  std::shared_ptr<cluster_counts> nodes = std::make_shared<cluster_counts>();
  model_limiter_actor limiter;
};

} // namespace

TEST_CASE_METHOD(crowd, "with one slot and a queue of one the third request is refused",
                 "[actors][model_limiter]") {
  auto& first = open();
  auto& second = open();
  auto& third = open();
  CHECK(http.calls.size() == 1);
  REQUIRE(third.outputs.size() == 1);
  CHECK(third.outputs[0].error == errc::model_busy);
  CHECK(third.outputs[0].report.attempts == 0);
  advance(4s);
  answer_to(0, "one");
  CHECK(text_of(first) == "one");
  REQUIRE(http.calls.size() == 2);
  answer_to(1, "two");
  CHECK(text_of(second) == "two");
  CHECK(first.outputs.back().report.queued_us == 0);
  CHECK(second.outputs.back().report.queued_us == 4'000'000);
  CHECK(second.outputs.back().report.total_us == 4'000'000);
}

TEST_CASE_METHOD(crowd, "who came first is asked first", "[actors][model_limiter]") {
  model().max_queued = 10;
  for (int i = 0; i < 4; ++i)
    open();
  for (size_t i = 0; i < 4; ++i) {
    REQUIRE(http.calls.size() == i + 1);
    answer_to(i, std::to_string(i));
    CHECK(text_of(*readers[i]) == std::to_string(i));
  }
}

TEST_CASE_METHOD(crowd, "each node has its part of the slots, rounded up",
                 "[actors][model_limiter][cluster]") {
  nodes->serving = 2;
  nodes->draining = 1;
  model().max_concurrent = 4;
  model().max_queued = 10;
  for (int i = 0; i < 6; ++i)
    open();
  CHECK(http.calls.size() == 2);
  nodes->draining = 0; // a node is gone, and its part is the others'
  answer_to(0, "one");
  CHECK(http.calls.size() == 3);
  nodes->serving = 1;
  answer_to(1, "two");
  CHECK(http.calls.size() == 6);
}

TEST_CASE_METHOD(crowd, "models do not share their slots", "[actors][model_limiter]") {
  add("other").max_concurrent = 1;
  open();
  open("other");
  CHECK(http.calls.size() == 2);
}

TEST_CASE_METHOD(crowd, "a slot is free again however its holder ends", "[actors][model_limiter]") {
  model().max_queued = 10;
  auto& first = open();
  auto& second = open();
  auto& third = open();
  SECTION("the holder is stopped") {
    crash(*this, first.stream, caf::exit_reason::user_shutdown);
    CHECK(http.calls.size() == 2);
  }
  SECTION("the holder's reader dies") {
    crash(*this, first.actor, caf::exit_reason::kill);
    CHECK(http.calls.size() == 2);
  }
  SECTION("one that waits leaves the queue") {
    crash(*this, second.stream, caf::exit_reason::user_shutdown);
    CHECK(http.calls.size() == 1);
    answer_to(0, "one");
    REQUIRE(http.calls.size() == 2);
    answer_to(1, "three");
    CHECK(text_of(third) == "three");
  }
}

TEST_CASE_METHOD(crowd, "the slot is kept between two attempts, and given up with the model",
                 "[actors][model_limiter]") {
  add("spare");
  model().fallback = "spare";
  model().max_attempts = 2;
  open();
  auto& second = open();
  refuse(500);
  advance(1s);
  REQUIRE(http.calls.size() == 2); // the first one's second attempt
  refuse(500);
  REQUIRE(http.calls.size() == 4); // the second one, and the first one's fallback
  CHECK(http.calls[2]->request.url.starts_with("http://default.test/"));
  CHECK(http.calls[3]->request.url.starts_with("http://spare.test/"));
  answer_to(2, "two");
  CHECK(text_of(second) == "two");
}

TEST_CASE_METHOD(crowd, "a request without a slot goes to the fallback, and waits for a slot there",
                 "[actors][model_limiter]") {
  model().max_queued = 0;
  model().fallback = "spare";
  auto& spare = add("spare");
  spare.max_concurrent = 1;
  spare.max_queued = 1;
  open();
  open();
  auto& third = open();
  auto& fourth = open();
  REQUIRE(http.calls.size() == 2);
  REQUIRE(fourth.outputs.size() == 1);
  CHECK(fourth.outputs[0].error == errc::model_busy);
  CHECK(fourth.outputs[0].report.model == "spare");
  answer_to(1, "two");
  REQUIRE(http.calls.size() == 3);
  answer_to(2, "three");
  CHECK(text_of(third) == "three");
}

TEST_CASE_METHOD(crowd, "waiting for a slot counts for the total", "[actors][model_limiter]") {
  model().timeouts.total = 10s;
  model().timeouts.first_token = 60s;
  open();
  advance(4s);
  auto& second = open();
  advance(9999ms);
  CHECK(second.outputs.empty());
  advance(1ms);
  REQUIRE(second.outputs.size() == 1);
  CHECK(second.outputs[0].error == errc::model_timeout);
}

TEST_CASE_METHOD(crowd, "the first token's time begins when the slot is there",
                 "[actors][model_limiter]") {
  model().timeouts.first_token = 10s;
  open();
  advance(5s);
  auto& second = open();
  advance(4s);
  answer_to(0, "one");
  advance(9999ms);
  CHECK(second.outputs.empty());
  advance(1ms);
  REQUIRE(second.outputs.size() == 1);
  CHECK(second.outputs[0].error == errc::model_first_token_timeout);
}

TEST_CASE_METHOD(crowd, "when the slots are lost those who wait go on", "[actors][model_limiter]") {
  open();
  auto& second = open();
  SECTION("by a crash") {
    crash(*this, limiter);
    REQUIRE(http.calls.size() == 2);
    answer_to(1, "two");
    CHECK(text_of(second) == "two");
  }
  SECTION("and those who come find nobody to ask") {
    crash(*this, limiter);
    sys.registry().erase(model_limiter_name);
    open();
    CHECK(http.calls.size() == 3);
  }
}

TEST_CASE_METHOD(crowd, "a model without a limit asks nobody", "[actors][model_limiter]") {
  model().max_concurrent = 0;
  for (int i = 0; i < 5; ++i)
    open();
  CHECK(http.calls.size() == 5);
}

TEST_CASE_METHOD(crowd, "the slot is free before the reader hears of the answer's end",
                 "[actors][model_limiter]") {
  std::vector<std::string> heard;
  const reader* first = nullptr;
  auto recorder = sys.spawn([&](model_limiter_actor::pointer me) {
    return model_limiter_actor::behavior_type{
        [&, me](const acquire_slot& want) {
          heard.emplace_back("want");
          me->send(caf::actor_cast<model_stream_actor>(me->current_sender()),
                   slot_answer{want.model, true});
        },
        [&](const release_slot&) {
          heard.emplace_back(first->outputs.back().over ? "free, late" : "free");
        }};
  });
  sys.registry().erase(model_limiter_name);
  sys.registry().put(model_limiter_name, caf::actor_cast<caf::strong_actor_ptr>(recorder));
  first = &open();
  http.calls.at(0)->head(200, "text/event-stream");
  http.calls.at(0)->bytes("data: " + text_chunk("one") + "\n\n");
  run();
  REQUIRE_FALSE(first->outputs.empty());
  http.calls.at(0)->bytes("data: [DONE]\n\n");
  http.calls.at(0)->end();
  run();
  CHECK(first->outputs.back().over);
  CHECK(heard == std::vector<std::string>{"want", "free"});
  crash(*this, recorder);
}

} // namespace model_limiter_test
