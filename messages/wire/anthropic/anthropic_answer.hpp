// One answer in Anthropic's JSON: the sum of its events, or one whole message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/usage.hpp"
#include "messages/wire/anthropic/anthropic_content.hpp"
#include "messages/wire/anthropic/anthropic_event.hpp"
#include "messages/wire/provider/provider_answer.hpp"

namespace troupe {

/// Collects the counts of one answer. Each event counts the message so far, so the last value of a
/// member counts; a value that is missing, null or 0 replaces none. Not thread safe.
class anthropic_usage {
public:
  /// Takes a `usage` object. With `iterations`, whose last one is at its top, all of them count.
  /// @param json a slice (see json_slice.hpp); anything else is nothing
  void update(std::string_view json);

  /// Forgets what was counted.
  void clear() noexcept { *this = {}; }

  /// Returns the counts in the form of all providers: the input with what came from the cache and
  /// went into it.
  const usage& value() const noexcept { return value_; }

private:
  struct counts {
    uint64_t input = 0; ///< without the next two
    uint64_t cache_read = 0;
    uint64_t cache_write = 0;
    uint64_t output = 0;
    uint64_t thinking = 0; ///< of the output
  };

  static void read(std::string_view json, counts& into, std::string_view& iterations);

  counts message_;
  counts iterations_; ///< the sum, if there were any
  usage value_;
};

/// Collects one answer from events as they come in
///
///     message_start ( block_start(i) block_delta(i)* block_stop(i) )* message_delta+ message_stop
///
/// with pings, errors and unknown events anywhere, or from a message without a stream. Servers that
/// only copy Anthropic leave out starts, stops and types; what can be known without them is. Not
/// thread safe.
class anthropic_answer final : public provider_answer {
public:
  /// @param model who answers, as in the request: its seals hold for it only
  /// @param id_prefix makes ids for calls that come without one
  anthropic_answer(std::string model, std::string id_prefix);

  failure read(const answer_text& text, std::vector<event>& out) override;
  size_t read_known_events(std::string_view stream, std::vector<event>& out) override;

  bool begun() const noexcept override { return begun_; }
  bool finished() const noexcept override { return said_.has_value(); }
  bool resumed() const noexcept override { return resumed_; }
  bool ended() const noexcept override { return ended_; }
  bool whole() const noexcept override { return whole_; }

  void complete(std::vector<event>& out) override;
  void complete_started(std::vector<event>& out) override;
  model_end end() const override;
  const usage& used() const noexcept override { return usage_.value(); }

private:
  failure read_repaired(std::string_view json, std::string_view type, std::vector<event>& out);
  failure take(const anthropic_event& what, std::string_view json, std::vector<event>& out);
  failure take_block_event(const anthropic_event& what, std::vector<event>& out);
  failure take_message(const anthropic_event& what, std::vector<event>& out);
  failure start_message(std::string_view message, std::vector<event>& out);
  void take_stop(std::string_view reason, std::string_view details, std::string_view sequence);
  finish_reason reason() const noexcept;

  std::string model_;
  std::string id_; ///< of the message
  anthropic_content content_;
  anthropic_usage usage_;
  std::optional<finish_reason> said_;
  std::string raw_reason_;
  std::string stop_sequence_;
  bool begun_ = false;
  bool whole_ = false;
  bool resumed_ = false;
  bool paused_ = false;
  bool refused_ = false;
  bool ended_ = false;
  bool ignores_ = false; ///< another message began after this one
};

} // namespace troupe
