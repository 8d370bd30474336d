#include "actors/session/save_planner.hpp"

#include "tests/support/catch.hpp"

namespace save_planner_test {

using namespace troupe;

namespace {

turn_record row(const std::string& id, turn_state state) {
  turn_record made;
  made.turn_id = id;
  made.state = state;
  return made;
}

std::vector<chat_message> messages(size_t count) {
  std::vector<chat_message> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i].text = std::to_string(i);
  return made;
}

} // namespace

TEST_CASE("a save has the messages that the store has not", "[actors][save_planner]") {
  save_planner book;
  book.reset(2);
  CHECK_FALSE(book.due(2, false));
  CHECK(book.due(3, false));
  auto first = book.next("s", messages(3));
  CHECK(first.session_id == "s");
  CHECK(first.keep == 2);
  REQUIRE(first.more.size() == 1);
  CHECK(first.more[0].text == "2");
  CHECK(first.turn.turn_id.empty());
  CHECK_FALSE(book.due(4, false)); // one at a time
  CHECK(book.is_answer(first.number));
  book.saved();
  CHECK_FALSE(book.is_answer(first.number));
  CHECK_FALSE(book.unsaved(3));
  CHECK(book.unsaved(4));
}

TEST_CASE("a save that begins a chat says so until it is done", "[actors][save_planner]") {
  save_planner book;
  book.reset(0);
  book.create();
  CHECK(book.next("s", messages(1)).creates);
  SECTION("it is") {
    book.saved();
    CHECK_FALSE(book.next("s", messages(2)).creates);
  }
  SECTION("it is not, or nobody knows") {
    book.failed();
    CHECK(book.next("s", messages(2)).creates);
  }
}

TEST_CASE("the first save of a turn says so, once, unless it brings what was left before",
          "[actors][save_planner]") {
  save_planner book;
  book.reset(2);
  SECTION("it may be refused") {
    book.begin(row("one", turn_state::running), 0, true);
    CHECK(book.next("s", messages(3)).begins);
    book.saved();
    book.end(row("one", turn_state::ended), {});
    CHECK_FALSE(book.next("s", messages(4)).begins);
  }
  SECTION("it may not") {
    book.begin(row("one", turn_state::running), 0);
    CHECK_FALSE(book.next("s", messages(3)).begins);
  }
  SECTION("it is sent again after a failure") {
    book.begin(row("one", turn_state::running), 0, true);
    book.next("s", messages(3));
    book.failed();
    CHECK_FALSE(book.next("s", messages(3)).begins);
  }
  SECTION("messages were left") {
    book.next("s", messages(3));
    book.failed();
    book.begin(row("two", turn_state::running), 0, true);
    CHECK_FALSE(book.next("s", messages(4)).begins);
  }
  SECTION("a row was left") {
    book.end(row("one", turn_state::failed), {});
    book.begin(row("two", turn_state::running), 0, true);
    CHECK_FALSE(book.next("s", messages(3)).begins);
  }
}

TEST_CASE("the first save of a turn claims its chat until one is done, the last one gives it back",
          "[actors][save_planner]") {
  save_planner book;
  book.reset(0);
  book.begin(row("one", turn_state::running), 0);
  CHECK(book.next("s", messages(1)).claim.takes);
  book.failed();
  auto again = book.next("s", messages(1));
  CHECK(again.claim.takes);
  CHECK_FALSE(again.claim.gives);
  book.saved();
  CHECK_FALSE(book.next("s", messages(2)).claim.takes);
  book.saved();
  book.end(row("one", turn_state::ended), {});
  auto last = book.next("s", messages(3));
  CHECK_FALSE(last.claim.takes);
  CHECK(last.claim.gives);
  SECTION("and the next turn claims it, though it begins before that is done") {
    book.begin(row("two", turn_state::running), 0);
    book.saved();
    CHECK(book.next("s", messages(4)).claim.takes);
  }
  SECTION("the last one is sent again, with the next turn: that keeps the chat") {
    book.failed();
    book.begin(row("two", turn_state::running), 0);
    again = book.next("s", messages(4));
    CHECK(again.turn.turn_id == "one");
    CHECK(again.claim.takes);
    CHECK_FALSE(again.claim.gives);
  }
}

TEST_CASE("what changes below the end is sent again, also while it is under way",
          "[actors][save_planner]") {
  save_planner book;
  book.reset(4);
  book.changed(4);
  CHECK_FALSE(book.unsaved(4));
  book.changed(1);
  CHECK(book.unsaved(1)); // the store has more than that
  auto cut = book.next("s", messages(3));
  CHECK(cut.keep == 1);
  CHECK(cut.more.size() == 2);
  book.changed(2);
  book.saved();
  CHECK(book.unsaved(3));
  CHECK(book.next("s", messages(3)).keep == 2);
}

TEST_CASE("a save that failed goes again with what came since", "[actors][save_planner]") {
  save_planner book;
  book.begin(row("one", turn_state::running), 7);
  auto first = book.next("s", messages(1));
  CHECK(first.if_version == 7);
  CHECK(first.turn.state == turn_state::running);
  book.failed();
  CHECK(book.failing());
  CHECK_FALSE(book.due(1, true)); // nothing is new
  CHECK(book.due(2, true));
  CHECK_FALSE(book.due(2, false));
  turn_report report;
  report.turn_id = "one";
  book.end(row("one", turn_state::ended), report);
  CHECK(book.due(1, true));
  book.retry();
  CHECK(book.due(1, false));
  auto again = book.next("s", messages(2));
  CHECK(again.number != first.number);
  CHECK(again.if_version == 0);
  CHECK(again.keep == 0);
  CHECK(again.more.size() == 2);
  CHECK(again.turn.state == turn_state::ended);
  CHECK(again.report.turn_id == "one");
  book.saved();
  CHECK_FALSE(book.unsaved(2));
}

TEST_CASE("each turn's row and usage are sent until they are kept, the oldest first",
          "[actors][save_planner]") {
  save_planner book;
  book.begin(row("one", turn_state::running), 0);
  book.next("s", {});
  book.end(row("one", turn_state::ended), {}); // while the other is under way
  CHECK(book.unsaved(0));
  book.failed();
  book.begin(row("two", turn_state::running), 0);
  auto first = book.next("s", {});
  CHECK(first.turn.turn_id == "one");
  CHECK(first.turn.state == turn_state::ended);
  book.saved();
  auto second = book.next("s", {});
  CHECK(second.turn.turn_id == "two");
  book.end(row("two", turn_state::ended), {});
  book.saved();
  auto third = book.next("s", {});
  CHECK(third.turn.state == turn_state::ended);
  book.saved();
  CHECK_FALSE(book.unsaved(0));
}

TEST_CASE("events of a turn count as saved when their save is", "[actors][save_planner]") {
  save_planner book;
  book.begin(row("one", turn_state::running), 0);
  book.next("s", {});
  book.sends_events(5);
  CHECK(book.saved_seq() == 0);
  book.failed();
  book.retry();
  book.next("s", {});
  book.sends_events(6);
  book.saved();
  CHECK(book.saved_seq() == 6);
  book.begin(row("two", turn_state::running), 0);
  CHECK(book.saved_seq() == 0);
}

} // namespace save_planner_test
