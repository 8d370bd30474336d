#include "messages/wire/history/history_order.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "messages/chat/tool_name.hpp"
#include "messages/wire/history/model_file.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

namespace {

/// Halves can only stand there where the history is older than their repair, or was imported.
bool has_lone_half(const std::string& arguments) {
  if (arguments.find("\\u") == std::string::npos)
    return false;
  auto copy = arguments;
  return replace_lone_halves(copy);
}

class order_check {
public:
  order_check(const std::vector<chat_message>& history, const history_rules& rules)
      : history_{history}, rules_{rules} {}

  bool run();

private:
  bool takes(const chat_message& message);
  bool takes_user() const;
  bool takes_answer(const chat_message& message);
  bool takes_results(const chat_message& asked);

  const std::vector<chat_message>& history_;
  const history_rules& rules_;
  size_t at_ = 0;
  const chat_message* last_ = nullptr; ///< nullptr: none, or the system's
  std::unordered_set<std::string_view> ids_;
};

bool order_check::run() {
  while (at_ < history_.size())
    if (!takes(history_[at_]))
      return false;
  auto open_end = last_ != nullptr && last_->who == role::assistant;
  return !(rules_.ends_with_user && open_end);
}

/// Steps over the message, and the results of its calls.
bool order_check::takes(const chat_message& message) {
  auto first = at_++ == 0;
  if (message.who == role::system)
    return first && !lacks_text(message.text);
  if (message.who == role::tool || is_left_out(message, rules_))
    return false;
  auto right = message.who == role::user ? takes_user() : takes_answer(message);
  if (right && message.tool_calls.empty())
    last_ = &message;
  return right;
}

bool order_check::takes_user() const {
  if (last_ == nullptr)
    return true;
  if (last_->who == role::tool)
    return !rules_.answers_results;
  return !(rules_.alternates && last_->who == role::user);
}

bool order_check::takes_answer(const chat_message& message) {
  if (last_ == nullptr ? rules_.begins_with_user
                       : rules_.alternates && last_->who == role::assistant)
    return false;
  return message.tool_calls.empty() || takes_results(message);
}

bool order_check::takes_results(const chat_message& asked) {
  for (const auto& call : asked.tool_calls) {
    if (at_ == history_.size() || !is_sound(call) || !ids_.insert(call.id).second)
      return false;
    const auto& result = history_[at_++];
    if (result.who != role::tool || result.tool_call_id != call.id || lacks_text(result.text))
      return false;
    if (std::ranges::any_of(result.files, is_shown_by_user(rules_)))
      return false;
    last_ = &result;
  }
  return true;
}

} // namespace

bool is_sound(const tool_call& call) {
  return !call.id.empty() && is_model_tool_name(call.name) && is_json_object(call.arguments) &&
         !has_lone_half(call.arguments);
}

std::function<bool(const message_file&)> is_shown_by_user(const history_rules& rules) {
  return [taken = rules.shown_by_user](const message_file& file) {
    model_file seen;
    read_file(file, taken, seen);
    return seen.is_taken();
  };
}

bool is_left_out(const chat_message& message, const history_rules& rules) {
  return says_nothing(message) &&
         !(rules.seals && message.who == role::assistant && !message.provider_metadata.empty());
}

bool is_in_order(const std::vector<chat_message>& history, const history_rules& rules) {
  return order_check{history, rules}.run();
}

} // namespace troupe
