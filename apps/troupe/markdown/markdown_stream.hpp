// Markdown at a terminal while it still comes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// Writes an answer block by block, each once and when it is whole: a paragraph, a heading, an item
/// of a list, a table. Of code each line is written as soon as it is there. The same lines for
/// every way of cutting the text.
class markdown_stream {
public:
  /// @param columns asked before each block @param write gets whole lines
  markdown_stream(std::function<size_t()> columns, std::function<void(std::string_view)> write);

  void add(std::string_view text);

  /// Writes what has not been written; the next text begins an answer of its own.
  void end();

private:
  void take_line(std::string_view line);
  void take_code(std::string_view line);
  void take_text(std::string_view line);
  bool begins_block(std::string_view line) const;
  void open_code(std::string_view line, size_t length);
  void write_block();
  void begin(bool tight);

  std::function<size_t()> columns_;
  std::function<void(std::string_view)> write_;
  std::string rest_;        ///< a line without its end
  std::string block_;       ///< what has come of it
  bool blank_ = false;      ///< the block's last line is blank
  char fence_ = '\0';       ///< of the code that is open, at the left edge or in the block; else 0
  size_t fence_length_ = 0; ///< of the same
  bool in_code_ = false;    ///< the code is at the left edge
  bool wrote_ = false;      ///< a block stands above
  bool wrote_item_ = false; ///< and it is an item of a list
};

} // namespace troupe
