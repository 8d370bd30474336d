#include "actors/session/shared_sink.hpp"

#include <stdexcept>

#include "tests/actors/session/chat.hpp"

namespace shared_sink_test {

using namespace troupe;
using namespace troupe::test;

namespace {

event_batch texts(uint64_t first, size_t count) {
  return {"s", "t", first, 0, std::vector<event>(count, text_delta{"x"})};
}

shared_sink lend(const std::shared_ptr<received>& into) {
  return shared_sink{std::make_unique<recording_sink>(into)};
}

/// Throws at the batch after so many.
class failing_sink final : public event_sink {
public:
  explicit failing_sink(size_t batches) : left_{batches} {}
  void watch(std::function<void(response_signal)>) override {}
  void refuse(const failure&) override {}
  bool deliver(const event_batch&) override {
    if (left_ == 0)
      throw std::runtime_error{"no more"};
    --left_;
    return true;
  }

private:
  size_t left_;
};

} // namespace

TEST_CASE("a sink earns credit back in lots", "[actors][shared_sink]") {
  auto got = std::make_shared<received>();
  auto sink = lend(got);
  CHECK(sink.next() == 0);
  CHECK(sink.deliver(texts(1, 511)) == 0);
  CHECK(sink.deliver(texts(512, 1)) == 512);
  CHECK(sink.next() == 513);
  CHECK(sink.drained() == 0);
}

TEST_CASE("a sink that wants no more earns nothing until it has drained", "[actors][shared_sink]") {
  auto got = std::make_shared<received>();
  got->wants_more = false;
  auto sink = lend(got);
  CHECK(sink.deliver(texts(1, 1000)) == 0);
  CHECK(sink.drained() == 1000);
  CHECK(sink.drained() == 0);
}

TEST_CASE_METHOD(chat, "a stream of many batches arrives whole, with the next turn after it",
                 "[actors][shared_sink]") {
  open();
  auto got = send("hi");
  auto call = http.calls.at(0);
  call->head(200, "text/event-stream");
  for (int i = 0; i < 40; ++i) {
    call->bytes("data: " + text_chunk(std::to_string(i)) + "\n\n");
    run();
    CHECK(got->events.size() == static_cast<size_t>(i) + 3); // each one at once
  }
  call->bytes("data: [DONE]\n\n");
  run();
  CHECK(got->numbers == numbers_from_one(44));
  CHECK(std::get<text_delta>(got->events[41]).text == "39");
  CHECK(got->names().back() == "SESSION_END");
  auto next = send("more");
  answer({text_chunk("well")});
  CHECK(next->names() == plain_turn);
}

TEST_CASE_METHOD(chat, "a sink that throws in mid-stream ends its turn, not its chat",
                 "[actors][shared_sink]") {
  open();
  spawn_subscriber(sys, request("hi"), std::make_unique<failing_sink>(20));
  run();
  auto call = http.calls.at(0);
  call->head(200, "text/event-stream");
  for (int i = 0; i < 40 && !call->cancelled; ++i) {
    call->bytes("data: " + text_chunk("x") + "\n\n");
    run();
  }
  CHECK(call->cancelled);
  CHECK(counts().sessions == 1);
  CHECK(counts().running_turns == 0);
  auto next = send("more");
  answer({text_chunk("well")});
  CHECK(next->names() == plain_turn);
}

} // namespace shared_sink_test
