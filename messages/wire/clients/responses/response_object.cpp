#include "messages/wire/clients/responses/response_object.hpp"

#include <iterator>

#include <fmt/format.h>

namespace troupe {

namespace {

/// The codes of a failed response that OpenAI's clients know.
std::string_view failure_code(errc code) {
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
  case errc::model_rate_limited:
    return "rate_limit_exceeded";
  case errc::model_quota_exhausted:
    return "insufficient_quota";
  default:
    return "server_error";
  }
}

void append_or_null(json_buffer& out, std::string_view text) {
  if (text.empty())
    append_raw(out, "null");
  else
    append_json(out, text);
}

void append_error(json_buffer& out, const failure& why) {
  if (!why)
    return append_raw(out, "null");
  append_raw(out, R"({"code":)");
  append_json(out, failure_code(why.code));
  append_raw(out, R"(,"message":)");
  append_json(out, why.text());
  out.push_back('}');
}

void append_usage(json_buffer& out, const response_outcome& of) {
  if (of.state == response_state::in_progress || of.state == response_state::failed)
    return append_raw(out, "null");
  const auto& used = of.used;
  fmt::format_to(std::back_inserter(out),
                 R"({{"input_tokens":{},"input_tokens_details":{{"cached_tokens":{},)"
                 R"("cache_write_tokens":{}}},"output_tokens":{},)"
                 R"("output_tokens_details":{{"reasoning_tokens":{}}},"total_tokens":{}}})",
                 used.input_tokens, used.cached_input_tokens, used.cache_write_tokens,
                 used.output_tokens, used.reasoning_tokens, used.total_tokens);
}

} // namespace

std::string_view to_string(response_state state) {
  switch (state) {
  case response_state::completed:
    return "completed";
  case response_state::incomplete:
    return "incomplete";
  case response_state::failed:
    return "failed";
  default:
    return "in_progress";
  }
}

response_outcome outcome_of(finish_reason why, const usage& used, bool has_calls) {
  if (why == finish_reason::content_filter)
    return {response_state::incomplete, "content_filter", {}, used};
  if (why == finish_reason::length || (why == finish_reason::tool_calls && !has_calls))
    return {response_state::incomplete, "max_output_tokens", {}, used};
  return {response_state::completed, "", {}, used};
}

void append_response(json_buffer& out, const response_head& head, const response_outcome& outcome,
                     const std::vector<response_item>& items) {
  append_raw(out, R"({"id":)");
  append_json(out, head.id);
  append_raw(out, R"(,"object":"response","created_at":)");
  append_json(out, head.created);
  append_raw(out, R"(,"status":)");
  append_json(out, to_string(outcome.state));
  append_raw(out, R"(,"background":false,"error":)");
  append_error(out, outcome.error);
  append_raw(out, R"(,"incomplete_details":)");
  if (outcome.incomplete_reason.empty()) {
    append_raw(out, "null");
  } else {
    append_raw(out, R"({"reason":)");
    append_json(out, outcome.incomplete_reason);
    out.push_back('}');
  }
  append_raw(out, R"(,"model":)");
  append_json(out, head.model);
  append_raw(out, R"(,"previous_response_id":)");
  append_or_null(out, head.previous);
  append_raw(out, R"(,"store":)");
  append_json(out, head.stored);
  append_raw(out, R"(,"truncation":"disabled")");
  append_raw(out, head.echo);
  append_raw(out, R"(,"usage":)");
  append_usage(out, outcome);
  append_raw(out, R"(,"output":[)");
  for (bool first = true; const auto& each : items) {
    append_raw(out, first ? "" : ",");
    first = false;
    append_response_item(out, each);
  }
  append_raw(out, "]}");
}

} // namespace troupe
