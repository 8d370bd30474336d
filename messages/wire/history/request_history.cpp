#include "messages/wire/history/request_history.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/chat/skipped_call_texts.hpp"
#include "messages/chat/tool_name.hpp"
#include "messages/wire/history/model_file.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

// -- history order --------------------------------------------------------------------------------

namespace {

/// Returns whether a provider takes the call as it is.
bool is_sound(const tool_call& call);

/// Returns the test whether a file of a result has to be shown by the user after it.
std::function<bool(const message_file&)> is_shown_by_user(const history_rules& rules);

/// Returns whether the message is left out, since it says nothing to the model.
bool is_left_out(const chat_message& message, const history_rules& rules);

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
         !(rules.keeps_sealed_reasoning && message.who == role::assistant &&
           !message.provider_metadata.empty());
}

/// Returns whether providers take the history as it is, but for a system message at its beginning.
/// Looks at each message once.
bool is_in_order(const std::vector<chat_message>& history, const history_rules& rules) {
  return order_check{history, rules}.run();
}

// -- request history ------------------------------------------------------------------------------

// Stand in for what a chat lacks. All of it is said to the model only.
constexpr std::string_view nothing_said_text = "(The user sent an empty message.)";
constexpr std::string_view begins_text = "(The assistant began the conversation.)";
constexpr std::string_view no_answer_text = "(No answer was given.)";
constexpr std::string_view images_follow_text = "(The images of these results follow.)";
constexpr std::string_view only_files_text = "(The result has no text.)";
constexpr std::string_view go_on_text = "Go on.";

chat_message message_of(role who, std::string_view text) {
  chat_message made;
  made.who = who;
  made.text = text;
  return made;
}

void join(std::string& text, std::string_view more, std::string_view separator) {
  if (!text.empty() && !more.empty())
    text += separator;
  text += more;
}

/// Adds an answer to the one before, which has no calls.
void add_to_answer(chat_message& into, const chat_message& more) {
  join(into.text, more.text, "\n\n");
  into.tool_calls = more.tool_calls;
  into.files.insert(into.files.end(), more.files.begin(), more.files.end());
  if (!more.reasoning.empty())
    into.reasoning = more.reasoning;
  if (!more.provider_metadata.empty())
    into.provider_metadata = more.provider_metadata;
}

} // namespace

/// Makes the list of a history that is not in order.
class history_repair {
public:
  history_repair(request_history& made, const history_rules& rules)
      : made_{made}, from_{made.history_}, rules_{rules} {}

  void run();

private:
  using messages = std::vector<const chat_message*>;

  void system(const chat_message& message);
  void user(const chat_message& message);
  void answer(const chat_message& message);
  void results(const chat_message& asked, const chat_message& written);
  const chat_message& result(const chat_message* found, const std::string& id);
  void files(size_t first);
  void between(role next);
  std::vector<tool_call> sound(std::vector<tool_call> calls);
  std::string free_id(const std::string& wanted);

  const chat_message* last() const { return list().empty() ? nullptr : list().back(); }
  bool last_is(role who) const { return last() != nullptr && last()->who == who; }
  messages& list() const { return made_.made_; }
  chat_message& own(chat_message message) { return made_.own_.emplace_back(std::move(message)); }
  void add(role who, std::string_view text) { list().push_back(&own(message_of(who, text))); }

  /// Returns the last message, as one that may be changed.
  chat_message& own_last() {
    auto& owned = own(*last());
    list().back() = &owned;
    return owned;
  }

  request_history& made_;
  const std::vector<chat_message>& from_;
  const history_rules& rules_;
  size_t at_ = 0;
  std::unordered_set<std::string> ids_; ///< of all calls so far
};

void history_repair::run() {
  list().reserve(from_.size() + 1);
  made_.systems_ = from_.empty() || from_.front().who != role::system ? made_.system_ : "";
  while (at_ < from_.size()) {
    const auto& message = from_[at_++];
    if (message.who == role::system)
      system(message);
    else if (message.who == role::user)
      user(message);
    else if (message.who == role::assistant && !is_left_out(message, rules_))
      answer(message);
  }
  made_.system_ = made_.systems_;
  if (list().empty())
    add(role::user, nothing_said_text);
  else if (rules_.ends_with_user && last_is(role::assistant))
    add(role::user, go_on_text);
}

void history_repair::system(const chat_message& message) {
  if (!lacks_text(message.text))
    join(made_.systems_, message.text, "\n\n");
}

void history_repair::user(const chat_message& message) {
  auto is_empty = says_nothing(message);
  if (!is_empty || !last_is(role::user)) { // an empty one adds nothing to another
    between(role::user);
    list().push_back(is_empty ? &own(message_of(role::user, nothing_said_text)) : &message);
  }
  made_.up_to_user_ = list().size();
}

