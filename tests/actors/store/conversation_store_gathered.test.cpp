// A store that takes the saves of a commit together.
#include "tests/actors/store/conversation_store_fixture.hpp"

namespace conversation_store_gathered_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using ids = std::vector<std::string>;
using sizes = std::vector<size_t>;

class gathering : public conversation_store_fixture {
public:
  gathering() { disk.gathers = true; }

  void send_all(const ids& sessions) {
    for (const auto& each : sessions)
      send(save_of(each, "hi"));
  }

  /// Loads a chat with the first save of a turn, and returns the record.
  chat_record begin(const std::string& session) {
    auto first = save_of(session, "hello");
    first.turn.turn_id = "t1";
    send(load_chat{session, first});
    run();
    REQUIRE_FALSE(records.empty());
    return records.back();
  }
};

} // namespace

TEST_CASE_METHOD(gathering, "saves that wait together come in one call, without a transaction",
                 "[actors][conversation_store]") {
  open();
  send_all({"a", "b", "c"});
  const auto before = disk.begins;
  run();
  CHECK(disk.gathered == sizes{3});
  CHECK(disk.begins == before + 1); // that of the call itself
  CHECK(disk.commits == std::vector<ids>{{"a", "b", "c"}});
  REQUIRE(answers.size() == 3);
  CHECK(answers[2].session_id == "c");
  CHECK(answers[2].number == 3);
  CHECK(answers[2].version == 1);
  CHECK(status().saves == 3);
  CHECK(status().commits == 1);
}

TEST_CASE_METHOD(gathering, "a chat is never twice in a call", "[actors][conversation_store]") {
  open();
  send_all({"a", "b", "a", "a"});
  run();
  CHECK(disk.gathered == sizes{2, 1, 1});
  CHECK(disk.commits == std::vector<ids>{{"a", "b", "a", "a"}});
  CHECK(answers.back().version == 3);
}

TEST_CASE_METHOD(gathering, "other writes keep their place among the saves",
                 "[actors][conversation_store]") {
  open();
  send_all({"a", "b"});
  change_conversation rename;
  rename.session_id = "a";
  rename.title = "name";
  self->send(store, rename);
  send_all({"a"});
  run();
  CHECK(disk.gathered == sizes{2, 1});
  CHECK(disk.commits == std::vector<ids>{{"a", "b", "a", "a"}});
  CHECK(answers.back().version == 3);
  CHECK(disk.at("a").info.title == "name");
}

TEST_CASE_METHOD(gathering, "a save that fails the call is found, and the others are kept",
                 "[actors][conversation_store]") {
  open();
  disk.poisoned = "b";
  send_all({"a", "b", "c"});
  run();
  CHECK(errors() == std::vector<errc>{errc::none, errc::store_failed, errc::none});
  CHECK(disk.commits == std::vector<ids>{{"a"}, {"c"}});
}

TEST_CASE_METHOD(gathering, "a refused save leaves the others of its call alone",
                 "[actors][conversation_store]") {
  open();
  send_all({"a"});
  auto refused = save_of("b", "hi");
  refused.if_version = 7;
  send(std::move(refused));
  send_all({"c"});
  run();
  CHECK(errors() == std::vector<errc>{errc::none, errc::conversation_changed, errc::none});
  CHECK(disk.gathered == sizes{3});
  CHECK(disk.at("c").info.version == 1);
}

TEST_CASE_METHOD(gathering, "a save that cannot be kept has no other one of its call made twice",
                 "[actors][conversation_store]") {
  open();
  disk.unfit = "b";
  send_all({"a", "b", "c"});
  run();
  CHECK(errors() == std::vector<errc>{errc::none, errc::store_failed, errc::none});
  CHECK(disk.commits == std::vector<ids>{{"a", "c"}});
  CHECK(disk.at("a").info.version == 1);
  CHECK(status().failures == 1);
}

TEST_CASE_METHOD(gathering, "saves that gather are committed before a load",
                 "[actors][conversation_store]") {
  open();
  send_all({"a"});
  send(load_chat{"a"});
  run();
  REQUIRE(records.size() == 1);
  CHECK(records[0].version == 1);
}

TEST_CASE_METHOD(gathering, "a chat that begins is saved without a look, together with others",
                 "[actors][conversation_store]") {
  open();
  send_all({"b"});
  const auto record = begin("a");
  CHECK(disk.loads == 0);
  CHECK(disk.gathered == sizes{2});
  CHECK_FALSE(record.error);
  CHECK(record.version == 1);
  CHECK(record.kept_turn == "t1");
}

TEST_CASE_METHOD(gathering, "a chat that seems to begin and is there is loaded as it is",
                 "[actors][conversation_store]") {
  disk.put("a", chat_of({"hi", "hello"}));
  open();
  const auto record = begin("a");
  CHECK_FALSE(record.error);
  CHECK(record.version == 1);
  CHECK(record.kept_turn.empty());
  CHECK(record.history.size() == 2);
  CHECK(disk.at("a").messages.size() == 2);
}

TEST_CASE_METHOD(gathering, "a chat that cannot be begun on a full disk is new all the same",
                 "[actors][conversation_store]") {
  open();
  disk.committing = {errc::store_full, ""};
  const auto record = begin("a");
  CHECK_FALSE(record.error);
  CHECK(record.version == 0);
  CHECK(record.kept_turn.empty());
}

TEST_CASE_METHOD(gathering, "a chat whose first save alone fails is new all the same",
                 "[actors][conversation_store]") {
  open();
  disk.unfit = "a";
  send_all({"b"});
  const auto record = begin("a");
  CHECK_FALSE(record.error);
  CHECK(record.version == 0);
  CHECK(disk.at("b").info.version == 1);
}

TEST_CASE_METHOD(gathering, "nobody knows whether a chat is new while the store is away",
                 "[actors][conversation_store]") {
  open();
  disk.committing = disk.probing = {errc::store_failed, "away"};
  CHECK(begin("a").error.code == errc::store_failed);
}

TEST_CASE_METHOD(gathering,
                 "a first save that was kept though it seemed to fail has begun its turn",
                 "[actors][conversation_store]") {
  open();
  disk.at_commit = [this] { // the commit is done, and its answer is lost
    turn_record turn;
    turn.turn_id = "t1";
    turn.state = turn_state::running;
    disk.put("a", chat_of({"hello"}), turn);
  };
  disk.committing = {errc::store_read_only, ""};
  const auto record = begin("a");
  CHECK(record.version == 1);
  CHECK(record.kept_turn == "t1");
  CHECK(record.history.empty());
  CHECK(record.last_turn.turn_id.empty());
}

} // namespace conversation_store_gathered_test
