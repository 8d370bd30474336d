#include "messages/ports/inner_errors.hpp"

#include "messages/chat/session_id.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

bool may_hold_inner_text(errc code) noexcept {
  switch (code) {
  case errc::model_unreachable:
  case errc::model_refused:
  case errc::model_overloaded:
  case errc::model_failed:
  case errc::model_answer_invalid:
  case errc::model_stream_cut:
  case errc::model_timeout:
  case errc::model_request_invalid:
  case errc::model_rate_limited:
  case errc::model_quota_exhausted:
  case errc::connect_failed:
  case errc::connect_timeout:
  case errc::connection_cut:
  case errc::deadline_exceeded:
  case errc::server_unavailable:
  case errc::server_lost:
  case errc::server_protocol:
  case errc::server_start_failed:
  case errc::server_session_lost:
  case errc::outcome_unknown:
    return true;
  default:
    return false;
  }
}

void hide_inner_text(log_port* log, std::string_view what, const std::string& session_id, errc code,
                     std::string& text) {
  if (!may_hold_inner_text(code) || text.empty() || text == user_text(code))
    return;
  write_log(log, log_level::warning, "hidden_error",
            log_line{}
                .add("of", what)
                .add("session", public_id(session_id))
                .add("error", to_string(code))
                .add("message", text));
  text = user_text(code);
}

} // namespace troupe
