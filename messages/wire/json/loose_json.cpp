#include "messages/wire/json/loose_json.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Copies an object token by token and writes the loose ones strictly. Only strings and brackets
/// are understood here; whether the result is JSON is checked in the end.
class loose_reader {
public:
  explicit loose_reader(std::string_view text) : text_{text} {}

  std::optional<loose_object> read() {
    while (at_ < text_.size()) {
      auto c = text_[at_];
      if (c == '"' || c == '\'') {
        if (!string(c))
          return std::nullopt;
      } else if (is_letter(c)) {
        word();
      } else {
        bracket(c);
        made_.json.push_back(c);
        ++at_;
        if (depth_ == 0)
          return finish();
      }
    }
    return std::nullopt;
  }

private:
  void bracket(char c) {
    if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      --depth_;
      drop_comma();
    }
  }

  /// Drops one comma after the last value; a comma without a value stays, and is a fault.
  void drop_comma() {
    auto& out = made_.json;
    auto comma = out.find_last_not_of(" \t\r\n");
    if (comma == std::string::npos || out[comma] != ',')
      return;
    auto value = out.find_last_not_of(" \t\r\n", comma - 1); // a '{' comes before at the least
    if (std::string_view{"{[,"}.find(out[value]) != std::string_view::npos)
      return;
    out.erase(comma, 1);
    made_.marks.trailing_comma = true;
  }

  void word() {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> python{
        {{"True", "true"}, {"False", "false"}, {"None", "null"}}};
    auto end = at_;
    while (end < text_.size() && is_letter(text_[end]))
      ++end;
    auto written = text_.substr(at_, end - at_);
    for (const auto& [name, meant] : python)
      if (written == name) {
        written = meant;
        made_.marks.python_words = true;
        break;
      }
    made_.json.append(written);
    at_ = end;
  }

  bool string(char quote) {
    made_.marks.single_quotes |= quote == '\'';
    made_.json.push_back('"');
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
      if (!character())
        return false;
    if (at_ == text_.size())
      return false;
    made_.json.push_back('"');
    ++at_;
    return true;
  }

  /// Copies one character of a string, or an escape; false at the end of the text.
  bool character() {
    auto& out = made_.json;
    auto c = text_[at_];
    if (c == '\\') {
      if (++at_ == text_.size())
        return false;
      if (text_[at_] == '\'')
        made_.marks.single_quotes = true;
      else
        out.push_back('\\');
      out.push_back(text_[at_]);
    } else if (c == '"') {
      out.append("\\\"");
    } else if (static_cast<uint8_t>(c) < 0x20) {
      made_.marks.raw_controls = true;
      control(c);
    } else {
      out.push_back(c);
    }
    return true;
  }

  void control(char c) {
    static constexpr std::string_view known = "\b\f\n\r\t";
    static constexpr std::string_view letters = "bfnrt";
    auto at = known.find(c);
    if (at == std::string_view::npos)
      fmt::format_to(std::back_inserter(made_.json), "\\u{:04x}", static_cast<unsigned>(c));
    else
      made_.json.append(1, '\\').append(1, letters[at]);
  }

  std::optional<loose_object> finish() {
    if (!is_json_object(made_.json))
      return std::nullopt;
    made_.bytes = at_;
    return std::move(made_);
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
  loose_object made_;
};

} // namespace

std::optional<loose_object> read_loose_object(std::string_view text) {
  return loose_reader{text}.read();
}

} // namespace troupe
