#include <fstream>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"

namespace sqlite_schema_test {

using namespace troupe;
using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

std::string fixture() {
  return TROUPE_TEST_FOLDER "/transport/fixtures/store/v1.db";
}

std::unique_ptr<sqlite_connection> connection(const std::string& path) {
  failure why;
  auto made = sqlite_connection::open({path, {}, 20}, why);
  INFO(why.text());
  REQUIRE(made != nullptr);
  return made;
}

std::string schema_of(const std::string& path, data_folder& folder) {
  fs::copy_file(path, folder.file(), fs::copy_options::overwrite_existing);
  return folder.sql("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema "
                    "WHERE name NOT LIKE 'search%' ORDER BY name)");
}

} // namespace

TEST_CASE("the first schema is what it was when it was released", "[transport][sqlite]") {
  data_folder folder;
  const auto path = folder.path + "/new.db";
  data_folder copies;
  { std::ofstream{path}; }
  REQUIRE_FALSE(migrate(*connection(path), 1));
  CHECK(schema_of(path, copies) == schema_of(fixture(), copies));
  CHECK(copies.sql("PRAGMA user_version") == "1");
}

TEST_CASE("each step fails as a whole", "[transport][sqlite]") {
  data_folder folder;
  fs::copy_file(fixture(), folder.file());
  folder.sql("CREATE TABLE search(x)"); // in the way of the second step
  failure why;
  CHECK(open_sqlite_store(folder.path, why, data_folder::options()) == nullptr);
  CHECK(why.code == errc::store_failed);
  CHECK(folder.sql("PRAGMA user_version") == "1");
  folder.sql("DROP TABLE search");
  CHECK(folder.open().load({"plain"}).version == 2);
}

TEST_CASE("a database of the first schema opens and keeps everything", "[transport][sqlite]") {
  data_folder folder;
  fs::copy_file(fixture(), folder.file());
  fs::permissions(folder.file(), fs::perms::owner_read | fs::perms::owner_write);
  auto& store = folder.open();
  CHECK(folder.port->notice().empty());
  CHECK(folder.sql("PRAGMA user_version") == std::to_string(newest_schema()));

  auto plain = store.get({"plain"}).found;
  CHECK(plain.info.title == "What is the tallest mountain?");
  CHECK(plain.info.version == 2);
  CHECK(plain.info.created_ms == 1'763'700'000'001);
  REQUIRE(plain.messages.size() == 2);
  CHECK(plain.messages[1].message == said(role::assistant, "Mount Everest.", "a1"));
  REQUIRE(plain.turns.size() == 1);
  CHECK(plain.turns[0].state == turn_state::ended);
  CHECK(to_json(plain.turns[0].used) == to_json(usage{10, 5, 15, 2, 1}));

  auto rich = store.load({scoped_id("eve", "rich")});
  CHECK(to_json(rich.overrides) == to_json(chat_overrides{"big", true, {"files"}}));
  REQUIRE(rich.history.size() == 3);
  CHECK(rich.history[0].files[0].url == "data:image/png;base64,AAAA");
  CHECK(rich.history[0].extras[0].content == "a resource");
  CHECK(rich.history[1].reasoning == "I had better look.");
  CHECK(rich.history[1].provider_metadata == R"({"anthropic":{"signature":"s"}})");
  CHECK(rich.history[1].tool_calls[0] == tool_call{"c1", "read", R"({"path":"/a"})", {}});
  CHECK(rich.history[2].tool_call_id == "c1");
  CHECK(rich.last_turn.state == turn_state::running);
  REQUIRE(rich.events.size() == 1);
  CHECK(std::get<text_delta>(rich.events[0].events[0]).text == "Hi");

  CHECK(store.used({"", {}, {}}).rows.size() == 1);
  CHECK(store.settings({"mcpServers/"}).settings.size() == 1);
  CHECK(store.keys({}).keys.size() == 1);
  CHECK(store.search({"", "everest", 20, {}}).hits.size() == 1);
  CHECK(store.search({"eve", "better", 20, {}}).hits.empty());
  CHECK(store.search({"eve", "picture", 20, {}}).hits.size() == 1);
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
}

TEST_CASE("a database of the second schema is indexed anew", "[transport][sqlite]") {
  data_folder folder;
  fs::copy_file(TROUPE_TEST_FOLDER "/transport/fixtures/store/v2.db", folder.file());
  auto& store = folder.open();
  CHECK(folder.sql("PRAGMA user_version") == std::to_string(newest_schema()));
  CHECK(folder.port->notice().find("search index") != std::string::npos);
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "0");
  CHECK(store.search({"", "everest", 20, {}}).hits.size() == 1);
  CHECK(store.search({"eve", "pict*", 20, {}}).hits.size() == 1);
  bool more = true;
  while (more)
    REQUIRE_FALSE(store.tidy(more));
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "3");
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
  folder.open();
  CHECK(folder.port->notice().empty());
}

TEST_CASE("a database of the third schema is indexed anew if a text has U+0000",
          "[transport][sqlite]") {
  const bool cut = GENERATE(false, true);
  data_folder folder;
  const std::string text{"first\0second", 12};
  save(folder.open(), saving("a", {said(role::user, cut ? text : "first", "m1")}));
  CHECK(folder.open().search({"", "first", 20, {}}).hits.size() == 1);
  folder.sql("PRAGMA user_version = 3");
  REQUIRE_FALSE(migrate(*connection(folder.file()), 4));
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == (cut ? "0" : "1"));
  CHECK(folder.open().search({"", "first", 20, {}}).hits.size() == 1);
  CHECK(folder.open().search({"", "second", 20, {}}).hits.size() == (cut ? 1 : 0));
}

TEST_CASE("a database of the fourth schema is indexed by the new words", "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("a", {said(role::user, "ship it 🚀", "m1"), said(role::user, "🎉", "m2"),
                                   said(role::assistant, "in der Straße", "m3")}));
  CHECK(folder.open().search({"", "ship", 20, {}}).hits.size() == 1);
  folder.sql("INSERT INTO search(search) VALUES('delete-all')"); // the words of before
  folder.sql(
      "INSERT INTO search(rowid, owner, text) SELECT id, 'o' || (id >> 48), 'ship it straße' "
      "FROM search_rows");
  folder.sql("PRAGMA user_version = 4");
  auto& store = folder.open();
  CHECK(folder.port->notice().find("search index is made anew") != std::string::npos);
  for (bool more = true; more;)
    REQUIRE_FALSE(store.tidy(more));
  CHECK(store.search({"", "🚀", 20, {}}).hits.size() == 1);
  CHECK(store.search({"", "🎉", 20, {}}).hits.size() == 1);
  CHECK(store.search({"", "strasse", 20, {}}).hits.size() == 1);
  CHECK(store.search({"", "ship", 20, {}}).hits.size() == 1);
  folder.open();
  CHECK(folder.port->notice().empty());
}

TEST_CASE("a database that cannot have a log of writes is refused", "[transport][sqlite]") {
  const auto why = migrate(*connection(":memory:"));
  CHECK(why.code == errc::store_failed);
  CHECK(why.message.find("shared memory") != std::string::npos);
}

} // namespace sqlite_schema_test
