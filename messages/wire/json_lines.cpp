#include "messages/wire/json_lines.hpp"

#include <algorithm>
#include <utility>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t kept_of_skipped = 1024;

} // namespace

std::vector<std::string> json_lines::feed(std::string_view bytes) {
  std::vector<std::string> out;
  while (!bytes.empty() && !overflowed_) {
    const auto end = bytes.find('\n');
    take(bytes.substr(0, end));
    if (end == std::string_view::npos || overflowed_)
      break;
    end_line(out);
    bytes.remove_prefix(end + 1);
  }
  return out;
}

/// Skips blanks and byte order marks. Returns whether the line begins in `piece`.
bool json_lines::begin_line(std::string_view& piece) {
  while (!piece.empty()) {
    const char c = piece.front();
    if (c == byte_order_mark[mark_])
      mark_ = (mark_ + 1) % byte_order_mark.size();
    else if (mark_ != 0 || (c != ' ' && c != '\t' && c != '\r'))
      return true;
    piece.remove_prefix(1);
  }
  return false;
}

void json_lines::take(std::string_view piece) {
  if (!is_no_json_ && line_.empty()) {
    if (!begin_line(piece))
      return;
    is_no_json_ = mark_ != 0 || (piece.front() != '{' && piece.front() != '[');
    if (is_no_json_)
      skipping_ = byte_order_mark.substr(0, mark_);
    mark_ = 0;
  }
  if (is_no_json_) {
    const auto room = kept_of_skipped - std::min(skipping_.size(), kept_of_skipped);
    skipping_.append(piece.substr(0, room));
    return;
  }
  if (line_.size() + piece.size() > max_line_bytes_) {
    overflowed_ = true;
    line_ = {};
    return;
  }
  line_.append(piece);
}

void json_lines::end_line(std::vector<std::string>& out) {
  ++lines_;
  if (const auto marked = std::exchange(mark_, 0); marked != 0) {
    skipping_ = byte_order_mark.substr(0, marked);
    is_no_json_ = true;
  }
  if (std::exchange(is_no_json_, false)) {
    ++skipped_;
    last_skipped_.swap(skipping_);
  }
  if (line_.empty())
    return;
  if (line_.back() == '\r')
    line_.pop_back();
  out.push_back(std::exchange(line_, {}));
}

} // namespace troupe
