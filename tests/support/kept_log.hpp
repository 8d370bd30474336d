// A log that keeps its lines.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "messages/ports/log_port.hpp"

namespace troupe::test {

/// Keeps the lines of a level and above. Any thread.
class kept_log final : public log_port {
public:
  struct line {
    log_level level;
    std::string what;
    std::string members;
  };

  explicit kept_log(log_level least = log_level::debug) : least_{least} {}

  bool takes(log_level level) const override { return level >= least_; }

  void write(log_level level, std::string_view what, std::string_view members) override {
    std::lock_guard guard{mutex_};
    lines_.push_back({level, std::string{what}, std::string{members}});
  }

  std::vector<line> lines() const {
    std::lock_guard guard{mutex_};
    return lines_;
  }

  /// The lines of one kind.
  std::vector<line> lines(std::string_view what) const {
    std::vector<line> found;
    for (auto& each : lines())
      if (each.what == what)
        found.push_back(std::move(each));
    return found;
  }

private:
  log_level least_;
  mutable std::mutex mutex_;
  std::vector<line> lines_;
};

} // namespace troupe::test
