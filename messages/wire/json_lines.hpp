// Newline-delimited JSON, as MCP servers write it to their stdout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Cuts a byte stream into lines. A line that does not begin like a JSON object or array is not
/// kept, only counted: many servers log to stdout. LF and CRLF end a line; empty lines are skipped.
/// Byte order marks at the beginning of a line are left out: programs of Windows write them.
class json_lines {
public:
  /// @param max_line_bytes longest JSON line; beyond it overflowed() and nothing more is read
  explicit json_lines(size_t max_line_bytes = 16 * 1024 * 1024) : max_line_bytes_{max_line_bytes} {}

  /// Returns the JSON lines that `bytes` completes, without their ends; not validated.
  std::vector<std::string> feed(std::string_view bytes);

  /// Returns the number of lines that have ended, of any kind.
  uint64_t lines() const noexcept { return lines_; }

  /// Returns the number of lines that were not JSON.
  uint64_t skipped() const noexcept { return skipped_; }

  bool overflowed() const noexcept { return overflowed_; }

  /// Returns the beginning of the last line that has ended and was not JSON, at most 1 KiB.
  const std::string& last_skipped() const noexcept { return last_skipped_; }

private:
  void take(std::string_view piece);
  bool begin_line(std::string_view& piece);
  void end_line(std::vector<std::string>& out);

  size_t max_line_bytes_;
  std::string line_;
  std::string last_skipped_;
  std::string skipping_;    // the beginning of the current line
  size_t mark_ = 0;         // bytes of a byte order mark that a read has cut
  bool is_no_json_ = false; // the current line is not JSON
  uint64_t lines_ = 0;
  uint64_t skipped_ = 0;
  bool overflowed_ = false;
};

} // namespace troupe
