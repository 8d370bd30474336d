// One answer of a model, put together from its events for the history.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "actors/turn/planned_call.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/shown_layout.hpp"
#include "messages/chat/turn_report.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

class call_repairs;

/// Reads a decoder's events and corrects members that the decoder cannot know: whether the client
/// runs a call, that a tool is unknown, that an id was used before. Names and arguments of calls
/// become what the model meant (call_repairs.hpp); deltas stay as it wrote them. Not thread safe.
class turn_answer {
public:
  /// @param client_runs_tools all calls are the client's, whatever the tools are
  /// @param hides_rounds the client keeps the history, and is not told of all that runs here: its
  /// calls get ids that no other conversation has, by which the rounds before them are found again
  /// @param history of the chat, outlives this; ids of its calls are not used again
  turn_answer(bool client_runs_tools, bool hides_rounds, const std::vector<chat_message>& history)
      : client_runs_tools_{client_runs_tools}, hides_rounds_{hides_rounds}, history_{history} {}

  /// Begins an answer.
  void open();

  /// Takes events and changes them in place. Returns how many bytes of text and arguments they
  /// have.
  size_t read(std::vector<event>& events, const tool_set& tools);

  /// Emits tool_args_complete with the error for calls whose arguments are not complete;
  /// take_calls() does not return these.
  void close(errc error, const std::string& text, std::vector<event>& out);

  /// Returns the calls so far. A call that the client runs is `offered`, or `ended` if it has an
  /// error; all others are `planned`, even with an error.
  std::vector<planned_call> take_calls() { return std::exchange(calls_, {}); }

  /// Returns what was repaired in calls since the last time.
  std::vector<repaired_call> take_repaired() { return std::exchange(repaired_, {}); }

  /// Returns whether the client was shown any call of the answer that is under way.
  bool has_calls() const noexcept { return !calls_.empty() || !open_.empty(); }

  /// Returns how the answer is shown. To be taken after its calls.
  shown_layout& layout() noexcept { return layout_; }

  /// Returns the rest of the answer, without its calls.
  chat_message take_message() { return std::exchange(message_, {}); }

private:
  struct reader; // one overload per event

  void start(tool_args_start& e, const tool_set& tools);
  void complete(tool_args_complete& e, const tool_set& tools);
  static const tool_definition* find_tool(std::string& name, const tool_set& tools,
                                          call_repairs& how);
  static void check_arguments(tool_args_complete& e, planned_call& made, call_repairs& how);
  void show_error(const tool_args_complete& e, planned_call& made);
  void rename(std::string& id) const;
  void name_call(std::string& id, const tool_definition* tool, const tool_set& tools);
  bool is_used(const std::string& id) const;

  bool client_runs_tools_;
  bool hides_rounds_;
  const std::vector<chat_message>& history_;
  chat_message message_;
  shown_layout layout_;
  std::vector<planned_call> calls_;   ///< in call order
  std::vector<tool_args_start> open_; ///< calls whose arguments are not complete
  std::vector<repaired_call> repaired_;
  std::vector<std::pair<std::string, std::string>> renamed_; ///< the model's id, ours
};

} // namespace troupe
