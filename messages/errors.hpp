// Every way a turn, a tool or a server can fail, and what it means to the three people who see it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/error_list.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Who has to act for the error to go away.
enum class blame : uint8_t {
  nobody,    ///< nothing failed
  client,    ///< the caller sent something wrong, or stopped
  model,     ///< the model or the way to it
  tool,      ///< an MCP server or the way to it
  operator_, ///< configuration or the machine
  engine,    ///< a defect of ours
};

/// The code of an error. `to_string` gives the name as it is on the wire.
enum class errc : uint8_t {
#define TROUPE_ENUM(name, who, retry, status, text) name,
  TROUPE_ERRORS(TROUPE_ENUM)
#undef TROUPE_ENUM
};

/// Returns the code's name, as sent to clients ("model_timeout"). Any thread.
std::string to_string(errc code);

/// Returns the code with that name, or errc::internal if there is none. Any thread.
errc errc_from(std::string_view name);

/// Returns who has to act.
blame caused_by(errc code);

/// Returns whether the same request may succeed later without any change.
bool retryable(errc code);

/// Returns the HTTP status of the refusal that tells a client of `code`.
uint16_t http_status(errc code);

/// Returns one sentence for the person at the chat window; no internals in it.
std::string_view user_text(errc code);

/// A code with what is known about this one case; the form in which errors travel in values.
struct failure {
  errc code = errc::none;
  std::string message;         ///< what was wrong, where, and what to do; empty = user_text(code)
  uint32_t retry_after_ms = 0; ///< when it may be tried again, as a model's server says; 0: unknown

  explicit operator bool() const { return code != errc::none; }

  /// Returns `message`, or the code's own text when there is none.
  std::string text() const { return message.empty() ? std::string{user_text(code)} : message; }

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("code", &failure::code), field("message", &failure::message),
                           field_when_given("retryAfterMs", &failure::retry_after_ms));
  }
};

} // namespace troupe
