// Reads a JSON object from outside: typed members, paths in errors, no unknown keys.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/engine/configuration/key_names.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/raw_json.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

/// A string with its variables replaced.
struct expansion {
  std::string text;
  std::string lacking; ///< what is wrong with the first variable without a value; "" = nothing
};

/// Replaces variables by what the environment says:
///
///     ${NAME} ${env:NAME}             NAME, which must be set
///     ${NAME:-other}                  the same; `other` if NAME is not set or empty
///     ${userHome} ${pathSeparator}    as editors have them, where the environment has no such name
///     ${workspaceFolder} ${cwd}       the folder in which the program was started
///
/// `other` may hold variables. A "${" without its '}' is text. No value is in `lacking`.
expansion expand_variables(std::string_view text);

/// The differences between configuration files, entries of them, and request bodies.
struct reading_rules {
  errc code = errc::config_invalid;           ///< of every error
  std::string_view root{"the configuration"}; ///< what errors call the whole text
  bool environment = true;                    ///< variables in strings are replaced
  bool of_people = false; ///< numbers are taken for strings in lists; a key may stand once only
  std::vector<std::string>* notes = nullptr; ///< told what is passed over; nullptr: it is refused
  std::string* lacking = nullptr; ///< told of the first variable without a value, which is then
                                  ///< empty; nullptr: it is an error
};

/// Reads members by name; after an error all reads do nothing. `null` is as good as absent. Errors
/// never hold a value that was read.
class object_reader {
public:
  /// Is shown a value and where it is.
  using value_visitor = std::function<void(std::string_view value, const std::string& path)>;

  /// @param value a slice of a json_source, which outlives the reader
  /// @param path where the object is, for errors; "" for the root
  object_reader(std::string_view value, std::string path, failure& error,
                const reading_rules& rules = {});

  /// Reads a string; variables in it are replaced (variables.hpp), unless the rules say no.
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::vector<std::string>& out);
  void read(std::string_view key, std::map<std::string, std::string>& out);

  /// Reads an object as it is, on one line; only variables in its strings are replaced.
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

  void expect(std::string_view key); ///< lets finish() refuse an object without it

  /// Reads an object with a reader of its own.
  void read_object(std::string_view key, const std::function<void(object_reader&)>& visit);

  /// Reads each member of an object, whatever its key, with a reader of its own.
  void read_objects(std::string_view key,
                    const std::function<void(std::string_view, object_reader&)>& visit);

  /// Shows each element of an array.
  void read_elements(std::string_view key, const value_visitor& visit);

  /// Whether the object has the key, and the kind of its value.
  bool has(std::string_view key) const;
  json_kind kind(std::string_view key) const;

  /// Returns which of some keys with one meaning the object has, else the first. All are known. Of
  /// several the first counts, with a note; where there are no notes they are refused.
  std::string_view name_of(std::initializer_list<std::string_view> keys);

  /// Names keys that finish() passes over with a note, or refuses with better words.
  void expect_third_party(std::span<const third_party_key> keys) { third_party_ = keys; }

  /// Tells what is no error, if the rules have a place for notes.
  void note(std::string_view key, const std::string& what) const;

  /// Makes variables without a value empty from here on; `lacking` is told of the first. lack()
  /// tells that something else outside of the text is not there.
  void tolerate_lacking(std::string& lacking) { rules_.lacking = &lacking; }
  void lack(std::string_view key, const std::string& what);

  /// Says that `key` is wrong: "limits.drainSeconds must be ...".
  void fail(std::string_view key, const std::string& what);

  /// Returns the text of a JSON string with its variables replaced.
  std::string expand(std::string_view key, std::string_view slice);
  /// Returns a reader of an object further in, with this one's rules.
  object_reader inside(std::string_view value, std::string path);

  /// Refuses keys that were not read, and names a near one that was; then refuses an object that
  /// lacks an expected key.
  void finish();

private:
  std::string_view find(std::string_view key) const;
  std::string_view take(std::string_view key);
  void read_integer(std::string_view key, int64_t& out, int64_t least, int64_t most);
  std::string at(std::string_view key) const;
  void refuse_repeated();
  void refuse_unknown(std::string_view key);
  void append_expanded(json_buffer& out, std::string_view key, std::string_view value);

  std::vector<std::pair<std::string, std::string_view>> members_;
  std::string path_;
  failure& error_;
  reading_rules rules_;
  std::vector<std::string> known_;
  std::span<const third_party_key> third_party_;
  std::string missing_; ///< the first expected key that the object lacks
};

} // namespace troupe
