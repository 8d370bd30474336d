#include "actors/turn/history.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "messages/chat/tool_name.hpp"
#include "messages/ids.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

/// @param of the message that made the call
chat_message result_of(const tool_call& call, const chat_message& of, std::string_view text) {
  chat_message made;
  made.who = role::tool;
  made.tool_call_id = call.id;
  made.text = text;
  made.id = of.id;
  made.shown = {make_shown("error")};
  made.failed = true;
  return made;
}

/// Moves a result out of its round and leaves an empty message, so that no other result shifts.
chat_message take_result(chat_message& found) {
  chat_message left;
  left.who = found.who;
  auto taken = std::exchange(found, std::move(left));
  if (taken.text.empty())
    taken.text = no_output_text;
  return taken;
}

bool is_empty_answer(const chat_message& message) {
  return message.who == role::assistant && says_nothing(message);
}

bool needs_repair(const std::vector<chat_message>& history) {
  return std::any_of(history.begin(), history.end(), [](const auto& each) {
    return each.who == role::tool || !each.tool_calls.empty() || is_empty_answer(each);
  });
}

/// Returns whether there was nothing to repair.
bool repair_call(tool_call& call) {
  auto name = model_tool_name(call.name);
  auto well = name == call.name && is_json_object(call.arguments);
  if (!is_json_object(call.arguments))
    call.arguments = "{}";
  call.name = std::move(name);
  return well;
}

/// A history that is repaired, message by message.
class repair {
public:
  repair(std::vector<chat_message>& history, std::string_view reason)
      : from_{history}, reason_{reason} {
    made_.reserve(history.size());
  }

  /// Returns how many messages at the beginning are the same.
  size_t run() {
    while (at_ < from_.size())
      if (is_result(at_) || is_empty_answer(from_[at_]))
        differs(made_.size()), ++at_; // drops a result without its call, or an empty answer
      else
        take_round();
    if (made_.size() < from_.size())
      differs(made_.size());
    auto same = std::min(same_, made_.size());
    from_ = std::move(made_);
    return same;
  }

private:
  bool is_result(size_t i) const { return i < from_.size() && from_[i].who == role::tool; }
  void differs(size_t at) { same_ = std::min(same_, at); }

  /// Takes a message and what answers its calls.
  void take_round() {
    auto calls_at = made_.size();
    for (auto& call : from_[at_].tool_calls)
      if (!repair_call(call))
        differs(calls_at);
    made_.push_back(std::move(from_[at_++]));
    auto first = at_;
    while (is_result(at_))
      ++at_;
    auto count = made_[calls_at].tool_calls.size();
    for (size_t i = 0; i < count; ++i)
      take_answer(calls_at, i, first);
    if (at_ - first != count)
      differs(made_.size());
  }

  void take_answer(size_t calls_at, size_t number, size_t first) {
    const auto& call = made_[calls_at].tool_calls[number];
    auto end = from_.begin() + static_cast<std::ptrdiff_t>(at_);
    auto expected = from_.begin() + static_cast<std::ptrdiff_t>(first);
    auto found =
        std::find_if(expected, end, [&](const auto& each) { return each.tool_call_id == call.id; });
    auto in_place = found != end && found - expected == static_cast<std::ptrdiff_t>(number);
    if (!in_place || found->text.empty())
      differs(made_.size());
    made_.push_back(found == end ? result_of(call, made_[calls_at], reason_) : take_result(*found));
  }

  std::vector<chat_message>& from_;
  std::string_view reason_;
  std::vector<chat_message> made_;
  size_t at_ = 0;
  size_t same_ = std::numeric_limits<size_t>::max();
};

} // namespace

size_t repair_history(std::vector<chat_message>& history, std::string_view reason) {
  return needs_repair(history) ? repair{history, reason}.run() : history.size();
}

void name_messages(std::vector<chat_message>& history, size_t first) {
  for (auto i = first; i < history.size(); ++i) {
    auto& each = history[i];
    if (each.id.empty())
      each.id = each.who == role::tool && i > 0 ? history[i - 1].id : make_id("msg_");
  }
}

size_t note_refusal(std::vector<chat_message>& history, bool refused) {
  const auto asked = std::find_if(history.rbegin(), history.rend(),
                                  [](const auto& each) { return each.who == role::user; });
  if (asked == history.rend() || asked->refused == refused)
    return SIZE_MAX;
  asked->refused = refused;
  return static_cast<size_t>(history.rend() - asked) - 1;
}

const chat_message* last_calls(const std::vector<chat_message>& history) {
  auto last = std::find_if(history.rbegin(), history.rend(),
                           [](const auto& each) { return each.who != role::tool; });
  return last == history.rend() || last->tool_calls.empty() ? nullptr : &*last;
}

std::vector<tool_call> open_calls(const std::vector<chat_message>& history) {
  const auto* last = last_calls(history);
  if (last == nullptr)
    return {};
  auto open = last->tool_calls;
  for (auto each = last + 1; each != history.data() + history.size(); ++each)
    std::erase_if(open, [&](const auto& call) { return call.id == each->tool_call_id; });
  return open;
}

} // namespace troupe
