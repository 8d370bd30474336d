// The history of a chat as a provider takes it: what would be refused for ever is repaired.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"

namespace troupe {

/// The rules of a provider for a history, beside the common ones: each call has one result after
/// it, in call order, no result is elsewhere, and nothing is empty.
struct history_rules {
  bool begins_with_user = true;
  bool alternates = true;       ///< no two neighbours have one role
  bool answers_results = false; ///< an answer stands between results and the user's next message
  bool ends_with_user = true;   ///< or with results: an answer at the end is refused
  bool keeps_sealed_reasoning = false; ///< an answer with nothing but provider_metadata is kept
  file_kinds shown_by_user =
      {}; ///< files that results cannot hold: the user shows them after the results
};

/// The messages of one request. System messages are taken out: system() has all of them. What the
/// rules ask for is made of the history that the chat has, which stays as it is, and in the same
/// way for every request, so that prompt caches work. A history in order is not copied; of any
/// other only the messages that had to be changed are. Not thread safe.
class request_history {
public:
  /// @param history outlives this
  /// @param system the configured system message, which a history that begins with one replaces;
  /// outlives this
  request_history(const std::vector<chat_message>& history, std::string_view system,
                  const history_rules& rules);
  request_history(const request_history&) = delete;
  request_history& operator=(const request_history&) = delete;

  /// Returns the system message; "" = none.
  std::string_view system() const noexcept { return system_; }

  /// Returns whether anything was repaired.
  bool repaired() const noexcept { return !in_order_; }

  size_t size() const noexcept { return in_order_ ? history_.size() - skipped_ : made_.size(); }
  const chat_message& operator[](size_t i) const {
    return in_order_ ? history_[i + skipped_] : *made_[i];
  }

  /// Returns the number of messages up to the last one in which the user spoke.
  size_t up_to_user() const noexcept { return up_to_user_; }

private:
  friend class history_repair;
  void take_as_it_is();

  const std::vector<chat_message>& history_;
  std::string_view system_;
  std::string systems_; ///< holds system_ where there were several
  bool in_order_ = true;
  size_t skipped_ = 0; ///< system messages at the beginning
  size_t up_to_user_ = 0;
  std::vector<const chat_message*> made_; ///< unless in_order_
  std::deque<chat_message> own_;          ///< messages that the history does not have
};

} // namespace troupe
