#include "messages/wire/clients/ollama/ollama_reply.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/provider/finish_words.hpp"

namespace troupe {

namespace {

using std::chrono::duration_cast;

/// Appends `{"model":...,"created_at":...,` and the text up to where other members of the message
/// follow.
void append_line_begin(json_buffer& out, const ollama_identity& of, std::string_view text) {
  const auto now = of.now();
  const auto past = duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  append_raw(out, R"({"model":)");
  append_json(out, of.model);
  fmt::format_to(std::back_inserter(out), R"(,"created_at":"{:%FT%T}.{:03}Z",)",
                 fmt::gmtime(std::chrono::system_clock::to_time_t(now)), past % 1000);
  append_raw(out, of.form == ollama_form::chat ? R"("message":{"role":"assistant","content":)"
                                               : R"("response":)");
  append_json(out, text);
}

void append_thought(json_buffer& out, std::string_view thought) {
  append_raw(out, R"(,"thinking":)");
  append_json(out, thought);
}

/// Appends what ends the message.
void append_line_end(json_buffer& out, ollama_form form) {
  if (form == ollama_form::chat)
    out.push_back('}');
}

void append_open_end(json_buffer& out, ollama_form form) {
  append_line_end(out, form);
  append_raw(out, ",\"done\":false}\n");
}

/// Appends a call. Its arguments are an object, on one line.
void append_ollama_call(json_buffer& out, const tool_args_complete& call, size_t index) {
  append_raw(out, R"({"id":)");
  append_json(out, call.tool_call_id);
  append_raw(out, R"(,"function":{"index":)");
  append_json(out, index);
  append_raw(out, R"(,"name":)");
  append_json(out, call.tool_name);
  append_raw(out, R"(,"arguments":)");
  const auto from = out.size();
  append_raw(out, is_json_object(call.arguments.text) ? std::string_view{call.arguments.text}
                                                      : std::string_view{"{}"});
  keep_on_one_line(out, from);
  out.push_back('}');
  append_call_metadata(out, call.provider_metadata.text);
  out.push_back('}');
}

} // namespace

void ollama_times::append(json_buffer& out, const usage& used) const {
  const auto nanoseconds = [](auto from, auto to) {
    return std::max<int64_t>(duration_cast<std::chrono::nanoseconds>(to - from).count(), 0);
  };
  const auto now = now_();
  fmt::format_to(std::back_inserter(out),
                 R"(,"total_duration":{},"load_duration":0,"prompt_eval_count":{},)"
                 R"("prompt_eval_duration":{},"eval_count":{},"eval_duration":{})",
                 nanoseconds(began_, now), used.input_tokens, nanoseconds(began_, first_),
                 used.output_tokens, nanoseconds(first_, now));
}

class ollama_stream::writer {
public:
  writer(ollama_stream& self, json_buffer& out)
      : self_(self), out_(out), form_{self.identity_.form} {}

  void operator()(const model_response_waiting&) {
    self_.texts_.next_round();
    self_.thoughts_.next_round();
  }

  void operator()(const text_delta& e) {
    if (auto gap = self_.texts_.before_piece(); !gap.empty())
      text(gap);
    text(e.text);
  }

  void operator()(const reasoning_delta& e) {
    self_.times_.show();
    if (!self_.identity_.shows_thinking)
      return;
    if (auto gap = self_.thoughts_.before_piece(); !gap.empty())
      thought(gap);
    thought(e.text);
  }

  /// Written when it is complete: only then it is known whether the client must run the call.
  void operator()(const tool_args_complete& e) {
    if (!is_for_client(e) || form_ == ollama_form::prompt)
      return;
    begin("");
    append_raw(out_, R"(,"tool_calls":[)");
    append_ollama_call(out_, e, self_.calls_++);
    out_.push_back(']');
    append_open_end(out_, form_);
  }

