// Where log lines go.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// How important a log line is, least first.
enum class log_level : uint8_t { debug, info, warning, error };

/// Takes structured log lines. Any thread; never blocks for long.
class log_port {
public:
  virtual ~log_port() = default;

  /// Returns whether lines of this level are kept; callers need not make other lines.
  virtual bool takes(log_level level) const = 0;

  /// Writes one line. @param what a short constant, as "turn"
  /// @param members JSON members without braces, as R"("session":"a","turn":"b")"; no secrets
  virtual void write(log_level level, std::string_view what, std::string_view members) = 0;
};

} // namespace troupe
