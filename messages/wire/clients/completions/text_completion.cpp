#include "messages/wire/clients/completions/text_completion.hpp"

#include <string_view>
#include <variant>

#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/provider/finish_words.hpp"

namespace troupe {

namespace {

constexpr std::string_view text_object = "text_completion"; // chunks are named so, too

/// Appends `"choices":[...]` with a text. @param reason "" = none yet
void append_text_choice(json_buffer& out, std::string_view text, std::string_view reason) {
  append_raw(out, R"("choices":[{"text":)");
  append_json(out, text);
  append_raw(out, R"(,"index":0,"logprobs":null,"finish_reason":)");
  if (reason.empty())
    append_raw(out, "null");
  else
    append_json(out, reason);
  append_raw(out, "}]");
}

} // namespace

class text_completion_stream::writer {
public:
  writer(text_completion_stream& self, json_buffer& out) : self_(self), out_(out) {}

  void operator()(const model_response_waiting&) { self_.texts_.next_round(); }

  void operator()(const text_delta& e) {
    if (auto gap = self_.texts_.before_piece(); !gap.empty())
      chunk(gap, "");
    chunk(e.text, "");
  }

  void operator()(const model_generation_stop& e) {
    chunk("", finish_word(finish_api::of_openai, e.reason, false));
  }

  void operator()(const session_end& e) {
    if (self_.include_usage_)
      append_completions_usage_chunk(out_, self_.head_, e.used);
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
  void chunk(std::string_view text, std::string_view reason) {
    append_raw(out_, self_.head_);
    append_text_choice(out_, text, reason);
    append_raw(out_, self_.include_usage_ ? ",\"usage\":null}\n\n" : "}\n\n");
  }

  void error(const failure& why) { append_completions_failure(out_, why); }

  text_completion_stream& self_;
  json_buffer& out_;
};

text_completion_stream::text_completion_stream(const completion_identity& identity,
                                               bool include_usage)
    : include_usage_(include_usage) {
  json_buffer head;
  append_raw(head, "data: ");
  append_completions_head(head, text_object, identity.id, identity.created, identity.model);
  head_ = std::string{view(head)};
}

void text_completion_stream::encode(const event_batch& batch, json_buffer& out) {
  for (const auto& each : batch.events)
    std::visit(writer{*this, out}, each);
}

class text_completion_collector::reader {
public:
  explicit reader(text_completion_collector& self) : self_(self) {}

  void operator()(const model_response_waiting&) { self_.texts_.next_round(); }
  void operator()(const text_delta& e) {
    self_.text_.append(self_.texts_.before_piece()) += e.text;
  }

  template <class Other>
  void operator()(const Other& e) {
    self_.outcome_.take(e);
  }

private:
  text_completion_collector& self_;
};

void text_completion_collector::take(const event_batch& batch) {
  for (const auto& each : batch.events)
    std::visit(reader{*this}, each);
}

std::string text_completion_collector::body() const {
  json_buffer out;
  append_completions_head(out, text_object, identity_.id, identity_.created, identity_.model);
  append_text_choice(out, text_, finish_word(finish_api::of_openai, outcome_.reason, false));
  append_raw(out, R"(,"usage":)");
  append_completions_usage(out, outcome_.used);
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe
