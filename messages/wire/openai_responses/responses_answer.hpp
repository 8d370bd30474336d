// One answer of the Responses API: the sum of its events, or one response.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/wire/openai_responses/responses_event.hpp"
#include "messages/wire/openai_responses/responses_items.hpp"
#include "messages/wire/provider/answer_pieces.hpp"
#include "messages/wire/provider/known_shape.hpp"
#include "messages/wire/provider/provider_answer.hpp"
#include "messages/wire/provider/tool_call_assembler.hpp"

namespace troupe {

/// Remembers the shape of the last delta of a text. What changes are `sequence_number`, the delta
/// itself, and `obfuscation`, a random string that hides its length. Not thread safe.
class responses_delta_shape {
public:
  /// Remembers an event. Gives up after 16 shapes of which none came again.
  /// @param type of the server-sent event; "" if there was none
  /// @param read has views of one text
  void learn(std::string_view type, const responses_event& read);

  /// Finds the delta of a whole event of the known shape at the start of `stream`.
  /// @param literal gets the delta, a JSON string
  /// @return the length of the event; 0 when it has another shape or is incomplete
  size_t match_event(std::string_view stream, std::string_view& literal) noexcept;

  /// The same for an event that was taken out of its stream. Returns the delta; "" when it has
  /// another shape. @param type of the server-sent event
  std::string_view match(std::string_view type, std::string_view json) noexcept;

  // Values that all events of the shape share.
  responses_event_kind kind() const noexcept { return kind_; }
  int64_t output_index() const noexcept { return output_index_; }
  int64_t part_index() const noexcept { return part_index_; }

private:
  known_shape shape_;
  std::string type_; ///< of the server-sent events
  std::string head_; ///< of an event, before its JSON
  responses_event_kind kind_ = responses_event_kind::other;
  int64_t output_index_ = -1;
  int64_t part_index_ = 0;
};

/// Collects one answer. Texts and reasoning are shown from their deltas, or from the final part or
/// item where a server sends no deltas; calls begin with their item and are complete with it. What
/// the provider runs itself is no call. Not thread safe.
class responses_answer final : public provider_answer {
public:
  /// @param id_prefix makes ids for calls that come without one
  /// @param sealed_for whose items these are (seal_owner)
  responses_answer(std::string id_prefix, std::string sealed_for);

  /// Reads one event, or a whole response. With 64 readable bytes beyond its end a text is not
  /// copied.
  failure read(const answer_text& text, std::vector<event>& out) override;

  /// Takes deltas that differ from an earlier one only in their text, like most of an answer.
  size_t read_known_events(std::string_view stream, std::vector<event>& out) override;

  bool begun() const noexcept override { return begun_; }
  bool finished() const noexcept override { return over_; }
  bool ended() const noexcept override { return over_ && !whole_; }
  bool whole() const noexcept override { return whole_; }
  void complete(std::vector<event>& out) override;
  void complete_started(std::vector<event>& out) override;
  model_end end() const override;
  const usage& used() const noexcept override { return used_; }

private:
  /// A text of a part of an item, as a delta or as a whole.
  struct part_text {
    responses_part_kind kind;
    int64_t number;
    std::string_view literal; ///< JSON string
    bool is_whole;
  };

  /// The members of a call in one event; "" where it says nothing.
  struct call_text {
    std::string_view id, name, arguments;
  };

  failure take(const responses_event& read, std::string_view type, std::vector<event>& out);
  failure take_event(const responses_event& read, responses_event_kind kind,
                     std::vector<event>& out);
  failure take_known(std::string_view delta, std::vector<event>& out);
  failure take_text(const part_text& part, int64_t index, std::vector<event>& out);
  void show(responses_item& of, const part_text& part, std::vector<event>& out);
  failure take_arguments(const responses_event& read, bool is_whole, std::vector<event>& out);
  failure begin_item(std::string_view item, int64_t index, std::vector<event>& out);
  failure take_item(std::string_view item, int64_t index, std::vector<event>& out);
  void take_content(responses_item& of, std::string_view item, std::vector<event>& out);
  failure add_to_call(responses_item& of, const call_text& more, std::vector<event>& out);
  failure take_end(std::string_view response, std::string_view type, std::vector<event>& out);
  failure take_output(std::string_view output, std::vector<event>& out);
  finish_reason reason() const noexcept;

  responses_delta_shape shape_;
  answer_pieces pieces_;
  tool_call_assembler calls_;
  responses_items items_;
  usage used_;
  std::string sealed_for_;
  std::string raw_reason_;
  uint64_t max_tokens_ = 0; ///< of the response; 0: not said
  bool begun_ = false;
  bool whole_ = false;
  bool over_ = false;
  bool cut_ = false; ///< the response is incomplete
  bool has_text_ = false;
  bool has_reasoning_ = false;
  bool refused_ = false;
};

} // namespace troupe
