// Long tails that are cut off: gone at once, cleared away in pieces.
#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_tails_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr size_t many = 1000;

std::vector<chat_message> messages(size_t count, const std::string& word = "old") {
  std::vector<chat_message> out;
  for (size_t i = 0; i < count; ++i)
    out.push_back(said(i % 2 == 0 ? role::user : role::assistant, word + " " + std::to_string(i),
                       word + std::to_string(i)));
  return out;
}

void clear(store_connection& store, int* pieces = nullptr) {
  for (bool more = true; more;) {
    const auto error = store.tidy(more);
    INFO(error.text());
    REQUIRE_FALSE(error);
    if (pieces != nullptr)
      ++*pieces;
  }
}

/// A folder with a long chat "a", all of it in the search index.
class long_chat_folder : public data_folder {
public:
  long_chat_folder() {
    save(open(), saving("a", messages(many)));
    clear(*store);
  }

  std::string rows() {
    return sql("SELECT count(*) || ' ' || (SELECT count(*) FROM messages) || ' ' || "
               "(SELECT count(*) FROM search_rows) || ' ' || (SELECT count(*) FROM cut_tails) "
               "FROM conversations");
  }

  size_t hits(const std::string& word) {
    size_t out = 0;
    search_conversations ask{"", word, 100, {}};
    do {
      const auto page = store->search(ask);
      CHECK_FALSE(page.error);
      out += page.hits.size();
      ask.cursor = page.next;
    } while (!ask.cursor.empty());
    return out;
  }

  /// Expects "a" to have these messages, in whatever way it is looked at.
  void has(const std::vector<chat_message>& expected) {
    CHECK(store->load({"a"}).history == expected);
    const auto found = store->get({"a"}).found;
    CHECK(found.info.messages == expected.size());
    CHECK(found.messages.size() == expected.size());
    failure why;
    const auto reading = port->read_chat({"a"}, why);
    chat_record record;
    while (reading->step(record))
      continue;
    CHECK(record.history == expected);
  }
};

/// Returns the first `keep` messages and one more.
std::vector<chat_message> kept(size_t keep, const chat_message& more) {
  auto out = messages(keep);
  out.push_back(more);
  return out;
}

} // namespace

TEST_CASE("a long tail is gone at once, and cleared away in pieces", "[transport][sqlite]") {
  long_chat_folder folder;
  CHECK(folder.rows() == "1 1000 1000 0");
  const auto anew = said(role::user, "anew", "n");
  save(*folder.store, saving("a", {anew}, 10));
  CHECK(folder.rows() == "1 1000 999 1"); // the new message took a place
  folder.has(kept(10, anew));
  CHECK(folder.hits("old") == 10);
  CHECK(folder.hits("anew") == 1);
  int pieces = 0;
  clear(*folder.store, &pieces);
  CHECK(pieces >= 4);
  CHECK(folder.rows() == "1 11 11 0");
  folder.has(kept(10, anew));
  CHECK(folder.hits("old") == 10);
}

TEST_CASE("what is added before a tail is cleared away takes its places", "[transport][sqlite]") {
  long_chat_folder folder;
  save(*folder.store, saving("a", {}, 10));
  auto expected = messages(10);
  for (const auto& each : messages(200, "new")) {
    save(*folder.store, saving("a", {each}, expected.size()));
    expected.push_back(each);
  }
  folder.has(expected);
  CHECK(folder.hits("new") == 200);
  clear(*folder.store);
  folder.has(expected);
  CHECK(folder.rows() == "1 210 210 0");
  CHECK(folder.hits("new") == 200);
  CHECK(folder.hits("old") == 10);
}

TEST_CASE("a chat with a tail is cut once more", "[transport][sqlite]") {
  long_chat_folder folder;
  save(*folder.store, saving("a", {}, 600));
  SECTION("by a few messages, which are cleared away at once") {
    save(*folder.store, saving("a", {}, 598));
    CHECK(folder.rows() == "1 998 998 1");
    folder.has(messages(598));
    clear(*folder.store);
    CHECK(folder.rows() == "1 598 598 0");
  }
  SECTION("by many") {
    save(*folder.store, saving("a", {}, 100));
    folder.has(messages(100));
    clear(*folder.store);
    CHECK(folder.rows() == "1 100 100 0");
  }
  SECTION("while it is cleared away") {
    bool more = true;
    REQUIRE_FALSE(folder.store->tidy(more));
    save(*folder.store, saving("a", {}, 0));
    folder.has({});
    clear(*folder.store);
    CHECK(folder.rows() == "1 0 0 0");
  }
}

TEST_CASE("a tail of long messages is cut off as one of many", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto chat = saving("a", std::vector(4, said(role::user, std::string(300 * 1024, 'x'))));
  save(store, chat);
  save(store, saving("a", {}, 1));
  CHECK(store.load({"a"}).history.size() == 1);
  CHECK(folder.sql("SELECT count(*) FROM messages") == "4");
  clear(store);
  CHECK(folder.sql("SELECT count(*) FROM messages") == "1");
  save(store, chat);
  save(store, saving("a", {}, 3)); // one message is one piece
  CHECK(folder.sql("SELECT count(*) FROM messages") == "3");
}

TEST_CASE("a branch does not see the tail of its chat", "[transport][sqlite]") {
  long_chat_folder folder;
  save(*folder.store, saving("a", {}, 20));
  change_conversation branch;
  branch.verb = conversation_verb::branch;
  branch.session_id = "a";
  branch.to = "b";
  branch.message_id = "old500";
  CHECK(folder.store->change(branch).error.code == errc::request_invalid);
  branch.message_id = "old15";
  REQUIRE_FALSE(folder.store->change(branch).error);
  CHECK(folder.store->load({"b"}).history == messages(16));
  branch.message_id.clear();
  branch.to = "c";
  REQUIRE_FALSE(folder.store->change(branch).error);
  CHECK(folder.store->load({"c"}).history == messages(20));
}

TEST_CASE("a chat is removed with its tail", "[transport][sqlite]") {
  long_chat_folder folder;
  save(*folder.store, saving("a", {}, 20));
  change_conversation removal;
  removal.verb = conversation_verb::remove;
  removal.session_id = "a";
  REQUIRE_FALSE(folder.store->change(removal).error);
  CHECK(folder.store->load({"a"}).version == 0);
  save(*folder.store, saving("a", messages(3, "next")));
  clear(*folder.store);
  CHECK(folder.rows() == "1 3 3 0");
  folder.has(messages(3, "next"));
}

TEST_CASE("the next process clears away the tails of the last one", "[transport][sqlite]") {
  long_chat_folder folder;
  save(*folder.store, saving("a", {}, 20));
  folder.open();
  folder.has(messages(20));
  clear(*folder.store);
  CHECK(folder.rows() == "1 20 20 0");
}

TEST_CASE("a tail that is not committed is no tail", "[transport][sqlite]") {
  long_chat_folder folder;
  auto& store = *folder.store;
  REQUIRE_FALSE(store.begin());
  save(store, saving("a", {said(role::user, "x")}, 20));
  store.roll_back();
  folder.has(messages(many));
  CHECK(folder.rows() == "1 1000 1000 0");
}

TEST_CASE("the rows of a tail count until they are cleared away", "[transport][sqlite]") {
  long_chat_folder folder;
  auto& store = *folder.store;
  const auto bytes_of = [&](const std::string& id) {
    return folder.sql("SELECT bytes FROM conversations WHERE name = '" + id + "'");
  };
  const auto before = bytes_of("a");
  save(store, saving("b", kept(20, said(role::user, "x"))));
  save(store, saving("a", {}, 20));
  CHECK(bytes_of("a") == before);
  save(store, saving("a", {said(role::user, "x")}, 20));
  clear(store);
  CHECK(bytes_of("a") == bytes_of("b"));
  save(store, saving("a", {said(role::user, "y")}, 21)); // no older number is written again
  save(store, saving("b", {said(role::user, "y")}, 21));
  CHECK(bytes_of("a") == bytes_of("b"));
}

} // namespace sqlite_tails_test
