#include "messages/wire/json_lines.hpp"

#include <utility>

namespace troupe {

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

void json_lines::take(std::string_view piece) {
  if (foreign_)
    return;
  if (line_.empty()) {
    const auto first = piece.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
      return;
    piece.remove_prefix(first);
    foreign_ = piece.front() != '{' && piece.front() != '[';
    if (foreign_)
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
  if (std::exchange(foreign_, false))
    ++skipped_;
  if (line_.empty())
    return;
  if (line_.back() == '\r')
    line_.pop_back();
  out.push_back(std::exchange(line_, {}));
}

} // namespace troupe
