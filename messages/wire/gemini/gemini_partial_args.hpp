// The arguments of a call that come as values with their paths.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace troupe {

/// Makes JSON text of `partialArgs`:
/// [{"jsonPath":"$.a.b[0]","stringValue":"x","willContinue":true}]. Values come in the order of the
/// text, strings in pieces. Not thread safe.
class gemini_partial_args {
public:
  static constexpr size_t max_depth = 64;

  /// Appends the text that one value adds. @param json a slice of an object
  /// @return false when its path cannot be read, or goes back to what is closed
  bool add(std::string_view json, std::string& out);

  /// Appends what closes the arguments; "{}" where none came.
  void finish(std::string& out);

private:
  /// A step of a path: a member, or an element.
  struct step {
    std::string key;
    size_t index = 0;
    bool is_element = false;

    bool operator==(const step&) const = default;
  };
  using path = std::vector<step>;

  static bool read_path(std::string_view text, path& out);
  bool begins(const path& to, size_t common) const;
  void move_to(const path& to, size_t common, std::string& out);
  void append_step(const step& each, std::string& out);
  void close_string(std::string& out);
  void close_to(size_t depth, std::string& out);

  path at_;                                           ///< of the last value
  std::vector<std::unordered_set<std::string>> keys_; ///< of the objects on the path
  bool in_string_ = false;
};

} // namespace troupe
