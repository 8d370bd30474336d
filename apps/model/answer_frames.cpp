#include "apps/model/answer_frames.hpp"

#include <utility>

#include <fmt/format.h>

#include "apps/model/completion.hpp"
#include "apps/model/tokens.hpp"

namespace troupe::scripted {

namespace {

constexpr std::string_view end_of_delta = R"(,"logprobs":null,"finish_reason":null}]})"
                                          "\n\n";

std::string make_prefix(const chat_call& call) {
  json_buffer out;
  append_raw(out, "data: ");
  append_completion_head(out, "chat.completion.chunk", call.model);
  if (call.include_usage)
    append_raw(out, R"(,"usage":null)");
  return std::string{view(out)};
}

} // namespace

answer_frames::answer_frames(answer what, const chat_call& call)
    : what_{std::move(what)}, prefix_{make_prefix(call)}, include_usage_{call.include_usage} {
  if (what_.end == ending::silent || what_.end == ending::verbatim)
    stage_ = stage::over;
}

bool answer_frames::next_is_token() const noexcept {
  return stage_ == stage::reasoning || stage_ == stage::text || stage_ == stage::arguments;
}

void answer_frames::enter(stage next) {
  stage_ = next;
  if (next == stage::reasoning)
    rest_ = what_.reasoning;
  else if (next == stage::text)
    rest_ = what_.text;
  else if (next == stage::arguments)
    rest_ = what_.calls[call_].arguments;
  skip_empty();
}

/// Leaves a stage that has nothing more to give.
void answer_frames::skip_empty() {
  const auto after = [this](stage next) { enter(next); };
  switch (stage_) {
  case stage::reasoning:
    return rest_.empty() ? after(stage::text) : void();
  case stage::text: {
    const bool is_over = what_.tokens == 0 ? rest_.empty() : text_tokens_ == what_.tokens;
    return is_over || what_.text.empty() ? after(stage::call) : void();
  }
  case stage::call:
    return call_ == what_.calls.size() ? after(stage::finish) : void();
  case stage::arguments:
    if (rest_.empty()) {
      ++call_;
      enter(stage::call);
    }
    return;
  case stage::finish:
    return what_.end != ending::whole ? after(stage::over) : void();
  case stage::usage:
    return include_usage_ ? void() : after(stage::end);
  default:
    return;
  }
}

std::string_view answer_frames::take_token() {
  const auto token = first_token(rest_);
  rest_.remove_prefix(token.size());
  ++tokens_;
  return token;
}

void answer_frames::next(json_buffer& out) {
  if (done())
    return;
  if (stage_ != stage::usage && stage_ != stage::end)
    append_raw(out, prefix_);
  switch (stage_) {
  case stage::role:
    append_role(out);
    return enter(stage::reasoning);
  case stage::reasoning:
    append_delta(out, "reasoning_content", take_token());
    return skip_empty();
  case stage::text:
    append_text(out);
    return skip_empty();
  case stage::call:
    append_call(out);
    return enter(stage::arguments);
  case stage::arguments:
    append_arguments(out);
    return skip_empty();
  case stage::finish:
    append_finish(out);
    return enter(stage::usage);
  case stage::usage:
    append_usage(out);
    return enter(stage::end);
  case stage::end:
    append_raw(out, "data: [DONE]\n\n");
    stage_ = stage::over;
    return;
  case stage::over:
    return;
  }
}

void answer_frames::append_role(json_buffer& out) const {
  append_raw(out, R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":)");
  append_raw(out, what_.text.empty() && !what_.calls.empty() ? "null" : R"("")");
  append_raw(out, R"(,"refusal":null})");
  append_raw(out, end_of_delta);
}

void answer_frames::append_text(json_buffer& out) {
  ++text_tokens_;
  if (!rest_.empty())
    return append_delta(out, "content", take_token());
  rest_ = what_.text; // it repeats; its first word has no space before it
  append_delta(out, "content", fmt::format(" {}", take_token()));
}

void answer_frames::append_delta(json_buffer& out, std::string_view name, std::string_view text) {
  append_raw(out, R"(,"choices":[{"index":0,"delta":{")");
  append_raw(out, name);
  append_raw(out, R"(":)");
  append_json(out, text);
  out.push_back('}');
  append_raw(out, end_of_delta);
}

void answer_frames::append_call(json_buffer& out) const {
  const auto& call = what_.calls[call_];
  fmt::format_to(std::back_inserter(out),
                 R"(,"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{},"id":)", call_);
  append_json(out, call.id);
  append_raw(out, R"(,"type":"function","function":{"name":)");
  append_json(out, call.name);
  append_raw(out, R"(,"arguments":""}}]})");
  append_raw(out, end_of_delta);
}

void answer_frames::append_arguments(json_buffer& out) {
  fmt::format_to(
      std::back_inserter(out),
      R"(,"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{},"function":{{"arguments":)",
      call_);
  append_json(out, take_token());
  append_raw(out, "}}]}");
  append_raw(out, end_of_delta);
}

void answer_frames::append_finish(json_buffer& out) const {
  append_raw(out, R"(,"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":)");
  append_json(out, what_.finish);
  append_raw(out, "}]}\n\n");
}

void answer_frames::append_usage(json_buffer& out) const {
  constexpr std::string_view null_usage = R"(,"usage":null)";
  append_raw(out, std::string_view{prefix_}.substr(0, prefix_.size() - null_usage.size()));
  append_raw(out, R"(,"choices":[],"usage":)");
  append_usage_counts(out, what_, tokens_);
  append_raw(out, "}\n\n");
}

std::string all_frames(answer what, const chat_call& call) {
  answer_frames frames{std::move(what), call};
  json_buffer out;
  while (!frames.done())
    frames.next(out);
  return std::string{view(out)};
}

} // namespace troupe::scripted
