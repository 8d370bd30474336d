#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_index_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Does all upkeep that there is.
int pieces_of_upkeep(store_connection& store) {
  int count = 0;
  for (bool more = true; more; ++count)
    REQUIRE_FALSE(store.tidy(more));
  return count;
}

} // namespace

TEST_CASE("upkeep indexes everything in pieces", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  std::vector<chat_message> many(2400, said(role::user, "word"));
  save(store, saving("a", many));
  CHECK(pieces_of_upkeep(store) == 5);
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "2400");
  CHECK(store.search({"", "word", 100, {}}).hits.size() == 100);
}

TEST_CASE("upkeep goes on after 512 chats, and after 128 Ki characters", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  for (int i = 0; i < 600; ++i)
    save(store, saving(std::to_string(i), {said(role::user, "word")}));
  CHECK(pieces_of_upkeep(store) == 2);
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "600");
  const std::vector<chat_message> many(5, said(role::user, std::string(64 * 1024, 'x')));
  save(store, saving("long", many));
  CHECK(pieces_of_upkeep(store) == 3);
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "605");
}

TEST_CASE("upkeep ends where messages of a chat are missing", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, "word")}));
  folder.sql("UPDATE conversations SET messages = 2");
  CHECK(pieces_of_upkeep(store) == 1);
  CHECK(folder.sql("SELECT indexed FROM conversations") == "2");
}

TEST_CASE("all words of a removed text leave the index", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, std::string("first\0second", 12))}));
  pieces_of_upkeep(store);
  CHECK(folder.sql("SELECT count(*) FROM search WHERE search MATCH 'second'") == "1");
  change_conversation gone;
  gone.session_id = "a";
  gone.verb = conversation_verb::remove;
  REQUIRE_FALSE(store.change(gone).error);
  pieces_of_upkeep(store);
  CHECK(folder.sql("SELECT count(*) FROM search WHERE search MATCH 'second'") == "0");
}

} // namespace sqlite_index_test
