// One answer in OpenAI's chat-completions JSON: the sum of its chunks, or one completion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/wire/openai_chat/openai_chunk_shape.hpp"
#include "messages/wire/openai_chat/openai_metadata.hpp"
#include "messages/wire/provider/answer_pieces.hpp"
#include "messages/wire/provider/provider_answer.hpp"
#include "messages/wire/provider/think_tags.hpp"
#include "messages/wire/provider/tool_call_assembler.hpp"

namespace troupe {

/// Makes events of the texts of one answer. Not thread safe.
class openai_content {
public:
  /// Appends the texts of `json`: a string, a part, or a list of both. A part is reasoning if its
  /// type, or the name of the member with the text, says so.
  /// @param json a slice (see json_slice.hpp)
  /// @param as_reasoning whether a text without such a mark is reasoning
  void read(std::string_view json, bool as_reasoning, std::vector<event>& out);

  /// Appends the readable texts of `reasoning_details`, for servers that give no other reasoning.
  void read_details(std::string_view json, std::vector<event>& out);

  /// Appends one text. @param literal a JSON string
  void read_string(std::string_view literal, bool as_reasoning, std::vector<event>& out) {
    pieces_.read(literal, as_reasoning, out);
  }

  /// As answer_pieces does.
  void flush(std::vector<event>& out) { pieces_.flush(out); }
  bool waits() const noexcept { return pieces_.waits(); }

private:
  void read_at(int depth, std::string_view json, bool as_reasoning, std::vector<event>& out);

  answer_pieces pieces_;
};

struct openai_chunk;
struct openai_delta;

/// Collects one answer. Accepts the formats that servers really send: `message` for `delta`, the
/// old `function_call`, content as a list of parts, many places for reasoning, usage anywhere.
/// Choices other than the first are ignored. Not thread safe.
class openai_answer final : public provider_answer {
public:
  /// @param id_prefix makes ids for calls that come without one
  /// @param starts_with_reasoning model_config::start_with_reasoning
  explicit openai_answer(std::string id_prefix, bool starts_with_reasoning = false);

  /// Reads one JSON text, or several that stand in one; within a chunk the events are in the order
  /// reasoning, text, tool calls. With 64 readable bytes beyond its end a text is not copied.
  failure read(const answer_text& text, std::vector<event>& out) override;

  /// Takes events that differ from an earlier event only in their text, like most of an answer.
  size_t read_known_events(std::string_view stream, std::vector<event>& out) override;

  void complete(std::vector<event>& out) override;
  void complete_started(std::vector<event>& out) override;

  /// Returns whether a list of choices came, even an empty one.
  bool begun() const noexcept override { return has_choices_; }

  bool finished() const noexcept override { return said_.has_value(); }
  bool resumed() const noexcept override { return resumed_; }
  bool ended() const noexcept override { return done_; }
  bool whole() const noexcept override { return whole_; }
  model_end end() const override;
  const usage& used() const noexcept override { return used_; }

private:
  failure read_json(std::string_view json, size_t readable, std::vector<event>& out);
  finish_reason reason() const noexcept;
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
  std::string stop_sequence_;
  bool has_choices_ = false;
  bool has_content_ = false;
  bool begun_ = false; ///< a chunk was read
  bool whole_ = false;
  bool resumed_ = false;
  bool done_ = false; ///< [DONE] came
};

} // namespace troupe
