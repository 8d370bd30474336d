// Long changes: what is seen of them before, between and after their pieces.
#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/long_chats.hpp"

namespace sqlite_stage_test {

using namespace troupe;
using namespace troupe::test;

namespace {

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
  tidy_up(store);
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
  tidy_up(store);
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
  tidy_up(store);
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
  change_at_once(store, importing(id, many));
  tidy_up(store);
  change_at_once(store, changing(id, conversation_verb::remove));
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
  tidy_up(store);
  CHECK(rows(folder) == "0 0 0 0");
}

} // namespace sqlite_stage_test
