// The kinds of stores that every test of this room runs on. A store passes the tests of all of them
// when it has a row in store_kinds().
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/memory_store.hpp"
#include "tests/support/store_asks.hpp"
#include "tests/transport/postgres/tested_postgres.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/tested_store.hpp"

namespace troupe::test {

/// A kind of store.
struct store_kind {
  std::string name;
  bool is_database = false; ///< has quotas, a search of words, and long changes in pieces
  bool shares = false;      ///< several nodes have its chats
  std::function<std::unique_ptr<tested_store>()> make;
};

/// In memory: as the tests of actors have it.
class tested_memory : public tested_store {
public:
  explicit tested_memory(uint64_t node) : other_{memory_, node + 1} { memory_.node = node; }
  ~tested_memory() override { store.reset(); }
  void kill_other_node() override { memory_.data.dead.insert(memory_.node + 1); }

protected:
  store_port& reopen(const owner_quota&) override { return memory_; }
  store_port& second_node() override { return other_; }

private:
  memory_store memory_;
  memory_node other_;
};

class tested_sqlite : public tested_store {
public:
  ~tested_sqlite() override { store.reset(); }

protected:
  store_port& reopen(const owner_quota& quota) override {
    auto options = data_folder::options();
    options.quota = quota;
    folder_.port.reset();
    failure why;
    folder_.port = open_sqlite_store(folder_.path, why, options);
    INFO(why.text());
    REQUIRE(folder_.port != nullptr);
    return *folder_.port;
  }

private:
  data_folder folder_;
};

/// Returns all kinds that can be tested here.
inline std::vector<store_kind> store_kinds() {
  return {{"memory", false, false, [] { return std::make_unique<tested_memory>(0); }},
          {"shared memory", false, true, [] { return std::make_unique<tested_memory>(1); }},
          {"SQLite", true, false, [] { return std::make_unique<tested_sqlite>(); }},
          {"PostgreSQL", true, true, [] { return std::make_unique<tested_postgres>(); }}};
}

/// Returns the kinds of which `wanted` is true.
inline std::vector<store_kind> kinds_with(bool store_kind::*wanted) {
  auto kinds = store_kinds();
  std::erase_if(kinds, [=](const auto& each) { return !(each.*wanted); });
  return kinds;
}

/// Returns the kinds that belong to one node.
inline std::vector<store_kind> kinds_of_one_node() {
  auto kinds = store_kinds();
  std::erase_if(kinds, [](const auto& each) { return each.shares; });
  return kinds;
}

/// Runs the rest of a test once for each kind, with an open and empty store: `tested`, `store`.
#define TROUPE_EACH_OF(kinds) TROUPE_EACH_OPENED(kinds)
#define TROUPE_EACH_OPENED(kinds, ...)                                                             \
  const auto kind = GENERATE(from_range(kinds));                                                   \
  INFO("a store of the kind: " << kind.name);                                                      \
  const auto tested = kind.make();                                                                 \
  [[maybe_unused]] auto& store = tested->open({__VA_ARGS__})
#define TROUPE_EACH_STORE TROUPE_EACH_OF(store_kinds())
#define TROUPE_EACH_DATABASE TROUPE_EACH_DATABASE_WITH()
/// @param ... quota of each owner: conversations, bytes
#define TROUPE_EACH_DATABASE_WITH(...)                                                             \
  TROUPE_EACH_OPENED(kinds_with(&store_kind::is_database), __VA_ARGS__)
#define TROUPE_EACH_SHARED_STORE TROUPE_EACH_OF(kinds_with(&store_kind::shares))

} // namespace troupe::test
