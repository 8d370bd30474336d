#include "apps/troupe/markdown/styled_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "apps/troupe/terminal/text_width.hpp"

namespace troupe {

namespace {

/// Collects words in lines.
class line_wrapper {
public:
  explicit line_wrapper(size_t columns) : columns_{columns} {}

  /// Adds a part of a word: its neighbours may have other styles.
  void add(std::string_view text, uint8_t style) {
    word_ += painted(text, style);
    word_width_ += text_width(text);
    has_word_ = true;
  }

  void end_word() {
    if (!has_word_)
      return;
    if (has_text_ && width_ + 1 + word_width_ > columns_)
      end_line();
    line_ += (has_text_ ? " " : "") + std::exchange(word_, {});
    width_ += (has_text_ ? 1 : 0) + std::exchange(word_width_, 0);
    has_text_ = true;
    has_word_ = false;
  }

  void end_line() {
    lines_.push_back(std::exchange(line_, {}));
    width_ = 0;
    has_text_ = false;
  }

  std::vector<std::string> finish() {
    end_word();
    if (has_text_ || lines_.empty())
      end_line();
    return std::move(lines_);
  }

private:
  size_t columns_;
  std::vector<std::string> lines_;
  std::string line_;
  std::string word_;
  size_t width_ = 0;
  size_t word_width_ = 0;
  bool has_text_ = false;
  bool has_word_ = false;
};

} // namespace

std::string painted(std::string_view text, uint8_t style) {
  constexpr std::array<std::string_view, 6> codes{"1", "3", "2", "36", "9", "4"};
  std::string out;
  for (size_t bit = 0; bit < codes.size(); ++bit)
    if ((style >> bit & 1) != 0)
      out.append(out.empty() ? "\x1b[" : ";").append(codes[bit]);
  if (out.empty() || text.empty())
    return std::string{text};
  return out.append("m").append(text).append("\x1b[0m");
}

std::vector<std::string> wrapped(const styled_text& text, size_t columns) {
  line_wrapper out{columns};
  for (const auto& run : text)
    for (size_t at = 0; at < run.text.size();) {
      const auto end = std::min(run.text.find_first_of(" \t\n", at), run.text.size());
      if (end > at)
        out.add(std::string_view{run.text}.substr(at, end - at), run.style);
      if (end < run.text.size())
        out.end_word();
      if (end < run.text.size() && run.text[end] == '\n')
        out.end_line();
      at = end + 1;
    }
  return out.finish();
}

size_t width_of(const styled_text& text) {
  size_t out = 0;
  for (const auto& run : text)
    out += text_width(run.text);
  return out;
}

} // namespace troupe
