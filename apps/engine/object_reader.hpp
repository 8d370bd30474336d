// Reading one object of a configuration: typed members, paths in errors, no unknown keys.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe {

/// Reads members by name; the first error stands and makes all later reads do nothing.
class object_reader {
public:
  using element = simdjson::dom::element;

  /// @param path where the object is, for errors; "" for the root
  object_reader(element value, std::string path, failure& error);

  /// Reads a string; `${NAME}` in it is replaced from the environment.
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::vector<std::string>& out);
  void read(std::string_view key, std::map<std::string, std::string>& out);

  /// Reads an integer within bounds.
  template <class Integer>
  void read(std::string_view key, Integer& out, int64_t least, int64_t most) {
    auto value = static_cast<int64_t>(out);
    read_integer(key, value, least, most);
    out = static_cast<Integer>(value);
  }

  /// Reads milliseconds.
  void read(std::string_view key, std::chrono::milliseconds& out);

  /// Reads an object with a reader of its own.
  void read_object(std::string_view key, const std::function<void(object_reader&)>& visit);

  /// Reads each member of an object, whatever its key, with a reader of its own.
  void read_objects(std::string_view key,
                    const std::function<void(std::string_view, object_reader&)>& visit);

  /// Returns whether the object has the key.
  bool has(std::string_view key) const;

  /// Says that `key` is wrong: "limits.drainSeconds must be ...".
  void fail(std::string_view key, const std::string& what);

  /// Refuses keys that were not read, with the nearest one that was.
  void finish();

private:
  bool find(std::string_view key, element& out);
  void read_integer(std::string_view key, int64_t& out, int64_t least, int64_t most);
  std::string expand(std::string_view key, std::string_view text);
  std::string at(std::string_view key) const;

  simdjson::dom::object object_;
  std::string path_;
  failure& error_;
  std::vector<std::string> known_;
};

} // namespace troupe
