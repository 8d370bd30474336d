// Where the reports of an MCP channel arrive in a test.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "messages/mcp/mcp_channel.hpp"
#include "messages/ports/ports.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

/// Collects reports; every wait has a limit of 20 s, after which the test fails. Any thread.
class mcp_inbox {
public:
  mcp_port::receiver receiver() {
    return [this](mcp_inbound&& what) {
      std::lock_guard guard{mutex_};
      waiting_.push_back(std::move(what));
      changed_.notify_all();
    };
  }

  mcp_inbound next() {
    std::unique_lock guard{mutex_};
    const bool in_time =
        changed_.wait_for(guard, std::chrono::seconds{20}, [this] { return !waiting_.empty(); });
    REQUIRE(in_time);
    auto out = std::move(waiting_.front());
    waiting_.pop_front();
    return out;
  }

  /// Returns the next report, which must be of that kind.
  mcp_inbound next(mcp_signal expected) {
    auto out = next();
    INFO("error text: " << out.error_text);
    REQUIRE(out.signal == expected);
    return out;
  }

  /// Returns the next `count` messages, however the reads cut them.
  std::vector<std::string> messages(size_t count) {
    std::vector<std::string> out;
    while (out.size() < count)
      for (auto& each : next(mcp_signal::received).messages)
        out.push_back(std::move(each));
    return out;
  }

  bool empty() {
    std::lock_guard guard{mutex_};
    return waiting_.empty();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<mcp_inbound> waiting_;
};

} // namespace troupe::test
