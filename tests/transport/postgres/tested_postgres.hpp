// A store in PostgreSQL, for the tests that every kind of store passes.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "tests/transport/postgres/postgres_fixture.hpp"
#include "tests/transport/store/tested_store.hpp"

namespace troupe::test {

/// Its nodes share a database; a node is dead when its port is closed, as after a crash.
class tested_postgres : public tested_store {
public:
  ~tested_postgres() override { store.reset(); }

  /// The database notices a while after it that the connection with the node's lock is gone.
  void kill_other_node() override {
    constexpr auto locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted";
    const auto before = folder_.number(locks);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    other_.reset();
    while (folder_.number(locks) >= before && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    CHECK(folder_.number(locks) < before);
  }

protected:
  store_port& reopen(const owner_quota& quota) override {
    auto how = options();
    how.quota = quota;
    folder_.port.reset();
    folder_.port = postgres_folder::opened(how);
    return *folder_.port;
  }
  store_port& second_node() override {
    other_ = postgres_folder::opened(options());
    return *other_;
  }

private:
  postgres_options options() const {
    auto how = folder_.options();
    how.alone = false;
    return how;
  }

  postgres_folder folder_;
  std::unique_ptr<store_port> other_;
};
} // namespace troupe::test
