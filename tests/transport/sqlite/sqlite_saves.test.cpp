#include <random>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_saves_test {

using namespace troupe;
using namespace troupe::test;

namespace {

turn_record turn(const std::string& id, turn_state state) {
  turn_record out;
  out.turn_id = id;
  out.state = state;
  out.resumable = true;
  out.started_ms = 1;
  return out;
}

} // namespace

TEST_CASE("a save that begins a chat is told what came before it", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto first = saving("s", {said(role::user, "Hello")});
  first.creates = true;
  save(store, first);
  CHECK(store.save(first).error.text() == "the chat was imported or branched meanwhile");
}

TEST_CASE("no event stays behind its turn", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  const auto events = [&] { return folder.sql("SELECT count(*) FROM events"); };
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t", turn_state::running);
  ask.events = {{"s", "t", 1, 5, {text_delta{"Hi"}}}};
  save(store, ask);
  CHECK(events() == "1");
  ask.events.clear();
  SECTION("it ends") {
    ask.turn = turn("t", turn_state::ended);
  }
  SECTION("the next turn begins") {
    ask.turn = turn("u", turn_state::running);
  }
  save(store, ask);
  CHECK(events() == "0");
}

TEST_CASE("after any order of saves the database and its index are sound",
          "[transport][sqlite][property]") {
  data_folder folder;
  folder.open();
  std::mt19937 random{7};
  auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
  for (int round = 0; round < 200; ++round) {
    const auto chat = scoped_id(below(2) == 0 ? "" : "eve", std::to_string(below(6)));
    auto ask = saving(chat, {}, below(folder.store->load({chat}).history.size() + 1));
    for (size_t more = below(4); more > 0; --more)
      ask.more.push_back(said(role::user, std::to_string(random())));
    save(*folder.store, ask);
    bool more = false;
    if (below(4) == 0)
      CHECK_FALSE(folder.store->tidy(more));
    if (below(20) == 0)
      folder.open();
  }
  tidy_up(*folder.store);
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
  folder.sql("INSERT INTO search(search, rank) VALUES('integrity-check', 1)");
}

} // namespace sqlite_saves_test
