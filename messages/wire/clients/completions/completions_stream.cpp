#include "messages/wire/clients/completions/completions_stream.hpp"

#include <variant>

#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/provider/finish_words.hpp"

namespace troupe {

class completions_stream::writer {
public:
  writer(completions_stream& self, json_buffer& out) : self_(self), out_(out) {}

  void operator()(const model_response_waiting&) {
    self_.texts_.next_round();
    self_.thoughts_.next_round();
  }

  void operator()(const text_delta& e) { piece(R"("content":)", self_.texts_, e.text); }
  void operator()(const reasoning_delta& e) {
    piece(R"("reasoning_content":)", self_.thoughts_, e.text);
  }

  /// Written when it is complete: only then it is known whether the client must run the call.
  void operator()(const tool_args_complete& e) {
    if (!is_for_client(e))
      return;
    begin();
    append_raw(out_, R"("tool_calls":[{"index":)");
    append_json(out_, self_.calls_++);
    out_.push_back(',');
    append_completions_call(out_, e);
    append_raw(out_, "}]");
    end();
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
    error({e.error, e.error_text});
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

  void error(const failure& why) { append_completions_failure(out_, why); }

  void begin() {
    append_raw(out_, self_.head_);
    if (!std::exchange(self_.started_, true))
      append_raw(out_, R"("role":"assistant",)");
  }

  void end() { append_raw(out_, "},\"logprobs\":null,\"finish_reason\":null}]}\n\n"); }

  completions_stream& self_;
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
    std::visit(writer{*this, out}, each);
}

} // namespace troupe
