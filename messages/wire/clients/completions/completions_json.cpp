#include "messages/wire/clients/completions/completions_json.hpp"

#include <fmt/format.h>

#include "messages/json_object.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

/// The classes of errors that OpenAI's clients know.
std::string_view type_of(errc code) {
  if (code == errc::model_overloaded || code == errc::model_busy ||
      code == errc::model_rate_limited)
    return "rate_limit_error";
  if (code == errc::model_quota_exhausted)
    return "insufficient_quota";
  return caused_by(code) == blame::client ? "invalid_request_error" : "server_error";
}

} // namespace

void append_completions_head(json_buffer& out, std::string_view object, std::string_view id,
                             int64_t created, std::string_view model) {
  append_raw(out, R"({"id":)");
  append_json(out, id);
  append_raw(out, R"(,"object":)");
  append_json(out, object);
  append_raw(out, R"(,"created":)");
  append_json(out, created);
  append_raw(out, R"(,"model":)");
  append_json(out, model);
  out.push_back(',');
}

void append_completions_usage(json_buffer& out, const usage& used) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{},)"
                 R"("prompt_tokens_details":{{"cached_tokens":{}}},)"
                 R"("completion_tokens_details":{{"reasoning_tokens":{}}}}})",
                 used.input_tokens, used.output_tokens, used.total_tokens, used.cached_input_tokens,
                 used.reasoning_tokens);
}

void append_call_metadata(json_buffer& out, std::string_view metadata) {
  if (!is_json_object(metadata))
    return;
  append_raw(out, R"(,"extra_content":)");
  const auto from = out.size();
  append_raw(out, metadata);
  keep_on_one_line(out, from); // an answer that was not streamed may be indented
}

void append_completions_call(json_buffer& out, const tool_args_complete& call) {
  append_raw(out, R"("id":)");
  append_json(out, call.tool_call_id);
  append_raw(out, R"(,"type":"function","function":{"name":)");
  append_json(out, call.tool_name);
  append_raw(out, R"(,"arguments":)");
  append_json(out, call.arguments.text); // a string, as OpenAI has it
  out.push_back('}');
  append_call_metadata(out, call.provider_metadata.text);
}

bool is_for_client(const tool_args_complete& call) {
  return call.client_side && call.error == errc::none;
}

std::string aborted_text(const abort_event& what) {
  return "The turn was aborted: " + what.reason + '.';
}

uint16_t gateway_status(errc code, uint16_t otherwise) {
  switch (code) {
  case errc::model_timeout:
  case errc::model_first_token_timeout:
  case errc::model_idle_timeout:
    return 504;
  case errc::model_unreachable:
  case errc::model_refused:
  case errc::model_failed:
  case errc::model_answer_invalid:
  case errc::model_stream_cut:
    return 502;
  default:
    return otherwise;
  }
}

std::string completions_error(const failure& why) {
  return json_text([&](json_object& out) {
    out.object("error")
        .member("message", why.text())
        .member("type", type_of(why.code))
        .raw("param", "null")
        .member("code", why.code);
  });
}

void append_completions_failure(json_buffer& out, const failure& why) {
  append_raw(out, "data: ");
  append_raw(out, completions_error(why));
  append_raw(out, "\n\n");
}

void append_completions_usage_chunk(json_buffer& out, std::string_view head, const usage& used) {
  append_raw(out, head);
  append_raw(out, R"("choices":[],"usage":)");
  append_completions_usage(out, used);
  append_raw(out, "}\n\n");
}

} // namespace troupe
