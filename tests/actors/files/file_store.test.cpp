// The store as an actor, on a real folder.
#include "actors/files/file_store.hpp"

#include <filesystem>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deterministic.hpp"

namespace file_store_test {

using namespace troupe;

namespace {

struct store_config : test::deterministic_config {
  store_config() {
    set("scheduler.policy", caf::atom("stealing"));
  } // a detached actor has a thread
};

/// A store with a folder of its own. It is detached, so the test waits for its answers.
struct store_fixture {
  explicit store_fixture(file_limits of = {}) : limits{of} { start(); }
  ~store_fixture() {
    sys.registry().erase(conversation_reader_name);
    stop();
    std::filesystem::remove_all(path);
  }

  void start() { store = spawn_file_store(*self, {path, limits}); }
  void stop() {
    self->send_exit(store, caf::exit_reason::user_shutdown);
    self->await_all_other_actors_done();
  }

  /// Starts the store again when some time is over; the test answers for who reads conversations.
  void start_later(std::chrono::minutes time) {
    stop();
    for (const auto& each : std::filesystem::directory_iterator{path})
      std::filesystem::last_write_time(each, std::filesystem::last_write_time(each) - time);
    sys.registry().put(conversation_reader_name, caf::actor_cast<caf::strong_actor_ptr>(self));
    start();
    ask<file_page>(list_files{}); // it has started
  }

  /// Answers whether the chat is there that the store asks for. Returns its id.
  std::string answer(bool is_there) {
    std::string asked;
    self->receive(
        [&](const get_conversation& what) {
          asked = what.session_id;
          conversation_answer out;
          out.found.info.version = is_there ? 1 : 0;
          out.error.code = is_there ? errc::too_many_connections : errc::conversation_unknown;
          return out;
        },
        caf::after(std::chrono::seconds{20}) >> [] { FAIL("the store asks for no chat"); });
    return asked;
  }

  bool asks() {
    ask<file_page>(list_files{});
    return self->has_next_message();
  }

  template <class Answer, class Ask>
  Answer ask(Ask what) {
    Answer out;
    self->request(store, std::chrono::seconds{20}, std::move(what))
        .receive([&](Answer& answer) { out = std::move(answer); },
                 [&](caf::error& why) { FAIL(sys.render(why)); });
    return out;
  }

  /// Begins an upload and sends some of it. Returns its name.
  std::string begin(const std::string& owner, const std::string& bytes) {
    begin_file ask;
    ask.upload = make_id("upload_");
    ask.owner = owner;
    ask.content_type = "text/plain";
    ask.flow = std::make_shared<upload_flow>();
    ask.flow->waiting = bytes.size();
    self->send(store, ask);
    self->send(store, file_bytes{ask.upload, bytes});
    return ask.upload;
  }

  file_answer end(const std::string& upload) { return ask<file_answer>(end_file{upload, false}); }

  file_answer upload(const std::string& owner, const std::string& bytes) {
    return end(begin(owner, bytes));
  }

  bool knows(const std::string& owner, const std::string& id) {
    return !ask<file_answer>(file_request{owner, id, false}).error;
  }

  file_contents contents(const std::string& chat, std::vector<std::string> ids,
                         uint32_t wanted = 1) {
    return ask<file_contents>(read_chat_files{chat, std::move(ids), wanted, true});
  }

  std::vector<std::string> users(const std::string& id) {
    return ask<file_answer>(file_request{"alice", id, false}).file.chats;
  }

