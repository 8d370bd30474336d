// What a connection has lived through, for people.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "messages/mcp/server_offer.hpp"

namespace troupe {

/// The last lines; equal neighbours are one line with a count. Not thread safe.
class connection_log {
public:
  static constexpr size_t max_lines = 100;
  static constexpr size_t max_line_bytes = 1000;

  /// @param time_ms since the epoch
  void add(std::string text, int64_t time_ms) {
    if (text.size() > max_line_bytes)
      text.resize(max_line_bytes);
    changed_ = true;
    if (!log_.lines.empty() && log_.lines.back().text == text) {
      ++log_.lines.back().times;
      log_.lines.back().time_ms = time_ms;
      return;
    }
    if (log_.lines.size() == max_lines)
      log_.lines.erase(log_.lines.begin());
    log_.lines.push_back({time_ms, std::move(text), 1});
  }

  /// Returns the lines as they are now; the same value until there is a new line.
  const frozen<server_log>& snapshot() {
    if (std::exchange(changed_, false))
      frozen_ = frozen<server_log>{log_};
    return frozen_;
  }

private:
  server_log log_;
  frozen<server_log> frozen_;
  bool changed_ = false;
};

} // namespace troupe
