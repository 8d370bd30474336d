// Long changes take turns with what others write.
#include "tests/actors/store/conversation_store_fixture.hpp"

namespace conversation_store_pieces_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using ids = std::vector<std::string>;

change_conversation importing(const std::string& id) {
  change_conversation out;
  out.verb = conversation_verb::import;
  out.session_id = id;
  return out;
}

/// A store whose imports have five pieces.
class pieces_world : public conversation_store_fixture {
public:
  pieces_world() {
    disk.pieces = 5;
    open();
    advance(one_second);
  }

  /// Asks without waiting.
  auto begin(const std::string& id) { return self->request(store, caf::infinite, importing(id)); }

  template <class Response>
  static errc answer_of(Response& response) {
    auto out = errc::internal;
    response.receive([&](const info_answer& got) { out = got.error.code; },
                     [](const caf::error&) { FAIL("no answer"); });
    return out;
  }
};

} // namespace

TEST_CASE_METHOD(pieces_world, "a change of pieces is done at once when nobody writes",
                 "[actors][conversation_store]") {
  CHECK(ask<info_answer>(store, importing("a")).error.code == errc::none);
  CHECK(disk.pieced == ids{"a", "a", "a", "a", "a"});
  CHECK(status().saves == 1);
  CHECK(load("a").version == 1);
}

TEST_CASE_METHOD(pieces_world, "what others write comes before the next piece",
                 "[actors][conversation_store]") {
  auto importing = begin("a");
  send(save_of("b", "hi"));
  run();
  CHECK(answers.size() == 1);
  CHECK(disk.pieced.empty());
  advance(14ms);
  CHECK(disk.pieced.empty());
  advance(1ms);
  CHECK(disk.pieced.size() == 5);
  CHECK(answer_of(importing) == errc::none);
}

TEST_CASE_METHOD(pieces_world, "a change comes to its end however much is written",
                 "[actors][conversation_store]") {
  auto importing = begin("a");
  for (size_t i = 0; i < 6; ++i) {
    sched().advance_time(15ms);
    send(save_of("b", "more"));
    run();
    CHECK(disk.pieced.size() == i);
  }
  CHECK(answer_of(importing) == errc::none);
  CHECK(errors() == std::vector<errc>(6, errc::none));
}

TEST_CASE_METHOD(pieces_world, "changes of pieces take turns", "[actors][conversation_store]") {
  auto one = begin("a");
  auto two = begin("b");
  run();
  CHECK(disk.pieced == ids{"a", "b", "a", "b", "a", "b", "a", "b", "a", "b"});
  CHECK(answer_of(one) == errc::none);
  CHECK(answer_of(two) == errc::none);
}

TEST_CASE_METHOD(pieces_world, "a store that fails in a piece fails, and recovers",
                 "[actors][conversation_store]") {
  disk.changing = {errc::store_full, "no room"};
  disk.probing = disk.changing;
  auto one = begin("a");
  auto two = begin("b");
  run();
  CHECK(answer_of(one) == errc::store_full);
  CHECK(answer_of(two) == errc::store_full);
  CHECK(disk.pieced.size() == 1);
  CHECK(status().error.code == errc::store_full);
  CHECK(ask<info_answer>(store, importing("c")).error.code == errc::store_full);
  disk.changing = disk.probing = {};
  advance(one_second);
  CHECK_FALSE(status().error);
  auto again = begin("a");
  run();
  advance(15ms); // the refused one counted as a write
  CHECK(answer_of(again) == errc::none);
}

TEST_CASE_METHOD(pieces_world, "a change that is refused is no failure of the store",
                 "[actors][conversation_store]") {
  disk.changing = {errc::conversation_exists, ""};
  CHECK(ask<info_answer>(store, importing("a")).error.code == errc::conversation_exists);
  CHECK_FALSE(status().error);
  CHECK(status().failures == 0);
}

TEST_CASE_METHOD(pieces_world, "a store that is drained gives up what is not whole",
                 "[actors][conversation_store]") {
  auto importing = begin("a");
  send(save_of("b", "hi"));
  run();
  ask<atom::done>(store, atom::drain_v);
  CHECK(answer_of(importing) == errc::shutting_down);
  advance(one_second);
  CHECK(disk.pieced.empty());
}

} // namespace conversation_store_pieces_test
