#include "apps/model/anthropic/anthropic_answer.hpp"

#include <iterator>

#include <fmt/format.h>

#include "apps/model/dialect/seal.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t prompt_tokens = 10;
constexpr std::string_view request_id = "req_troupe";

struct anthropic_error {
  uint16_t status;
  std::string_view type;
  std::string_view message;
};

anthropic_error usual_anthropic_error(refusal_kind kind) {
  switch (kind) {
  case refusal_kind::invalid:
    return {400, "invalid_request_error", "messages: the script refuses every request."};
  case refusal_kind::unauthorized:
    return {401, "authentication_error", "invalid x-api-key"};
  case refusal_kind::unknown_model:
  case refusal_kind::unknown_path:
    return {404, "not_found_error", "Not found"};
  case refusal_kind::wrong_method:
    return {405, "invalid_request_error", "Method Not Allowed"};
  case refusal_kind::rate_limited:
    return {429, "rate_limit_error", "This request would exceed your rate limit; try again in 1s."};
  case refusal_kind::no_quota:
    return {400, "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API."};
  case refusal_kind::overloaded:
    return {529, "overloaded_error", "Overloaded"};
  case refusal_kind::failed:
    break;
  }
  return {500, "api_error", "Internal server error"};
}

std::string anthropic_error_json(const refusal& why) {
  const auto usual = usual_anthropic_error(why.kind);
  return json_text([&](json_object& out) {
    out.member("type", "error")
        .object("error")
        .member("type", usual.type)
        .member("message", why.message.empty() ? usual.message : std::string_view{why.message});
    out.member("request_id", request_id);
  });
}

std::string_view stop_reason_of(const answer& what) {
  if (what.finish == "tool_calls")
    return "tool_use";
  if (what.finish == "length")
    return "max_tokens";
  if (what.finish == "content_filter")
    return "refusal";
  return what.finish == "pause" ? "pause_turn" : "end_turn";
}

void append_anthropic_usage(json_buffer& out, size_t tokens) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"input_tokens":{},"cache_creation_input_tokens":0,)"
                 R"("cache_read_input_tokens":0,"output_tokens":{}}})",
                 prompt_tokens, tokens);
}

/// Appends an object up to its content.
void append_anthropic_head(json_buffer& out, std::string_view model) {
  append_raw(out, R"({"id":"msg_troupe","type":"message","role":"assistant","model":)");
  append_json(out, model);
}

/// Writes the events. Blocks come one after the other, so that a block ends where another begins.
class anthropic_writer final : public frame_writer {
public:
  anthropic_writer(const answer& what, const chat_call& call) : what_{what}, model_{call.model} {}

  void begin(json_buffer& out) override {
    json_buffer data;
    append_raw(data, R"("message":)");
    append_anthropic_head(data, model_);
    append_raw(data, R"(,"content":[],"stop_reason":null,"stop_sequence":null,"usage":)");
    append_anthropic_usage(data, 1);
    data.push_back('}');
    event(out, "message_start", view(data));
    event(out, "ping", {});
  }

  void reasoning(json_buffer& out, std::string_view token) override {
    if (open_ != block::thinking)
      open(out, block::thinking, R"({"type":"thinking","thinking":"","signature":""})");
    delta(out, "thinking_delta", "thinking", token);
  }

  void text(json_buffer& out, std::string_view token) override {
    if (open_ != block::text)
      open(out, block::text, R"({"type":"text","text":""})");
    delta(out, "text_delta", "text", token);
  }

  void call(json_buffer& out, size_t index) override {
    const auto& asked = what_.calls[index];
    open(out, block::call,
         fmt::format(R"({{"type":"tool_use","id":{},"name":{},"input":{{}}}})",
                     to_json(anthropic_call_id(asked.id)), to_json(asked.name)));
    delta(out, "input_json_delta", "partial_json", "");
  }

  void arguments(json_buffer& out, size_t, std::string_view token) override {
    delta(out, "input_json_delta", "partial_json", token);
  }

