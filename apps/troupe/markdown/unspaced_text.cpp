#include "apps/troupe/markdown/unspaced_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <utf8proc.h>

namespace troupe {

namespace {

// Code points that are no characters mark what is added; addresses and code may have it in them.
constexpr int32_t first_stand_in = 0xFDD0;
constexpr int32_t last_stand_in = 0xFDD2;
constexpr std::string_view tilde = "\xEF\xB7\x90";          // U+FDD0
constexpr std::string_view after_letter = "\xEF\xB7\x91,";  // U+FDD1, and punctuation
constexpr std::string_view before_letter = ",\xEF\xB7\x92"; // U+FDD2
constexpr char address_end = '\0'; // md4c takes one for a piece of text of its own

using ranges = std::pair<int32_t, int32_t>;

template <size_t Size>
bool is_in(const std::array<ranges, Size>& list, int32_t code) {
  return std::any_of(list.begin(), list.end(),
                     [code](const ranges& r) { return code >= r.first && code <= r.second; });
}

/// Chinese, Japanese and Korean: letters, punctuation, forms of full width, and marks that choose a
/// glyph. The page has the same list.
bool is_cjk(int32_t code) {
  constexpr std::array<ranges, 13> list{{{0x1100, 0x11FF},
                                         {0x2E80, 0xA4CF},
                                         {0xA960, 0xA97F},
                                         {0xAC00, 0xD7FF},
                                         {0xF900, 0xFAFF},
                                         {0xFE10, 0xFE1F},
                                         {0xFE30, 0xFE6F},
                                         {0xFF01, 0xFFEF},
                                         {0x16FE0, 0x18DFF},
                                         {0x1AFF0, 0x1B2FF},
                                         {0x1F200, 0x1F2FF},
                                         {0x20000, 0x3FFFF},
                                         {0xE0100, 0xE01EF}}};
  return is_in(list, code);
}

/// Returns whether md4c takes a character for punctuation: of the others than ASCII no symbols.
bool is_punctuation(int32_t code) {
  const auto category = utf8proc_category(code);
  const auto last = code < 0x80 ? UTF8PROC_CATEGORY_SO : UTF8PROC_CATEGORY_PO;
  return category >= UTF8PROC_CATEGORY_PC && category <= last;
}

bool is_space(int32_t code) {
  return code <= 0x20 || utf8proc_category(code) == UTF8PROC_CATEGORY_ZS;
}

/// Returns whether a bare address ends before a character: CJK punctuation, and quotation marks,
/// dots and dashes of type.
bool ends_address(int32_t code) {
  constexpr std::array<ranges, 8> list{{{0x2014, 0x2014},
                                        {0x2018, 0x2019},
                                        {0x201C, 0x201D},
                                        {0x2026, 0x2026},
                                        {0x3000, 0x303F},
                                        {0xFE10, 0xFE6F},
                                        {0xFF01, 0xFF65},
                                        {0xFFE0, 0xFFEF}}};
  const auto category = utf8proc_category(code);
  return is_in(list, code) && category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_SO;
}

struct character {
  int32_t code = ' '; ///< a blank before and after the text
  size_t bytes = 0;
};

character character_at(std::string_view text, size_t at) {
  character out;
  const auto rest = text.substr(std::min(at, text.size()));
  const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(rest.data()),
                                     static_cast<utf8proc_ssize_t>(rest.size()), &out.code);
  if (read <= 0)
    out.code = ' ';
  out.bytes = read > 0 ? static_cast<size_t>(read) : std::min<size_t>(rest.size(), 1);
  return out;
}

/// Returns whether an address may begin there that md4c makes a link: not that of a written link.
bool may_begin_address(std::string_view before) {
  if (!before.empty() && std::string_view{" \t\n*_~(["}.find(before.back()) == before.npos)
    return false;
  const auto last = before.find_last_not_of(" \t\n");
  before = before.substr(0, last == before.npos ? 0 : last + 1);
  return !before.ends_with("](") && !before.ends_with("]:");
}

class stand_in_writer {
public:
  explicit stand_in_writer(std::string_view text) : text_{text} {}

  std::string written() {
    while (at_ < text_.size()) {
      if (address_ends_ == std::string_view::npos)
        look_for_address();
      if (at_ == address_ends_)
        end_address();
      if (text_[at_] == '*' || text_[at_] == '~')
        take_marks(std::min(text_.find_first_not_of(text_[at_], at_), text_.size()));
      else
        take(character_at(text_, at_));
    }
    return std::move(out_);
  }

private:
  void take(const character& next) {
    if (next.code < first_stand_in || next.code > last_stand_in)
      out_ += text_.substr(at_, next.bytes);
    before_ = next.code;
    at_ += next.bytes;
  }

  void take_marks(size_t end) {
    const auto marks = text_.substr(at_, end - at_);
    const auto after = code_after(end);
    const auto stands_in = marks[0] == '*' && needs_stand_in(after);
    if (stands_in && is_punctuation(after))
      out_ += after_letter;
    out_ += marks == "~" ? tilde : marks;
    if (stands_in && !is_punctuation(after))
      out_ += before_letter;
    before_ = marks == "~" ? first_stand_in : marks[0];
    at_ = end;
  }

  /// Returns the character as md4c will see it.
  int32_t code_after(size_t at) const {
    const auto is_tilde = text_.substr(at, 1) == "~" && text_.substr(at, 2) != "~~";
    return is_tilde ? first_stand_in : character_at(text_, at).code;
  }

  bool needs_stand_in(int32_t after) const {
    return !is_space(before_) && !is_space(after) &&
           is_punctuation(before_) != is_punctuation(after) && (is_cjk(before_) || is_cjk(after));
  }

  void look_for_address() {
    const auto rest = text_.substr(at_);
    const auto begins = [&](std::string_view scheme) { return rest.starts_with(scheme); };
    if (!(begins("http://") || begins("https://") || begins("ftp://")) ||
        !may_begin_address(text_.substr(0, at_)))
      return;
    auto end = at_;
    for (auto next = character_at(text_, end); next.bytes > 0; next = character_at(text_, end)) {
      if (is_space(next.code) || next.code == '<' || ends_address(next.code))
        break;
      end += next.bytes;
    }
    address_ends_ = end;
  }

  void end_address() {
    address_ends_ = std::string_view::npos;
    if (ends_address(character_at(text_, at_).code))
      out_ += address_end;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t address_ends_ = std::string_view::npos; ///< of the one that was begun
  int32_t before_ = ' ';
  std::string out_;
};

} // namespace

std::string with_stand_ins(std::string_view text) {
  return stand_in_writer{text}.written();
}

std::string without_stand_ins(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> all{
      {{tilde, "~"}, {after_letter, ""}, {before_letter, ""}, {{&address_end, 1}, ""}}};
  std::string out;
  while (!text.empty()) {
    const auto* found = std::find_if(
        all.begin(), all.end(), [&](const auto& each) { return text.starts_with(each.first); });
    out += found == all.end() ? text.substr(0, 1) : found->second;
    text.remove_prefix(found == all.end() ? 1 : found->first.size());
  }
  return out;
}

} // namespace troupe
