#include "actors/turn/open_request.hpp"

namespace troupe {

namespace {

int64_t microseconds(open_request::time_point from, open_request::time_point to) {
  return std::chrono::duration_cast<std::chrono::microseconds>(to - from).count();
}

uint64_t tokens_in(size_t bytes) {
  return (bytes + open_request::token_bytes - 1) / open_request::token_bytes;
}

size_t bytes_of(const chat_message& message) {
  auto bytes = message.text.size() + message.reasoning.size();
  for (const auto& each : message.tool_calls)
    bytes += each.name.size() + each.arguments.size();
  for (const auto& each : message.extras)
    bytes += each.content.size();
  return bytes;
}

} // namespace

model_report open_request::report(const std::string& model, errc error,
                                  const std::vector<chat_message>& history, time_point now) const {
  model_report out;
  out.model = model;
  out.attempts = 1;
  out.total_us = microseconds(began_, now);
  out.error = error;
  if (!answers_)
    return out;
  out.first_token_us = microseconds(began_, first_);
  size_t sent = 0;
  for (const auto& each : history)
    sent += bytes_of(each);
  out.used.input_tokens = tokens_in(sent);
  out.used.output_tokens = tokens_in(bytes_);
  out.used.total_tokens = out.used.input_tokens + out.used.output_tokens;
  return out;
}

} // namespace troupe
