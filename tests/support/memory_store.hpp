// A store of conversations without a disk, which fails when the test says so.
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/memory_connection.hpp"

namespace troupe::test {

/// The members of memory_disk are the test's to set and to read.
class memory_store : public store_port, public memory_disk {
public:
  std::unique_ptr<store_connection> open(durability how, failure& why) override {
    std::lock_guard guard{mutex};
    opened_as = how;
    why = opening;
    return opening ? nullptr : std::make_unique<memory_connection>(*this, node);
  }

  std::unique_ptr<chat_reading> read_chat(const load_chat& ask, failure& why) override {
    std::lock_guard guard{mutex};
    why = loading;
    return loading ? nullptr : std::make_unique<memory_reading>(*this, ask);
  }

  std::string path() const override { return "memory"; }
  std::string notice() const override { return said; }
  bool shared() const override { return node != 0; }

  uint64_t node = 0; ///< of its connections; 0: there are no other nodes

  /// Returns the conversation as it was committed; version 0: there is none.
  conversation at(const std::string& session_id) {
    auto* found = data.find(session_id);
    return found == nullptr ? conversation{} : found->kept;
  }

  /// Returns the history of a conversation, as a session loads it.
  std::vector<chat_message> history(const std::string& session_id) {
    return data.load({session_id}).history;
  }

  /// Adds a conversation, as an earlier process would have left it.
  void put(const std::string& session_id, std::vector<chat_message> messages, turn_record turn = {},
           std::vector<event_batch> events = {}) {
    save_chat made;
    made.session_id = session_id;
    made.more = std::move(messages);
    made.turn = std::move(turn);
    made.events = std::move(events);
    data.save(made);
  }

private:
  /// A chat in as many pieces as the store says.
  class memory_reading : public chat_reading {
  public:
    memory_reading(memory_store& store, const load_chat& ask) : store_{store}, ask_{ask} {}

    bool step(chat_record& out) override {
      std::lock_guard guard{store_.mutex};
      store_.read.push_back(ask_.session_id);
      if (store_.thrower == ask_.session_id)
        throw std::runtime_error{"the store is broken"};
      if (done_++ == 0)
        record_ = store_.data.load(ask_, store_.node);
      if (done_ < store_.readings)
        return true;
      out = std::move(record_);
      return false;
    }

  private:
    memory_store& store_;
    load_chat ask_;
    chat_record record_;
    uint64_t done_ = 0;
  };
};

/// Another node with the chats of a store.
class memory_node : public store_port {
public:
  /// @param store outlives it
  memory_node(memory_store& store, uint64_t node) : store_{store}, node_{node} {}

  std::unique_ptr<store_connection> open(durability, failure&) override {
    std::lock_guard guard{store_.mutex};
    return std::make_unique<memory_connection>(store_, node_);
  }
  bool shared() const override { return true; }
  std::string path() const override { return store_.path(); }
  std::string notice() const override { return {}; }

private:
  memory_store& store_;
  uint64_t node_;
};

} // namespace troupe::test
