// Making log lines.
#pragma once

#include <string_view>

#include "messages/json.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// The members of one log line. Never give it a secret, or a text of a conversation.
class log_line {
public:
  /// Adds a member; values are those that append_json() takes.
  template <class T>
  log_line& add(std::string_view key, const T& value) {
    if (out_.size() > 0)
      out_.push_back(',');
    append_json(out_, key);
    out_.push_back(':');
    append_json(out_, value);
    return *this;
  }

  /// Adds a member unless the text is empty.
  log_line& add_if_given(std::string_view key, std::string_view text) {
    return text.empty() ? *this : add(key, text);
  }

  std::string_view members() const { return view(out_); }

private:
  json_buffer out_;
};

/// Returns whether a port is there and takes lines of that level.
inline bool takes(const log_port* log, log_level level) {
  return log != nullptr && log->takes(level);
}

/// Writes a line if the port takes it. Call takes() first when the members are costly to make.
inline void write_log(log_port* log, log_level level, std::string_view what, const log_line& line) {
  if (takes(log, level))
    log->write(level, what, line.members());
}

} // namespace troupe
