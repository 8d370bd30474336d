// Lines of a terminal, from what md4c finds in Markdown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <md4c.h>

#include "apps/troupe/markdown/styled_text.hpp"

namespace troupe {

/// The rows of a table; the first one are its heads.
using table_rows = std::vector<std::vector<styled_text>>;

/// Returns the lines of a table: cells in columns where they fit, else each row as lines of
/// "head: cell".
std::vector<std::string> table_lines(const table_rows& rows, size_t columns);

/// Makes lines for a terminal of what md4c finds, which calls it in the order of the text. One
/// block of Markdown, one thread.
class block_writer {
public:
  explicit block_writer(size_t columns) : columns_{columns} {}

  void enter(MD_BLOCKTYPE type, void* detail);
  void leave(MD_BLOCKTYPE type);
  void enter(MD_SPANTYPE type);
  void leave(MD_SPANTYPE type, void* detail);
  void add(MD_TEXTTYPE type, std::string_view text);

  std::string finish() { return std::move(out_); }

private:
  struct list {
    unsigned next = 0; ///< number of the next item; only if ordered
    bool ordered = false;
  };

  void enter_list(bool ordered, unsigned start);
  void enter_item(const MD_BLOCK_LI_DETAIL& item);
  void leave_item();
  void write_code(const std::string& code);
  void write_lines(const std::vector<std::string>& lines);
  void write_inline();
  void begin_block();
  size_t room() const;
  void nest(std::string prefix) { prefixes_.push_back(std::move(prefix)); }
  styled_text& text() { return row_.empty() ? text_ : row_.back(); }

  size_t columns_;
  std::string out_;
  std::vector<std::string> prefixes_; ///< of each level
  std::string marker_;                ///< takes the place of the last prefix once
  std::vector<list> lists_;
  styled_text text_;
  std::string code_;
  std::string fence_;
  table_rows rows_;
  std::vector<styled_text> row_; ///< of a table; empty: none is open
  std::vector<uint8_t> styles_{style_plain};
  std::vector<size_t> links_; ///< the runs with which their texts begin
  bool in_code_ = false;
  bool gap_ = false; ///< an empty line comes before the next block
};

} // namespace troupe
