// The file that an export goes to.
#pragma once

#include <cstdio>
#include <string>

#include "messages/errors.hpp"

namespace troupe {

/// A file that takes its place in one step, when it is whole: until then it is FILE.new, for its
/// owner alone. A file that is in its place stays as it was up to then, also if the export fails.
/// Standard output, a device and a pipe get each line as it comes. One thread.
class exported_file {
public:
  /// @param name of the file; empty, "-": standard output
  explicit exported_file(std::string name);
  ~exported_file();

  exported_file(const exported_file&) = delete;
  exported_file& operator=(const exported_file&) = delete;

  /// @return config_invalid: it cannot be written
  failure open();

  failure write_line(const std::string& line);

  /// Puts the file in its place. Without this it is removed.
  failure keep();

  /// Returns whether the file is not in its place before keep().
  bool waits() const noexcept { return !fresh_.empty(); }

  /// Returns whether keep() would take away what a file in this place holds.
  bool replaces_something() const noexcept { return replaces_; }

private:
  failure fault() const;

  std::string name_;
  std::string place_; ///< behind links
  std::string fresh_; ///< empty: the lines go to their place at once
  std::FILE* to_ = nullptr;
  bool replaces_ = false;
};

} // namespace troupe
