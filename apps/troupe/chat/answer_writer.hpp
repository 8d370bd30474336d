// The text of an answer on stdout.
#pragma once

#include <cstdio>
#include <memory>
#include <string_view>

#include "apps/troupe/markdown/markdown_stream.hpp"

namespace troupe {

/// Writes text as it comes: as it is in a pipe or a file, without what could steer a terminal on
/// one, and there as Markdown if that is wanted. One thread.
class answer_writer {
public:
  explicit answer_writer(bool as_markdown);

  void add(std::string_view text);

  /// Ends the text, and the line it is in.
  void close();

private:
  std::unique_ptr<markdown_stream> markdown_; ///< nullptr: the text as it is
  bool in_line_ = false;
};

} // namespace troupe
