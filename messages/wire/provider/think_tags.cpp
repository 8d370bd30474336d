#include "messages/wire/provider/think_tags.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace troupe {

namespace {

struct tag {
  std::string_view opening;
  std::string_view closing;
};

constexpr std::array tags{
    tag{"<think>", "</think>"}, tag{"<thought>", "</thought>"}, // Gemini
};

constexpr std::string_view blank = " \t\r\n";
constexpr size_t max_line_ends = 2; ///< before a closing tag

/// Returns the end of the text without the line ends after it.
size_t end_of_lines(std::string_view text, size_t end) {
  for (size_t left = max_line_ends; left > 0 && end > 0 && text[end - 1] == '\n'; --left)
    --end;
  return end;
}

/// Returns how much of `text` cannot be the beginning of line ends and `closing`.
size_t certain_bytes(std::string_view text, std::string_view closing) {
  auto from = text.size() - std::min(text.size(), closing.size() - 1);
  while (!closing.starts_with(text.substr(from)))
    ++from;
  return end_of_lines(text, from);
}

} // namespace

void think_tags::read(std::string_view text, std::vector<event>& out) {
  held_.append(text);
  if (state_ == state::start)
    read_start();
  if (state_ == state::inside)
    read_inside(out);
  if (state_ == state::behind)
    read_behind(out);
  if (state_ == state::off)
    show_text(out);
}

void think_tags::read_events(std::vector<event> events, std::vector<event>& out) {
  for (auto& each : events) {
    const auto* text = std::get_if<text_delta>(&each);
    if (text != nullptr && active()) {
      read(text->text, out);
      continue;
    }
    flush(out);
    out.push_back(std::move(each));
  }
}

void think_tags::read_start() {
  auto first = std::min(held_.find_first_not_of(blank), held_.size());
  if (first > max_blank_bytes)
    return leave_start();
  auto rest = std::string_view{held_}.substr(first);
  for (const auto& each : tags) {
    if (each.opening.size() > rest.size() && each.opening.starts_with(rest))
      return;
    if (rest.starts_with(each.opening)) {
      held_.erase(0, first + each.opening.size());
      closing_ = each.closing;
      state_ = state::inside;
      return;
    }
  }
  leave_start();
}

/// Leaves the start without an opening tag.
void think_tags::leave_start() {
  closing_ = tags.front().closing;
  state_ = opened_ ? state::inside : state::off;
}

void think_tags::read_inside(std::vector<event>& out) {
  if (!thought_)
    held_.erase(0, held_.find_first_not_of(blank));
  auto end = held_.find(closing_);
  if (end == std::string::npos)
    return show_thought(certain_bytes(held_, closing_), out);
  auto behind = held_.substr(end + closing_.size());
  show_thought(end_of_lines(held_, end), out);
  held_ = std::move(behind);
  state_ = state::behind;
}

void think_tags::read_behind(std::vector<event>& out) {
  held_.erase(0, held_.find_first_not_of(blank));
  if (held_.empty())
    return;
  state_ = state::off;
  show_text(out);
}

void think_tags::flush(std::vector<event>& out) {
  if (state_ == state::start && held_.find_first_not_of(blank) == std::string::npos)
    state_ = state::off;
  if (state_ == state::start)
    leave_start();
  if (state_ == state::inside)
    return show_thought(held_.size(), out);
  show_text(out);
}

void think_tags::show_thought(size_t bytes, std::vector<event>& out) {
  if (bytes == 0)
    return;
  thought_ = true;
  out.emplace_back(reasoning_delta{held_.substr(0, bytes)});
  held_.erase(0, bytes);
}

void think_tags::show_text(std::vector<event>& out) {
  if (!held_.empty())
    out.emplace_back(text_delta{std::move(held_)});
  held_.clear();
}

} // namespace troupe
