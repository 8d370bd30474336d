// Answers in chunks of chat completions.
#pragma once

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

} // namespace troupe::bench
