// One answer in OpenAI's chat-completions JSON: what its chunks, or the one completion, add up to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/events.hpp"
#include "messages/wire/openai_chunk_shape.hpp"
#include "messages/wire/tool_call_assembler.hpp"

namespace troupe {

struct openai_chunk;

/// Collects one answer. Takes what servers really send: `message` for `delta`, the old
/// `function_call`, content as a list of parts, three names for reasoning, usage anywhere. Choices
/// other than the first are ignored. Not thread safe.
class openai_answer {
public:
  /// @param id_prefix makes ids for calls that come without one
  explicit openai_answer(std::string id_prefix);

  /// Reads one JSON text and appends its events; within a chunk: reasoning, text, tool calls.
  /// @param readable bytes that may be read from json.data() on; with 64 beyond the end it is not
  /// copied
  /// @return errc::model_answer_invalid for what is no JSON or passes a bound; model_failed,
  /// model_overloaded or model_refused for an error that the provider reports in it
  failure read(std::string_view json, size_t readable, std::vector<event>& out);

  /// Completes all tool calls.
  void complete(std::vector<event>& out) { calls_.complete_all(out); }

  /// Completes the tool calls that were shown already, after a failure.
  void complete_started(std::vector<event>& out) { calls_.complete_started(out); }

  /// Returns whether the server said why it finished.
  bool finished() const noexcept { return said_.has_value(); }

  /// Returns whether any choice was there, even an empty one.
  bool has_choices() const noexcept { return has_choices_; }

  /// Returns why the answer ended, decided by what arrived: tool calls, where there are any.
  finish_reason reason() const noexcept;

  const usage& used() const noexcept { return used_; }

private:
  bool read_known(std::string_view json, openai_chunk& chunk) const;
  void learn(std::string_view json, const openai_chunk& chunk);
  failure take(const openai_chunk& chunk, std::vector<event>& out);
  void show_after_calls(size_t first_text, std::vector<event>& out);

  openai_chunk_shape shape_;
  tool_call_assembler calls_;
  usage used_;
  std::optional<finish_reason> said_;
  bool has_choices_ = false;
  bool has_content_ = false;
};

} // namespace troupe