  file_limits limits;
  std::filesystem::path path = std::filesystem::temp_directory_path() / make_id("troupe-files-");
  store_config config;
  caf::actor_system sys{config};
  caf::scoped_actor self{sys};
  file_store_actor store;
};

} // namespace

TEST_CASE("an uploaded file is its owner's", "[actors][file_store]") {
  store_fixture on;
  const auto made = on.upload("alice", "words");
  REQUIRE_FALSE(made.error);
  CHECK(made.file.bytes == 5);
  CHECK(made.file.expires_at > made.file.created_at);
  CHECK(on.knows("alice", made.file.id));
  CHECK_FALSE(on.knows("bob", made.file.id));
  const auto piece = on.ask<file_piece>(read_file_piece{"alice", made.file.id, 1, 3});
  CHECK(piece.bytes == "ord");
  CHECK(on.ask<file_piece>(read_file_piece{"bob", made.file.id}).error.code == errc::file_unknown);
  CHECK_FALSE(on.ask<file_answer>(file_request{"alice", made.file.id, true}).error);
  CHECK_FALSE(on.knows("alice", made.file.id));
}

TEST_CASE("an owner may upload so much, also in uploads that run at once", "[actors][file_store]") {
  file_limits limits;
  limits.max_owner_bytes = 10;
  store_fixture on{limits};
  REQUIRE_FALSE(on.upload("alice", "123456").error);
  CHECK(on.upload("alice", "123456").error.code == errc::quota_used_up);
  CHECK_FALSE(on.upload("bob", "123456").error);
}

TEST_CASE("an upload that is refused takes no room while its client goes on",
          "[actors][file_store]") {
  file_limits limits;
  limits.max_owner_bytes = 10;
  store_fixture on{limits};
  const auto first = on.begin("alice", "123456");
  const auto second = on.begin("alice", "123456");
  on.self->send(on.store, file_bytes{first, "789"});
  CHECK_FALSE(on.end(first).error);
  using files = std::filesystem::directory_iterator;
  CHECK(std::distance(files{on.path}, files{}) == 2); // the bytes and the description of the first
  CHECK(on.end(second).error.code == errc::quota_used_up);
}

TEST_CASE("a chat gets the bytes of its owner's files, and keeps them", "[actors][file_store]") {
  store_fixture on;
  const auto mine = on.upload("alice", "words").file.id;
  const auto chat = scoped_id("alice", "chat");
  const auto got = on.contents(chat, {mine});
  REQUIRE(got.files.size() == 1);
  CHECK(got.files[0].url == "data:text/plain;base64,d29yZHM=");
  const auto other = on.contents(scoped_id("bob", "chat"), {mine});
  CHECK(other.error.code == errc::file_unknown);
  CHECK(on.contents(chat, {mine, make_id("file-")}, 0).files.size() == 1); // an old one is gone
  on.self->send(on.store, chat_files_news{chat, scoped_id("alice", "branch"), {}});
  on.self->send(on.store, chat_files_news{chat, "", {}});
  CHECK(on.knows("alice", mine));
  on.self->send(on.store, chat_files_news{scoped_id("alice", "branch"), "", {}});
  CHECK_FALSE(on.knows("alice", mine));
}

TEST_CASE("a chat that came with files of its owner keeps them", "[actors][file_store]") {
  store_fixture on;
  const auto mine = on.upload("alice", "words").file.id;
  const auto chat = scoped_id("alice", "chat"), back = scoped_id("alice", "back");
  CHECK(on.contents(chat, {mine}).files.size() == 1);
  on.self->send(on.store, chat_files_news{back, "", {mine, make_id("file-")}});
  on.self->send(on.store, chat_files_news{scoped_id("bob", "theft"), "", {mine}});
  on.self->send(on.store, chat_files_news{chat, "", {}});
  CHECK(on.knows("alice", mine));
  on.self->send(on.store, chat_files_news{back, "", {}});
  CHECK_FALSE(on.knows("alice", mine)); // it was never bob's
}

TEST_CASE("files of a chat that went without a word expire a week later", "[actors][file_store]") {
  using names = std::vector<std::string>;
  store_fixture on;
  const auto gone = scoped_id("alice", "gone"), there = scoped_id("alice", "there");
  const auto own = on.upload("alice", "own").file, shared = on.upload("alice", "shared").file;
  on.contents(gone, {own.id, shared.id});
  on.contents(there, {shared.id});
  on.start_later(std::chrono::minutes{59}); // a chat's first save may come later than its use
  CHECK_FALSE(on.asks());
  on.start_later(std::chrono::minutes{2});
  CHECK(on.answer(false) == gone);
  CHECK(on.answer(true) == there);
  CHECK_FALSE(on.asks());
  CHECK(on.users(own.id).empty());
  CHECK(on.users(shared.id) == names{there});
  const auto left = on.ask<file_answer>(file_request{"alice", own.id}).file.expires_at -
                    on.ask<file_answer>(file_request{"alice", own.id}).file.created_at;
  CHECK(left >= int64_t{7} * 24 * 3600);
  CHECK(left < int64_t{8} * 24 * 3600);
  on.start_later(std::chrono::hours{2});
  CHECK(on.answer(true) == there);
  CHECK(on.users(own.id).empty());
}

TEST_CASE("a chat that uses its file again is not looked for", "[actors][file_store]") {
  store_fixture on;
  const auto chat = scoped_id("alice", "chat");
  const auto file = on.upload("alice", "words").file.id;
  on.contents(chat, {file});
  on.start_later(std::chrono::hours{2});
  on.contents(chat, {file}); // a new chat, whose first save comes now
  CHECK(on.answer(false) == chat);
  CHECK(on.users(file) == std::vector{chat});
  CHECK_FALSE(on.asks());
}

TEST_CASE("an upload that was dropped is nothing", "[actors][file_store]") {
  store_fixture on;
  begin_file begin;
  begin.upload = "u";
  begin.content_type = "text/plain";
  begin.flow = std::make_shared<upload_flow>();
  on.self->send(on.store, begin);
  on.self->send(on.store, file_bytes{"u", "half"});
  CHECK_FALSE(on.ask<file_answer>(end_file{"u", true}).error);
  CHECK(on.ask<file_page>(list_files{}).files.empty());
  CHECK(on.ask<file_answer>(end_file{"u", false}).error.code == errc::store_failed);
}

} // namespace file_store_test
