// Chats that are read piece by piece while others write.
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/long_chats.hpp"

namespace sqlite_reading_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a chat that is there is read beside, one that is not is known at once",
          "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, saving("short", {said(role::user, "hi")}));
  chat_record out;
  CHECK_FALSE(store.load_at_once({"short"}, out));
  CHECK(store.load_at_once({"nobody"}, out));
  CHECK(out.version == 0);
  CHECK_FALSE(out.error);
  CHECK(save(store, saving("short", {said(role::user, "ho")}, 1)) == 2);
  CHECK(save(store, saving("nobody", {said(role::user, "I am")})) == 1);
}

TEST_CASE("a long chat is read in pieces, a short one at once", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, long_chat("a"));
  save(store, saving("b", {said(role::user, "hi")}));
  int pieces = 0;
  finish(*reading_of(*folder.port, "a"), &pieces);
  CHECK(pieces == 4);
  pieces = 0;
  finish(*reading_of(*folder.port, "b"), &pieces);
  CHECK(pieces == 1);
}

TEST_CASE("long messages are pieces of their own, in a load as well", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto chat = saving("a", {});
  for (int i = 0; i < 3; ++i)
    chat.more.push_back(said(role::user, std::string(300 * 1024, 'x')));
  chat.more[1].text.clear();
  chat.more[1].files = {{"image/png", "data:image/png;base64," + std::string(300 * 1024, 'A'), ""}};
  save(store, chat);
  int pieces = 0;
  CHECK(finish(*reading_of(*folder.port, "a"), &pieces).history == chat.more);
  CHECK(pieces == 4);
}

TEST_CASE("a chat that cannot be read is no half of one", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, long_chat("a"));
  folder.sql("UPDATE messages SET body = '{broken' WHERE id & 1048575 = 700");
  const auto got = finish(*reading_of(*folder.port, "a"));
  CHECK(got.error.code == errc::store_damaged);
  CHECK(got.history.empty());
  CHECK(got.session_id == "a");
  CHECK(got.number == 5);
}

TEST_CASE("a damaged number of messages leads to no other chat", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, saving("mine", {said(role::user, "hi")}));
  save(store, saving("other", {said(role::user, "secret")}));
  folder.sql("UPDATE conversations SET messages = 1 << 60 WHERE name = 'mine'");
  const auto reading = reading_of(*folder.port, "mine");
  const auto out = finish(*reading);
  REQUIRE(out.history.size() == 1);
  CHECK(out.history[0].text == "hi");
  CHECK(store.get({"mine"}).found.messages.size() == 1);
}

} // namespace sqlite_reading_test
