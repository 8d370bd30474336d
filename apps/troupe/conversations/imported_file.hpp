// The file that an import comes from.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// A file with a conversation on each line, or with a single one on many lines. One conversation is
/// in memory at a time, as soon as its line is there; a file whose first line is none is read as a
/// whole. One thread.
class imported_file {
public:
  /// @param name of the file; empty, "-": standard input
  explicit imported_file(std::string name);
  ~imported_file();

  imported_file(const imported_file&) = delete;
  imported_file& operator=(const imported_file&) = delete;

  /// @return config_invalid: it cannot be read
  failure open();

  /// Reads the next conversation; "" at the end. @return config_invalid: it cannot be read further
  failure read(std::string& text);

  /// Returns whether read() has no more.
  bool is_over();

  /// Returns what messages call it.
  const std::string& name() const noexcept { return name_; }

private:
  bool fill();
  std::string next_line();
  failure fault() const;

  std::string name_;
  int from_ = -1;
  std::string bytes_;
  std::string_view ahead_; ///< of the bytes: not read yet
  bool begun_ = false;
  failure broken_;
};

} // namespace troupe
