// Tool calls that wait for the client's approval.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "actors/turn/planned_call.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/limits.hpp"

namespace troupe {

/// Returns whether a call needs an approval by what is configured.
bool needs_approval(const approval_policy& policy, const planned_call& planned);

/// Returns the client's answer as chat_message::shown of the call's result has it.
shown_part shown_approval(const tool_approval& answer);

/// Gives a call the error tool_denied. @param reason of the client, may be empty
void deny(planned_call& call, std::string_view reason);

/// Writes the approval request of each asking call into the history, which stores it with the chat.
/// Returns the index of the first changed message, or the history's size.
size_t note_approvals(std::vector<chat_message>& history, const std::vector<planned_call>& calls,
                      planned_call::time_point now);

/// Keeps calls that still wait for approval after their turn has ended, until the chat continues.
/// Not thread safe; lives in a session.
class approval_book {
public:
  using time_point = planned_call::time_point;

  bool empty() const noexcept { return waiting_.empty(); }

  /// Takes the calls that a turn has left waiting; those of older turns are forgotten.
  void keep(std::vector<planned_call> waiting) { waiting_ = std::move(waiting); }

  /// Takes the approval requests of a stored history, as far as their calls have no result.
  void load(const std::vector<chat_message>& history, time_point now);

  /// Forgets all calls and removes their requests from the history. Returns the index of the first
  /// changed message, or the history's size.
  size_t clear(std::vector<chat_message>& history);

  /// Returns whether any of the answers is to a call that is kept here.
  bool knows_any(const std::vector<tool_approval>& answers) const;

  /// Returns the calls that `answers` are about, each to be run or with its error. A call runs with
  /// the arguments that the client was asked about, even if the history has changed. Only the first
  /// answer to a call counts.
  /// @param open the history's last calls without a result; if an answer's id is unknown, the
  /// unanswered ones of these are denied
  std::vector<planned_call> answered(const std::vector<tool_approval>& answers,
                                     const std::vector<tool_call>& open, time_point now) const;

private:
  const planned_call* find(std::string_view approval_id) const;

  std::vector<planned_call> waiting_;
};

} // namespace troupe
