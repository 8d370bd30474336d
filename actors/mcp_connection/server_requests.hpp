// What a server has asked of the client and waits for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// One request of the server that its hub answers.
struct open_server_request {
  uint64_t number = 0;    ///< ours
  std::string request_id; ///< the server's, as JSON text; empty: it runs as a task
  std::string task_id;    ///< empty: it does not
};

/// At most 64 at once, so that all searches are short. Not thread safe.
class server_requests {
public:
  static constexpr size_t max_open = 64;

  bool full() const noexcept { return open_.size() >= max_open; }

  /// Returns the number of a new one.
  uint64_t add(std::string request_id, std::string task_id) {
    open_.push_back({++last_, std::move(request_id), std::move(task_id)});
    return last_;
  }

  std::optional<open_server_request> take(uint64_t number) {
    return take_if([&](const auto& each) { return each.number == number; });
  }

  std::optional<open_server_request> take_request(std::string_view request_id) {
    return take_if([&](const auto& each) {
      return !each.request_id.empty() && each.request_id == request_id;
    });
  }

  std::optional<open_server_request> take_task(std::string_view task_id) {
    return take_if(
        [&](const auto& each) { return !each.task_id.empty() && each.task_id == task_id; });
  }

  /// Takes out everything; for a connection that is gone.
  std::vector<open_server_request> take_all() { return std::exchange(open_, {}); }

  size_t size() const noexcept { return open_.size(); }

private:
  template <class Predicate>
  std::optional<open_server_request> take_if(Predicate chosen) {
    auto found = std::find_if(open_.begin(), open_.end(), chosen);
    if (found == open_.end())
      return {};
    auto taken = std::move(*found);
    open_.erase(found);
    return taken;
  }

  std::vector<open_server_request> open_;
  uint64_t last_ = 0;
};

} // namespace troupe
