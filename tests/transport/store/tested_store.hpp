// A store that a test opens, as every kind of store is tested.
#pragma once

#include <memory>

#include "tests/support/store_asks.hpp"

namespace troupe::test {

/// A store made for one test, and gone with it.
class tested_store {
public:
  virtual ~tested_store() = default;

  /// Opens the store, closed before if it was open: what was committed is there.
  store_connection& open(const owner_quota& quota = {}) {
    store.reset();
    port = &reopen(quota);
    store = another();
    return *store;
  }

  std::unique_ptr<store_connection> another() { return connected(*port); }

  /// Returns a way to the same chats from another node; only for kinds that share.
  std::unique_ptr<store_connection> other_node() { return connected(second_node()); }

  /// From now on the other node is known to be dead, and its connections are not used any more.
  virtual void kill_other_node() {}

  store_port* port = nullptr;
  std::unique_ptr<store_connection> store;

protected:
  virtual store_port& reopen(const owner_quota& quota) = 0;
  virtual store_port& second_node() { return *port; }
};

} // namespace troupe::test
