// Errors in the shape in which OpenAI answers them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe::scripted {

/// One error; `code` is "" where OpenAI sends null.
struct model_error {
  uint16_t status = 400;
  std::string message;
  std::string_view type = "invalid_request_error";
  std::string_view code;
};

/// Returns the error that OpenAI sends with this status: 400, 401, 429; any other is a 500.
model_error error_of_status(uint16_t status);

/// Returns {"error":{"message":...,"type":...,"param":null,"code":...}}.
std::string error_body(const model_error& what);

} // namespace troupe::scripted
