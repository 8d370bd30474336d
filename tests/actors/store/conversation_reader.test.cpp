#include "actors/store/conversation_reader.hpp"

#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/memory_store.hpp"

namespace conversation_reader_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class reader_world : public deterministic {
public:
  reader_world() {
    config.port = &disk;
    config.detached = false;
    chat_message hello;
    hello.text = "hello there";
    disk.put("a", {hello});
    disk.put("b", {hello});
  }

  ~reader_world() {
    if (parent)
      crash(*this, parent);
  }

  void open() {
    parent = make_parent(
        *this, std::make_shared<std::vector<caf::error>>(),
        [this](caf::local_actor& top) { reader = spawn_conversation_reader(top, config); });
  }

  void watch_keys() {
    config.keys_changed = [this](const key_list& list) {
      std::vector<std::string> ids;
      for (const auto& each : list.keys)
        ids.push_back(each.id);
      keys.push_back(std::move(ids));
    };
  }

  void add_key(const std::string& id, int64_t revoked_ms = 0) {
    disk.data.keys[id] = {id, "owner", "", "", false, 0, 0, 0, revoked_ms};
    ++disk.keys_version;
  }

  memory_store disk;
  conversation_reader_config config;
  caf::actor parent;
  conversation_reader_actor reader;
  std::vector<std::vector<std::string>> keys;
};

} // namespace

TEST_CASE_METHOD(reader_world, "a reader answers each question from the database",
                 "[actors][conversation_reader]") {
  open();
  CHECK(ask<conversation_page>(reader, list_conversations{}).conversations.size() == 2);
  CHECK(ask<search_page>(reader, search_conversations{"", "there", 20, ""}).hits.size() == 2);
  CHECK(ask<conversation_answer>(reader, get_conversation{"a"}).found.messages.size() == 1);
  CHECK(ask<conversation_answer>(reader, get_conversation{"x"}).error.code ==
        errc::conversation_unknown);
  CHECK(ask<usage_table>(reader, usage_query{}).rows.empty());
  CHECK(ask<key_list>(reader, list_keys{}).keys.empty());
}

TEST_CASE_METHOD(reader_world, "a question of somebody who is gone costs no work",
                 "[actors][conversation_reader]") {
  open();
  disk.opened_as = durability::full; // a reader opens it in another way, when it is asked
  sys.spawn([this](caf::event_based_actor* asker) {
    asker->request(reader, caf::infinite, get_conversation{"a"})
        .then([](const conversation_answer&) {});
    asker->quit();
  });
  run();
  CHECK(disk.opened_as == durability::full);
  CHECK_FALSE(ask<conversation_answer>(reader, get_conversation{"a"}).error);
  CHECK(disk.opened_as == durability::normal);
}

TEST_CASE_METHOD(reader_world, "a reader whose database cannot be opened says why and tries again",
                 "[actors][conversation_reader]") {
  disk.opening = {errc::store_damaged, "broken"};
  open();
  CHECK(ask<conversation_page>(reader, list_conversations{}).error.message == "broken");
  CHECK(ask<search_page>(reader, search_conversations{}).error.message == "broken");
  CHECK(ask<conversation_answer>(reader, get_conversation{"a"}).error.message == "broken");
  disk.opening = {};
  CHECK_FALSE(ask<conversation_answer>(reader, get_conversation{"a"}).error);
}

TEST_CASE_METHOD(reader_world,
                 "the good keys are handed over at the start and within a second of a "
                 "change",
                 "[actors][conversation_reader]") {
  add_key("one");
  add_key("bad", 5);
  watch_keys();
  open();
  CHECK(keys == std::vector<std::vector<std::string>>{{"one"}});
  advance(5000ms);
  CHECK(keys.size() == 1);
  add_key("two");
  advance(1000ms);
  REQUIRE(keys.size() == 2);
  CHECK(keys[1] == std::vector<std::string>{"one", "two"});
}

TEST_CASE_METHOD(reader_world, "keys that cannot be read are read when they can",
                 "[actors][conversation_reader]") {
  add_key("one");
  watch_keys();
  disk.opening = {errc::store_locked, ""};
  open();
  CHECK(keys.empty());
  disk.opening = {};
  disk.loading = {errc::store_failed, ""};
  advance(1000ms);
  CHECK(keys.empty());
  disk.loading = {};
  advance(1000ms);
  CHECK(keys.size() == 1);
}

TEST_CASE_METHOD(reader_world, "without anybody to tell, nobody looks at keys",
                 "[actors][conversation_reader]") {
  open();
  CHECK(disk.connections == 0); // opened by the first question
  advance(5000ms);
  CHECK(disk.connections == 0);
}

TEST_CASE_METHOD(reader_world, "whole conversations are read beside all other questions",
                 "[actors][conversation_reader]") {
  open();
  ask<conversation_page>(reader, list_conversations{});
  CHECK(disk.connections == 1);
  CHECK(ask<conversation_answer>(reader, get_conversation{"a"}).found.messages.size() == 1);
  CHECK(disk.connections == 2);
  ask<conversation_answer>(reader, get_conversation{"b"});
  ask<conversation_page>(reader, list_conversations{});
  CHECK(disk.connections == 2);
  crash(*this, parent);
  parent = nullptr;
  run();
  CHECK(disk.connections == 0);
}

TEST_CASE_METHOD(reader_world, "a reader with a thread of its own answers and ends",
                 "[actors][conversation_reader]") {
  config.detached = true;
  open();
  CHECK(ask<conversation_page>(reader, list_conversations{}).conversations.size() == 2);
  crash(*this, parent);
  parent = nullptr;
  self->wait_for(reader);
  CHECK(disk.connections == 0);
}

} // namespace conversation_reader_test
