#include "messages/wire/clients/completions/completions_stream.hpp"

#include <variant>

#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/provider/finish_words.hpp"

namespace troupe {

class completions_stream::writer {
public:
  writer(completions_stream& self, const event_batch& batch, json_buffer& out)
      : self_(self), batch_(batch), out_(out) {}

  void operator()(const model_response_waiting&) {
    self_.texts_.next_round();
    self_.thoughts_.next_round();
  }

  void operator()(const text_delta& e) { piece(R"("content":)", self_.texts_, e.text); }
  void operator()(const reasoning_delta& e) {
    piece(R"("reasoning_content":)", self_.thoughts_, e.text);
  }

  void operator()(const tool_args_start& e) { self_.pieces_.start(e); }

  void operator()(const tool_args_delta& e) {
    const auto is_first = !self_.pieces_.has_shown();
    const auto piece = self_.pieces_.take(e, batch_);
    if (piece.empty())
      return;
    if (is_first) {
      self_.open_call_ = self_.calls_++;
      const auto& call = self_.pieces_.call();
      begin_call(self_.open_call_);
      append_completions_call(
          out_, {call.tool_call_id, call.tool_name, {std::string{piece}}, true, errc::none, {}});
      end_call();
    } else {
      arguments(piece, {});
    }
  }

  /// A call of which nothing was shown is written whole.
  void operator()(const tool_args_complete& e) {
    if (const auto rest = self_.pieces_.complete(e)) {
      if (!rest->empty())
        arguments(*rest, e.provider_metadata.text);
      return;
    }
    if (!is_for_client(e))
      return;
    begin_call(self_.calls_++);
    append_completions_call(out_, e);
    end_call();
  }

  /// For an empty answer this is the only chunk; clients need a role in it.
  void operator()(const model_generation_stop& e) {
    append_raw(out_, self_.head_);
    if (!self_.started_)
      append_raw(out_, R"("role":"assistant","content":"")");
    append_raw(out_, R"(},"logprobs":null,"finish_reason":)");
    append_json(out_, finish_word(finish_api::of_openai, e.reason, self_.calls_ > 0));
    append_raw(out_, "}]}\n\n");
  }

  void operator()(const session_end& e) {
    if (self_.include_usage_) {
      auto common = self_.head_.find(R"("usage":null,)");
      append_completions_usage_chunk(out_, std::string_view{self_.head_}.substr(0, common), e.used);
    }
    append_raw(out_, completions_done);
  }

  void operator()(const abort_event& e) { error({errc::aborted, aborted_text(e)}); }

  void operator()(const session_error& e) {
    error(e.why());
    append_raw(out_, completions_done);
  }

  template <class Other>
  void operator()(const Other&) {}

private:
  void piece(std::string_view key, round_texts& of, std::string_view text) {
    if (auto gap = of.before_piece(); !gap.empty())
      delta(key, gap);
    delta(key, text);
  }

  void delta(std::string_view key, std::string_view text) {
    begin();
    append_raw(out_, key);
    append_json(out_, text);
    end();
  }

  void begin_call(size_t number) {
    begin();
    append_raw(out_, R"("tool_calls":[{"index":)");
    append_json(out_, number);
    out_.push_back(',');
  }

  void end_call() {
    append_raw(out_, "}]");
    end();
  }

  void arguments(std::string_view piece, std::string_view metadata) {
    begin_call(self_.open_call_);
    append_raw(out_, R"("function":{"arguments":)");
    append_json(out_, piece);
    out_.push_back('}');
    append_call_metadata(out_, metadata);
    end_call();
  }

  void error(const failure& why) { append_completions_failure(out_, why); }

  void begin() {
    append_raw(out_, self_.head_);
    if (!std::exchange(self_.started_, true))
      append_raw(out_, R"("role":"assistant",)");
  }

  void end() { append_raw(out_, "},\"logprobs\":null,\"finish_reason\":null}]}\n\n"); }

  completions_stream& self_;
  const event_batch& batch_;
  json_buffer& out_;
};

completions_stream::completions_stream(const completion_identity& identity, bool include_usage)
    : include_usage_(include_usage) {
  json_buffer head;
  append_raw(head, "data: ");
  append_completions_head(head, "chat.completion.chunk", identity.id, identity.created,
                          identity.model);
  if (include_usage)
    append_raw(head, R"("usage":null,)");
  append_raw(head, R"("choices":[{"index":0,"delta":{)");
  head_ = std::string{view(head)};
}

void completions_stream::encode(const event_batch& batch, json_buffer& out) {
  for (const auto& each : batch.events)
    std::visit(writer{*this, batch, out}, each);
}

} // namespace troupe
