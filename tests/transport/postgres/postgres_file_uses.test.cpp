// Which chats use uploaded files in PostgreSQL, and how both are copied.
#include <map>
#include <string>
#include <vector>

#include "messages/chat/session_id.hpp"
#include "tests/transport/postgres/kept_files.hpp"
#include "tests/transport/store/change_asks.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/store_copy.hpp"

namespace postgres_file_uses_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr auto piece = postgres_files::piece_bytes;

struct quiet_watcher : copy_watcher {
  void went_on(const copy_report&) override {}
  void left_out(const std::string&, const std::string& id, const failure& why) override {
    FAIL_CHECK(id << ": " << why.text());
  }
};

} // namespace

TEST_CASE("a file goes with the last chat that has used it", "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  const auto used = keep(files, file_of("eve"), "x");
  const auto other = keep(files, file_of("eve"), "x");
  files.use(used.id, "a");
  files.use(used.id, "a");
  files.use(other.id, "c");
  files.copy_chat("a", "b");
  stored_file found;
  REQUIRE_FALSE(files.find("eve", used.id, found));
  CHECK(found.chats.size() == 1);
  files.forget_chat("a");
  CHECK_FALSE(files.find("eve", used.id, found));
  files.forget_chat("b");
  CHECK(files.find("eve", used.id, found).code == errc::file_unknown);
  CHECK_FALSE(files.find("eve", other.id, found));
  CHECK(on.count("SELECT count(*) FROM file_pieces") == 1);
}

TEST_CASE("a chat that is removed uses no file any more, though nobody says so to the files",
          "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  auto& store = *on.folder.store;
  const auto own = keep(files, file_of("eve"), many_bytes(2 * piece));
  const auto shared = keep(files, file_of("eve"), "x");
  std::vector<chat_message> many(piece_rows + 1, said(role::user, "x"));
  const auto brief = scoped_id("eve", "brief"), longer = scoped_id("eve", "longer");
  save(store, saving(brief, {said(role::user, "x")}));
  save(store, saving(longer, many));
  files.use(own.id, brief);
  files.use(shared.id, brief);
  files.use(shared.id, longer);
  REQUIRE_FALSE(store.begin());
  REQUIRE_FALSE(store.change(changing(brief, conversation_verb::remove)).error);
  store.roll_back();
  stored_file found;
  CHECK_FALSE(files.find("eve", own.id, found));
  REQUIRE_FALSE(store.change(changing(brief, conversation_verb::remove)).error);
  CHECK(files.find("eve", own.id, found).code == errc::file_unknown);
  CHECK_FALSE(files.find("eve", shared.id, found));
  uint64_t held = 0;
  REQUIRE_FALSE(files.held("eve", held));
  CHECK(held == 1);
  REQUIRE_FALSE(store.change(changing(longer, conversation_verb::remove)).error);
  CHECK(files.find("eve", shared.id, found).code == errc::file_unknown);
  CHECK(on.count("SELECT count(*) FROM file_uses") == 0);
  files.sweep(0);
  CHECK(on.count("SELECT count(*) FROM file_pieces") == 0);
  CHECK(on.count("SELECT count(*) FROM file_uploads") == 0);
}

TEST_CASE("files are copied with the chats that use them, once", "[transport][postgres]") {
  const opened_files from, to;
  std::vector<stored_file> all;
  for (int i = 0; i < 3; ++i)
    all.push_back(keep(*from, file_of("eve", i), many_bytes(piece * 5 + 7)));
  (*from).use(all[0].id, "a");
  (*from).use(all[0].id, "b");
  failure why; // a part of an earlier copy
  REQUIRE_FALSE((*to).create(all[1].id, why)->write(many_bytes(2 * piece)));
  for (const uint64_t copied : {3, 0}) {
    uint64_t count = 0;
    REQUIRE_FALSE(copy_files(*from, *to, count));
    CHECK(count == copied);
  }
  std::vector<stored_file> there, here;
  REQUIRE_FALSE((*to).all({}, there));
  REQUIRE_FALSE((*from).all({}, here));
  REQUIRE(there.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(to_json(there[i]) == to_json(here[i]));
    std::string bytes;
    REQUIRE_FALSE((*to).read(there[i].id, 0, there[i].bytes, bytes));
    CHECK((bytes == many_bytes(piece * 5 + 7)));
  }
  CHECK((*to).all(there.back().id, there).code == errc::none);
  CHECK(there.size() == 3);
}

