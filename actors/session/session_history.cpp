// The history of a session: what a request brings, where it continues with the turn before, and
// what of it the client does not have.
#include <algorithm>
#include <iterator>
#include <utility>

#include "actors/session/session_state.hpp"
#include "actors/turn/history.hpp"
#include "actors/turn/history_match.hpp"
#include "actors/turn/message_extras.hpp"
#include "actors/turn/system_message.hpp"
#include "messages/ids.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

constexpr std::string_view passed_over_text = "The tool was not run: the user went on without it.";

bool goes_on(const turn_request& request) {
  const auto& messages = request.messages;
  return !request.approvals.empty() || (!messages.empty() && messages.back().who == role::tool);
}

/// Returns whether any of the results at the front of `messages` is of a call of `asked`.
bool any_fits(const std::vector<chat_message>& messages, const chat_message* asked) {
  for (const auto& each : messages) {
    if (each.who != role::tool || asked == nullptr)
      return false;
    const auto& calls = asked->tool_calls;
    if (std::any_of(calls.begin(), calls.end(),
                    [&](const auto& call) { return call.id == each.tool_call_id; }))
      return true;
  }
  return false;
}

/// A client may have changed a call that was approved. What is run is what was approved, and the
/// model is told that. Returns the number of the first message that has changed; the history's size
/// if none has.
size_t restore_calls(std::vector<chat_message>& history, const std::vector<planned_call>& resumed) {
  auto changed = history.size();
  for (const auto& each : resumed)
    for (size_t i = history.size(); i-- > 0;)
      for (auto& call : history[i].tool_calls)
        if (call.id == each.call.id && !each.approval_id.empty() && call != each.call) {
          call = each.call;
          changed = std::min(changed, i);
        }
  return changed;
}

/// Until the result is there, what is kept must not say that a call was not run.
void expect_results(std::vector<chat_message>& history, const std::vector<planned_call>& resumed) {
  for (const auto& each : resumed)
    for (auto message = history.rbegin(); message != history.rend(); ++message)
      if (each.error == errc::none && message->tool_call_id == each.call.id) {
        message->text = restarted_text;
        message->shown = {make_shown("error")};
        message->failed = true;
        break;
      }
}

/// A whole history of the client gets the message, too, and so is the same as ours up to its end.
/// Returns the number of the first message that has changed; the history's size if none has.
size_t set_system(turn_request& request, std::vector<chat_message>& history) {
  const auto& text = request.options.system_prompt;
  if (request.replaces_history)
    set_system_message(request.messages, text, {});
  return set_system_message(history, text, make_id("msg_"));
}

/// Where a history is cut: after so many messages, and in the last of them after so many entries
/// of chat_message::shown, which can hold an answer that says nothing to a model.
struct cut_place {
  size_t messages = SIZE_MAX;
  size_t shown = SIZE_MAX;

  bool is_known() const noexcept { return messages != SIZE_MAX; }
};

cut_place find_cut(const std::vector<chat_message>& history, const std::string& id) {
  for (size_t i = 0; i < history.size(); ++i) {
    if (history[i].id == id)
      return {i};
    const auto& shown = history[i].shown;
    for (size_t at = end_of_own(shown); at < shown.size(); ++at)
      if (begins_message(shown[at]) && shown[at].value == id)
        return {i + 1, at};
  }
  return {};
}

/// Returns what is wrong with a request that begins before a message of the chat.
failure cut_fault(const turn_request& request, const std::vector<chat_message>& history) {
  const auto cut = find_cut(history, request.cut_at);
  if (!cut.is_known())
    return {errc::request_invalid,
            "This chat has no message with the id '" + request.cut_at + "'."};
  if (goes_on(request))
    return {errc::request_invalid, "Results and approvals are for the end of a chat."};
  if (request.messages.empty() &&
      (cut.messages == 0 || history[cut.messages - 1].who == role::assistant))
    return {errc::request_invalid, "Nothing is left to be answered."};
  return {};
}

} // namespace

failure session_state::request_fault(const turn_request& request) const {
  auto interrupted = persistence.is_loaded() && persistence.row().state == turn_state::interrupted;
  if (persistence.is_loaded() && request.if_version != 0 &&
      request.if_version < persistence.version())
    return {errc::conversation_changed, ""};
  const auto& parameters = request.options.parameters;
  if (!parameters.empty() && !is_json_object(parameters))
    return {errc::request_invalid, "The parameters for the model must be a JSON object."};
  if (request.resumes && (!interrupted || history.empty()))
    return {errc::request_invalid, "No turn of this chat was interrupted."};
  if (request.resumes && (!request.messages.empty() || !request.cut_at.empty()))
    return {errc::request_invalid, "A turn that is resumed takes no messages."};
  if (!request.cut_at.empty() && !request.replaces_history)
    return cut_fault(request, history);
  return continuation_fault(request);
}

