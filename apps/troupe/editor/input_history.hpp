// Lines that a person typed before, also in earlier runs.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace troupe {

/// Messages in the order in which they were typed, the last 1000. Each is added to the file at
/// once, in one write, so several programs can share it. The file is its owner's alone (mode 0600)
/// and has a message on a line, as a JSON string. One thread.
class input_history {
public:
  static constexpr size_t most_messages = 1000;
  static constexpr size_t most_bytes = 64 * 1024; ///< of a message; longer ones stay in memory

  /// Reads the file, and makes it with its folders if it is not there; a long one is shortened.
  /// @param file "": nothing is kept
  explicit input_history(std::string file);

  const std::deque<std::string>& messages() const noexcept { return messages_; }

  /// Adds a message, unless it is empty or the same as the last one. @return whether it was added
  bool add(const std::string& text);

  /// Returns why nothing is kept in the file; "" if it is.
  const std::string& fault() const noexcept { return fault_; }

private:
  void read(std::string_view content);
  void shorten();

  std::string file_; ///< "": none, or one that must not be used
  std::string fault_;
  std::deque<std::string> messages_;
};

} // namespace troupe
