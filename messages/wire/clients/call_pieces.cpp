#include "messages/wire/clients/call_pieces.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

constexpr std::string_view space = " \t\r\n";

bool is_hexadecimal(std::string_view digits) {
  return digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
}

bool is_of_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '+' || c == '.' || c == '_';
}

} // namespace

// -- argument pieces ------------------------------------------------------------------------------

std::string_view argument_pieces::take(std::string_view more) {
  text_ += more;
  while (!broken_ && step())
    ;
  const auto from = given_;
  if (first_ != std::string::npos)
    given_ = sure_;
  return std::string_view{text_}.substr(from, given_ - from);
}

std::string_view argument_pieces::shown() const noexcept {
  return first_ == std::string::npos ? std::string_view{}
                                     : std::string_view{text_}.substr(first_, given_ - first_);
}

bool argument_pieces::step() {
  if (inside_)
    return string();
  const auto at = text_.find_first_not_of(space, sure_);
  if (at == std::string::npos)
    return false;
  const auto c = text_[at];
  if (first_ == std::string::npos)
    return begin(at);
  if (c == '"') {
    inside_ = true;
    sure_ = at + 1;
    return true;
  }
  if (c == '{' || c == '[') {
    open_.push_back(c);
    sure_ = at + 1;
    return true;
  }
  if (c == '}' || c == ']')
    return close(c);
  if (c == ':') {
    sure_ = at + 1;
    return true;
  }
  return c == ',' ? comma(at) : word();
}

/// Begins the object: one without a member may be followed by the one that counts.
bool argument_pieces::begin(size_t at) {
  const auto name = text_.find_first_not_of(space, at + 1);
  broken_ = text_[at] != '{' || (name != std::string::npos && text_[name] != '"');
  if (broken_ || name == std::string::npos)
    return false;
  first_ = given_ = at;
  open_.push_back('{');
  sure_ = at + 1;
  return true;
}

/// Takes a comma; one before a bracket is mended.
bool argument_pieces::comma(size_t at) {
  const auto next = text_.find_first_not_of(space, at + 1);
  if (next == std::string::npos)
    return false;
  broken_ = text_[next] == '}' || text_[next] == ']' || text_[next] == ',';
  sure_ = broken_ ? sure_ : at + 1;
  return !broken_;
}

/// Goes on in a string, up to its end or to an escape that is not whole.
bool argument_pieces::string() {
  for (auto at = sure_; at < text_.size(); ++at) {
    const auto c = static_cast<unsigned char>(text_[at]);
    sure_ = at;
    if (c == '"') {
      inside_ = false;
      ++sure_;
      return true;
    }
    if (c == '\\') {
      const auto bytes = escape(at);
      if (bytes == 0)
        return false;
      at += bytes - 1;
    } else if (c == 0xED && at + 1 == text_.size()) {
      return false;
    } else if (c < 0x20 || (c == 0xED && static_cast<unsigned char>(text_[at + 1]) >= 0xA0)) {
      broken_ = true; // a line end, or half a character
      return false;
    }
    sure_ = at + 1;
  }
  return false;
}

/// Returns the length of the escape there; 0: it is not whole, or none, which breaks the text.
size_t argument_pieces::escape(size_t at) const {
  const auto rest = std::string_view{text_}.substr(at);
  if (rest.size() < 2)
    return 0;
  if (rest[1] != 'u')
    return std::string_view{"\"\\/bfnrt"}.find(rest[1]) == std::string_view::npos ? 0 : 2;
  if (rest.size() < 6 || !is_hexadecimal(rest.substr(2, 4)))
    return 0;
  const auto is_half = (rest[2] == 'd' || rest[2] == 'D') && rest[3] >= '8';
  if (!is_half)
    return 6;
  const auto is_pair = rest.size() >= 12 && rest.substr(6, 2) == "\\u" && rest[3] < 'C' &&
                       (rest[8] == 'd' || rest[8] == 'D') && rest[9] >= 'C';
  return is_pair && is_hexadecimal(rest.substr(8, 4)) ? 12 : 0;
}

/// Takes a number, true, false or null.
bool argument_pieces::word() {
  const auto at = text_.find_first_not_of(space, sure_);
  auto end = at;
  while (end < text_.size() && is_of_word(text_[end]))
    ++end;
  if (end == text_.size() && end > at)
    return false; // it may go on
  broken_ = end == at || !json_fault(std::string_view{text_}.substr(at, end - at)).empty();
  sure_ = broken_ ? sure_ : end;
  return !broken_;
}

bool argument_pieces::close(char bracket) {
  const auto fits = open_.back() == (bracket == '}' ? '{' : '[');
  broken_ = !fits;
  if (fits) {
    open_.pop_back();
    sure_ = text_.find(bracket, sure_) + 1;
    broken_ = open_.empty(); // all of it
  }
  return !broken_;
}

// -- call pieces ----------------------------------------------------------------------------------

void call_pieces::start(const tool_args_start& call) {
  if (!call_.tool_call_id.empty() || !call.client_side || call.tool_call_id.empty())
    return;
  call_ = call;
  arguments_ = {};
}

std::string_view call_pieces::take(const tool_args_delta& piece, const event_batch& batch) {
  if (piece.tool_call_id != call_.tool_call_id || call_.tool_call_id.empty())
    return {};
  const auto is_whole = std::ranges::any_of(batch.events, [&piece](const auto& each) {
    const auto* complete = std::get_if<tool_args_complete>(&each);
    return complete != nullptr && complete->tool_call_id == piece.tool_call_id;
  });
  return is_whole ? std::string_view{} : arguments_.take(piece.delta);
}

std::optional<std::string> call_pieces::complete(const tool_args_complete& whole) {
  if (call_.tool_call_id.empty() || whole.tool_call_id != call_.tool_call_id)
    return std::nullopt;
  call_ = {};
  const auto pieces = std::exchange(arguments_, {});
  const auto shown = pieces.shown();
  if (shown.empty())
    return std::nullopt;
  std::string_view text = whole.arguments.text;
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  const auto fits = whole.error == errc::none && text.starts_with(shown);
  return std::string{fits ? text.substr(shown.size()) : std::string_view{}};
}

} // namespace troupe
