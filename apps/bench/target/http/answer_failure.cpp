#include "apps/bench/target/http/answer_failure.hpp"

#include <string>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

namespace {

errc code_of_status(uint16_t status) {
  switch (status) {
  case 401:
    return errc::unauthorized;
  case 403:
    return errc::forbidden;
  case 404:
    return errc::not_found;
  case 405:
    return errc::method_not_allowed;
  case 408:
    return errc::deadline_exceeded;
  case 409:
    return errc::session_busy;
  case 412:
    return errc::conversation_changed;
  case 413:
    return errc::request_too_large;
  case 429:
    return errc::rate_limited;
  case 502:
    return errc::model_failed;
  case 503:
  case 529:
    return errc::model_overloaded;
  case 504:
    return errc::model_timeout;
  default:
    return status < 500 ? errc::request_invalid : errc::internal;
  }
}

/// Returns the code of {"error":{"code":"session_busy",...}}, or errc::none if it is none of ours.
errc code_of_body(std::string_view body) {
  json_source source{body};
  std::string_view error, code;
  read_members(source.root(), {{"error", &error}});
  read_members(error, {{"code", &code}});
  auto name = json_string(code);
  auto found = errc_from(name);
  return to_string(found) == name ? found : errc::none;
}

} // namespace

failure refused_turn(uint16_t status, std::string_view body) {
  auto code = code_of_body(body);
  if (code == errc::none)
    code = code_of_status(status);
  return {code, fmt::format("HTTP {}: {}", status, excerpt(body, 180))};
}

} // namespace troupe::bench