failure session_state::continuation_fault(const turn_request& request) const {
  const auto& messages = request.messages;
  auto brings_results = !messages.empty() && messages.front().who == role::tool;
  if (request.replaces_history || (!brings_results && request.approvals.empty()) ||
      any_fits(messages, last_calls(history)) || approvals.knows_any(request.approvals))
    return {};
  if (!brings_results)
    return {errc::request_invalid, "No call of this chat waits for an approval with the id '" +
                                       request.approvals.front().approval_id + "'."};
  return {errc::request_invalid, "No call of this chat waits for a result with the id '" +
                                     messages.front().tool_call_id + "'."};
}

/// Returns the calls that the turn begins with: those that its approvals are about.
std::vector<planned_call> session_state::take_messages(turn_request& request) {
  auto& messages = request.messages;
  auto continues = goes_on(request) || request.resumes;
  if (request.message_id.empty())
    request.message_id = continues && !last_message_id.empty() ? last_message_id : make_id("msg_");
  last_message_id = request.message_id;
  if (request.options.sets_system)
    persistence.changed(set_system(request, history));
  auto known = history.size();
  if (request.replaces_history) {
    known = replace_history(request);
  } else {
    if (!request.cut_at.empty())
      known = cut(request.cut_at);
    std::move(messages.begin(), messages.end(), std::back_inserter(history));
  }
  messages.clear();
  name_messages(history, known);
  return resume_calls(request);
}

/// Returns how many messages are left.
size_t session_state::cut(const std::string& message_id) {
  const auto place = find_cut(history, message_id);
  if (!place.is_known())
    return history.size();
  history.resize(place.messages);
  if (place.shown != SIZE_MAX)
    history.back().shown.resize(place.shown);
  persistence.changed(place.shown == SIZE_MAX ? history.size() : history.size() - 1);
  return history.size();
}

/// Takes the client's history. Messages that are the same stay the session's own, which know more.
/// Returns how many they are.
size_t session_state::replace_history(turn_request& request) {
  auto& messages = request.messages;
  restore_results(history, messages, missing_result());
  auto same = same_messages(history, messages);
  auto rest = history.begin() + static_cast<std::ptrdiff_t>(same);
  for (size_t i = same; i-- > 0;)
    if (follow_shown(messages[i], history[i]))
      persistence.changed(i);
  std::vector<chat_message> old(std::make_move_iterator(rest),
                                std::make_move_iterator(history.end()));
  history.erase(rest, history.end());
  messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(same));
  if (has_extras) {
    auto carried = carry_extras(old, messages);
    has_extras = carried || same > 0;
  }
  carry_answers(old, messages);
  carry_shown(old, messages);
  std::move(messages.begin(), messages.end(), std::back_inserter(history));
  if (!request.approvals.empty())
    carry_results(old, history);
  if (!old.empty())
    persistence.changed(same);
  return same;
}

/// Returns what is said of calls whose result nobody has.
std::string_view session_state::missing_result() const {
  return approvals.empty() ? not_run_text : passed_over_text;
}

std::vector<planned_call> session_state::resume_calls(const turn_request& request) {
  std::vector<planned_call> resumed;
  if (!request.approvals.empty()) {
    resumed = approvals.answered(request.approvals, open_calls(history), now());
    persistence.changed(restore_calls(history, resumed));
  }
  persistence.changed(repair_history(history, missing_result()));
  expect_results(history, resumed);
  persistence.changed(approvals.clear(history)); // nothing is open any more
  return resumed;
}

/// The client has the history, but is told the texts only of what ran here.
void session_state::tell_rounds() {
  if (!current || !current->request().ephemeral)
    return;
  const auto begins = history.begin() + static_cast<std::ptrdiff_t>(current->begins);
  const auto is_result = [](const auto& each) { return each.who == role::tool; };
  if (std::none_of(begins, history.end(), is_result) || open_calls(history).empty())
    return;
  unseen_rounds told{session_id, {}};
  std::move(begins, history.end(), std::back_inserter(told.messages));
  history.erase(begins, history.end());
  self->send(hub, std::move(told));
}

} // namespace troupe