  void end(json_buffer& out, size_t tokens) override {
    close(out);
    json_buffer data;
    append_raw(data, R"("delta":{"stop_reason":)");
    append_json(data, stop_reason_of(what_));
    append_raw(data, R"(,"stop_sequence":null},"usage":)");
    append_anthropic_usage(data, tokens);
    event(out, "message_delta", view(data));
    event(out, "message_stop", {});
  }

  void fail(json_buffer& out, const refusal& why) override {
    append_raw(out, "event: error\ndata: ");
    append_raw(out, anthropic_error_json(why));
    append_raw(out, "\n\n");
  }

private:
  enum class block : uint8_t { none, thinking, text, call };

  static void event(json_buffer& out, std::string_view type, std::string_view members) {
    fmt::format_to(std::back_inserter(out), "event: {}\ndata: {{\"type\":\"{}\"{}{}}}\n\n", type,
                   type, members.empty() ? "" : ",", members);
  }

  void open(json_buffer& out, block kind, std::string_view start) {
    close(out);
    open_ = kind;
    event(out, "content_block_start",
          fmt::format(R"("index":{},"content_block":{})", index_, start));
  }

  void delta(json_buffer& out, std::string_view type, std::string_view key,
             std::string_view text) const {
    json_buffer data;
    fmt::format_to(std::back_inserter(data), R"("index":{},"delta":{{"type":"{}","{}":)", index_,
                   type, key);
    append_json(data, text);
    data.push_back('}');
    event(out, "content_block_delta", view(data));
  }

  void close(json_buffer& out) {
    if (open_ == block::none)
      return;
    if (open_ == block::thinking)
      delta(out, "signature_delta", "signature", seal_of(what_.reasoning));
    event(out, "content_block_stop", fmt::format(R"("index":{})", index_));
    ++index_;
    open_ = block::none;
  }

  const answer& what_;
  const std::string model_;
  size_t index_ = 0;
  block open_ = block::none;
};

void append_blocks(json_buffer& out, const answer& what) {
  json_array blocks{out};
  if (!what.reasoning.empty())
    blocks.object()
        .member("type", "thinking")
        .member("thinking", what.reasoning)
        .member("signature", seal_of(what.reasoning));
  if (const auto text = text_of(what); !text.empty())
    blocks.object().member("type", "text").member("text", text);
  for (const auto& each : what.calls)
    blocks.object()
        .member("type", "tool_use")
        .member("id", anthropic_call_id(each.id))
        .member("name", each.name)
        .raw("input", is_json_object(each.arguments) ? std::string_view{each.arguments}
                                                     : std::string_view{"{}"});
}

} // namespace

std::string anthropic_call_id(std::string_view id) {
  constexpr std::string_view prefix = "call_";
  return id.starts_with(prefix) ? fmt::format("toolu_{}", id.substr(prefix.size()))
                                : std::string{id};
}

std::unique_ptr<frame_writer> anthropic_frames(const answer& what, const chat_call& call) {
  return std::make_unique<anthropic_writer>(what, call);
}

std::string anthropic_message(const answer& what, const chat_call& call) {
  json_buffer out;
  append_anthropic_head(out, call.model);
  append_raw(out, R"(,"content":)");
  append_blocks(out, what);
  append_raw(out, R"(,"stop_reason":)");
  append_json(out, stop_reason_of(what));
  append_raw(out, R"(,"stop_sequence":null,"usage":)");
  append_anthropic_usage(out, tokens_of(what));
  out.push_back('}');
  return std::string{view(out)};
}

http_answer refuse_anthropic(const refusal& why) {
  http_answer made{usual_anthropic_error(why.kind).status,
                   {{"content-type", "application/json"}, {"request-id", std::string{request_id}}},
                   anthropic_error_json(why)};
  if (why.kind == refusal_kind::rate_limited) {
    made.fields.push_back({"retry-after", "1"});
    made.fields.push_back({"anthropic-ratelimit-requests-limit", "60"});
    made.fields.push_back({"anthropic-ratelimit-requests-remaining", "0"});
    made.fields.push_back({"anthropic-ratelimit-requests-reset", "2026-01-01T00:00:00Z"});
  }
  if (why.kind == refusal_kind::rate_limited || why.kind == refusal_kind::overloaded)
    made.fields.push_back({"x-should-retry", "true"});
  return made;
}

} // namespace troupe::scripted
