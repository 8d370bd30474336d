// The deltas of a stream differ only in a number and one or two strings: deltas of a known shape
// are not parsed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/openai_responses/responses_event.hpp"

namespace troupe {

/// Remembers the last delta of a text as the bytes between what changes: `sequence_number`, the
/// delta itself, and `obfuscation`, a random string that hides its length. An event with the same
/// bytes around other values is the same JSON with these values. Not thread safe.
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
  /// What stands in the place of a value, and the bytes in front of it.
  struct hole {
    enum class content : uint8_t { none, number, delta, other_string };
    content holds = content::none;
    std::string before;
  };

  /// Where a value stands in the JSON of an event.
  struct place {
    hole::content holds;
    size_t first;
    size_t end;
  };

  void remember(std::string_view json, std::vector<place> places);
  size_t match_json(std::string_view text, std::string_view& literal) noexcept;

  std::string type_;          ///< of the server-sent events
  std::string head_;          ///< of an event, before its JSON
  std::array<hole, 3> holes_; ///< in their order; those without content are the last
  std::string behind_;        ///< behind the last hole
  bool known_ = false;
  responses_event_kind kind_ = responses_event_kind::other;
  int64_t output_index_ = -1;
  int64_t part_index_ = 0;
  uint32_t in_vain_ = 0; ///< shapes learned since the last match
};

} // namespace troupe
