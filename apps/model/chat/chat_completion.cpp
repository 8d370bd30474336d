#include "apps/model/chat/chat_completion.hpp"

#include <fmt/format.h>

#include "apps/model/script/tokens.hpp"

namespace troupe::scripted {

namespace {

void append_calls(json_buffer& out, const std::vector<tool_call>& calls) {
  append_raw(out, R"(,"tool_calls":[)");
  for (size_t i = 0; i < calls.size(); ++i) {
    append_raw(out, i == 0 ? R"({"id":)" : R"(,{"id":)");
    append_json(out, calls[i].id);
    append_raw(out, R"(,"type":"function","function":{"name":)");
    append_json(out, calls[i].name);
    append_raw(out, R"(,"arguments":)");
    append_json(out, calls[i].arguments);
    append_raw(out, "}}");
  }
  out.push_back(']');
}

} // namespace

void append_completion_head(json_buffer& out, std::string_view object, std::string_view model) {
  append_raw(out, R"({"id":"chatcmpl-troupe","object":")");
  append_raw(out, object);
  append_raw(out, R"(","created":1735689600,"model":)");
  append_json(out, model);
  append_raw(out, R"(,"system_fingerprint":"fp_troupe")");
}

void append_usage_counts(json_buffer& out, const answer& what, size_t tokens) {
  constexpr size_t prompt = 10;
  fmt::format_to(std::back_inserter(out),
                 R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{},)"
                 R"("prompt_tokens_details":{{"cached_tokens":0}},)"
                 R"("completion_tokens_details":{{"reasoning_tokens":{}}}}})",
                 prompt, tokens, prompt + tokens, count_tokens(what.reasoning));
}

std::string_view finish_of_chat(const answer& what) {
  return what.finish == "pause" ? std::string_view{"stop"} : what.finish;
}

std::string completion_body(const answer& what, const chat_call& call) {
  json_buffer out;
  append_completion_head(out, "chat.completion", call.model);
  append_raw(out, R"(,"choices":[{"index":0,"message":{"role":"assistant","content":)");
  if (what.text.empty() && !what.calls.empty())
    append_raw(out, "null");
  else
    append_json(out, text_of(what));
  append_raw(out, R"(,"refusal":null)");
  if (!what.reasoning.empty()) {
    append_raw(out, R"(,"reasoning_content":)");
    append_json(out, what.reasoning);
  }
  if (!what.calls.empty())
    append_calls(out, what.calls);
  append_raw(out, R"(},"logprobs":null,"finish_reason":)");
  append_json(out, finish_of_chat(what));
  append_raw(out, R"(}],"usage":)");
  append_usage_counts(out, what, tokens_of(what));
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe::scripted
