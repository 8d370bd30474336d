// The answers of each protocol over HTTP.
#pragma once

#include <string_view>

#include "apps/bench/target/http/answer_reader.hpp"
#include "messages/wire/openai_chat/openai_chunk.hpp"
#include "messages/wire/openai_chat/openai_chunk_shape.hpp"

namespace troupe::bench {

/// Reads chunks up to `data: [DONE]`. A body that comes to its end in order behind a finish reason
/// is complete, too: some servers send no [DONE]. Text is `content`, and a `refusal`, of the first
/// choice. Tools of such an answer are for the client to run: they give no observations.
class chunk_answer_reader final : public answer_reader {
public:
  using answer_reader::answer_reader;

protected:
  void read(const sse_event& each) override;
  void cut_short() override;

private:
  void read_chunk(std::string_view json);
  void take(std::string_view json, const openai_chunk& chunk);
  void read_content(std::string_view content);
  void done();

  openai_chunk_shape shape_;
  bool has_choices_ = false; ///< in any chunk, be it an empty list
  bool finished_ = false;    ///< there was a finish reason
};

/// Reads native events up to SESSION_END or SESSION_ERROR. The event's name is enough for all but
/// the last event, whose JSON is the only one to be parsed.
class native_answer_reader final : public answer_reader {
public:
  using answer_reader::answer_reader;

protected:
  void read(const sse_event& each) override;

private:
  void failed(std::string_view json);
  void ended(std::string_view json);

  bool aborted_ = false;
};

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
