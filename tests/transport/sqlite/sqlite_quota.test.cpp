// What owners keep is counted, and bounded.
#include <random>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/quota_asks.hpp"

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

} // namespace

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
      static_cast<void>(do_change(store, changing(id, conversation_verb::remove)));
      break;
    case 1:
      static_cast<void>(do_change(store, importing_texts(id, 1 + below(400))));
      break;
    case 2:
      static_cast<void>(do_change(store, branching(id, "c" + std::to_string(below(8)))));
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
      tidy_up(store);
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
