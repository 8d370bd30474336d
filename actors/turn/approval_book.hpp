// Tool calls that wait for the client's approval.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "actors/turn/planned_call.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/limits.hpp"

namespace troupe {

/// Returns whether a call of that tool needs an approval.
bool needs_approval(const approval_policy& policy, std::string_view server, std::string_view tool);

/// Makes a call one that was not allowed. @param reason of the client, may be empty
void deny(planned_call& call, std::string_view reason);

/// Notes in the history what the client was asked about each of `calls` that asks, so that it is
/// kept with the chat. Returns the number of the first message that is another now; the history's
/// size if none is.
size_t note_approvals(std::vector<chat_message>& history, const std::vector<planned_call>& calls,
                      planned_call::time_point now);

/// Keeps the calls whose approval was asked for by a turn that is over, until the chat goes on. Not
/// thread safe; lives in a session.
class approval_book {
public:
  using time_point = planned_call::time_point;

  bool empty() const noexcept { return waiting_.empty(); }

  /// Takes the calls that a turn has left waiting; those of older turns are forgotten.
  void keep(std::vector<planned_call> waiting) { waiting_ = std::move(waiting); }

  /// Takes those that are noted in a history, which was kept, at calls without a result.
  void load(const std::vector<chat_message>& history, time_point now);

  /// Forgets all, also what is noted of it in that history. Returns the number of the first message
  /// that is another now; the history's size if none is.
  size_t clear(std::vector<chat_message>& history);

  /// Returns whether any of the answers is to a call that is kept here.
  bool knows_any(const std::vector<tool_approval>& answers) const;

  /// Returns the calls that `answers` are about, each to be run or with its error. What runs is
  /// what was asked for, whatever the history has become. An answer counts once, its first one.
  /// @param open ids of the history's last calls that have no result; where an answer is to none
  /// that is known, those that nobody answered count as not allowed
  std::vector<planned_call> answered(const std::vector<tool_approval>& answers,
                                     const std::vector<tool_call>& open, time_point now) const;

private:
  const planned_call* find(std::string_view approval_id) const;

  std::vector<planned_call> waiting_;
};

} // namespace troupe
