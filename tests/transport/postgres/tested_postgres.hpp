// A store in PostgreSQL, for the tests that every kind of store passes.
#pragma once

#include <memory>

#include "tests/transport/postgres/postgres_fixture.hpp"
#include "tests/transport/store/tested_store.hpp"

namespace troupe::test {

/// Its nodes share a database; a node is dead when its port is closed, as after a crash.
class tested_postgres : public tested_store {
public:
  ~tested_postgres() override { store.reset(); }
  void kill_other_node() override { other_.reset(); }

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
