// Writes JSON objects whose members are known one by one.
#pragma once

#include "messages/json.hpp"

namespace troupe::bench {

/// Writes an object; its destructor writes the closing brace. A value must be appended after key()
/// before the next call.
class json_object {
public:
  explicit json_object(json_buffer& out) : out_{out} { out_.push_back('{'); }
  ~json_object() { out_.push_back('}'); }

  json_object(const json_object&) = delete;
  json_object& operator=(const json_object&) = delete;

  /// Begins a member. The caller appends the value to the returned buffer.
  json_buffer& key(std::string_view name) {
    if (!first_)
      out_.push_back(',');
    first_ = false;
    append_json(out_, name);
    out_.push_back(':');
    return out_;
  }

  template <class T>
  json_object& add(std::string_view name, const T& value) {
    append_json(key(name), value);
    return *this;
  }

private:
  json_buffer& out_;
  bool first_ = true;
};

/// Appends an array; `write` appends one element.
template <class Range, class Write>
void append_array(json_buffer& out, const Range& values, Write write) {
  out.push_back('[');
  bool first = true;
  for (const auto& each : values) {
    if (!first)
      out.push_back(',');
    first = false;
    write(each);
  }
  out.push_back(']');
}

} // namespace troupe::bench
