// Writes JSON objects and arrays whose members no struct lists.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "messages/errors.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends an object of the map's pairs.
template <class T>
void append_json(json_buffer& out, const std::map<std::string, T>& values);

class json_array;

/// Writes an object: its begin at once, its end with the destructor. One expression can write what
/// nests, since its inner parts end first:
///
///     json_object{out}.member("id", id).object("error").member("code", code);
///
/// Not for what is written for each token: the names are checked for characters to escape.
class json_object {
public:
  explicit json_object(json_buffer& out) : out_{out} { out_.push_back('{'); }
  ~json_object() { out_.push_back('}'); }

  json_object(const json_object&) = delete;
  json_object& operator=(const json_object&) = delete;

  /// Begins a member. The caller appends its value to the returned buffer.
  json_buffer& key(std::string_view name) {
    if (std::exchange(any_, true))
      out_.push_back(',');
    append_json(out_, name);
    out_.push_back(':');
    return out_;
  }

  template <class T>
  json_object& member(std::string_view name, const T& value) {
    append_json(key(name), value);
    return *this;
  }

  /// Leaves out what is empty, zero or false.
  template <class T>
  json_object& given(std::string_view name, const T& value) {
    return value == T{} ? *this : member(name, value);
  }

  /// Appends null for what is empty or zero.
  template <class T>
  json_object& or_null(std::string_view name, const T& value) {
    return value == T{} ? raw(name, "null") : member(name, value);
  }

  /// @param json appended as it is
  json_object& raw(std::string_view name, std::string_view json) {
    append_raw(key(name), json);
    return *this;
  }

  /// Appends the members of a struct that lists them.
  template <described T>
  json_object& members(const T& value) {
    json_buffer made;
    append_members(made, value);
    if (made.size() > 0 && std::exchange(any_, true))
      out_.push_back(',');
    append_raw(out_, view(made));
    return *this;
  }

  json_object object(std::string_view name) { return json_object{key(name)}; }

  json_array array(std::string_view name);

private:
  json_buffer& out_;
  bool any_ = false;
};

/// Writes an array as json_object writes an object.
class json_array {
public:
  explicit json_array(json_buffer& out) : out_{out} { out_.push_back('['); }
  ~json_array() { out_.push_back(']'); }

  json_array(const json_array&) = delete;
  json_array& operator=(const json_array&) = delete;

  /// Begins an element. The caller appends it to the returned buffer.
  json_buffer& next() {
    if (std::exchange(any_, true))
      out_.push_back(',');
    return out_;
  }

  template <class T>
  json_array& element(const T& value) {
    append_json(next(), value);
    return *this;
  }

  /// @param write appends one value to the buffer
  template <class Range, class Write>
  json_array& each(const Range& values, Write write) {
    for (const auto& value : values)
      write(next(), value);
    return *this;
  }

  json_object object() { return json_object{next()}; }

private:
  json_buffer& out_;
  bool any_ = false;
};

inline json_array json_object::array(std::string_view name) {
  return json_array{key(name)};
}

/// Returns the object that `write` fills.
template <class Write>
std::string json_text(Write write) {
  json_buffer out;
  {
    json_object object{out};
    write(object);
  }
  return std::string{view(out)};
}

template <class T>
void append_json(json_buffer& out, const std::map<std::string, T>& values) {
  json_object object{out};
  for (const auto& [name, value] : values)
    object.member(name, value);
}

/// Appends an error as clients get it: {"code":"...","message":"...","retryable":...}.
inline void append_error(json_buffer& out, const failure& why) {
  json_object{out}
      .member("code", why.code)
      .member("message", why.text())
      .member("retryable", retryable(why.code));
}

} // namespace troupe
