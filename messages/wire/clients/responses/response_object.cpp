#include "messages/wire/clients/responses/response_object.hpp"

#include <iterator>

#include <fmt/format.h>

#include "messages/json_object.hpp"

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

void append_response_error(json_buffer& out, const failure& why) {
  if (!why)
    return append_raw(out, "null");
  json_object{out}.member("code", failure_code(why.code)).member("message", why.text());
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
  json_object all{out};
  all.member("id", head.id)
      .member("object", "response")
      .member("created_at", head.created)
      .member("status", to_string(outcome.state))
      .member("background", false);
  append_response_error(all.key("error"), outcome.error);
  if (outcome.incomplete_reason.empty())
    all.raw("incomplete_details", "null");
  else
    all.object("incomplete_details").member("reason", outcome.incomplete_reason);
  all.member("model", head.model)
      .or_null("previous_response_id", head.previous)
      .member("store", head.stored)
      .member("truncation", "disabled");
  append_raw(out, head.echo);
  append_usage(all.key("usage"), outcome);
  all.array("output").each(items, append_response_item);
}

} // namespace troupe
