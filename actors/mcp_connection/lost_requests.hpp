// Decides about a request when the connection to its server breaks: send it again, or fail it.
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"

namespace troupe {

/// The facts about a request that was under way when the connection broke.
struct lost_request {
  bool not_run = false;    ///< the server has certainly not begun it
  bool repeatable = false; ///< it does no harm when it is run twice
  bool replayed = false;   ///< it was sent again before
  bool is_tool = false;
};

enum class lost_fate : uint8_t {
  send_again,
  lost,    ///< errc::server_lost: nothing was changed by it
  unknown, ///< errc::outcome_unknown: it may have been run
};

/// A request is sent again at most once, and only when that is safe.
inline lost_fate fate_of(const lost_request& request) noexcept {
  if ((request.not_run || request.repeatable) && !request.replayed)
    return lost_fate::send_again;
  return request.not_run || !request.is_tool ? lost_fate::lost : lost_fate::unknown;
}

/// Returns whether an error of a request that was not run may mean that nobody was there to ask.
inline bool is_unreachable(errc code) noexcept {
  return code == errc::server_unavailable || code == errc::connect_failed ||
         code == errc::connect_timeout;
}

/// Returns whether an error means that an answer may have been lost on the way. Others are answers
/// by themselves.
inline bool breaks_off(errc code) noexcept {
  return code == errc::server_lost || code == errc::server_session_lost ||
         code == errc::connection_cut;
}

/// Returns the failure of a tool that may have been run. The code's own text comes first: whoever
/// reads it must not take the call for not run.
inline failure as_unknown(const failure& why) {
  std::string text{user_text(errc::outcome_unknown)};
  return {errc::outcome_unknown, text.append(" (").append(why.text()).append(")")};
}

} // namespace troupe
