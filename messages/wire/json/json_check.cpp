#include "messages/wire/json/json_check.hpp"

#include <bitset>
#include <cstdint>
#include <cstring>

#include <simdjson.h>

namespace troupe {

namespace {

constexpr std::string_view no_utf8 = "the text is not valid UTF-8";

class checker {
public:
  explicit checker(std::string_view text) : at_{text.data()}, end_{text.data() + text.size()} {}

  checker(std::string_view text, const outer_member_visitor& visit) : checker{text} {
    visit_ = &visit;
  }

  /// Returns nullptr, or the description of the fault at position().
  const char* run();

  const char* position() const { return at_; }

private:
  enum class next : uint8_t { value, first_value, key, first_key, after };

  const char* value(next& state);
  const char* scalar();
  const char* key();
  const char* open(bool object, next& state);
  const char* after(next& state);
  const char* close(next& state);
  void show_member() const;
  const char* string();
  const char* escape();
  const char* number();
  const char* word(std::string_view expected);
  bool digits();

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
      ++at_;
  }
  bool sees(char c) const { return at_ != end_ && *at_ == c; }

  const char* at_;
  const char* end_;
  const outer_member_visitor* visit_ = nullptr;
  std::string_view key_;        // of the outermost object; the text between the quotes
  const char* value_ = nullptr; // where its value begins
  size_t depth_ = 0;
  std::bitset<max_json_depth> is_object_;
};

const char* checker::run() {
  auto state = next::value;
  for (;;) {
    skip_space();
    const char* fault = nullptr;
    switch (state) {
    case next::first_value:
      fault = sees(']') ? close(state) : value(state);
      break;
    case next::value:
      fault = value(state);
      break;
    case next::first_key:
      fault = sees('}') ? close(state) : key();
      if (state == next::first_key)
        state = next::value;
      break;
    case next::key:
      fault = key();
      state = next::value;
      break;
    case next::after:
      if (depth_ == 0)
        return at_ == end_ ? nullptr : "the end is expected";
      if (depth_ == 1 && visit_ != nullptr && value_ != nullptr)
        show_member();
      fault = after(state);
      break;
    }
    if (fault)
      return fault;
  }
}

const char* checker::value(next& state) {
  if (at_ == end_)
    return "a value is expected";
  if (depth_ == 1 && is_object_[0])
    value_ = at_;
  if (*at_ == '{' || *at_ == '[')
    return open(*at_ == '{', state);
  state = next::after;
  return scalar();
}

const char* checker::scalar() {
  switch (*at_) {
  case '"':
    return string();
  case 't':
    return word("true");
  case 'f':
    return word("false");
  case 'n':
    return word("null");
  default:
    return number();
  }
}

const char* checker::open(bool object, next& state) {
  if (depth_ == max_json_depth)
    return "the nesting is too deep";
  is_object_[depth_++] = object;
  ++at_;
  state = object ? next::first_key : next::first_value;
  return nullptr;
}

const char* checker::close(next& state) {
  --depth_;
  ++at_;
  state = next::after;
  return nullptr;
}

const char* checker::after(next& state) {
  auto object = is_object_[depth_ - 1];
  if (sees(object ? '}' : ']'))
    return close(state);
  if (!sees(','))
    return object ? "',' or '}' is expected" : "',' or ']' is expected";
  ++at_;
  state = object ? next::key : next::value;
  return nullptr;
}

void checker::show_member() const {
  std::string_view value{value_, static_cast<size_t>(at_ - value_)};
  (*visit_)(key_, value.substr(0, value.find_last_not_of(" \t\r\n") + 1));
}

const char* checker::key() {
  if (!sees('"'))
    return "a key is expected";
  const auto* first = at_ + 1;
  if (auto* fault = string())
    return fault;
  if (depth_ == 1)
    key_ = {first, static_cast<size_t>(at_ - first) - 1};
  skip_space();
  if (!sees(':'))
    return "':' is expected";
  ++at_;
  return nullptr;
}

/// Returns where the run of characters that mean themselves in a string ends.
const char* end_of_plain(const char* at, const char* end) {
  constexpr uint64_t ones = 0x0101010101010101;
  auto below = [](uint64_t word, uint64_t limit) { return (word - ones * limit) & ~word; };
  for (; end - at >= 8; at += 8) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    auto marks = below(word ^ (ones * '"'), 1) | below(word ^ (ones * '\\'), 1) | below(word, 0x20);
    if ((marks & (ones * 0x80)) != 0)
      break;
  }
  while (at != end && static_cast<unsigned char>(*at) >= 0x20 && *at != '"' && *at != '\\')
    ++at;
  return at;
}

const char* checker::string() {
  ++at_;
  for (;;) {
    at_ = end_of_plain(at_, end_);
    if (at_ == end_)
      return "the text ends inside a string";
    if (*at_ == '"') {
      ++at_;
      return nullptr;
    }
    if (*at_ != '\\')
      return "a control character in a string must be escaped";
    ++at_;
    if (auto* fault = escape())
      return fault;
  }
}

const char* checker::escape() {
  if (at_ == end_)
    return "the text ends inside a string";
  if (std::string_view{"\"\\/bfnrt"}.find(*at_) != std::string_view::npos) {
    ++at_;
    return nullptr;
  }
  if (*at_ != 'u')
    return "an escape that JSON does not know";
  ++at_;
  for (int i = 0; i < 4; ++i, ++at_)
    if (at_ == end_ ||
        std::string_view{"0123456789abcdefABCDEF"}.find(*at_) == std::string_view::npos)
      return "\\u needs four hexadecimal digits";
  return nullptr;
}

bool checker::digits() {
  auto* first = at_;
  while (at_ != end_ && *at_ >= '0' && *at_ <= '9')
    ++at_;
  return at_ != first;
}

const char* checker::number() {
  auto* start = at_;
  if (sees('-'))
    ++at_;
  if (sees('0'))
    ++at_;
  else if (!digits())
    return at_ == start ? "a value is expected" : "a digit is expected";
  if (sees('.')) {
    ++at_;
    if (!digits())
      return "a digit is expected";
  }
  if (sees('e') || sees('E')) {
    ++at_;
    if (sees('+') || sees('-'))
      ++at_;
    if (!digits())
      return "a digit is expected";
  }
  return nullptr;
}

const char* checker::word(std::string_view expected) {
  std::string_view rest{at_, static_cast<size_t>(end_ - at_)};
  if (rest.substr(0, expected.size()) != expected)
    return "a value is expected";
  at_ += expected.size();
  return nullptr;
}

std::string fault_of(checker check, std::string_view text) {
  if (const auto* fault = check.run())
    return std::string{fault} + " at byte " + std::to_string(check.position() - text.data());
  if (!simdjson::validate_utf8(text.data(), text.size()))
    return std::string{no_utf8};
  return {};
}

} // namespace

json_flaw find_json_flaw(std::string_view text) {
  checker check{text};
  if (const auto* fault = check.run())
    return {fault, static_cast<size_t>(check.position() - text.data())};
  if (!simdjson::validate_utf8(text.data(), text.size()))
    return {no_utf8, text.npos};
  return {};
}

std::string json_fault(std::string_view text) {
  return fault_of(checker{text}, text);
}

std::string json_fault(std::string_view text, const outer_member_visitor& visit) {
  return fault_of(checker{text, visit}, text);
}

bool is_json_object(std::string_view text) {
  auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && json_fault(text).empty();
}

} // namespace troupe
