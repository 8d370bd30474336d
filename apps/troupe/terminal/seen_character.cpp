#include "apps/troupe/terminal/seen_character.hpp"

#include <utf8proc.h>

namespace troupe {

namespace {

/// Goes from one border between seen characters to the next.
class seen_borders {
public:
  /// @param before where the caller wants to be; a line's end before it is a border, too
  seen_borders(std::wstring_view text, size_t before) : text_{text} {
    const auto line = text.substr(0, before).rfind(L'\n');
    at_ = line == text.npos ? 0 : line;
  }

  size_t at() const noexcept { return at_; }

  size_t next() {
    utf8proc_int32_t state = 0;
    if (at_ < text_.size())
      ++at_;
    while (at_ < text_.size() &&
           !utf8proc_grapheme_break_stateful(code(at_ - 1), code(at_), &state))
      ++at_;
    return at_;
  }

private:
  utf8proc_int32_t code(size_t at) const { return static_cast<utf8proc_int32_t>(text_[at]); }

  std::wstring_view text_;
  size_t at_ = 0;
};

} // namespace

size_t seen_character_begin(std::wstring_view text, size_t at) {
  seen_borders border{text, at == 0 ? 0 : at - 1};
  auto out = border.at();
  while (border.next() < at)
    out = border.at();
  return out;
}

size_t seen_character_end(std::wstring_view text, size_t at) {
  seen_borders border{text, at};
  while (border.at() < text.size() && border.next() <= at)
    continue;
  return border.at();
}

} // namespace troupe
