// How much of our models a server may use.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "messages/mcp/mcp_config.hpp"

namespace troupe {

/// An amount that is given back evenly, a minute's worth in a minute. More than there is may be
/// taken; then it takes longer. Not thread safe.
class minute_allowance {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Returns whether there is something left. @param most a minute's worth; 0: no bound
  bool any(uint64_t most, time_point now);

  /// @param amount less than 0 where too much was taken before
  void take(double amount) { taken_ += amount; }

private:
  double taken_ = 0;
  time_point last_{};
};

/// The use that a server makes of our models, in the last minute and in each of its running calls.
/// The tokens of an answer are known at its end only: until then its question counts. Not thread
/// safe.
class sampling_budget {
public:
  using time_point = minute_allowance::time_point;

  /// Begins a request, if it is within the limits.
  /// @param call that it belongs to; 0 if that is unknown
  /// @param tokens about as many as it sends
  /// @return "", or which limit is reached
  std::string begin(const sampling_limits& limits, uint64_t call, uint64_t tokens, time_point now);

  /// An answer is over. @param begun the tokens that begin() was told; @param tokens that it took
  void end(uint64_t call, uint64_t begun, uint64_t tokens);

  /// The call is over.
  void forget(uint64_t call) { calls_.erase(call); }

  /// Returns how many were refused since it last returned more than 0, at most once a minute.
  uint64_t take_refused(time_point now);

private:
  struct use {
    uint64_t requests = 0;
    double tokens = 0;
  };

  std::string reached(const sampling_limits& limits, uint64_t call, time_point now);
  void add(uint64_t call, double tokens);

  minute_allowance requests_;
  minute_allowance tokens_;
  std::map<uint64_t, use> calls_;
  uint64_t refused_ = 0;
  time_point told_{};
};

} // namespace troupe
