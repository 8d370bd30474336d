// Texts of an answer as events.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

/// Makes events of the texts of one answer. A character that a server cut in two is emitted with
/// its second half. Not thread safe.
class answer_pieces {
public:
  /// Appends one text. @param literal a JSON string (see json_slice.hpp); anything else is nothing
  void read(std::string_view literal, bool as_reasoning, std::vector<event>& out);

  /// Appends U+FFFD for half a character that waits; called when another kind of content begins or
  /// the answer is over.
  void flush(std::vector<event>& out);

  /// Returns whether half a character waits.
  bool waits() const noexcept { return text_.waits(); }

private:
  surrogate_joiner text_;     ///< of the open text, reasoning or answer
  bool is_reasoning_ = false; ///< whether the open text is reasoning
};

} // namespace troupe
