// Reads a JSON object from outside: typed members, paths in errors, no unknown keys.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// The differences between configuration files and request bodies.
struct reading_rules {
  errc code = errc::config_invalid;           ///< of every error
  std::string_view root{"the configuration"}; ///< what errors call the whole text
  bool environment = true;                    ///< `${NAME}` in strings is replaced
};

/// Reads members by name; the first error stands and makes all later reads do nothing. `null` is as
/// good as absent. Errors never hold a value that was read.
class object_reader {
public:
  /// Is shown a value and where it is.
  using value_visitor = std::function<void(std::string_view value, const std::string& path)>;

  /// @param value a slice of a json_source, which outlives the reader
  /// @param path where the object is, for errors; "" for the root
  object_reader(std::string_view value, std::string path, failure& error,
                const reading_rules& rules = {});

  /// Reads a string; `${NAME}` in it is replaced from the environment.
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::vector<std::string>& out);
  void read(std::string_view key, std::map<std::string, std::string>& out);

  /// Reads an object as it is, on one line; only `${NAME}` in its strings is replaced.
  void read(std::string_view key, raw_json& out);

  /// Reads an integer within bounds.
  template <class Integer>
  void read(std::string_view key, Integer& out, int64_t least, int64_t most) {
    auto value = static_cast<int64_t>(out);
    read_integer(key, value, least, most);
    out = static_cast<Integer>(value);
  }

  /// Reads milliseconds, at most a week.
  void read(std::string_view key, std::chrono::milliseconds& out, int64_t least = 0);

  /// Reads a string that must be there and not be empty.
  void require(std::string_view key, std::string& out);

  /// Lets finish() refuse an object without `key`.
  void expect(std::string_view key);

  /// Reads an object with a reader of its own.
  void read_object(std::string_view key, const std::function<void(object_reader&)>& visit);

  /// Reads each member of an object, whatever its key, with a reader of its own.
  void read_objects(std::string_view key,
                    const std::function<void(std::string_view, object_reader&)>& visit);

  /// Shows each element of an array.
  void read_elements(std::string_view key, const value_visitor& visit);

  /// Returns whether the object has the key.
  bool has(std::string_view key) const;

  /// Returns whether the key's value is an object.
  bool holds_object(std::string_view key) const;

  /// Says that `key` is wrong: "limits.drainSeconds must be ...".
  void fail(std::string_view key, const std::string& what);

  /// Returns the text of a JSON string with `${NAME}` replaced.
  std::string expand(std::string_view key, std::string_view slice);

  /// Returns a reader of an object further in, with this one's rules.
  object_reader inside(std::string_view value, std::string path);

  /// Refuses keys that were not read, and names the nearest key that was; then refuses an object
  /// that lacks an expected key.
  void finish();

private:
  std::string_view find(std::string_view key) const;
  std::string_view take(std::string_view key);
  void read_integer(std::string_view key, int64_t& out, int64_t least, int64_t most);
  std::string at(std::string_view key) const;
  void append_expanded(json_buffer& out, std::string_view key, std::string_view value);

  std::vector<std::pair<std::string, std::string_view>> members_;
  std::string path_;
  failure& error_;
  reading_rules rules_;
  std::vector<std::string> known_;
  std::string missing_; ///< the first expected key that the object lacks
};

} // namespace troupe
