#include "apps/model/responses/responses_items.hpp"

#include <iterator>

#include <fmt/format.h>

#include "apps/model/chat/chat_error.hpp"
#include "apps/model/dialect/seal.hpp"
#include "apps/model/script/tokens.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t prompt_tokens = 10;

std::string_view status_word(bool done) {
  return done ? "completed" : "in_progress";
}

void append_responses_usage(json_buffer& out, const answer& what, size_t tokens) {
  if (tokens == 0)
    return append_raw(out, "null");
  fmt::format_to(std::back_inserter(out),
                 R"({{"input_tokens":{},"input_tokens_details":{{"cached_tokens":0}},)"
                 R"("output_tokens":{},"output_tokens_details":{{"reasoning_tokens":{}}},)"
                 R"("total_tokens":{}}})",
                 prompt_tokens, tokens, count_tokens(what.reasoning), prompt_tokens + tokens);
}

std::string error_member(const answer& what, std::string_view status) {
  if (status != "failed")
    return "null";
  const auto error = openai_error_of(what.refused);
  return fmt::format(R"({{"code":{},"message":{}}})",
                     to_json(error.code.empty() ? std::string_view{"server_error"} : error.code),
                     to_json(error.message));
}

std::string_view incomplete_member(const answer& what, std::string_view status) {
  if (status != "incomplete")
    return "null";
  return what.finish == "length" ? R"({"reason":"max_output_tokens"})"
                                 : R"({"reason":"content_filter"})";
}

} // namespace

std::string call_item_id(const tool_call& call) {
  return fmt::format("fc_{}.{}", call.id, call.name);
}

std::string reasoning_item(const answer& what, bool done) {
  return fmt::format(
      R"({{"id":"{}","type":"reasoning","summary":[{}],"encrypted_content":{}}})",
      reasoning_item_id,
      done ? fmt::format(R"({{"type":"summary_text","text":{}}})", to_json(what.reasoning)) : "",
      to_json(done ? seal_of(what.reasoning) : std::string{"c2VhbGVkLWxhdGVy"}));
}

std::string text_part(std::string_view text) {
  return fmt::format(R"({{"type":"output_text","annotations":[],"logprobs":[],"text":{}}})",
                     to_json(text));
}

std::string message_item(const answer& what, bool done) {
  return fmt::format(R"({{"id":"{}","type":"message","status":"{}","role":"assistant",)"
                     R"("content":[{}]}})",
                     message_item_id, status_word(done), done ? text_part(text_of(what)) : "");
}

std::string call_item(const tool_call& call, bool done) {
  return fmt::format(R"({{"id":{},"type":"function_call","status":"{}","arguments":{},)"
                     R"("call_id":{},"name":{}}})",
                     to_json(call_item_id(call)), status_word(done),
                     to_json(done ? std::string_view{call.arguments} : std::string_view{}),
                     to_json(call.id), to_json(call.name));
}

std::string response_object(const answer& what, const chat_call& call, std::string_view status,
                            std::string_view output, size_t tokens) {
  json_buffer out;
  append_raw(out, R"({"id":"resp_troupe","object":"response","created_at":1735689600,"status":)");
  append_json(out, status);
  append_raw(out, R"(,"background":false,"error":)");
  append_raw(out, error_member(what, status));
  append_raw(out, R"(,"incomplete_details":)");
  append_raw(out, incomplete_member(what, status));
  append_raw(out, R"(,"instructions":null,"max_output_tokens":null,"model":)");
  append_json(out, call.model);
  append_raw(out, R"(,"output":)");
  append_raw(out, output);
  append_raw(out, R"(,"parallel_tool_calls":true,"previous_response_id":null,)"
                  R"("reasoning":{"effort":null,"summary":null},"store":false,"temperature":1.0,)"
                  R"("text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],)"
                  R"("top_p":1.0,"truncation":"disabled","usage":)");
  append_responses_usage(out, what, tokens);
  append_raw(out, R"(,"user":null,"metadata":{}})");
  return std::string{view(out)};
}

std::string_view response_status(const answer& what) {
  return what.finish == "length" || what.finish == "content_filter" ? "incomplete" : "completed";
}

std::string output_of(const answer& what) {
  std::string list;
  const auto add = [&list](const std::string& item) { list += (list.empty() ? "" : ",") + item; };
  if (!what.reasoning.empty())
    add(reasoning_item(what, true));
  if (!what.text.empty())
    add(message_item(what, true));
  for (const auto& each : what.calls)
    add(call_item(each, true));
  return "[" + list + "]";
}

std::string responses_body(const answer& what, const chat_call& call) {
  const auto tokens = tokens_of(what);
  return response_object(what, call, response_status(what), output_of(what),
                         tokens == 0 ? 1 : tokens);
}

} // namespace troupe::scripted
