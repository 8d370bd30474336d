#include "apps/model/gemini/gemini_answer.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "apps/model/dialect/seal.hpp"
#include "apps/model/gemini/gemini_error.hpp"
#include "apps/model/script/tokens.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t prompt_tokens = 10;

std::string_view finish_of_gemini(const answer& what) {
  if (what.finish == "length")
    return "MAX_TOKENS";
  return what.finish == "content_filter" ? "SAFETY" : "STOP";
}

std::string gemini_text(std::string_view text, bool thought) {
  return fmt::format(R"({{"text":{}{}}})", to_json(text), thought ? R"(,"thought":true)" : "");
}

/// The first call of an answer has the signature of the thoughts in front of it.
std::string gemini_call(const answer& what, size_t index) {
  const auto& call = what.calls[index];
  const bool sealed = index == 0 && !what.reasoning.empty();
  return fmt::format(R"({{"functionCall":{{"name":{},"args":{}}}{}}})", to_json(call.name),
                     is_json_object(call.arguments) ? std::string_view{call.arguments}
                                                    : std::string_view{"{}"},
                     sealed ? fmt::format(R"(,"thoughtSignature":"{}")", seal_of(call.name)) : "");
}

/// Writes the responses of one answer.
class response_maker {
public:
  response_maker(const answer& what, const chat_call& call) : what_{what}, model_{call.model} {}

  /// @param finish "": there is more to come
  std::string make(std::string_view parts, std::string_view finish, size_t tokens) const {
    const auto thoughts = std::min(tokens, count_tokens(what_.reasoning));
    json_buffer out;
    append_raw(out, R"({"candidates":[{"content":{"parts":[)");
    append_raw(out, parts);
    append_raw(out, R"(],"role":"model"})");
    if (!finish.empty())
      fmt::format_to(std::back_inserter(out), R"(,"finishReason":"{}")", finish);
    fmt::format_to(std::back_inserter(out),
                   R"(,"index":0}}],"usageMetadata":{{"promptTokenCount":{},)"
                   R"("candidatesTokenCount":{},"totalTokenCount":{}{}}},"modelVersion":)",
                   prompt_tokens, tokens - thoughts, prompt_tokens + tokens,
                   thoughts > 0 ? fmt::format(R"(,"thoughtsTokenCount":{})", thoughts) : "");
    append_json(out, model_);
    append_raw(out, R"(,"responseId":"troupe"})");
    return std::string{view(out)};
  }

private:
  const answer& what_;
  const std::string model_;
};

class gemini_writer final : public frame_writer {
public:
  gemini_writer(const answer& what, const chat_call& call)
      : what_{what}, responses_{what, call}, as_list_{call.as_list} {}

  bool has_whole_calls() const override { return true; }

  void begin(json_buffer& out) override {
    if (as_list_)
      out.push_back('[');
  }

  void reasoning(json_buffer& out, std::string_view token) override {
    frame(out, responses_.make(gemini_text(token, true), "", ++tokens_));
  }

  void text(json_buffer& out, std::string_view token) override {
    frame(out, responses_.make(gemini_text(token, false), "", ++tokens_));
  }

  void call(json_buffer& out, size_t index) override {
    tokens_ += count_tokens(what_.calls[index].arguments);
    frame(out, responses_.make(gemini_call(what_, index), "", tokens_));
  }

  void end(json_buffer& out, size_t tokens) override {
    const auto last = what_.calls.empty() ? gemini_text("", false) : std::string{};
    frame(out, responses_.make(last, finish_of_gemini(what_), tokens));
    append_raw(out, as_list_ ? "\n]" : "");
  }

  void fail(json_buffer& out, const refusal& why) override {
    frame(out, gemini_error_json(why));
    append_raw(out, as_list_ ? "\n]" : "");
  }

private:
  void frame(json_buffer& out, std::string_view json) {
    const auto separator = as_list_ && !first_ ? std::string_view{"\n,\r\n"} : std::string_view{};
    append_raw(out, as_list_ ? separator : std::string_view{"data: "});
    append_raw(out, json);
    append_raw(out, as_list_ ? "" : "\r\n\r\n");
    first_ = false;
  }

  const answer& what_;
  const response_maker responses_;
  const bool as_list_;
  bool first_ = true;
  size_t tokens_ = 0;
};

} // namespace

std::unique_ptr<frame_writer> gemini_frames(const answer& what, const chat_call& call) {
  return std::make_unique<gemini_writer>(what, call);
}

std::string gemini_response(const answer& what, const chat_call& call) {
  std::string parts;
  const auto add = [&parts](const std::string& part) {
    parts += (parts.empty() ? "" : ",") + part;
  };
  if (!what.reasoning.empty())
    add(gemini_text(what.reasoning, true));
  if (!what.text.empty())
    add(gemini_text(text_of(what), false));
  for (size_t i = 0; i < what.calls.size(); ++i)
    add(gemini_call(what, i));
  return response_maker{what, call}.make(parts, finish_of_gemini(what), tokens_of(what));
}

} // namespace troupe::scripted
