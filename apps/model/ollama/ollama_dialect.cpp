#include "apps/model/ollama/ollama_dialect.hpp"

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/model/ollama/ollama_chat_request.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

// -- ollama chat answer ---------------------------------------------------------------------------

namespace {

constexpr size_t prompt_tokens = 10;

std::pair<uint16_t, std::string_view> usual_ollama_error(refusal_kind kind) {
  switch (kind) {
  case refusal_kind::invalid:
    return {400, "the script refuses every request"};
  case refusal_kind::unauthorized:
    return {401, "unauthorized"};
  case refusal_kind::unknown_model:
    return {404, "model not found, try pulling it first"};
  case refusal_kind::unknown_path:
    return {404, "404 page not found"};
  case refusal_kind::wrong_method:
    return {405, "405 method not allowed"};
  case refusal_kind::rate_limited:
    return {429, "too many requests, please wait a moment"};
  case refusal_kind::no_quota:
    return {402, "you have reached your usage limit, please upgrade to continue"};
  case refusal_kind::overloaded:
    return {503, "server busy, please try again.  maximum pending requests exceeded"};
  case refusal_kind::failed:
    break;
  }
  return {500, "an error was encountered while running the model"};
}

std::string ollama_error_json(const refusal& why) {
  const auto usual = usual_ollama_error(why.kind).second;
  return fmt::format(R"({{"error":{}}})",
                     to_json(why.message.empty() ? usual : std::string_view{why.message}));
}

std::string ollama_call(const tool_call& call, size_t index) {
  return fmt::format(R"({{"id":{},"function":{{"index":{},"name":{},"arguments":{}}}}})",
                     to_json(call.id), index, to_json(call.name),
                     is_json_object(call.arguments) ? std::string_view{call.arguments}
                                                    : std::string_view{"{}"});
}

/// Appends an object up to its `done`. @param more members of the message, each after a comma
void append_ollama_line(json_buffer& out, std::string_view model, std::string_view content,
                        std::string_view more) {
  append_raw(out, R"({"model":)");
  append_json(out, model);
  append_raw(out, R"(,"created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant",)"
                  R"("content":)");
  append_json(out, content);
  append_raw(out, more);
  append_raw(out, R"(},"done":)");
}

void append_ollama_end(json_buffer& out, const answer& what, size_t tokens) {
  fmt::format_to(std::back_inserter(out),
                 R"(true,"done_reason":"{}","total_duration":1000000,"load_duration":1000,)"
                 R"("prompt_eval_count":{},"prompt_eval_duration":1000,"eval_count":{},)"
                 R"("eval_duration":1000}})",
                 what.finish == "length" ? "length" : "stop", prompt_tokens, tokens);
}

class ollama_writer final : public frame_writer {
public:
  ollama_writer(const answer& what, const chat_call& call) : what_{what}, model_{call.model} {}

  bool has_whole_calls() const override { return true; }

  void begin(json_buffer&) override {}

  void reasoning(json_buffer& out, std::string_view token) override {
    line(out, "", R"(,"thinking":)" + to_json(token));
  }

  void text(json_buffer& out, std::string_view token) override { line(out, token, ""); }

  void call(json_buffer& out, size_t index) override {
    line(out, "", R"(,"tool_calls":[)" + ollama_call(what_.calls[index], index) + "]");
  }

  void end(json_buffer& out, size_t tokens) override {
    append_ollama_line(out, model_, "", "");
    append_ollama_end(out, what_, tokens);
    out.push_back('\n');
  }

  void fail(json_buffer& out, const refusal& why) override {
    append_raw(out, ollama_error_json(why));
    out.push_back('\n');
  }

private:
  void line(json_buffer& out, std::string_view content, const std::string& more) {
    append_ollama_line(out, model_, content, more);
    append_raw(out, "false}\n");
  }

  const answer& what_;
  const std::string model_;
};

/// dialect::frames: one line per token, one per call, and the line with `done`.
std::unique_ptr<frame_writer> ollama_frames(const answer& what, const chat_call& call) {
  return std::make_unique<ollama_writer>(what, call);
}

/// dialect::whole.
std::string ollama_body(const answer& what, const chat_call& call) {
  std::string more;
  if (!what.reasoning.empty())
    more += R"(,"thinking":)" + to_json(what.reasoning);
  for (size_t i = 0; i < what.calls.size(); ++i)
    more += (i == 0 ? R"(,"tool_calls":[)" : ",") + ollama_call(what.calls[i], i);
  if (!what.calls.empty())
    more += "]";
  json_buffer out;
  append_ollama_line(out, call.model, text_of(what), more);
  append_ollama_end(out, what, tokens_of(what));
  return std::string{view(out)};
}

/// dialect::refuse: {"error":"..."}, without any hint when to try again.
http_answer refuse_ollama(const refusal& why) {
  return {usual_ollama_error(why.kind).first,
          {{"content-type", "application/json; charset=utf-8"}},
          ollama_error_json(why)};
}

} // namespace

// -- ollama dialect -------------------------------------------------------------------------------

const dialect ollama_dialect{
    .check = check_ollama,
    .talk = talk_of_ollama,
    .frames = ollama_frames,
    .whole = ollama_body,
    .refuse = refuse_ollama,
    .stream_type = "application/x-ndjson",
};

} // namespace troupe::scripted
