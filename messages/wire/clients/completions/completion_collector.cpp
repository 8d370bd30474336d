#include <variant>

#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"
#include "messages/wire/provider/finish_words.hpp"

namespace troupe {

class completion_collector::reader {
public:
  explicit reader(completion_collector& self) : self_(self) {}

  void operator()(const model_response_waiting&) {
    self_.texts_.next_round();
    self_.thoughts_.next_round();
  }
  void operator()(const text_delta& e) {
    self_.text_.append(self_.texts_.before_piece()) += e.text;
  }
  void operator()(const reasoning_delta& e) {
    self_.reasoning_.append(self_.thoughts_.before_piece()) += e.text;
  }
  void operator()(const tool_args_complete& e) {
    if (is_for_client(e))
      self_.calls_.push_back(e);
  }

  template <class Other>
  void operator()(const Other& e) {
    self_.outcome_.take(e);
  }

private:
  completion_collector& self_;
};

void completion_collector::take(const event_batch& batch) {
  for (const auto& each : batch.events)
    std::visit(reader{*this}, each);
}

std::string completion_collector::body() const {
  json_buffer out;
  append_completions_head(out, "chat.completion", identity_.id, identity_.created, identity_.model);
  append_raw(out, R"("choices":[{"index":0,"message":{"role":"assistant","content":)");
  if (text_.empty() && !calls_.empty())
    append_raw(out, "null");
  else
    append_json(out, text_);
  append_raw(out, R"(,"refusal":null)");
  if (!reasoning_.empty()) {
    append_raw(out, R"(,"reasoning_content":)");
    append_json(out, reasoning_);
  }
  for (size_t i = 0; i < calls_.size(); ++i) {
    append_raw(out, i == 0 ? R"(,"tool_calls":[{)" : ",{");
    append_completions_call(out, calls_[i]);
    append_raw(out, i + 1 == calls_.size() ? "}]" : "}");
  }
  append_raw(out, R"(},"logprobs":null,"finish_reason":)");
  append_json(out, finish_word(finish_api::of_openai, outcome_.reason, !calls_.empty()));
  append_raw(out, R"(}],"usage":)");
  append_completions_usage(out, outcome_.used);
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe
