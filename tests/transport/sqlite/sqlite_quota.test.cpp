// What owners keep is counted, and bounded.
#include <random>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_quota_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// A folder whose owners have a quota.
class bounded_folder : public data_folder {
public:
  store_connection& open_with(const owner_quota& quota) {
    store.reset();
    port.reset();
    failure why;
    auto options = data_folder::options();
    options.quota = quota;
    port = open_sqlite_store(path, why, options);
    INFO(why.text());
    REQUIRE(port != nullptr);
    store = another();
    return *store;
  }

  /// Counts the rows themselves, as a new database would.
  owner_holdings counted(const std::string& owner = {}) {
    const auto of_owner = "(SELECT id FROM conversations WHERE owner = "
                          "(SELECT id FROM owners WHERE name = '" +
                          owner + "'))";
    const auto rows = sql("SELECT count(*) FROM conversations WHERE id IN " + of_owner);
    const auto messages =
        sql("SELECT coalesce(sum(length(CAST(text AS BLOB)) + length(CAST(body AS "
            "BLOB)) + length(CAST(message_id AS BLOB)) + 256), 0) FROM messages "
            "WHERE id >> 20 IN " +
            of_owner);
    const auto turns = sql("SELECT 256 * count(*) FROM turns WHERE conversation IN " + of_owner);
    return {std::stoull(rows), std::stoull(messages) + std::stoull(turns)};
  }
};

owner_holdings held(store_connection& store, const std::string& owner = {}) {
  const auto table = store.used({owner, {}, {}});
  CHECK_FALSE(table.error);
  return table.kept;
}

/// The first save of a turn that appends a message.
save_chat beginning(const std::string& id, const std::string& text, uint64_t keep = 0) {
  static int turns = 0;
  auto out = saving(id, {said(role::user, text, "u")}, keep);
  out.begins = true;
  out.turn.turn_id = "t" + std::to_string(++turns);
  return out;
}

failure refusal(store_connection& store, const save_chat& what) {
  return store.save(what).error;
}

change_conversation making(conversation_verb verb, const std::string& id) {
  change_conversation out;
  out.verb = verb;
  out.session_id = id;
  return out;
}

change_conversation importing(const std::string& id, size_t messages, size_t bytes = 10) {
  auto out = making(conversation_verb::import, id);
  for (size_t i = 0; i < messages; ++i)
    out.content.messages.push_back({said(role::user, std::string(bytes, 'x')), 1});
  return out;
}

change_conversation branching(const std::string& from, const std::string& to) {
  auto out = making(conversation_verb::branch, from);
  out.to = to;
  return out;
}

/// Does a change as the store does it: in pieces if it is long.
failure change(store_connection& store, change_conversation ask) {
  auto work = store.stage(ask);
  if (!work)
    return store.change(ask).error;
  conversation_info info;
  for (bool more = true; more;)
    if (auto error = work->step(more, info))
      return error;
  return {};
}

void clear(store_connection& store) {
  for (bool more = true; more;)
    REQUIRE_FALSE(store.tidy(more));
}

} // namespace

TEST_CASE("an owner can keep so many conversations and no more", "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({2, 0});
  save(store, beginning("a", "one"));
  save(store, beginning("b", "two"));
  const auto why = refusal(store, beginning("c", "three"));
  CHECK(why.code == errc::quota_used_up);
  CHECK(why.message == "2 conversations are kept, and 2 may be; delete conversations that are not "
                       "needed any more.");
  CHECK(store.load({"c"}).version == 0);
  CHECK(change(store, importing("c", 1)).code == errc::quota_used_up);
  CHECK(change(store, importing("c", 1000)).code == errc::quota_used_up);
  CHECK(change(store, branching("a", "c")).code == errc::quota_used_up);
  save(store, beginning("a", "goes on", 1));
  save(store, beginning(scoped_id("eve", "c"), "another owner"));
  CHECK(held(store).conversations == 2);
  REQUIRE_FALSE(change(store, making(conversation_verb::remove, "b")));
  save(store, beginning("c", "three"));
  CHECK(refusal(store, beginning("d", "four")).code == errc::quota_used_up);
}

TEST_CASE("a turn that would pass the bytes is refused, one that runs is kept",
          "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({0, 10'000});
  save(store, beginning("a", std::string(5000, 'x')));
  CHECK(held(store).bytes == 5000 + 1 + 2 * kept_row_bytes);
  const auto why = refusal(store, beginning("a", std::string(5000, 'y'), 1));
  CHECK(why.code == errc::quota_used_up);
  CHECK(why.message == "5513 bytes of conversations are kept, 10000 may be, and this would add "
                       "5513; delete conversations that are not needed any more.");
  CHECK(store.load({"a"}).history.size() == 1);
  SECTION("what it brings is over the bounds by as much as it brings") {
    save(store, beginning("a", "short", 1));
    save(store, saving("a", {said(role::assistant, std::string(20'000, 'z'), "r")}, 2));
    CHECK(held(store).bytes > 25'000);
    CHECK(refusal(store, beginning("a", "", 3)).code == errc::quota_used_up);
    CHECK(refusal(store, beginning("b", "")).code == errc::quota_used_up);
    SECTION("cutting makes room in the same step") {
      save(store, beginning("a", "instead", 1));
      CHECK(held(store).bytes < 10'000);
    }
    SECTION("deleting makes room") {
      REQUIRE_FALSE(change(store, making(conversation_verb::remove, "a")));
      save(store, beginning("b", ""));
    }
  }
  SECTION("imports and branches") {
    CHECK(change(store, importing("b", 1, 5000)).code == errc::quota_used_up);
    CHECK(change(store, importing("b", 2000)).code == errc::quota_used_up);
    CHECK(change(store, branching("a", "b")).code == errc::quota_used_up);
    REQUIRE_FALSE(change(store, importing("b", 1, 4000)));
  }
}

TEST_CASE("turns of an import count, too", "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({0, 10'000});
  auto ask = importing("a", 1);
  for (int i = 0; i < 40; ++i)
    ask.content.turns.emplace_back().turn_id = "t" + std::to_string(i);
  CHECK(change(store, ask).code == errc::quota_used_up);
  ask.content.turns.resize(20);
  REQUIRE_FALSE(change(store, ask));
  CHECK(held(store).bytes > 20 * kept_row_bytes);
  CHECK(held(store).bytes == folder.counted().bytes);
}

TEST_CASE("long texts of imported turns count, and again in each branch",
          "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({0, 10'000});
  auto ask = importing("a", 1);
  ask.content.messages[0].message.id = "m";
  auto& turn = ask.content.turns.emplace_back();
  turn.turn_id = "t";
  turn.message_id = "m";
  turn.state = turn_state::failed;
  turn.error = {errc::model_failed, std::string(4000, 'e')};
  REQUIRE_FALSE(change(store, ask));
  const auto once = held(store).bytes;
  CHECK(once > 4000);
  CHECK(once < 5000);
  REQUIRE_FALSE(change(store, branching("a", "b")));
  CHECK(held(store).bytes == 2 * once);
  CHECK(change(store, branching("a", "c")).code == errc::quota_used_up);
}

TEST_CASE("a long change that passes the quota on its way leaves nothing",
          "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({3, 1'000'000});
  REQUIRE_FALSE(change(store, importing("a", 1000)));
  auto ask = GENERATE(0, 1) == 0 ? importing("b", 1000) : branching("a", "b");
  auto work = store.stage(ask);
  REQUIRE(work != nullptr);
  conversation_info info;
  bool more = true;
  REQUIRE_FALSE(work->step(more, info));
  REQUIRE_FALSE(work->step(more, info));
  REQUIRE(more);
  SECTION("others have used the bytes up") {
    save(store, saving("other", {said(role::assistant, std::string(700'000, 'x'))}));
  }
  SECTION("others have used the number up") {
    save(store, beginning("c", "x"));
    save(store, beginning("d", "x"));
  }
  failure why;
  while (more && !why)
    why = work->step(more, info);
  CHECK(why.code == errc::quota_used_up);
  work.reset();
  clear(store);
  CHECK(store.load({"b"}).version == 0);
  CHECK(folder.sql("SELECT count(*) FROM conversations WHERE owner = 0") == "0");
}

TEST_CASE("a refused beginning leaves the writes that share its commit alone",
          "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({1, 0});
  REQUIRE_FALSE(store.begin());
  save(store, beginning("a", "one"));
  CHECK(refusal(store, beginning("b", "two")).code == errc::quota_used_up);
  CHECK(store.change(importing("c", 1)).error.code == errc::quota_used_up);
  save(store, saving("a", {said(role::assistant, "answer")}, 1));
  REQUIRE_FALSE(store.commit());
  CHECK(store.load({"a"}).history.size() == 2);
  CHECK(held(store).conversations == 1);
}

TEST_CASE("what was rolled back is not counted", "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({1, 0});
  REQUIRE_FALSE(store.begin());
  save(store, beginning("a", "one"));
  store.roll_back();
  save(store, beginning("b", "two"));
  CHECK(refusal(store, beginning("a", "one")).code == errc::quota_used_up);
}

TEST_CASE("a lower quota after a restart lets nothing grow, and takes nothing away",
          "[transport][sqlite][quota]") {
  bounded_folder folder;
  {
    auto& store = folder.open_with({});
    for (const char* id : {"a", "b", "c"})
      save(store, beginning(id, "text"));
  }
  auto& store = folder.open_with({1, 0});
  save(store, beginning("a", "goes on", 1));
  CHECK(refusal(store, beginning("d", "text")).code == errc::quota_used_up);
  CHECK(store.list({"", 10, {}}).conversations.size() == 3);
  CHECK(store.used({"", {}, {}}).quota.conversations == 1);
}

TEST_CASE("without a quota nothing is refused, but counted", "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open();
  for (int i = 0; i < 20; ++i)
    save(store, beginning("c" + std::to_string(i), std::string(1000, 'x')));
  CHECK(held(store).conversations == 20);
  CHECK(held(store).bytes == folder.counted().bytes);
  CHECK_FALSE(store.used({"", {}, {}}).quota.any());
  CHECK(held(store, "nobody").conversations == 0);
}

TEST_CASE("whatever is written, the count is that of the rows", "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open_with({1'000'000, 1'000'000'000});
  std::mt19937 dice{7};
  const auto below = [&dice](size_t end) { return dice() % end; };
  const auto message = [&] {
    auto out =
        said(static_cast<role>(below(3)), std::string(below(50), 'x') + "\xC3\xA4\xE2\x82\xAC",
             below(2) == 0 ? "" : "m\xC3\xA4");
    if (below(3) == 0)
      out.reasoning = std::string(below(300), 'r') + "\n\"";
    if (below(3) == 0)
      out.files.push_back({"image/png", "data:image/png;base64,AAAA", "a.png", {}, 0});
    return out;
  };
  for (int step = 0; step < 400; ++step) {
    INFO("step " << step);
    const auto id = "c" + std::to_string(below(8));
    const auto there = store.load({id}).history.size();
    switch (below(6)) {
    case 0:
      static_cast<void>(change(store, making(conversation_verb::remove, id)));
      break;
    case 1:
      static_cast<void>(change(store, importing(id, 1 + below(400))));
      break;
    case 2:
      static_cast<void>(change(store, branching(id, "c" + std::to_string(below(8)))));
      break;
    default: {
      auto ask = saving(id, {}, below(3) == 0 ? below(there + 1) : there);
      for (auto more = below(4); more > 0; --more)
        ask.more.push_back(message());
      ask.turn.turn_id = below(3) == 0 ? "" : "t" + std::to_string(below(5));
      ask.turn.started_ms = 5;
      ask.begins = below(2) == 0;
      save(store, ask);
    }
    }
    if (step % 20 == 0) {
      clear(store);
      CHECK(held(store).bytes == folder.counted().bytes);
      CHECK(held(store).conversations == folder.counted().conversations);
    }
  }
}

TEST_CASE("the count costs a plain chat no write of its row", "[transport][sqlite][quota]") {
  bounded_folder folder;
  auto& store = folder.open("CREATE TABLE IF NOT EXISTS updates(id);"
                            "CREATE TEMP TRIGGER noted AFTER UPDATE ON main.conversations "
                            "BEGIN INSERT INTO updates VALUES(new.id); END");
  const auto updates = [&] { return folder.sql("SELECT count(*) FROM updates"); };
  save(store, beginning("plain", "text"));
  CHECK(updates() == "0");
  save(store, saving("plain", {said(role::assistant, "answer", "a")}, 1));
  CHECK(updates() == "1");
  auto with_file = beginning("file", "text");
  with_file.more[0].files.push_back({"image/png", "data:image/png;base64,AAAA", "a.png", {}, 0});
  save(store, with_file);
  CHECK(updates() == "2");
  CHECK(held(store).bytes == folder.counted().bytes);
}

TEST_CASE("older databases are counted when they are opened", "[transport][sqlite][quota]") {
  bounded_folder folder;
  const auto* version = GENERATE("v1.db", "v2.db");
  std::filesystem::copy_file(std::string{TROUPE_TEST_FOLDER "/transport/fixtures/store/"} + version,
                             folder.file());
  auto& store = folder.open_with({});
  for (const char* owner : {"", "eve"}) {
    CHECK(held(store, owner).conversations > 0);
    CHECK(held(store, owner).bytes == folder.counted(owner).bytes);
  }
}

} // namespace sqlite_quota_test