void history_repair::answer(const chat_message& message) {
  between(role::assistant);
  auto calls_are_sound =
      std::all_of(message.tool_calls.begin(), message.tool_calls.end(),
                  [&](const auto& call) { return is_sound(call) && !ids_.contains(call.id); });
  auto merges = rules_.alternates && last_is(role::assistant);
  if (merges)
    add_to_answer(own_last(), message);
  else
    list().push_back(&message);
  std::unordered_set<std::string_view> once;
  for (const auto& call : message.tool_calls)
    calls_are_sound = once.insert(call.id).second && calls_are_sound;
  if (!calls_are_sound) {
    auto& owned = merges ? made_.own_.back() : own_last();
    owned.tool_calls = sound(std::move(owned.tool_calls));
  }
  for (const auto& call : last()->tool_calls)
    ids_.insert(call.id);
  if (!message.tool_calls.empty())
    results(message, *last());
}

/// Adds what the rules want in front of a message of `next`.
void history_repair::between(role next) {
  auto unanswered =
      (rules_.alternates && last_is(role::user)) || (rules_.answers_results && last_is(role::tool));
  if (next == role::user && unanswered)
    add(role::assistant, no_answer_text);
  if (next == role::assistant && rules_.begins_with_user && list().empty())
    add(role::user, begins_text);
}

/// @param asked as the history has it @param written the same with the ids that go out
void history_repair::results(const chat_message& asked, const chat_message& written) {
  messages found;
  while (at_ < from_.size() && from_[at_].who == role::tool)
    found.push_back(&from_[at_++]);
  auto first = list().size();
  for (size_t i = 0; i < asked.tool_calls.size(); ++i) {
    auto same = std::find_if(found.begin(), found.end(), [&](const auto* each) {
      return each != nullptr && each->tool_call_id == asked.tool_calls[i].id;
    });
    const auto* taken = same == found.end() ? nullptr : std::exchange(*same, nullptr);
    list().push_back(&result(taken, written.tool_calls[i].id));
  }
  const auto& shown = rules_.shown_by_user;
  if (shown.images || shown.documents || shown.audio)
    files(first);
}

const chat_message& history_repair::result(const chat_message* found, const std::string& id) {
  if (found != nullptr && found->tool_call_id == id && !lacks_text(found->text))
    return *found;
  auto& made = own(found != nullptr ? *found : message_of(role::tool, not_run_text));
  made.failed = made.failed || found == nullptr;
  made.tool_call_id = id;
  if (lacks_text(made.text))
    made.text = made.files.empty() ? no_output_text : only_files_text;
  return made;
}

/// Has the user show the files of the results from `first` on.
void history_repair::files(size_t first) {
  chat_message shown;
  piece_collector pieces{shown.text, shown.files};
  for (auto i = first; i < list().size(); ++i) {
    const auto& result = *list()[i];
    std::vector<message_file> files;
    std::ranges::copy_if(result.files, std::back_inserter(files), is_shown_by_user(rules_));
    if (files.empty())
      continue;
    pieces.line(fmt::format("Images of the result of {}:", result.tool_call_id));
    std::move(files.begin(), files.end(), std::back_inserter(shown.files));
  }
  pieces.end();
  if (shown.files.empty())
    return;
  if (rules_.answers_results)
    add(role::assistant, images_follow_text);
  list().push_back(&own(std::move(shown)));
}

/// Returns the calls with names, arguments and ids that providers take.
std::vector<tool_call> history_repair::sound(std::vector<tool_call> calls) {
  for (auto& each : calls) {
    each.name = model_tool_name(each.name);
    if (!is_json_object(each.arguments))
      each.arguments = "{}";
    replace_lone_halves(each.arguments);
    each.id = free_id(each.id);
    ids_.insert(each.id);
  }
  return calls;
}

std::string history_repair::free_id(const std::string& wanted) {
  auto id = wanted.empty() ? std::string{"call"} : wanted;
  auto free = wanted.empty() ? id + "_1" : id;
  for (size_t n = 2; ids_.contains(free); ++n)
    free = fmt::format("{}_{}", id, n);
  return free;
}

request_history::request_history(const std::vector<chat_message>& history, std::string_view system,
                                 const history_rules& rules)
    : history_{history}, system_{system}, in_order_{is_in_order(history, rules)} {
  if (in_order_)
    take_as_it_is();
  else
    history_repair{*this, rules}.run();
  if (lacks_text(system_))
    system_ = {};
}

void request_history::take_as_it_is() {
  const auto& history = history_;
  skipped_ = !history.empty() && history.front().who == role::system ? 1 : 0;
  if (skipped_ > 0)
    system_ = history.front().text;
  auto last = std::find_if(history.rbegin(), history.rend(),
                           [](const auto& each) { return each.who == role::user; });
  up_to_user_ = static_cast<size_t>(history.rend() - last);
  up_to_user_ -= std::min(up_to_user_, skipped_);
}

} // namespace troupe
