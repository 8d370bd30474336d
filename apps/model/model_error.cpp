#include "apps/model/model_error.hpp"

#include "messages/json.hpp"

namespace troupe::scripted {

model_error error_of_status(uint16_t status) {
  switch (status) {
  case 400:
    return {400, "Invalid value for 'messages': the script refuses every request.",
            "invalid_request_error", "invalid_value"};
  case 401:
    return {401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key"};
  case 429:
    return {429, "Rate limit reached. Please try again in 1s.", "requests", "rate_limit_exceeded"};
  default:
    return {500, "The server had an error while processing your request.", "server_error", ""};
  }
}

std::string error_body(const model_error& what) {
  json_buffer out;
  append_raw(out, R"({"error":{"message":)");
  append_json(out, what.message);
  append_raw(out, R"(,"type":)");
  append_json(out, what.type);
  append_raw(out, R"(,"param":null,"code":)");
  if (what.code.empty())
    append_raw(out, "null");
  else
    append_json(out, what.code);
  append_raw(out, "}}");
  return std::string{view(out)};
}

} // namespace troupe::scripted
