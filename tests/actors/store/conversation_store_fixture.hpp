// A store of conversations over a memory, with keepers that are the test.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/store/conversation_store.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"
#include "tests/support/memory_store.hpp"

namespace troupe::test {

using namespace std::chrono_literals;

/// Deep enough for several probes and pieces of upkeep.
inline constexpr auto one_second = 1000ms;

class conversation_store_fixture : public deterministic {
public:
  conversation_store_fixture() {
    config.port = &disk;
    config.log = log;
    config.detached = false;
    keeper = sys.spawn([this](chat_keeper_actor::pointer) {
      return chat_keeper_actor::behavior_type{
          [this](chat_record& got) { records.push_back(std::move(got)); },
          [this](const save_answer& got) { answers.push_back(got); },
      };
    });
  }

  ~conversation_store_fixture() {
    for (const auto& each : parents)
      crash(*this, each);
    crash(*this, keeper);
  }

  /// Starts the store, as its supervisor does.
  void open() {
    parents.push_back(make_parent(*this, ends, [this](caf::local_actor& parent) {
      store = spawn_conversation_store(parent, config);
    }));
  }

  static chat_message says(const std::string& text) {
    chat_message out;
    out.text = text;
    return out;
  }

  /// A chat of messages with these texts.
  static std::vector<chat_message> chat_of(const std::vector<std::string>& texts) {
    std::vector<chat_message> out;
    for (const auto& each : texts)
      out.push_back(says(each));
    return out;
  }

  save_chat save_of(const std::string& session, const std::string& text) {
    save_chat made;
    made.session_id = session;
    made.number = ++number;
    made.more.push_back(says(text));
    return made;
  }

  /// Asks from the keeper, without running anything.
  template <class Ask>
  void send(Ask what) {
    caf::send_as(keeper, store, std::move(what));
  }

  save_answer save(const std::string& session, const std::string& text = "hi") {
    send(save_of(session, text));
    run();
    REQUIRE(!answers.empty());
    return answers.back();
  }

  chat_record load(const std::string& session) {
    send(load_chat{session});
    run();
    REQUIRE(!records.empty());
    return records.back();
  }

  store_status status() { return ask<store_status>(store, atom::status_v); }

  std::vector<errc> errors() const {
    std::vector<errc> out;
    for (const auto& each : answers)
      out.push_back(each.error.code);
    return out;
  }

  memory_store disk;
  std::shared_ptr<kept_log> log = std::make_shared<kept_log>();
  conversation_store_config config;
  endings ends = std::make_shared<std::vector<caf::error>>();
  std::vector<caf::actor> parents;
  conversation_store_actor store;
  chat_keeper_actor keeper;
  std::vector<chat_record> records;
  std::vector<save_answer> answers;
  uint64_t number = 0;
};

} // namespace troupe::test
