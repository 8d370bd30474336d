#include "apps/model/chat/chat_frames.hpp"

#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/model/chat/chat_completion.hpp"
#include "apps/model/chat/chat_error.hpp"

namespace troupe::scripted {

namespace {

constexpr std::string_view end_of_delta = R"(,"logprobs":null,"finish_reason":null}]})"
                                          "\n\n";
constexpr std::string_view null_usage = R"(,"usage":null)";

std::string make_prefix(const chat_call& call) {
  json_buffer out;
  append_raw(out, "data: ");
  append_completion_head(out, "chat.completion.chunk", call.model);
  if (call.include_usage)
    append_raw(out, null_usage);
  return std::string{view(out)};
}

class chat_writer final : public frame_writer {
public:
  chat_writer(const answer& what, const chat_call& call)
      : what_{what}, prefix_{make_prefix(call)}, include_usage_{call.include_usage} {}

  void begin(json_buffer& out) override {
    append_raw(out, prefix_);
    append_raw(out, R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":)");
    append_raw(out, what_.text.empty() && !what_.calls.empty() ? "null" : R"("")");
    append_raw(out, R"(,"refusal":null})");
    append_raw(out, end_of_delta);
  }

  void reasoning(json_buffer& out, std::string_view token) override {
    append_delta(out, "reasoning_content", token);
  }

  void text(json_buffer& out, std::string_view token) override {
    append_delta(out, "content", token);
  }

  void call(json_buffer& out, size_t index) override {
    const auto& call = what_.calls[index];
    begin_call(out, index);
    append_raw(out, R"(,"id":)");
    append_json(out, call.id);
    append_raw(out, R"(,"type":"function","function":{"name":)");
    append_json(out, call.name);
    append_raw(out, R"(,"arguments":""}}]})");
    append_raw(out, end_of_delta);
  }

  void arguments(json_buffer& out, size_t index, std::string_view token) override {
    begin_call(out, index);
    append_raw(out, R"(,"function":{"arguments":)");
    append_json(out, token);
    append_raw(out, "}}]}");
    append_raw(out, end_of_delta);
  }

  void end(json_buffer& out, size_t tokens) override {
    append_raw(out, prefix_);
    append_raw(out, R"(,"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":)");
    append_json(out, finish_of_chat(what_));
    append_raw(out, "}]}\n\n");
    if (include_usage_) {
      append_raw(out, std::string_view{prefix_}.substr(0, prefix_.size() - null_usage.size()));
      append_raw(out, R"(,"choices":[],"usage":)");
      append_usage_counts(out, what_, tokens);
      append_raw(out, "}\n\n");
    }
    append_raw(out, "data: [DONE]\n\n");
  }

  void fail(json_buffer& out, const refusal& why) override {
    append_raw(out, R"(data: {"error":)");
    append_openai_error(out, openai_error_of(why));
    append_raw(out, "}\n\n");
  }

private:
  void append_delta(json_buffer& out, std::string_view name, std::string_view text) {
    append_raw(out, prefix_);
    append_raw(out, R"(,"choices":[{"index":0,"delta":{")");
    append_raw(out, name);
    append_raw(out, R"(":)");
    append_json(out, text);
    out.push_back('}');
    append_raw(out, end_of_delta);
  }

  void begin_call(json_buffer& out, size_t index) {
    append_raw(out, prefix_);
    fmt::format_to(std::back_inserter(out),
                   R"(,"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{})", index);
  }

  const answer& what_;
  const std::string prefix_; // of every frame, up to its choice
  const bool include_usage_;
};

} // namespace

std::unique_ptr<frame_writer> chat_frames(const answer& what, const chat_call& call) {
  return std::make_unique<chat_writer>(what, call);
}

} // namespace troupe::scripted
