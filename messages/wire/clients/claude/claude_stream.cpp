#include "messages/wire/clients/claude/claude_stream.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "messages/json_object.hpp"
#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/provider/finish_words.hpp"

namespace troupe {

// -- claude json ----------------------------------------------------------------------------------

namespace {

std::string_view error_type_of(uint16_t status) {
  switch (status) {
  case 401:
    return "authentication_error";
  case 402:
    return "billing_error";
  case 403:
    return "permission_error";
  case 404:
    return "not_found_error";
  case 413:
    return "request_too_large";
  case 429:
    return "rate_limit_error";
  case 504:
    return "timeout_error";
  case 529:
    return "overloaded_error";
  default:
    return status < 500 ? "invalid_request_error" : "api_error";
  }
}

} // namespace

void append_claude_head(json_buffer& out, const claude_identity& of) {
  append_raw(out, R"({"id":)");
  append_json(out, of.id);
  append_raw(out, R"(,"type":"message","role":"assistant","model":)");
  append_json(out, of.model);
  out.push_back(',');
}

void append_claude_stop(json_buffer& out, finish_reason why, bool has_calls,
                        std::string_view sequence) {
  const auto is_own = why == finish_reason::stop && !has_calls && !sequence.empty();
  append_raw(out, R"("stop_reason":)");
  append_json(out,
              is_own ? "stop_sequence" : finish_word(finish_api::of_anthropic, why, has_calls));
  append_raw(out, R"(,"stop_sequence":)");
  if (is_own)
    append_json(out, sequence);
  else
    append_raw(out, "null");
}

void append_claude_usage(json_buffer& out, const usage& used) {
  const auto cached = used.cached_input_tokens + used.cache_write_tokens;
  fmt::format_to(std::back_inserter(out),
                 R"({{"input_tokens":{},"cache_creation_input_tokens":{},)"
                 R"("cache_read_input_tokens":{},"output_tokens":{}}})",
                 used.input_tokens - std::min(cached, used.input_tokens), used.cache_write_tokens,
                 used.cached_input_tokens, used.output_tokens);
}

void append_claude_call(json_buffer& out, const tool_args_complete& call) {
  append_raw(out, R"("id":)");
  append_json(out, call.tool_call_id);
  append_raw(out, R"(,"name":)");
  append_json(out, call.tool_name);
  append_call_metadata(out, call.provider_metadata.text);
}

uint16_t claude_status(errc code, uint16_t otherwise) {
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
    return 529;
  case errc::model_rate_limited:
    return 429;
  case errc::model_quota_exhausted:
    return 402;
  default:
    return gateway_status(code, otherwise);
  }
}

std::string claude_error(const failure& why, uint16_t status, std::string_view details) {
  return json_text([&](json_object& out) {
    auto error = out.member("type", "error").object("error");
    error.member("type", error_type_of(status))
        .member("message", why.text())
        .member("code", why.code);
    if (!details.empty())
      error.raw("details", details);
  });
}

// -- claude stream --------------------------------------------------------------------------------

class claude_stream::writer {
public:
  writer(claude_stream& self, const event_batch& batch, json_buffer& out)
      : self_(self), batch_(batch), out_(out) {}

  void operator()(const model_response_waiting&) { self_.apart_ = true; }
  void operator()(const text_delta& e) { piece(claude_growing::text, e.text); }
  void operator()(const reasoning_delta& e) { piece(claude_growing::thinking, e.text); }

  void operator()(const tool_args_start& e) { self_.pieces_.start(e); }

  void operator()(const tool_args_delta& e) {
    const auto is_first = !self_.pieces_.has_shown();
    const auto piece = self_.pieces_.take(e, batch_);
    if (piece.empty())
      return;
    const auto& call = self_.pieces_.call();
    if (is_first)
      open_call({call.tool_call_id, call.tool_name, {}, true, errc::none, {}});
    if (self_.open_ == claude_growing::call)
      arguments(piece);
  }

  /// A call of which nothing was shown is written whole.
  void operator()(const tool_args_complete& e) {
    if (const auto rest = self_.pieces_.complete(e)) {
      if (self_.open_ == claude_growing::call && !rest->empty())
        arguments(*rest);
    } else if (is_for_client(e)) {
      open_call(e);
      arguments(e.arguments.text);
    } else {
      return;
    }
    close();
  }

