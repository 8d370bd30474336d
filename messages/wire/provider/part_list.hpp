// The content of a message as JSON: one string, or a list of parts.
#pragma once

#include <string>
#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// Writes a list of parts from the first file on; without one, the content is one string.
class part_list {
public:
  /// Appends a text as a part.
  using append_text = void (*)(json_buffer& out, std::string_view text);

  /// @param out outlives this
  part_list(json_buffer& out, append_text as_part) : out_{out}, as_part_{as_part} {}

  /// Adds a text. Those before the first file are paragraphs of one.
  void text(std::string_view more);

  /// Begins the part of a file, which the caller appends.
  void begin_file();

  void end();

private:
  void begin();
  void part(std::string_view text);

  json_buffer& out_;
  append_text as_part_;
  std::string text_; ///< that comes before the first file
  bool first_ = true;
};

} // namespace troupe
