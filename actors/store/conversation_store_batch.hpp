// Writes that share a transaction.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "actors/store/conversation_store_writes.hpp"

namespace troupe {

/// Collects writes in one transaction and answers them in their order after the commit. If a single
/// write may be the cause of a failure, each write is tried alone once. Not thread safe.
class store_batch {
public:
  /// @param on, counts outlive the batch, which adds its writes to `counts`
  store_batch(store_connection& on, store_status& counts) : on_{on}, counts_{counts} {}

  /// Answers the writes that were not committed with a failure.
  ~store_batch();

  store_batch(const store_batch&) = delete;
  store_batch& operator=(const store_batch&) = delete;

  /// Runs a write in the transaction; begins one if there is none. With a store that gathers the
  /// write waits for the commit.
  /// @return why no write at all worked; no failure if at least one did
  failure add(std::unique_ptr<store_write> what);

  /// Commits, if there is anything. Returns as add() does.
  failure commit();

  /// Returns how many writes wait.
  size_t size() const { return writes_.size(); }

  /// Returns why a write failed last.
  const failure& last_failure() const { return last_failure_; }

  /// Returns whether one of them changes the chat.
  bool changes(std::string_view session_id) const;

private:
  failure commit_transaction(size_t writes);
  template <class Commit>
  failure count(size_t writes, Commit commit);
  failure do_gathered();
  failure do_from(size_t& at);
  failure run_alone(store_write& what);
  failure each_alone(failure why);
  void answer_all(const failure& why);

  store_connection& on_;
  store_status& counts_;
  std::vector<std::unique_ptr<store_write>> writes_;
  failure last_failure_;
};

} // namespace troupe
