#include "apps/model/completion.hpp"

#include <fmt/format.h>

#include "apps/model/tokens.hpp"

namespace troupe::scripted {

namespace {

/// Appends the text of the answer, which may repeat, without quotes.
void append_text(json_buffer& out, const answer& what) {
  if (what.tokens == 0)
    return append_escaped(out, what.text);
  std::string_view rest;
  for (size_t i = 0; i < what.tokens && !what.text.empty(); ++i) {
    if (rest.empty()) {
      rest = what.text;
      if (i > 0)
        out.push_back(' ');
    }
    const auto token = first_token(rest);
    append_escaped(out, token);
    rest.remove_prefix(token.size());
  }
}

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

size_t tokens_of(const answer& what) {
  size_t tokens = count_tokens(what.reasoning);
  tokens += what.tokens == 0 || what.text.empty() ? count_tokens(what.text) : what.tokens;
  for (const auto& call : what.calls)
    tokens += count_tokens(call.arguments);
  return tokens;
}

std::string completion_body(const answer& what, const chat_call& call) {
  json_buffer out;
  append_completion_head(out, "chat.completion", call.model);
  append_raw(out, R"(,"choices":[{"index":0,"message":{"role":"assistant","content":)");
  if (what.text.empty() && !what.calls.empty()) {
    append_raw(out, "null");
  } else {
    out.push_back('"');
    append_text(out, what);
    out.push_back('"');
  }
  append_raw(out, R"(,"refusal":null)");
  if (!what.reasoning.empty()) {
    append_raw(out, R"(,"reasoning_content":)");
    append_json(out, what.reasoning);
  }
  if (!what.calls.empty())
    append_calls(out, what.calls);
  append_raw(out, R"(},"logprobs":null,"finish_reason":)");
  append_json(out, what.finish);
  append_raw(out, R"(}],"usage":)");
  append_usage_counts(out, what, tokens_of(what));
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe::scripted
