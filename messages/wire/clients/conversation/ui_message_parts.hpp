// The parts of a kept message, as clients of the AI SDK were shown them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Writes the parts of one UI message, which may be several messages of a history. Not thread safe.
class ui_part_writer {
public:
  /// Finds the result of a call; nullptr: it has none.
  using result_finder = std::function<const chat_message*(const tool_call&)>;

  /// @param out outlives this
  explicit ui_part_writer(json_buffer& out) : out_{out} {}

  /// Begins the array of another UI message.
  void begin();

  /// Writes the parts of a message, without the UI messages after it; of a result nothing, as it
  /// belongs to its call.
  /// @param find for the calls of an answer
  void message(const chat_message& message, const result_finder& find);

  /// Writes steps without a message, which say nothing to a model.
  void steps(std::span<const shown_part> parts);

private:
  void open(std::string_view type);
  void close() { out_.push_back('}'); }
  void raw(std::string_view text) { append_raw(out_, text); }
  void member(std::string_view name, std::string_view value);
  void json_member(std::string_view name, std::string_view json);
  void members(std::string_view object);
  void entry(const shown_part& part, const chat_message& message, const result_finder& find);
  void run(const shown_part& part, const chat_message& message);
  void file(const message_file& file, std::string_view members);
  void extra(const message_extra& extra);
  void call(const tool_call& call, const chat_message* result);
  void result(const tool_call& call, const chat_message& result);
  void part(std::string_view json);

  json_buffer& out_;
  bool first_ = true;
  size_t runs_ = 0;        ///< parts so far that are text or reasoning: the stream numbers these
  size_t files_ = 0;       ///< files of the message so far
  std::string_view title_; ///< of the entry that is being written; may be empty
};

/// Returns the entries of a result that are no part of its call: steps after it.
std::span<const shown_part> steps_behind(const chat_message& result);

} // namespace troupe
