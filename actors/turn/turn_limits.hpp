// Bounds of one turn, and which of its calls need an approval.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace troupe {

/// Which tool calls wait for the client's approval.
struct approval_policy {
  bool always = false;                              ///< every call that runs here
  std::set<std::string> tools;                      ///< else these: "SERVER/TOOL" or "SERVER/*"
  std::chrono::milliseconds timeout{5 * 60 * 1000}; ///< then a call counts as denied
};

/// Bounds of one turn; zero means no limit.
struct turn_limits {
  uint32_t max_tool_roundtrips = 10; ///< where the request does not say
  size_t max_tool_text_bytes =
      256 * 1024; ///< of one result that the model is told; longer is cut, with a note
  uint32_t max_calls_per_round = 64;        ///< further ones are refused, too_many_tool_calls
  uint32_t max_identical_calls = 3;         ///< rounds with the same call; then refused
  uint64_t max_turn_tokens = 0;             ///< as the provider counts; then turn_limit_reached
  size_t max_turn_bytes = 32 * 1024 * 1024; ///< of the model's text and arguments in one turn
  std::chrono::milliseconds tool_timeout{600'000}; ///< of one call, then tool_timeout
  approval_policy approval;
};

} // namespace troupe
