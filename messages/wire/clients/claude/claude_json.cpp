#include "messages/wire/clients/claude/claude_json.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "messages/wire/clients/completions/completions_json.hpp"

namespace troupe {

namespace {

std::string_view error_type_of(uint16_t status) {
  switch (status) {
  case 401:
    return "authentication_error";
  case 402:
    return "billing_error";
  case 403:
    return "permission_error";
  case 404:
    return "not_found_error";
  case 413:
    return "request_too_large";
  case 429:
    return "rate_limit_error";
  case 504:
    return "timeout_error";
  case 529:
    return "overloaded_error";
  default:
    return status < 500 ? "invalid_request_error" : "api_error";
  }
}

} // namespace

void append_claude_head(json_buffer& out, const claude_identity& of) {
  append_raw(out, R"({"id":)");
  append_json(out, of.id);
  append_raw(out, R"(,"type":"message","role":"assistant","model":)");
  append_json(out, of.model);
  out.push_back(',');
}

void append_claude_usage(json_buffer& out, const usage& used) {
  const auto cached = used.cached_input_tokens + used.cache_write_tokens;
  fmt::format_to(std::back_inserter(out),
                 R"({{"input_tokens":{},"cache_creation_input_tokens":{},)"
                 R"("cache_read_input_tokens":{},"output_tokens":{}}})",
                 used.input_tokens - std::min(cached, used.input_tokens), used.cache_write_tokens,
                 used.cached_input_tokens, used.output_tokens);
}

void append_claude_call(json_buffer& out, const tool_args_complete& call) {
  append_raw(out, R"("id":)");
  append_json(out, call.tool_call_id);
  append_raw(out, R"(,"name":)");
  append_json(out, call.tool_name);
  append_call_metadata(out, call.provider_metadata.text);
}

std::string_view claude_stop_reason(finish_reason why, bool has_calls) {
  switch (why) {
  case finish_reason::length:
    return "max_tokens";
  case finish_reason::content_filter:
    return "refusal";
  case finish_reason::tool_calls:
    return has_calls ? "tool_use" : "max_tokens";
  default:
    return "end_turn";
  }
}

uint16_t claude_status(errc code, uint16_t otherwise) {
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
    return 529;
  case errc::model_rate_limited:
    return 429;
  case errc::model_quota_exhausted:
    return 402;
  default:
    return gateway_status(code, otherwise);
  }
}

std::string claude_error(const failure& why, uint16_t status, std::string_view details) {
  json_buffer out;
  append_raw(out, R"({"type":"error","error":{"type":)");
  append_json(out, error_type_of(status));
  append_raw(out, R"(,"message":)");
  append_json(out, why.text());
  append_raw(out, R"(,"code":)");
  append_json(out, why.code);
  if (!details.empty()) {
    append_raw(out, R"(,"details":)");
    append_raw(out, details);
  }
  append_raw(out, "}}");
  return std::string{view(out)};
}

} // namespace troupe
