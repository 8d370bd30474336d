// The deltas of a stream differ only in a number and one or two strings: deltas of a known shape
// are not parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages/wire/openai_responses/responses_event.hpp"
#include "messages/wire/provider/known_shape.hpp"

namespace troupe {

/// Remembers the shape of the last delta of a text. What changes are `sequence_number`, the delta
/// itself, and `obfuscation`, a random string that hides its length. Not thread safe.
class responses_delta_shape {
public:
  /// Remembers an event. Gives up after 16 shapes of which none came again.
  /// @param type of the server-sent event; "" if there was none
  /// @param read has views of one text
  void learn(std::string_view type, const responses_event& read);

  /// Finds the delta of a whole event of the known shape at the start of `stream`.
  /// @param literal gets the delta, a JSON string
  /// @return the length of the event; 0 when it has another shape or is incomplete
  size_t match_event(std::string_view stream, std::string_view& literal) noexcept;

  /// The same for an event that was taken out of its stream. Returns the delta; "" when it has
  /// another shape. @param type of the server-sent event
  std::string_view match(std::string_view type, std::string_view json) noexcept;

  // What the events of the shape have in common.
  responses_event_kind kind() const noexcept { return kind_; }
  int64_t output_index() const noexcept { return output_index_; }
  int64_t part_index() const noexcept { return part_index_; }

private:
  known_shape shape_;
  std::string type_; ///< of the server-sent events
  std::string head_; ///< of an event, before its JSON
  responses_event_kind kind_ = responses_event_kind::other;
  int64_t output_index_ = -1;
  int64_t part_index_ = 0;
};

} // namespace troupe
