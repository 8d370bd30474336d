// One JSON text of an answer of the Responses API, split but not interpreted.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// The kind of a stream's event.
enum class responses_event_kind : uint8_t {
  other,
  begun, ///< the response was made, waits, or is written
  item_added,
  item_done,
  text,
  text_done,
  refusal,
  refusal_done,
  summary, ///< of the reasoning
  summary_done,
  thought, ///< the reasoning itself, of open models
  thought_done,
  arguments, ///< of a function call
  arguments_done,
  ended, ///< the last event: completed, incomplete or failed
  error,
};

/// Returns the kind by the event's `type`, without quotes.
responses_event_kind responses_event_kind_of(std::string_view type);

/// The members of an event, or of a whole response, that the engine uses. All views are JSON text
/// inside the text that was read, empty if a member is missing or null.
struct responses_event {
  std::string_view type;
  std::string_view output_index;
  std::string_view part_index; ///< `content_index` or `summary_index`
  std::string_view delta;
  std::string_view sequence_number;
  std::string_view obfuscation; ///< random characters beside a delta, which hide its length
  std::string_view whole;       ///< of a `..._done`: the text, refusal, arguments or input
  std::string_view item;
  std::string_view response;
  std::string_view error;
  // Members of a response that is no event.
  std::string_view status;
  std::string_view output;

  std::string_view json; ///< the object itself

  /// Returns the kind of the event. @param type of the server-sent event, for servers that name it
  /// only there
  responses_event_kind kind_or(std::string_view type) const;
};

/// Takes the object at the start of `json` apart.
/// @param json is followed by json_padding readable bytes
/// @return false when it is no JSON object, or breaks off
bool read_responses_event(std::string_view json, responses_event& out);

/// The members of a response. Views as in responses_event.
struct responses_state {
  std::string_view status;
  std::string_view output;
  std::string_view usage;
  std::string_view error;
  std::string_view incomplete_reason;
  std::string_view max_output_tokens;
};

/// Reads a response. @param json a slice (see json_slice.hpp)
responses_state read_responses_state(std::string_view json);

} // namespace troupe
