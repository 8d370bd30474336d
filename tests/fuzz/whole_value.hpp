// Values that list their fields(), seen to the last member: to compare two, and to check each text.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/fuzz/fuzz.hpp"

/// Returns whether `text` is UTF-8.
inline bool holds_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const auto unit = troupe::utf8_at(text, at);
    if (!unit.valid)
      return false;
    at += unit.bytes;
  }
  return true;
}

/// Lists all members of a value, of the values in it, and so on.
class listing {
public:
  template <class Value>
  explicit listing(const Value& value) {
    add(value);
  }

  /// Returns the list; equal for equal values.
  const std::string& text() const { return out_; }

  /// Returns whether every text in the value is UTF-8.
  bool is_utf8() const { return is_utf8_; }

private:
  void add(const std::string& text) {
    is_utf8_ = is_utf8_ && holds_utf8(text);
    out_.append(std::to_string(text.size())).append(":").append(text).append(",");
  }

  template <class Value>
  void add(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>)
      out_.append(std::to_string(value)).append(",");
    else if constexpr (std::is_enum_v<Value>)
      add(static_cast<std::underlying_type_t<Value>>(value));
    else
      troupe::for_each_field(value, [this](const char*, const auto& member) { this->add(member); });
  }

  void add(const std::chrono::milliseconds& time) { add(time.count()); }

  void add(const std::map<std::string, std::string>& values) {
    for (const auto& [key, value] : values) {
      add(key);
      add(value);
    }
    out_ += ';';
  }

  template <class Element>
  void add(const std::vector<Element>& elements) {
    for (const auto& each : elements)
      add(each);
    out_ += ';';
  }

  std::string out_;
  bool is_utf8_ = true;
};

/// Requires of a refusal what a person needs: the expected code, and a text that says why.
inline void require_refusal(const troupe::failure& bad, troupe::errc code) {
  require(bad.code == code, "a refusal has the code of its parser");
  require(!bad.message.empty(), "a refusal says why");
  require(holds_utf8(bad.message), "a refusal is UTF-8");
}

/// Requires `text` to be a JSON object, or nothing where `may_be_empty`.
inline void require_object(std::string_view text, bool may_be_empty = false) {
  require((may_be_empty && text.empty()) || troupe::is_json_object(text),
          "what has to be a JSON object is one");
}
