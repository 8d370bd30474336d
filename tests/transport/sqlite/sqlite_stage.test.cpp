// Long changes: what is seen of them before, between and after their pieces.
#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_stage_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr size_t many = 1000;

change_conversation importing(const std::string& id, size_t messages) {
  change_conversation out;
  out.verb = conversation_verb::import;
  out.session_id = id;
  for (size_t i = 0; i < messages; ++i)
    out.content.messages.push_back(
        {said(role::user, "word " + std::to_string(i), "m" + std::to_string(i)),
         1'600'000'000'000 + static_cast<int64_t>(i)});
  for (size_t i = 0; i < messages; i += 2) {
    turn_record turn;
    turn.turn_id = "t" + std::to_string(i);
    turn.message_id = "m" + std::to_string(i);
    turn.state = turn_state::ended;
    out.content.turns.push_back(turn);
  }
  return out;
}

change_conversation branching(const std::string& from, const std::string& to) {
  change_conversation out;
  out.verb = conversation_verb::branch;
  out.session_id = from;
  out.to = to;
  return out;
}

std::unique_ptr<staged_change> staged(store_connection& store, change_conversation ask) {
  auto out = store.stage(ask);
  REQUIRE(out != nullptr);
  return out;
}

/// Does all pieces that are left; returns the last failure.
failure finish(staged_change& work, int* pieces = nullptr) {
  conversation_info info;
  for (bool more = true; more;) {
    if (auto error = work.step(more, info))
      return error;
    if (pieces != nullptr)
      ++*pieces;
  }
  CHECK(info.messages > 0);
  return {};
}

void do_pieces(staged_change& work, int count) {
  conversation_info info;
  bool more = true;
  for (int i = 0; i < count; ++i) {
    REQUIRE_FALSE(work.step(more, info));
    REQUIRE(more);
  }
}

/// Does a change at once.
void change(store_connection& store, const change_conversation& ask) {
  const auto error = store.change(ask).error;
  INFO(error.text());
  REQUIRE_FALSE(error);
}

void clear(store_connection& store) {
  for (bool more = true; more;) {
    const auto error = store.tidy(more);
    INFO(error.text());
    REQUIRE_FALSE(error);
  }
}

std::string rows(data_folder& folder) {
  return folder.sql("SELECT count(*) || ' ' || (SELECT count(*) FROM messages) || ' ' || "
                    "(SELECT count(*) FROM turns) || ' ' || (SELECT count(*) FROM search_rows) "
                    "FROM conversations");
}

} // namespace

TEST_CASE("an import that is broken off leaves nothing", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  do_pieces(*staged(store, importing("a", many)), 3);
  CHECK(rows(folder) == "1 768 0 0");
  clear(store);
  CHECK(rows(folder) == "0 0 0 0");
}

TEST_CASE("an import that the end of a process broke off is cleared away by the next",
          "[transport][sqlite]") {
  data_folder folder;
  auto work = staged(folder.open(), importing("a", many));
  do_pieces(*work, 5);
  std::filesystem::copy_file(folder.file() + "-wal", folder.path + "/wal");
  std::filesystem::copy_file(folder.file(), folder.path + "/db");
  work.reset();
  folder.store.reset();
  folder.port.reset();
  std::filesystem::rename(folder.path + "/db", folder.file());
  std::filesystem::rename(folder.path + "/wal", folder.file() + "-wal");
  auto& store = folder.open();
  CHECK(store.list({"", 50, {}}).conversations.empty());
  CHECK(rows(folder) == "1 1000 256 0");
  clear(store);
  CHECK(rows(folder) == "0 0 0 0");
}

TEST_CASE("an import that is refused at its end leaves no rows", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto first = staged(store, importing("a", many));
  auto second = staged(store, importing("a", many));
  do_pieces(*second, 2);
  REQUIRE_FALSE(finish(*first));
  CHECK(finish(*second).code == errc::conversation_exists);
  CHECK(finish(*staged(store, importing("a", many))).code == errc::conversation_exists);
  second.reset();
  clear(store);
  CHECK(rows(folder) == "1 1000 500 1000");
}

TEST_CASE("a long file makes a message a piece of its own", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = importing("a", 3);
  ask.content.turns.clear();
  for (auto& each : ask.content.messages)
    each.message.files = {
        {"image/png", "data:image/png;base64," + std::string(300 * 1024, 'A'), ""}};
  int pieces = 0;
  REQUIRE_FALSE(finish(*staged(store, ask), &pieces));
  CHECK(pieces == 4);
}

TEST_CASE("the rows of a long chat that was removed are cleared away in pieces",
          "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  const auto id = scoped_id("eve", "a");
  change(store, importing(id, many));
  clear(store);
  change_conversation removal;
  removal.verb = conversation_verb::remove;
  removal.session_id = id;
  change(store, removal);
  CHECK(store.load({id}).version == 0);
  CHECK(store.list({"eve", 50, {}}).conversations.empty());
  CHECK(store.search({"eve", "word", 20, {}}).hits.empty());
  CHECK(rows(folder) == "1 1000 500 1000");
  save(store, saving(id, {said(role::user, "a new word")}));
  int pieces = 0;
  for (bool more = true; more; ++pieces)
    REQUIRE_FALSE(store.tidy(more));
  CHECK(pieces >= 6);
  CHECK(rows(folder) == "1 1 0 1");
  CHECK(store.search({"eve", "word", 20, {}}).hits.size() == 1);
}

TEST_CASE("a long message is a piece of its own", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = importing("a", 3);
  ask.content.turns.clear();
  for (auto& each : ask.content.messages)
    each.message.text.assign(300 * 1024, 'x');
  int pieces = 0;
  REQUIRE_FALSE(finish(*staged(store, ask), &pieces));
  CHECK(pieces == 4);
  pieces = 0;
  REQUIRE_FALSE(finish(*staged(store, branching("a", "b")), &pieces));
  CHECK(pieces == 4);
  CHECK(store.get({"b"}).found.messages[2].message.text.size() == 300 * 1024);
}

TEST_CASE("a piece that fails ends the change", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto work = staged(store, importing("a", many));
  do_pieces(*work, 1);
  auto other = folder.another();
  REQUIRE_FALSE(other->begin());
  CHECK(finish(*work).code == errc::store_locked);
  other->roll_back();
  work.reset();
  clear(store);
  CHECK(rows(folder) == "0 0 0 0");
}

} // namespace sqlite_stage_test
