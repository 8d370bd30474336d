#include "apps/troupe/terminal/text_width.hpp"

#include <algorithm>

#include <utf8proc.h>

namespace troupe {

namespace {

constexpr std::string_view cut_mark = "...";
constexpr utf8proc_int32_t replacement = 0xFFFD;
constexpr utf8proc_int32_t emoji_mark = 0xFE0F; ///< has the character before it drawn as an emoji

/// Goes through a line by what a person sees as one character (a grapheme cluster of Unicode).
class seen_characters {
public:
  explicit seen_characters(std::string_view text) : text_{text} { take(); }

  /// Moves on to the next one; false: there is none.
  bool next() {
    width_ = 0;
    if (bytes_ == 0)
      return false;
    for (bool joined = true; joined;) {
      add(code_);
      end_ += bytes_;
      const auto before = code_;
      take();
      joined = bytes_ > 0 && !utf8proc_grapheme_break_stateful(before, code_, &state_);
    }
    return true;
  }

  size_t width() const noexcept { return width_; } ///< columns
  size_t end() const noexcept { return end_; }     ///< bytes of the text up to and with it

private:
  /// Reads the code point after the ones that were added.
  void take() {
    const auto rest = text_.substr(end_);
    const auto size = static_cast<utf8proc_ssize_t>(rest.size());
    const auto* begin = reinterpret_cast<const utf8proc_uint8_t*>(rest.data());
    const auto read = rest.empty() ? 0 : utf8proc_iterate(begin, size, &code_);
    bytes_ = read < 0 ? 1 : static_cast<size_t>(read);
    if (read < 0)
      code_ = replacement;
  }

  /// No character takes more than two columns, of however many parts it is made.
  void add(utf8proc_int32_t code) {
    width_ += static_cast<size_t>(utf8proc_charwidth(code));
    if (code == emoji_mark && width_ > 0)
      width_ = 2;
    width_ = std::min<size_t>(width_, 2);
  }

  std::string_view text_;
  size_t end_ = 0;
  size_t bytes_ = 0; ///< of code_; 0: the text is over
  size_t width_ = 0;
  utf8proc_int32_t code_ = 0;
  utf8proc_int32_t state_ = 0;
};

} // namespace

size_t text_width(std::string_view text) {
  size_t out = 0;
  for (seen_characters at{text}; at.next();)
    out += at.width();
  return out;
}

std::string shortened(std::string_view text, size_t columns) {
  size_t width = 0;
  size_t kept = 0; // bytes that fit before the mark
  for (seen_characters at{text}; at.next();) {
    width += at.width();
    if (width + cut_mark.size() <= columns)
      kept = at.end();
    if (width > columns)
      return std::string{text.substr(0, kept)}.append(cut_mark);
  }
  return std::string{text};
}

} // namespace troupe
