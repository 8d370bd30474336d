// The text of an answer on stdout.
#pragma once

#include <cstdio>
#include <memory>
#include <string_view>

#include "apps/troupe/markdown/markdown_stream.hpp"

namespace troupe {

/// Writes text as it comes: as it is in a pipe or a file, without what could steer a terminal on
/// one, and there as Markdown if that is wanted. Markdown is shown when a block of it is whole: up
/// to the first one a dimmed "..." tells that the answer comes. One thread.
class answer_writer {
public:
  explicit answer_writer(bool as_markdown);

  answer_writer(const answer_writer&) = delete;
  answer_writer& operator=(const answer_writer&) = delete;

  void add(std::string_view text);

  /// Ends the text, and the line it is in.
  void close();

private:
  void add_markdown(std::string_view text);
  void take_dots_away();

  std::unique_ptr<markdown_stream> markdown_; ///< nullptr: the text as it is
  bool in_line_ = false;
  bool wrote_ = false;    ///< of Markdown: a block is shown
  bool has_dots_ = false; ///< they are in the line of the cursor
};

} // namespace troupe
