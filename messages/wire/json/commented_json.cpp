#include "messages/wire/json/commented_json.hpp"

#include <algorithm>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Blanks what JSON does not have, token by token.
class comment_eraser {
public:
  explicit comment_eraser(std::string_view text) : text_{text} {}

  std::string erased() {
    if (text_.starts_with(byte_order_mark))
      blank(0, at_ = byte_order_mark.size());
    while (at_ < text_.size())
      step(text_[at_]);
    return std::move(text_);
  }

private:
  void step(char c) {
    if (c == '/' && at_ + 1 < text_.size() && (text_[at_ + 1] == '/' || text_[at_ + 1] == '*'))
      return comment(text_[at_ + 1]);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
      return;
    }
    if ((c == '}' || c == ']') && comma_ != text_.npos)
      text_[comma_] = ' ';
    const auto ends_value = c != ',' && c != ':' && c != '{' && c != '[';
    comma_ = c == ',' && behind_value_ ? at_ : text_.npos;
    behind_value_ = ends_value;
    at_ = c == '"' ? end_of_string() : at_ + 1;
  }

  void comment(char kind) {
    auto end = kind == '/' ? text_.find_first_of("\r\n", at_) : text_.find("*/", at_ + 2);
    if (kind == '/')
      end = std::min(end, text_.size());
    else if (end != text_.npos)
      end += 2;
    else
      end = at_ = text_.size(); // without an end; the checker finds its beginning
    blank(at_, end);
    at_ = end;
  }

  /// Returns where the string that begins here ends.
  size_t end_of_string() const {
    for (auto i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '"')
        return i + 1;
      if (text_[i] == '\\')
        ++i;
    }
    return text_.size();
  }

  void blank(size_t from, size_t to) {
    for (auto i = from; i < to; ++i)
      if (text_[i] != '\n' && text_[i] != '\r')
        text_[i] = ' ';
  }

  std::string text_;
  size_t at_ = 0;
  size_t comma_ = std::string::npos; ///< the last token, if it is a comma after a value
  bool behind_value_ = false;
};

} // namespace

std::string plain_json(std::string_view text) {
  return comment_eraser{text}.erased();
}

text_place place_of(std::string_view text, size_t at) {
  text_place place;
  const auto begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  for (auto i = begin; i < std::min(at, text.size()); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '\n')
      place = {place.line + 1, 1};
    else if ((byte & 0xC0) != 0x80) // not the rest of a character
      ++place.column;
  }
  return place;
}

} // namespace troupe
