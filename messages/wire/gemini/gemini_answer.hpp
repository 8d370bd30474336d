// One answer of Gemini: the sum of its GenerateContentResponses, or one of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/gemini/gemini_chunk.hpp"
#include "messages/wire/gemini/gemini_partial_args.hpp"
#include "messages/wire/gemini/gemini_parts.hpp"
#include "messages/wire/provider/answer_pieces.hpp"
#include "messages/wire/provider/known_shape.hpp"
#include "messages/wire/provider/provider_answer.hpp"
#include "messages/wire/provider/tool_call_assembler.hpp"

namespace troupe {

/// Remembers the shape of the last chunk that had nothing but a text. Beside the text the numbers
/// after `usageMetadata` may differ. Not thread safe.
class gemini_chunk_shape {
public:
  /// @param json a whole chunk @param literal its text, a JSON string inside of `json`
  void learn(std::string_view json, std::string_view literal, bool is_thought);

  /// Finds the text of a chunk of the known shape at the start of `text`.
  /// @param literal gets the text, a JSON string
  /// @return the length of the chunk; 0 when it has another shape or is incomplete
  size_t match(std::string_view text, std::string_view& literal) noexcept {
    return shape_.match(text, literal);
  }

  bool is_thought() const noexcept { return is_thought_; }

private:
  known_shape shape_;
  bool is_thought_ = false;
};

/// Collects one answer. A stream and a plain answer have the same form, and each part of a stream
/// is a piece; the arguments of a call come whole, or as values with their paths. Candidates other
/// than the first are ignored. Not thread safe.
class gemini_answer final : public provider_answer {
public:
  /// @param model who answers, as the request names it @param id_prefix makes ids for calls that
  /// come without one
  gemini_answer(std::string model, std::string id_prefix);

  /// Reads one JSON text, or several that stand in one.
  failure read(const answer_text& text, std::vector<event>& out) override;

  /// Takes events that differ from an earlier one only in their text, like most of an answer.
  size_t read_known_events(std::string_view stream, std::vector<event>& out) override;

  bool begun() const noexcept override { return begun_; }
  bool finished() const noexcept override { return said_.has_value(); }
  bool resumed() const noexcept override { return resumed_; }
  bool ended() const noexcept override { return done_; }
  bool whole() const noexcept override { return chunks_ == 1; }
  void complete(std::vector<event>& out) override;
  void complete_started(std::vector<event>& out) override;

  /// Returns also the error of an answer that was no use: the model broke off in a call, or said
  /// nothing at all.
  model_end end() const override;
  const usage& used() const noexcept override { return used_; }

private:
  bool takes_known() const noexcept { return !open_ && !calls_.any() && !finished(); }
  void take_known(std::string_view json, std::string_view literal, std::vector<event>& out);
  void count_known();
  void learn(std::string_view json, const gemini_chunk& chunk);
  failure read_json(std::string_view json, size_t readable, std::vector<event>& out);
  failure take(const gemini_chunk& chunk, std::vector<event>& out);
  void take_end(const gemini_chunk& chunk);
  failure take_part(std::string_view json, std::vector<event>& out);
  failure take_call(const gemini_part& part, std::vector<event>& out);
  failure begin_call(const gemini_part& part, std::vector<event>& out);
  failure add_arguments(std::string_view text, std::vector<event>& out);
  failure end_call(std::vector<event>& out);
  finish_reason reason() const noexcept;
  failure fault() const;

  std::string model_;
  gemini_chunk_shape shape_;
  std::string known_; ///< the last chunk of the known shape, whose counts were not read
  answer_pieces pieces_;
  tool_call_assembler calls_;
  gemini_parts parts_;
  std::optional<gemini_partial_args> open_; ///< the arguments of the call that continues
  int64_t call_ = -1;                       ///< index of the last call
  usage used_;
  std::optional<finish_reason> said_;
  std::string raw_reason_;
  std::string message_; ///< what the provider says about the end
  size_t chunks_ = 0;
  bool begun_ = false;
  bool shown_ = false;   ///< there was an event
  bool blocked_ = false; ///< the prompt was
  bool resumed_ = false;
  bool done_ = false; ///< [DONE] came, which some gateways send
};

} // namespace troupe
