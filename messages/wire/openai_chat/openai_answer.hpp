// One answer in OpenAI's chat-completions JSON: the sum of its chunks, or one completion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/wire/openai_chat/openai_chunk_shape.hpp"
#include "messages/wire/openai_chat/openai_content.hpp"
#include "messages/wire/openai_chat/openai_metadata.hpp"
#include "messages/wire/openai_chat/think_tags.hpp"
#include "messages/wire/openai_chat/tool_call_assembler.hpp"

namespace troupe {

struct openai_chunk;
struct openai_delta;

/// Collects one answer. Accepts the formats that servers really send: `message` for `delta`, the
/// old `function_call`, content as a list of parts, many places for reasoning, usage anywhere.
/// Choices other than the first are ignored. Not thread safe.
class openai_answer {
public:
  /// @param id_prefix makes ids for calls that come without one
  /// @param starts_with_reasoning model_config::start_with_reasoning
  explicit openai_answer(std::string id_prefix, bool starts_with_reasoning = false);

  /// Reads one JSON text, or several that stand in one, and appends its events; within a chunk:
  /// reasoning, text, tool calls.
  /// @param readable bytes that may be read from json.data() on; with 64 bytes beyond its end the
  /// text is not copied
  /// @return errc::model_answer_invalid for a text that is no JSON or passes a bound; model_failed
  /// and the other codes of provider_error() for an error that the provider reports in it
  failure read(std::string_view json, size_t readable, std::vector<event>& out);

  /// Reads further events at the start of `stream` (server-sent events), as long as they differ
  /// from an earlier event only in their text, like most of an answer. Returns the number of bytes
  /// read.
  size_t read_known_events(std::string_view stream, std::vector<event>& out);

  /// Shows held-back text, and completes all tool calls.
  void complete(std::vector<event>& out);

  /// After a failure: shows held-back text, and completes the tool calls that were shown.
  void complete_started(std::vector<event>& out);

  /// Returns whether the server sent a finish reason.
  bool finished() const noexcept { return said_.has_value(); }

  /// Returns whether more of the answer came behind a finish reason: some servers say one all
  /// along.
  bool resumed() const noexcept { return resumed_; }

  /// Returns whether a list of choices came, even an empty one.
  bool has_choices() const noexcept { return has_choices_; }

  /// Returns whether all that came is one message, not pieces of one.
  bool whole() const noexcept { return whole_; }

  /// Returns why the answer ended, decided by its content: tool_calls, if there are calls.
  finish_reason reason() const noexcept;

  /// Returns the reason as the server spelled it; "" if it said none.
  const std::string& raw_reason() const noexcept { return raw_reason_; }

  /// Returns model_end::provider_metadata.
  std::string metadata() const { return metadata_.text(); }

  const usage& used() const noexcept { return used_; }

private:
  bool takes_known() const noexcept { return !tags_.active() && !calls_.any(); }
  failure read_repaired(std::string_view json, std::vector<event>& out);
  failure take_known(std::string_view literal, std::vector<event>& out);
  void take_text(std::string_view literal, std::vector<event>& out);
  void learn(std::string_view json, const openai_chunk& chunk);
  failure take(const openai_chunk& chunk, std::vector<event>& out);
  void take_reasoning(const openai_delta& delta, std::vector<event>& out);
  void take_content(const openai_delta& delta, std::vector<event>& out);
  failure take_calls(const openai_delta& delta, std::vector<event>& out);
  void look_for_tags(size_t at, std::vector<event>& out);
  void show_held_before(size_t at, std::vector<event>& out);
  void show_after_calls(size_t first_text, std::vector<event>& out);

  openai_chunk_shape shape_;
  openai_content content_;
  tool_call_assembler calls_;
  think_tags tags_;
  openai_metadata metadata_;
  usage used_;
  std::optional<finish_reason> said_;
  std::string raw_reason_;
  bool has_choices_ = false;
  bool has_content_ = false;
  bool begun_ = false; ///< a chunk was read
  bool whole_ = false;
  bool resumed_ = false;
};

} // namespace troupe