TEST_CASE("a branch and an import use their files from the moment they are there",
          "[transport][postgres]") {
  const opened_files files;
  auto& store = *files.folder.store;
  const auto branched = keep(*files, file_of("eve"), "x"),
             named = keep(*files, file_of("eve"), "x");
  const auto of_ann = keep(*files, file_of("ann"), "x");
  const auto a = scoped_id("eve", "a"), b = scoped_id("eve", "b"), c = scoped_id("eve", "c");
  save(store, saving(a, {said(role::user, "look")}));
  for (const auto& each : {branched, named})
    (*files).use(each.id, a);
  auto import = changing(b, conversation_verb::import);
  auto message = said(role::user, "look");
  for (const auto& each : {named, of_ann}) {
    message_file file;
    file.url = file_url(each.id);
    message.files.push_back(file);
  }
  import.content.messages.push_back({message, 1});
  REQUIRE_FALSE(store.change(import).error);
  REQUIRE_FALSE(store.change(branching(a, c)).error);
  REQUIRE_FALSE(store.change(changing(a, conversation_verb::remove)).error);
  std::vector<stored_file> all;
  REQUIRE_FALSE((*files).all({}, all));
  std::map<std::string, std::vector<std::string>> users;
  for (const auto& each : all)
    users[each.id] = each.chats;
  CHECK(users[branched.id] == std::vector{c});
  CHECK(users[named.id] == std::vector{b, c});
  CHECK(users[of_ann.id].empty());
}

TEST_CASE("a copy that goes on has the files as the source has them now", "[transport][postgres]") {
  const opened_files from, to;
  const auto both = keep(*from, file_of("eve"), "x");
  const auto removed = keep(*from, file_of("eve"), "x");
  const auto used = keep(*from, file_of("eve"), "x");
  for (const auto& chat : {"a", "b"})
    save(*from.folder.store, saving(scoped_id("eve", chat), {said(role::user, chat)}));
  const auto a = scoped_id("eve", "a"), b = scoped_id("eve", "b");
  (*from).use(both.id, a);
  (*from).use(used.id, a);
  quiet_watcher watcher;
  copy_report done;
  const copy_way way{*from.folder.store, *to.folder.store, "here", false, &*from, &*to};
  REQUIRE_FALSE(copy_store(way, watcher, done));
  CHECK(done.files == 3);
  REQUIRE_FALSE(to.folder.store->put(setting{"storeCopy", "\"here\""})); // as if broken off

  REQUIRE_FALSE((*from).remove(removed.id));
  (*from).use(both.id, b);
  (*from).use(used.id, b);
  change_conversation gone;
  gone.session_id = a;
  gone.verb = conversation_verb::remove;
  REQUIRE_FALSE(from.folder.store->change(gone).error);
  (*from).forget_chat(a);
  done = {};
  REQUIRE_FALSE(copy_store(way, watcher, done));
  CHECK(done.removed == 1);
  std::vector<stored_file> there, here;
  REQUIRE_FALSE((*to).all({}, there));
  REQUIRE_FALSE((*from).all({}, here));
  REQUIRE(there.size() == 2);
  for (size_t i = 0; i < 2; ++i)
    CHECK(to_json(there[i]) == to_json(here[i]));
  CHECK(there.front().chats == std::vector{b});
}

} // namespace postgres_file_uses_test
