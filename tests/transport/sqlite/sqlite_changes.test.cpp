#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/change_asks.hpp"

namespace sqlite_changes_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a conversation is removed with all its rows", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  keep_chat(store, "s");
  keep_chat(store, "t");
  REQUIRE_FALSE(store.change(changing("s", conversation_verb::remove)).error);
  CHECK(folder.sql("SELECT count(*) FROM messages") == "5");
  CHECK(folder.sql("SELECT count(*) FROM turns") == "2");
}

TEST_CASE("imported messages of one time have a row each in the index", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = changing("i", conversation_verb::import);
  ask.content.messages.resize(3000, {said(role::user, "same time"), 0});
  REQUIRE_FALSE(store.change(ask).error);
  tidy_up(store);
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "3000");
}

TEST_CASE("a change of a key is seen beside it, a save is none", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  const auto before = store.keys_version();
  failure why;
  auto port = open_sqlite_keys(folder.path, why, data_folder::options());
  INFO(why.text());
  REQUIRE(port != nullptr);
  auto beside = port->open(durability::full, why);
  REQUIRE(beside != nullptr);
  keep_chat(*beside, "s");
  CHECK(store.keys_version() == before);
  REQUIRE_FALSE(beside->put(api_key{"k1", "eve", "", "00", false, 0, 0, 1, 0}));
  CHECK(store.keys_version() != before);
  CHECK(store.keys({}).keys.size() == 1);
}

} // namespace sqlite_changes_test
