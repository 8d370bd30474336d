// The content of one answer: blocks that begin, grow and stop, and the events that they make.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/wire/anthropic/anthropic_blocks.hpp"
#include "messages/wire/anthropic/anthropic_event.hpp"
#include "messages/wire/provider/answer_pieces.hpp"
#include "messages/wire/provider/tool_call_assembler.hpp"

namespace troupe {

/// Reads the blocks of one answer. A block is found by its index; without one, the last block is
/// meant. Blocks that the provider ran itself, and kinds that are not known, make no event. JSON is
/// given as slices (json_slice.hpp). Failures are model_answer_invalid: a bound was passed. Not
/// thread safe.
class anthropic_content {
public:
  /// @param id_prefix makes ids for calls that come without one
  explicit anthropic_content(std::string id_prefix) : calls_{std::move(id_prefix)} {}

  /// Takes content_block_start.
  failure start(std::optional<int64_t> index, std::string_view block, std::vector<event>& out);

  /// Takes content_block_delta. One whose block has not begun begins it.
  failure delta(std::optional<int64_t> index, std::string_view delta, std::vector<event>& out);

  /// Takes content_block_stop.
  failure stop(std::optional<int64_t> index, std::vector<event>& out);

  /// Takes a list of whole blocks.
  failure list(std::string_view blocks, std::vector<event>& out);

  /// Takes a delta that was known by its form; false if its block wants to be looked at more
  /// closely. @param problem gets the failure
  bool known(const anthropic_delta& delta, std::vector<event>& out, failure& problem);

  /// The answer is over. @param cut before the model was done
  void complete(bool cut, std::vector<event>& out);

  /// The answer failed: completes the calls that were shown.
  void complete_started(std::vector<event>& out);

  bool empty() const noexcept { return blocks_.empty(); }
  bool any_text() const noexcept { return any_text_; }
  bool any_calls() const noexcept { return calls_.any(); }

  /// Returns anthropic_blocks::sealed().
  std::string sealed() const { return blocks_.sealed(); }

private:
  failure add_text(anthropic_block& block, std::string_view literal, std::vector<event>& out);
  failure add_arguments(anthropic_block& block, std::string_view literal, std::vector<event>& out);
  failure stop(anthropic_block& block, std::vector<event>& out);
  void flush(std::vector<event>& out);

  anthropic_blocks blocks_;
  answer_pieces pieces_;
  anthropic_block* open_text_ = nullptr; ///< whose characters pieces_ may hold back
  tool_call_assembler calls_;
  bool any_text_ = false;
};

} // namespace troupe
