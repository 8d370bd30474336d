// How much of its limits a turn has used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/limits.hpp"

namespace troupe {

/// Counts what one turn uses. Not thread safe.
class turn_budget {
public:
  /// Bytes that each piece of an answer counts beside its text. A piece is an event: it costs
  /// clients and viewers about as much as a short text, however little text it brings.
  static constexpr size_t piece_bytes = 64;

  /// @param limits outlive this
  explicit turn_budget(const turn_limits& limits) : limits_{limits} {}

  void add_pieces(size_t pieces, size_t text_bytes) noexcept {
    bytes_ += pieces * piece_bytes + text_bytes;
  }

  void add(const usage& used) { total_ += used; }

  const usage& total() const noexcept { return total_; }

  /// Returns whether the model has sent more than it may.
  bool bytes_spent() const noexcept {
    return limits_.max_turn_bytes > 0 && bytes_ > limits_.max_turn_bytes;
  }

  /// Returns why the turn must not go on, or nothing.
  failure spent() const {
    if (bytes_spent())
      return {errc::turn_limit_reached,
              fmt::format("The turn reached its limit of {} bytes of the model's output (each "
                          "piece counts {} more).",
                          limits_.max_turn_bytes, piece_bytes)};
    auto most = limits_.max_turn_tokens;
    if (most > 0 && tokens() > most)
      return {errc::turn_limit_reached,
              fmt::format("The turn reached its limit of {} tokens.", most)};
    return {};
  }

  /// Counts an answer in which the provider paused. Returns whether it may be gone on from: peers
  /// allow six to ten pauses.
  bool takes_pause() noexcept { return pauses_++ < 8; }

  /// Counts a call that is to be run. Returns whether too many earlier rounds of the turn have made
  /// the same call. Those of one round count once: the model saw no result between them.
  bool repeats(const tool_call& call, uint32_t round) {
    if (limits_.max_identical_calls == 0)
      return false;
    auto& made = calls_[call.name + '\n' + call.arguments];
    if (made.rounds == 0 || made.last != round)
      made = {made.rounds + 1, round};
    return made.rounds > limits_.max_identical_calls;
  }

private:
  /// In how many rounds a call was made, and the last of them.
  struct repetition {
    uint32_t rounds = 0;
    uint32_t last = 0;
  };

  /// Returns the total; some providers report only the two parts.
  uint64_t tokens() const noexcept {
    return total_.total_tokens > 0 ? total_.total_tokens
                                   : total_.input_tokens + total_.output_tokens;
  }

  const turn_limits& limits_;
  usage total_;
  size_t bytes_ = 0;
  uint32_t pauses_ = 0;
  std::map<std::string, repetition> calls_; ///< by name and arguments
};

} // namespace troupe