  void operator()(const session_end& e) {
    if (std::exchange(self_.over_, true))
      return;
    close();
    begin();
    event_line("message_delta");
    append_raw(out_, R"("delta":{)");
    append_claude_stop(out_, e.reason, self_.has_calls_, e.stop_sequence);
    append_raw(out_, R"(},"usage":)");
    append_claude_usage(out_, e.used);
    out_.push_back('}');
    end();
    append_raw(out_, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
  }

  void operator()(const abort_event& e) { error({errc::aborted, aborted_text(e)}); }
  void operator()(const session_error& e) { error(e.why()); }

  template <class Other>
  void operator()(const Other&) {}

private:
  void piece(claude_growing kind, std::string_view text) {
    const auto gap = self_.apart_ && self_.open_ == kind;
    self_.apart_ = false;
    if (self_.open_ != kind)
      open(kind);
    if (gap)
      delta(kind, "\n\n");
    delta(kind, text);
  }

  void open(claude_growing kind) {
    close();
    self_.open_ = kind;
    begin_block();
    append_raw(out_, kind == claude_growing::text
                         ? R"({"type":"text","text":""}})"
                         : R"({"type":"thinking","thinking":"","signature":""}})");
    end();
  }

  void open_call(const tool_args_complete& call) {
    close();
    self_.open_ = claude_growing::call;
    self_.has_calls_ = true;
    begin_block();
    append_raw(out_, R"({"type":"tool_use",)");
    append_claude_call(out_, call);
    append_raw(out_, R"(,"input":{}}})");
    end();
  }

  void arguments(std::string_view piece) {
    begin_delta();
    append_raw(out_, R"({"type":"input_json_delta","partial_json":)");
    append_json(out_, piece);
    append_raw(out_, "}}");
    end();
  }

  void close() {
    if (std::exchange(self_.open_, claude_growing::nothing) != claude_growing::nothing)
      stop_block();
  }

  void delta(claude_growing kind, std::string_view text) {
    begin_delta();
    append_raw(out_, kind == claude_growing::text ? R"({"type":"text_delta","text":)"
                                                  : R"({"type":"thinking_delta","thinking":)");
    append_json(out_, text);
    append_raw(out_, "}}");
    end();
  }

  void begin() {
    if (std::exchange(self_.begun_, true))
      return;
    event_line("message_start");
    append_raw(out_, R"("message":)");
    append_claude_head(out_, self_.identity_);
    append_raw(out_, R"("content":[],"stop_reason":null,"stop_sequence":null,"usage":)");
    append_claude_usage(out_, {});
    append_raw(out_, "}}");
    end();
  }

  void begin_block() {
    begin();
    event_line("content_block_start");
    index(self_.blocks_++);
    append_raw(out_, R"(,"content_block":)");
  }

  void begin_delta() {
    event_line("content_block_delta");
    index(self_.blocks_ - 1);
    append_raw(out_, R"(,"delta":)");
  }

  void stop_block() {
    event_line("content_block_stop");
    index(self_.blocks_ - 1);
    out_.push_back('}');
    end();
  }

  void error(const failure& why) {
    self_.over_ = true;
    append_raw(out_, "event: error\ndata: ");
    append_raw(out_, claude_error(why, claude_status(why.code, 500)));
    end();
  }

  void event_line(std::string_view type) {
    append_raw(out_, "event: ");
    append_raw(out_, type);
    append_raw(out_, "\ndata: {\"type\":\"");
    append_raw(out_, type);
    append_raw(out_, "\",");
  }

  void index(size_t number) {
    append_raw(out_, R"("index":)");
    append_json(out_, number);
  }

  void end() { append_raw(out_, "\n\n"); }

  claude_stream& self_;
  const event_batch& batch_;
  json_buffer& out_;
};

void claude_stream::encode(const event_batch& batch, json_buffer& out) {
  for (const auto& each : batch.events)
    std::visit(writer{*this, batch, out}, each);
}

} // namespace troupe
