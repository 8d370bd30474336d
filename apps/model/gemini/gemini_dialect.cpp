#include "apps/model/gemini/gemini_dialect.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/model/dialect/seal.hpp"
#include "apps/model/gemini/gemini_request.hpp"
#include "apps/model/script/tokens.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

// -- gemini error ---------------------------------------------------------------------------------

namespace {

struct gemini_error {
  uint16_t status;
  std::string_view word;
  std::string_view message;
};

gemini_error usual_gemini_error(refusal_kind kind) {
  switch (kind) {
  case refusal_kind::invalid:
    return {400, "INVALID_ARGUMENT", "The script refuses every request."};
  case refusal_kind::unauthorized:
    return {400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."};
  case refusal_kind::unknown_model:
  case refusal_kind::unknown_path:
    return {404, "NOT_FOUND", "Requested entity was not found."};
  case refusal_kind::wrong_method:
    return {405, "UNIMPLEMENTED", "The method is not allowed here."};
  case refusal_kind::rate_limited:
  case refusal_kind::no_quota:
    return {429, "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details."};
  case refusal_kind::overloaded:
    return {503, "UNAVAILABLE", "The model is overloaded. Please try again later."};
  case refusal_kind::failed:
    break;
  }
  return {500, "INTERNAL", "An internal error has occurred."};
}

/// A quota of a day cannot be waited for.
std::string_view details_of(refusal_kind kind) {
  if (kind == refusal_kind::rate_limited)
    return R"(,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":)"
           R"([{"quotaMetric":"generativelanguage.googleapis.com/requests",)"
           R"("quotaId":"GenerateRequestsPerMinutePerProjectPerModel","quotaValue":"60"}]},)"
           R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1s"}])";
  if (kind == refusal_kind::no_quota)
    return R"(,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":)"
           R"([{"quotaMetric":"generativelanguage.googleapis.com/requests",)"
           R"("quotaId":"GenerateRequestsPerDayPerProjectPerModel","quotaValue":"0"}]}])";
  if (kind == refusal_kind::unauthorized)
    return R"(,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",)"
           R"("reason":"API_KEY_INVALID","domain":"googleapis.com"}])";
  return {};
}

/// Returns {"error":{"code","message","status","details"}}.
std::string gemini_error_json(const refusal& why) {
  const auto usual = usual_gemini_error(why.kind);
  return fmt::format(R"({{"error":{{"code":{},"message":{},"status":"{}"{}}}}})", usual.status,
                     to_json(why.message.empty() ? usual.message : std::string_view{why.message}),
                     usual.word, details_of(why.kind));
}

/// dialect::refuse; the delay of a rate limit stands in RetryInfo, and in no header.
http_answer refuse_gemini(const refusal& why) {
  return {usual_gemini_error(why.kind).status,
          {{"content-type", "application/json; charset=UTF-8"}},
          gemini_error_json(why)};
}

// -- gemini answer --------------------------------------------------------------------------------

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

/// dialect::frames: one response per token; a call comes whole, the first one with a signature if
/// the model thought. The last response has the finishReason. With chat_call::as_list the responses
/// are the elements of a JSON array, else server-sent events.
std::unique_ptr<frame_writer> gemini_frames(const answer& what, const chat_call& call) {
  return std::make_unique<gemini_writer>(what, call);
}

/// dialect::whole.
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

} // namespace

// -- gemini dialect -------------------------------------------------------------------------------

const dialect gemini_dialect{
    .check = check_gemini,
    .talk = talk_of_gemini,
    .frames = gemini_frames,
    .whole = gemini_response,
    .refuse = refuse_gemini,
    .stream_type = "text/event-stream",
    .seal_missing = "Function call is missing a thought_signature in functionCall parts. This is "
                    "required for tools to work correctly.",
};

} // namespace troupe::scripted
