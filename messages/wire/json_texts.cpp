#include "messages/wire/json_texts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace troupe {

namespace {

constexpr std::string_view data_label = "data:";

constexpr std::string_view space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Returns whether a line between objects means nothing: a comment, or a field without data.
bool is_passed_over(std::string_view line) {
  constexpr std::array<std::string_view, 4> labels{":", "event:", "id:", "retry:"};
  return line.empty() || std::ranges::any_of(labels, [line](std::string_view label) {
           return line.starts_with(label);
         });
}

} // namespace

void json_texts::feed(std::string_view bytes, const visitor& visit) {
  while (!bytes.empty() && !stopped_)
    bytes.remove_prefix(depth_ == 0 ? read_between(bytes, visit) : read_object(bytes, visit));
}

/// Reads up to the next object or line end; returns the number of bytes.
size_t json_texts::read_between(std::string_view bytes, const visitor& visit) {
  auto end = std::min(bytes.find_first_of("{\r\n"), bytes.size());
  keep(line_, bytes.substr(0, end));
  if (end == bytes.size() || stopped_)
    return end;
  if (bytes[end] != '{') {
    end_line(visit);
    return end + 1;
  }
  if (auto before = trimmed(line_); before != data_label)
    end_line(visit);
  line_.clear();
  return stopped_ ? end : end + read_object(bytes.substr(end), visit);
}

/// Reads up to the end of the object that is open, or begins here; returns the number of bytes.
size_t json_texts::read_object(std::string_view bytes, const visitor& visit) {
  auto end = end_of_object(bytes);
  auto whole = text_.empty();
  if (depth_ == 0 && whole && end <= max_text_bytes_) {
    // A parser that reads further must not take what follows for a part of a broken text.
    auto alone = end < bytes.size() && space.find(bytes[end]) != std::string_view::npos;
    show(bytes.substr(0, end), alone ? bytes.size() : end, visit);
    return end;
  }
  keep(text_, bytes.substr(0, end));
  if (depth_ == 0 && !stopped_) {
    auto text = std::exchange(text_, {});
    show(text, text.size(), visit);
  }
  return end;
}

size_t json_texts::end_of_object(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); ++at) {
    auto c = bytes[at];
    if (in_string_) {
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && --depth_ == 0) {
      return at + 1;
    }
  }
  return bytes.size();
}

/// Reads a line that has no object, or what stands before one on its line.
void json_texts::end_line(const visitor& visit) {
  auto whole = std::exchange(line_, {});
  auto line = trimmed(whole);
  if (line.starts_with(data_label))
    line = trimmed(line.substr(data_label.size()));
  if (!is_passed_over(line))
    show(line, line.size(), visit);
}

void json_texts::finish(const visitor& visit) {
  if (stopped_)
    return;
  if (depth_ == 0)
    end_line(visit);
  else
    show(text_, text_.size(), visit);
  stopped_ = true;
}

void json_texts::show(std::string_view text, size_t readable, const visitor& visit) {
  stopped_ = stopped_ || !visit(text, readable);
}

void json_texts::keep(std::string& in, std::string_view bytes) {
  if (in.size() + bytes.size() > max_text_bytes_) {
    overflowed_ = stopped_ = true;
    std::string{}.swap(in);
  } else {
    in.append(bytes);
  }
}

} // namespace troupe
