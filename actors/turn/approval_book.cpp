#include "actors/turn/approval_book.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "actors/turn/history.hpp"
#include "messages/chat/skipped_call_texts.hpp"
#include "messages/json.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;
using time_point = planned_call::time_point;

constexpr auto unknown_text = "The approval is not known any more; the call was not run.";
constexpr auto late_text = "The approval came too late.";

void refuse(planned_call& call, std::string text) {
  call.error = errc::tool_denied;
  call.result = std::move(text);
}

milliseconds since_1970() {
  return std::chrono::duration_cast<milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
}

planned_call asked_again(tool_call&& call, time_point now) {
  auto asked = std::exchange(call.approval, {});
  planned_call out;
  out.call = std::move(call);
  out.server = std::move(asked.server);
  out.server_tool = std::move(asked.tool);
  out.stage = call_stage::asking;
  out.approval_id = std::move(asked.id);
  if (asked.due_ms > 0)
    out.due = now + (milliseconds{asked.due_ms} - since_1970());
  return out;
}

auto with_id(std::string_view id) {
  return [id](const auto& each) { return each.call.id == id; };
}

} // namespace

bool needs_approval(const approval_policy& policy, const planned_call& planned) {
  if (planned.approved)
    return false;
  if (policy.always || (policy.unless_read_only && !planned.read_only))
    return true;
  auto name = planned.server + '/';
  return policy.tools.contains(name + '*') || policy.tools.contains(name + planned.server_tool);
}

shown_part shown_approval(const tool_approval& answer) {
  auto text =
      fmt::format(R"({{"id":{},"approved":{})", to_json(answer.approval_id), answer.approved);
  if (!answer.reason.empty())
    text.append(R"(,"reason":)").append(to_json(answer.reason));
  return make_shown("approval", text + '}');
}

void deny(planned_call& call, std::string_view reason) {
  refuse(call, denial(reason));
}

size_t note_approvals(std::vector<chat_message>& history, const std::vector<planned_call>& calls,
                      time_point now) {
  auto last = std::find_if(history.rbegin(), history.rend(),
                           [](const auto& each) { return !each.tool_calls.empty(); });
  auto changed = history.size();
  for (const auto& asking : calls) {
    if (asking.stage != call_stage::asking || last == history.rend())
      continue;
    auto& all = last->tool_calls;
    auto call = std::find_if(all.begin(), all.end(),
                             [&](const auto& each) { return each.id == asking.call.id; });
    if (call == all.end())
      continue;
    const auto never = asking.due == time_point::max();
    call->approval = {asking.approval_id, asking.server, asking.server_tool,
                      never ? 0 : (since_1970() + (asking.due - now)) / milliseconds{1}};
    changed = static_cast<size_t>(history.rend() - last) - 1;
  }
  return changed;
}

void approval_book::load(const std::vector<chat_message>& history, time_point now) {
  waiting_.clear();
  for (auto& call : open_calls(history))
    if (!call.approval.id.empty())
      waiting_.push_back(asked_again(std::move(call), now));
}

size_t approval_book::clear(std::vector<chat_message>& history) {
  auto changed = history.size();
  for (size_t i = waiting_.empty() ? 0 : history.size(); i-- > 0;)
    for (auto& call : history[i].tool_calls)
      if (find(call.approval.id) != nullptr) {
        call.approval = {};
        changed = i;
      }
  waiting_.clear();
  return changed;
}

const planned_call* approval_book::find(std::string_view approval_id) const {
  auto found = std::find_if(waiting_.begin(), waiting_.end(),
                            [&](const auto& each) { return each.approval_id == approval_id; });
  return found == waiting_.end() ? nullptr : &*found;
}

bool approval_book::knows_any(const std::vector<tool_approval>& answers) const {
  return std::any_of(answers.begin(), answers.end(),
                     [this](const auto& each) { return find(each.approval_id) != nullptr; });
}

std::vector<planned_call> approval_book::answered(const std::vector<tool_approval>& answers,
                                                  const std::vector<tool_call>& open,
                                                  time_point now) const {
  std::vector<planned_call> made;
  bool any_unknown = false;
  for (const auto& answer : answers) {
    const auto* asked = find(answer.approval_id);
    any_unknown |= asked == nullptr;
    if (asked == nullptr || std::any_of(made.begin(), made.end(), with_id(asked->call.id)))
      continue;
    auto& call = made.emplace_back(*asked);
    call.stage = call_stage::planned;
    const auto in_time = now < call.due;
    call.shown.push_back(
        shown_approval({answer.approval_id, answer.approved && in_time, answer.reason}));
    if (!answer.approved)
      deny(call, answer.reason);
    else if (!in_time)
      deny(call, late_text);
  }
  std::erase_if(made, [&](const auto& each) { // calls that have a result already
    return std::none_of(open.begin(), open.end(),
                        [&](const auto& call) { return call.id == each.call.id; });
  });
  for (const auto& call : open) {
    if (!any_unknown || std::any_of(made.begin(), made.end(), with_id(call.id)))
      continue;
    auto& lost = made.emplace_back();
    lost.call = call;
    refuse(lost, unknown_text);
  }
  return made;
}

} // namespace troupe
