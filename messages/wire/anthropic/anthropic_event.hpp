// One event of an Anthropic stream, or one whole message, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace troupe {

/// The members of an event that mean something, as slices; "" where one is missing or null. A whole
/// message has the members from `id` on at its top, an event of a stream has them inside `message`.
struct anthropic_event {
  std::string_view type;    ///< with its quotes
  std::string_view index;   ///< of the block
  std::string_view message; ///< of message_start
  std::string_view block;   ///< content_block
  std::string_view delta;   ///< of a block, or of the message
  std::string_view usage;
  std::string_view error;
  std::string_view id;
  std::string_view content;
  std::string_view stop_reason;
  std::string_view stop_sequence;
  std::string_view stop_details;
  std::string_view behind = {}; ///< what follows the JSON in its text
};

/// Reads the event at the start of `json`, which json_padding readable bytes follow. Returns
/// whether it is a whole JSON object.
bool read_anthropic_event(std::string_view json, anthropic_event& out);

/// The kind of a delta of one string.
enum class anthropic_delta_kind : uint8_t { text, thinking, arguments };

/// A content_block_delta of one string.
struct anthropic_delta {
  anthropic_delta_kind kind = anthropic_delta_kind::text;
  int64_t index = 0;
  std::string_view literal; ///< with its quotes
};

/// Knows such a delta by its form, the one that Anthropic's own servers write, without a parser.
/// Returns the length of the JSON at the start of `text`; 0: it has another form, or is incomplete.
size_t match_anthropic_delta(std::string_view text, anthropic_delta& out) noexcept;

/// The same for a whole server-sent event at the start of `stream`.
size_t match_anthropic_delta_event(std::string_view stream, anthropic_delta& out) noexcept;

} // namespace troupe
