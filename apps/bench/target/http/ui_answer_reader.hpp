// Answers in the AI SDK's UI message stream.
#pragma once

#include "apps/bench/target/http/answer_reader.hpp"
#include "messages/wire/openai_chat/openai_chunk_shape.hpp"

namespace troupe::bench {

/// Reads a UI message stream v1 up to `data: [DONE]`.
///
/// tool-input-available and tool-input-error are `arguments_end`; tool-output-available, -error and
/// -denied are `tool_end`; each start-step is `model_request`, even one that a server makes for a
/// data part alone. There is no `tool_start`: the stream does not show it. An `error` part fails
/// the turn when the stream has ended, with the code that Troupe sends in the metadata of `finish`,
/// else model_failed.
class ui_answer_reader final : public answer_reader {
public:
  using answer_reader::answer_reader;

protected:
  void read(const sse_event& each) override;
  void cut_short() override;

private:
  void read_chunk(std::string_view type, std::string_view json);
  void read_finish(std::string_view json);
  void read_text(std::string_view json);
  void terminated();

  openai_chunk_shape shape_; ///< of text-delta chunks, which differ in their delta alone
  failure error_;
  bool aborted_ = false;
};

} // namespace troupe::bench
