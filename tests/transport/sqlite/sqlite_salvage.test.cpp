// Damaged databases: what is whole is saved.
#include <fstream>
#include <numeric>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_salvage_test {

using namespace troupe;
using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

constexpr int chats = 60;
constexpr int messages = 12;

std::string name_of(int chat) {
  return scoped_id(chat % 2 == 0 ? "eve" : "adam", std::to_string(chat));
}

/// A closed folder with many chats, keys and settings.
class full_folder : public data_folder {
public:
  full_folder() {
    auto& in = open();
    for (int i = 0; i < chats; ++i) {
      auto all = saving(name_of(i), {});
      for (int j = 0; j < messages; ++j)
        all.more.push_back(said(role::user, std::to_string(j) + std::string(400, 'w'), "m"));
      all.turn.turn_id = "t";
      all.turn.state = turn_state::ended;
      save(in, all);
    }
    for (const char* id : {"k1", "k2"})
      REQUIRE_FALSE(in.put(api_key{id, "eve", "", "0", false, 0, 0, 1, 0}));
    REQUIRE_FALSE(in.put(setting{"mcpServers/x", "{}"}));
    close();
  }

  void close() {
    store.reset();
    port.reset();
    sql("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /// Returns the pages of a table.
  std::vector<int> pages(const std::string& table, const std::string& kind) {
    std::vector<int> out;
    auto text = sql("SELECT group_concat(pageno, ' ') FROM dbstat WHERE name = '" + table +
                    "' AND pagetype = '" + kind + "'");
    std::istringstream numbers{text};
    for (int page = 0; numbers >> page;)
      out.push_back(page);
    return out;
  }

  /// Overwrites pages, as a bad disk does, and has the next start look at all of them.
  void damage(const std::vector<int>& numbers) {
    std::fstream all{file(), std::ios::in | std::ios::out | std::ios::binary};
    for (const int page : numbers) {
      all.seekp((page - 1) * 4096);
      all << std::string(4096, 'x');
    }
    std::ofstream{path + "/troupe.db.suspect"};
  }

  /// Returns how many messages all chats have.
  size_t count() {
    size_t out = 0;
    for (int i = 0; i < chats; ++i) {
      const auto chat = store->load({name_of(i)});
      CHECK_FALSE(chat.error);
      out += chat.history.size();
      if (chat.version != 0)
        CHECK(store->get({name_of(i)}).found.info.messages == chat.history.size());
    }
    return out;
  }
};

} // namespace

TEST_CASE("damaged pages of messages cost only what stood in them", "[transport][sqlite]") {
  full_folder folder;
  const auto leaves = folder.pages("messages", "leaf");
  REQUIRE(leaves.size() > 60);
  folder.damage({leaves[3], leaves[4], leaves[20], leaves[40], leaves[41], leaves.back()});
  auto& store = folder.open();
  const auto notice = folder.port->notice();
  INFO(notice);
  CHECK(notice.find("60 conversations with ") != std::string::npos);
  CHECK(notice.find("and 2 keys were saved") != std::string::npos);
  const auto left = folder.count();
  CHECK(left < chats * messages);
  CHECK(left >= chats * messages - 6 * 10);
  CHECK(store.keys({}).keys.size() == 2);
  CHECK(store.settings({}).settings.size() == 1);
  CHECK(store.get({name_of(59)}).found.turns.size() == 1);
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
  CHECK(save(store, saving(name_of(0), {said(role::user, "more")}, 1)) == 2);
  folder.open();
  CHECK(folder.port->notice().empty());
}

TEST_CASE("whatever page is damaged, the folder opens and the rest is there",
          "[transport][sqlite]") {
  full_folder folder;
  fs::copy_file(folder.file(), folder.path + "/whole");
  const auto last = std::stoi(folder.sql("PRAGMA page_count"));
  const auto leaves = folder.pages("messages", "leaf");
  for (int page = 1; page <= last; page += page < 40 ? 1 : 7) {
    INFO("page " << page);
    fs::copy_file(folder.path + "/whole", folder.file(), fs::copy_options::overwrite_existing);
    folder.damage({page});
    folder.open();
    const auto left = folder.count();
    if (std::find(leaves.begin(), leaves.end(), page) != leaves.end())
      CHECK(left >= chats * messages - 10);
    CHECK_FALSE(fs::exists(folder.path + "/troupe.db.new"));
    folder.close();
  }
}

TEST_CASE("what was removed does not come back", "[transport][sqlite]") {
  full_folder folder;
  auto& store = folder.open();
  save(store, saving("long", std::vector(600, said(role::user, "secret"))));
  save(store, saving("cut", std::vector(600, said(role::user, "secret"))));
  save(store, saving("cut", {said(role::user, "in its place")}, 2));
  change_conversation removal;
  removal.verb = conversation_verb::remove;
  for (const auto& id : {std::string{"long"}, name_of(1)}) {
    removal.session_id = id;
    REQUIRE_FALSE(store.change(removal).error);
  }
  folder.close();
  folder.damage({folder.pages("messages", "leaf")[2]});
  folder.open();
  CHECK(folder.store->load({"long"}).version == 0);
  CHECK(texts_of(folder.store->load({"cut"}).history) ==
        std::vector<std::string>{"secret", "secret", "in its place"});
  CHECK(folder.store->load({name_of(1)}).version == 0);
  CHECK(folder.sql("SELECT count(*) FROM messages WHERE text = 'secret'") == "2");
}

TEST_CASE("a salvage that the end of a process broke off begins again", "[transport][sqlite]") {
  full_folder folder;
  folder.damage({folder.pages("messages", "leaf")[2]});
  std::ofstream{folder.path + "/troupe.db.new"} << "half";
  folder.open();
  CHECK(folder.count() >= chats * messages - 10);
}

TEST_CASE("a salvage whose process ended before the new database took its place is used",
          "[transport][sqlite]") {
  full_folder folder;
  std::filesystem::rename(folder.file(), folder.path + "/troupe.db.new");
  folder.open();
  CHECK(folder.count() == chats * messages);
}

} // namespace sqlite_salvage_test
