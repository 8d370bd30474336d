// The blocks of one answer in their order, as far as they have to go back as they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// The kinds of blocks that the engine knows.
enum class anthropic_block_kind : uint8_t {
  text,
  thinking,
  redacted,    ///< redacted_thinking: thoughts that only the provider can read
  call,        ///< tool_use: a call of ours
  server_call, ///< a call that the provider runs itself: server_tool_use, mcp_tool_use
  other,       ///< goes back as it came: results of the provider's calls ...
};

/// One block: how it began, and what its deltas brought.
struct anthropic_block {
  size_t number = 0;            ///< of the block in the answer
  std::optional<int64_t> index; ///< as the server gave it
  anthropic_block_kind kind = anthropic_block_kind::other;
  std::string start;     ///< content_block as it came; a JSON object
  std::string text;      ///< of a text or thinking: its characters; of a call: its arguments
  std::string signature; ///< JSON string of signature_delta
  std::string citations; ///< elements that came in deltas, with commas between them
  std::string content;   ///< JSON of compaction_delta
  bool has_deltas = false;
  bool closed = false; ///< it has stopped
};

/// Keeps the blocks of one answer. Not thread safe.
class anthropic_blocks {
public:
  static constexpr size_t max_bytes = size_t{4} * 1024 * 1024; ///< with more, nothing is sealed
  static constexpr size_t max_blocks = 4096;

  /// Begins a block. @param start an object's slice (see json_slice.hpp)
  anthropic_block& begin(std::optional<int64_t> index, anthropic_block_kind kind,
                         std::string_view start);

  /// Returns the last block of that index; without an index, the last block; nullptr if there is
  /// none.
  anthropic_block* find(std::optional<int64_t> index);

  bool empty() const noexcept { return all_.empty(); }
  std::deque<anthropic_block>& all() noexcept { return all_; }

  /// Appends to a member of a block.
  void add(std::string& into, std::string_view text);

  /// Sets a member of a block.
  void put(std::string& into, std::string_view text) {
    into.clear();
    add(into, text);
  }

  /// Returns the blocks as a JSON array, if they say more than text, reasoning and calls of the
  /// answer do: signatures, sealed thoughts, calls of the provider and their results, citations.
  /// Else "", and where one of them is no JSON. Thoughts go back with all their signatures or not
  /// at all.
  std::string sealed() const;

private:
  bool keeps_thoughts() const;

  std::deque<anthropic_block> all_;
  size_t bytes_ = 0;
};

} // namespace troupe
