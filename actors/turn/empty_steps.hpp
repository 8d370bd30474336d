// Steps of a turn's answer that say nothing to a model, but were shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/chat/shown_layout.hpp"

namespace troupe {

/// Keeps them with the message before them, so that a client gets back what it was shown:
/// step-starts of answers that never came, answers that only think, and the data parts at the end
/// of a turn. Follows ui_message_writer.hpp, which shows them. Not thread safe; lives in a turn.
class empty_steps {
public:
  /// @param history outlives this
  explicit empty_steps(std::vector<chat_message>& history) : history_{history} {}

  // `id` is that of the turn's answer.

  /// The turn begins.
  void begin(const std::string& id);

  /// A step-start is shown, and its message is still to come.
  void step_shown(const std::string& id);

  /// The answer of the step is over: its message, which has the id, gets its layout.
  /// @param is_silent the message says nothing to a model and does not go into the history
  void answered(shown_layout& layout, chat_message& message, bool is_silent);

  /// Keeps the step-start of a step whose message does not come any more.
  void end_step(const std::string& id);

  /// Forgets it: a client that hears of nothing after a step-start does not show it either.
  void forget_step() noexcept { bare_ = false; }

  /// A step with one data part is shown. @param data JSON text
  void show_data(const std::string& id, std::string_view type, std::string_view data);

  /// Returns the number of the first message that has changed since the last call; SIZE_MAX: none.
  size_t take_changed() noexcept { return std::exchange(changed_, SIZE_MAX); }

private:
  void keep(const std::string& id, std::vector<shown_part> steps);

  std::vector<chat_message>& history_;
  size_t changed_ = SIZE_MAX;
  size_t runs_ = 0;      ///< texts and thoughts of the rounds before, as the stream counts them
  bool goes_on_ = false; ///< with the message of the turn before
  bool bare_ = false;    ///< a step-start was shown that the history does not tell of
};

} // namespace troupe
