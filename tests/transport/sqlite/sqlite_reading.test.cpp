// Chats that are read piece by piece while others write.
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_reading_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr size_t many = 1000;

save_chat long_chat(const std::string& id, size_t messages = many) {
  auto out = saving(id, {});
  for (size_t i = 0; i < messages; ++i)
    out.more.push_back(said(role::user, "word " + std::to_string(i), "m" + std::to_string(i)));
  out.more.back().tool_calls.push_back({"c", "tool", "{}"});
  out.turn.turn_id = "t";
  out.turn.resumable = true;
  out.turn.state = turn_state::running;
  event_batch events;
  events.turn_id = "t";
  events.first_seq = 1;
  events.events.emplace_back(text_delta{"hi"});
  out.events.push_back(std::move(events));
  return out;
}

std::unique_ptr<chat_reading> begin(data_folder& folder, const std::string& id) {
  failure why;
  auto out = folder.port->read_chat({id, {}, 5}, why);
  INFO(why.text());
  REQUIRE(out != nullptr);
  return out;
}

chat_record finish(chat_reading& reading, int* pieces = nullptr) {
  chat_record out;
  for (bool more = true; more;) {
    more = reading.step(out);
    if (pieces != nullptr)
      ++*pieces;
  }
  return out;
}

} // namespace

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
  finish(*begin(folder, "a"), &pieces);
  CHECK(pieces == 4);
  pieces = 0;
  finish(*begin(folder, "b"), &pieces);
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
  CHECK(finish(*begin(folder, "a"), &pieces).history == chat.more);
  CHECK(pieces == 4);
}

TEST_CASE("a chat that cannot be read is no half of one", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, long_chat("a"));
  folder.sql("UPDATE messages SET body = '{broken' WHERE id & 1048575 = 700");
  const auto got = finish(*begin(folder, "a"));
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
  const auto reading = begin(folder, "mine");
  const auto out = finish(*reading);
  REQUIRE(out.history.size() == 1);
  CHECK(out.history[0].text == "hi");
  CHECK(store.get({"mine"}).found.messages.size() == 1);
}

} // namespace sqlite_reading_test
