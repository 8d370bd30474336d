#include "apps/troupe/markdown/markdown_stream.hpp"

#include <algorithm>
#include <utility>

#include "apps/troupe/markdown/markdown_block.hpp"

namespace troupe {

namespace {

constexpr size_t most_block_bytes = size_t{1} << 20; // then it is written as if it were whole

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Returns how many fence characters a line begins with, after at most `most` blanks; 0: it is no
/// fence.
size_t fence_length(std::string_view line, size_t most = 3) {
  const auto at = indent_of(line);
  if (at > most || at == line.size() || (line[at] != '`' && line[at] != '~'))
    return 0;
  const auto length = std::min(line.find_first_not_of(line[at], at), line.size()) - at;
  const auto is_inline = line[at] == '`' && line.find('`', at + length) != line.npos;
  return length < 3 || is_inline ? 0 : length;
}

/// Returns whether a line begins an item of a list at the left edge.
bool begins_item(std::string_view line) {
  const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const auto mark = digits < line.size() ? line[digits] : '\0';
  const auto marks = digits == 0 ? std::string_view{"-*+"} : std::string_view{".)"};
  return mark != '\0' && digits < 10 && marks.find(mark) != marks.npos &&
         digits + 1 < line.size() && (line[digits + 1] == ' ' || line[digits + 1] == '\t');
}

bool is_heading(std::string_view line) {
  const auto marks = std::min(line.find_first_not_of('#'), line.size());
  return marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ';
}

} // namespace

markdown_stream::markdown_stream(std::function<size_t()> columns,
                                 std::function<void(std::string_view)> write)
    : columns_{std::move(columns)}, write_{std::move(write)} {}

void markdown_stream::add(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    rest_.append(text.substr(0, end));
    if (end == text.npos)
      return;
    text.remove_prefix(end + 1);
    const auto line = std::exchange(rest_, {});
    take_line(line);
  }
}

void markdown_stream::end() {
  if (auto line = std::exchange(rest_, {}); !line.empty())
    take_line(line);
  write_block();
  fence_ = '\0';
  in_code_ = wrote_ = wrote_item_ = blank_ = false;
}

void markdown_stream::take_line(std::string_view line) {
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  if (in_code_)
    take_code(line);
  else
    take_text(line);
}

/// Takes a line of code at the left edge.
void markdown_stream::take_code(std::string_view line) {
  const auto length = fence_length(line);
  const auto closes = length >= fence_length_ && line[indent_of(line)] == fence_ &&
                      is_blank(line.substr(indent_of(line) + length));
  write_((closes ? rendered_fence(line) : rendered_code_line(line)) + '\n');
  if (!closes)
    return;
  in_code_ = false;
  fence_ = '\0';
}

bool markdown_stream::begins_block(std::string_view line) const {
  if (block_.empty())
    return false;
  const auto at_edge = line[0] != ' ' && line[0] != '\t';
  const auto in_item = begins_item(block_);
  if (fence_ != '\0' || block_.size() > most_block_bytes)
    return at_edge && (in_item || fence_ == '\0'); // the item ends, and its code with it
  return is_heading(line) || (at_edge && blank_) || (in_item && begins_item(line)) ||
         ((at_edge || !in_item) && fence_length(line) > 0);
}

void markdown_stream::take_text(std::string_view line) {
  if (is_blank(line)) {
    block_ += block_.empty() ? "" : "\n";
    blank_ = true;
    return;
  }
  if (begins_block(line))
    write_block();
  if (const auto length = fence_length(line, block_.empty() ? 3 : 12); length > 0) {
    const auto mark = line[indent_of(line)];
    if (block_.empty())
      return open_code(line, length);
    if (fence_ == '\0') {
      fence_ = mark;
      fence_length_ = length;
    } else if (mark == fence_ && length >= fence_length_) {
      fence_ = '\0';
    }
  }
  blank_ = false;
  block_.append(line).push_back('\n');
  if (is_heading(block_) && fence_ == '\0')
    write_block();
}

void markdown_stream::open_code(std::string_view line, size_t length) {
  begin(false);
  fence_ = line[indent_of(line)];
  fence_length_ = length;
  in_code_ = true;
  write_(rendered_fence(line) + '\n');
}

void markdown_stream::write_block() {
  const auto block = std::exchange(block_, {});
  fence_ = '\0';
  blank_ = false;
  if (is_blank(block) || block.find_first_not_of('\n') == block.npos)
    return;
  const auto is_item = begins_item(block);
  auto shown = rendered_markdown(block, columns_());
  if (shown.empty())
    return; // the definition of a link
  begin(is_item && wrote_item_);
  wrote_item_ = is_item;
  write_(shown);
}

/// Writes the empty line between blocks; there is none between the items of a list.
void markdown_stream::begin(bool tight) {
  if (wrote_ && !tight)
    write_("\n");
  wrote_ = true;
  wrote_item_ = false;
}

} // namespace troupe