  void operator()(const session_end& e) {
    if (self_.failed_)
      return;
    begin("");
    append_line_end(out_, form_);
    append_raw(out_, R"(,"done":true,"done_reason":)");
    append_json(out_, finish_word(finish_api::of_ollama, e.reason, self_.calls_ > 0));
    self_.times_.append(out_, e.used);
    append_raw(out_, "}\n");
  }

  void operator()(const abort_event& e) { error({errc::aborted, aborted_text(e)}); }
  void operator()(const session_error& e) { error(e.why()); }

  template <class Other>
  void operator()(const Other&) {}

private:
  void begin(std::string_view text) {
    self_.times_.show();
    append_line_begin(out_, self_.identity_, text);
  }

  void text(std::string_view piece) {
    begin(piece);
    append_open_end(out_, form_);
  }

  void thought(std::string_view piece) {
    begin("");
    append_thought(out_, piece);
    append_open_end(out_, form_);
  }

  void error(const failure& why) {
    if (std::exchange(self_.failed_, true))
      return;
    append_raw(out_, ollama_error(why));
    out_.push_back('\n');
  }

  ollama_stream& self_;
  json_buffer& out_;
  const ollama_form form_;
};

ollama_stream::ollama_stream(ollama_identity identity)
    : identity_(std::move(identity)), times_{identity_.now} {}

void ollama_stream::encode(const event_batch& batch, json_buffer& out) {
  for (const auto& each : batch.events)
    std::visit(writer{*this, out}, each);
}

class ollama_collector::reader {
public:
  explicit reader(ollama_collector& self) : self_(self) {}

  void operator()(const model_response_waiting&) {
    self_.texts_.next_round();
    self_.thoughts_.next_round();
  }
  void operator()(const text_delta& e) {
    self_.times_.show();
    self_.text_.append(self_.texts_.before_piece()) += e.text;
  }
  void operator()(const reasoning_delta& e) {
    self_.times_.show();
    if (self_.identity_.shows_thinking)
      self_.reasoning_.append(self_.thoughts_.before_piece()) += e.text;
  }
  void operator()(const tool_args_complete& e) {
    if (is_for_client(e) && self_.identity_.form == ollama_form::chat)
      self_.calls_.push_back(e);
  }

  template <class Other>
  void operator()(const Other& e) {
    self_.outcome_.take(e);
  }

private:
  ollama_collector& self_;
};

void ollama_collector::take(const event_batch& batch) {
  for (const auto& each : batch.events)
    std::visit(reader{*this}, each);
}

std::string ollama_collector::body() const {
  json_buffer out;
  append_line_begin(out, identity_, text_);
  if (!reasoning_.empty())
    append_thought(out, reasoning_);
  for (size_t i = 0; i < calls_.size(); ++i) {
    append_raw(out, i == 0 ? R"(,"tool_calls":[)" : ",");
    append_ollama_call(out, calls_[i], i);
  }
  if (!calls_.empty())
    out.push_back(']');
  append_line_end(out, identity_.form);
  append_raw(out, R"(,"done":true,"done_reason":)");
  append_json(out, finish_word(finish_api::of_ollama, outcome_.reason, !calls_.empty()));
  times_.append(out, outcome_.used);
  out.push_back('}');
  return std::string{view(out)};
}

std::string ollama_loaded(const ollama_identity& identity) {
  json_buffer out;
  append_line_begin(out, identity, "");
  append_line_end(out, identity.form);
  append_raw(out, R"(,"done":true,"done_reason":"load"})");
  return std::string{view(out)};
}

std::string_view ollama_sign_of_life(ollama_form form) {
  return form == ollama_form::chat
             ? R"({"model":"","created_at":"1970-01-01T00:00:00Z",)"
               R"("message":{"role":"assistant","content":""},"done":false})"
               "\n"
             : R"({"model":"","created_at":"1970-01-01T00:00:00Z","response":"","done":false})"
               "\n";
}

std::string ollama_error(const failure& why) {
  return R"({"error":)" + to_json(why.text()) + "}";
}

} // namespace troupe
