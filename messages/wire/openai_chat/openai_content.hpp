// The content of a chat-completions message, in the forms that servers give it.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/wire/provider/answer_pieces.hpp"

namespace troupe {

/// Makes events of the texts of one answer. Not thread safe.
class openai_content {
public:
  /// Appends the texts of `json`: a string, a part, or a list of both. A part is reasoning if its
  /// type, or the name of the member with the text, says so.
  /// @param json a slice (see json_slice.hpp)
  /// @param as_reasoning whether a text without such a mark is reasoning
  void read(std::string_view json, bool as_reasoning, std::vector<event>& out);

  /// Appends the readable texts of `reasoning_details`, for servers that give no other reasoning.
  void read_details(std::string_view json, std::vector<event>& out);

  /// Appends one text. @param literal a JSON string
  void read_string(std::string_view literal, bool as_reasoning, std::vector<event>& out) {
    pieces_.read(literal, as_reasoning, out);
  }

  /// As answer_pieces does.
  void flush(std::vector<event>& out) { pieces_.flush(out); }
  bool waits() const noexcept { return pieces_.waits(); }

private:
  void read_at(int depth, std::string_view json, bool as_reasoning, std::vector<event>& out);

  answer_pieces pieces_;
};

} // namespace troupe
