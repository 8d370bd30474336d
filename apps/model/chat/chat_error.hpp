// Errors in the shape in which OpenAI answers them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/model/dialect/dialect.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

/// One error; `code` is "" where OpenAI sends null.
struct openai_error {
  uint16_t status = 400;
  std::string message;
  std::string_view type = "invalid_request_error";
  std::string_view code = {};
};

/// Returns what OpenAI says for this refusal.
openai_error openai_error_of(const refusal& why);

/// Appends {"message":...,"type":...,"param":null,"code":...}.
void append_openai_error(json_buffer& out, const openai_error& what);

/// dialect::refuse, of chat completions and of responses: {"error":{...}}, with Retry-After and
/// x-ratelimit fields where it is about the rate.
http_answer refuse_chat(const refusal& why);

} // namespace troupe::scripted
