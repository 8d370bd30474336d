// What a connection remembers of chats must be what the database has, whoever else writes.
#include <array>
#include <map>
#include <random>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "transport/sqlite/rows/known_chats.hpp"

namespace sqlite_known_chats_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using texts = std::vector<std::string>;

turn_record turn_of(int64_t started_ms, turn_state state) {
  turn_record out;
  out.turn_id = "t";
  out.message_id = "m";
  out.state = state;
  out.started_ms = started_ms;
  out.ended_ms = state == turn_state::running ? 0 : 1'763'683'200'000; // 2025-11-21
  return out;
}

save_chat ending(const std::string& session_id, int64_t started_ms) {
  auto out = saving(session_id, {});
  out.turn = turn_of(started_ms, turn_state::ended);
  out.report.turn_id = "t";
  out.report.model = "model";
  return out;
}

change_conversation changing(const std::string& session_id, conversation_verb verb) {
  change_conversation out;
  out.session_id = session_id;
  out.verb = verb;
  out.title = "Renamed";
  return out;
}

/// What a test believes to be kept.
struct believed_chat {
  uint64_t version = 0;
  texts history;
};

} // namespace

TEST_CASE("chats that were not used for long are forgotten, others are not",
          "[transport][sqlite]") {
  known_chats chats;
  chats.add("old", {}).turn_id = "a";
  chats.add("used", {}).turn_id = "b";
  for (int i = 0; i < 3000; ++i) {
    chats.add(std::to_string(i), {});
    const auto* used = chats.find("used");
    REQUIRE(used != nullptr);
    CHECK(used->turn_id == "b");
  }
  CHECK(chats.find("old") == nullptr);
  chats.forget("used");
  CHECK(chats.find("used") == nullptr);
  CHECK(chats.find("2999") != nullptr);
  chats.enter(1);
  CHECK(chats.find("2999") == nullptr);
}

TEST_CASE("a save sees what another connection has changed", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto other = folder.another();
  save(store, saving("a", {said(role::user, "one")}));
  CHECK_FALSE(other->change(changing("a", conversation_verb::rename)).error);
  CHECK(save(store, saving("a", {said(role::user, "two")}, 1)) == 3);
  CHECK(store.get({"a"}).found.info.title == "Renamed");
  CHECK_FALSE(other->change(changing("a", conversation_verb::remove)).error);
  auto refused = store.save(saving("a", {said(role::user, "three")}, 2));
  CHECK(refused.error.code == errc::conversation_changed);
  CHECK(save(store, saving("a", {said(role::user, "new")})) == 1);
}

TEST_CASE("what was rolled back is not counted, and what is sent again is", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto running = saving("a", {said(role::user, "one")});
  running.turn = turn_of(1, turn_state::running);
  save(store, running);
  auto ended = ending("a", 1);
  REQUIRE_FALSE(store.begin());
  save(store, ended);
  store.roll_back();
  CHECK(store.used({"", {}, {}}).rows.empty());
  REQUIRE_FALSE(store.begin());
  CHECK(save(store, ended) == 2);
  CHECK(save(store, ended) == 3);
  REQUIRE_FALSE(store.commit());
  REQUIRE(store.used({"", {}, {}}).rows.size() == 1);
  CHECK(store.used({"", {}, {}}).rows[0].turns == 1);
  CHECK(save(*folder.another(), ended) == 4);
  save(store, ending("a", 2)); // another turn of the same id
  CHECK(store.used({"", {}, {}}).rows[0].turns == 2);
}

TEST_CASE("two connections that write in turn leave what a model in memory has",
          "[transport][sqlite][property]") {
  data_folder folder;
  std::mt19937 random{11};
  auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
  std::map<std::string, believed_chat> model;
  folder.open();
  const std::array<std::unique_ptr<store_connection>, 2> stores{folder.another(), folder.another()};
  for (int round = 0; round < 400; ++round) {
    auto& store = *stores[below(2)];
    const auto before = model;
    REQUIRE_FALSE(store.begin());
    for (size_t writes = 1 + below(4); writes > 0; --writes) {
      const auto id = scoped_id(below(2) == 0 ? "" : "eve", std::to_string(below(5)));
      auto& chat = model[id];
      if (below(3) == 0)
        CHECK(store.load({id}).version == chat.version);
      if (chat.version > 0 && below(5) == 0) {
        const auto verb = below(2) == 0 ? conversation_verb::rename : conversation_verb::remove;
        CHECK_FALSE(store.change(changing(id, verb)).error);
        chat = verb == conversation_verb::rename ? believed_chat{chat.version + 1, chat.history}
                                                 : believed_chat{};
        continue;
      }
      const auto keep = below(chat.history.size() + 1);
      const auto text = std::to_string(random());
      auto ask = saving(id, {said(role::user, text)}, keep);
      ask.turn = turn_of(static_cast<int64_t>(below(3)), turn_state::ended);
      chat.history.resize(keep);
      chat.history.push_back(text);
      CHECK(save(store, ask) == ++chat.version);
    }
    if (below(3) > 0) {
      REQUIRE_FALSE(store.commit());
      continue;
    }
    store.roll_back();
    model = before;
  }
  for (const auto& [id, chat] : model) {
    CHECK(stores[0]->load({id}).version == chat.version);
    CHECK(texts_of(stores[1]->load({id}).history) == chat.history);
  }
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
}

} // namespace sqlite_known_chats_test
