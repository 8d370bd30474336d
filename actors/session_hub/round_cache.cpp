#include "actors/session_hub/round_cache.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "actors/turn/history.hpp"
#include "actors/turn/history_match.hpp"
#include "messages/chat/session_id.hpp"

namespace troupe {

// -- rounds in a client's history -----------------------------------------------------------------

/// The messages that tell of rounds, from the first to the last one.
struct shown_range {
  size_t first = 0;
  size_t last = 0;
};

namespace {

/// White space says nothing: clients join texts in their own ways.
std::string without_space(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char each) {
    return each != ' ' && each != '\n' && each != '\t' && each != '\r';
  });
  return out;
}

bool is_tool_of(const turn_options& options, const std::string& name) {
  return std::any_of(options.tools.begin(), options.tools.end(),
                     [&](const auto& tool) { return tool.name == name; });
}

/// The texts of answers, and of the results after them, in a range of messages.
struct matched_texts {
  std::string texts;
  std::vector<std::string_view> results;

  void take(const chat_message& each) {
    if (each.who == role::tool)
      results.emplace_back(each.text);
    else
      texts += without_space(each.text);
  }

  bool operator==(const matched_texts&) const = default;
};

matched_texts matched_texts_in(const std::vector<chat_message>& messages, size_t first,
                               size_t last) {
  matched_texts out;
  for (auto i = first; i <= last; ++i)
    out.take(messages[i]);
  return out;
}

/// Finds the answers before `at` whose texts, joined with its own, are these.
std::optional<shown_range> find_texts(const std::vector<chat_message>& messages, size_t at,
                                      std::string_view texts) {
  auto seen = without_space(messages[at].text);
  const auto says_nothing = seen.empty();
  for (auto first = at; seen.size() <= texts.size(); --first) {
    if (seen == texts)
      return shown_range{first, at};
    if (first == 0 || messages[first - 1].who != role::assistant ||
        !messages[first - 1].tool_calls.empty())
      break;
    seen.insert(0, without_space(messages[first - 1].text));
  }
  return says_nothing ? std::optional{shown_range{at, at}} : std::nullopt;
}

/// Returns whether a message is the result of a call that is not the client's.
bool is_result_of_ours(const turn_request& request, size_t at, const chat_message& message) {
  const auto& calls = request.messages[at].tool_calls;
  return message.who == role::tool &&
         std::any_of(calls.begin(), calls.end(), [&](const auto& call) {
           return call.id == message.tool_call_id && !is_tool_of(request.options, call.name);
         });
}

} // namespace

/// Returns the calls of an answer that the client of the request runs.
std::vector<tool_call> calls_of_client(const turn_request& request, const chat_message& answer) {
  std::vector<tool_call> own;
  for (const auto& call : answer.tool_calls)
    if (is_tool_of(request.options, call.name))
      own.push_back(call);
  return own;
}

/// Finds what a client tells of rounds that end with the calls of its answer `at`: their texts
/// alone, which it may have joined or left out, or their calls and results, too. Nothing, if it
/// tells them differently. @param begin the first message that may tell of them
std::optional<shown_range> find_shown_rounds(const turn_request& request, size_t begin, size_t at,
                                             const std::vector<chat_message>& rounds) {
  const auto& messages = request.messages;
  auto first = begin;
  while (first < at && messages[first].who != role::assistant)
    ++first; // the question, or results of the client
  auto last = at;
  while (last + 1 < messages.size() && is_result_of_ours(request, at, messages[last + 1]))
    ++last;
  const auto tells_calls =
      std::any_of(messages.begin() + static_cast<std::ptrdiff_t>(first),
                  messages.begin() + static_cast<std::ptrdiff_t>(at) + 1, [&](const auto& each) {
                    return calls_of_client(request, each).size() < each.tool_calls.size();
                  });
  const auto all = matched_texts_in(rounds, 0, rounds.size() - 1);
  if (!tells_calls)
    return find_texts(messages, at, all.texts);
  return matched_texts_in(messages, first, last) == all ? std::optional{shown_range{first, last}}
                                                        : std::nullopt;
}

// -- round cache ----------------------------------------------------------------------------------

namespace {

size_t bytes_of(const chat_message& message) {
  auto sum = sizeof message + message.text.size() + message.reasoning.size() +
             message.provider_metadata.size();
  for (const auto& call : message.tool_calls)
    sum += sizeof call + call.arguments.size() + call.provider_metadata.size();
  for (const auto& file : message.files)
    sum += sizeof file + file.url.size();
  return sum;
}

bool same_ids(const std::vector<tool_call>& known, const std::vector<tool_call>& sent) {
  return std::equal(known.begin(), known.end(), sent.begin(), sent.end(),
                    [](const auto& a, const auto& b) { return a.id == b.id && a.name == b.name; });
}

/// A client may have a person change a call before it runs.
void take_changes(chat_message& into, const std::vector<tool_call>& sent) {
  for (auto& call : into.tool_calls)
    for (const auto& each : sent)
      if (call.id == each.id && !same_call(call, each)) {
        call = each;
        into.provider_metadata.clear(); // it seals what the model wrote
      }
}

} // namespace

void round_cache::keep(unseen_rounds rounds, const conversation_digest& before, size_t most,
                       time_point now) {
  entry made;
  made.calls = open_calls(rounds.messages);
  if (made.calls.empty() || before == conversation_digest{})
    return;
  made.owner = owner_of(rounds.session_id);
  made.key = scoped_id(made.owner, made.calls.front().id);
  made.before = before;
  made.messages = std::move(rounds.messages);
  made.bytes = sizeof made;
  for (auto& each : made.messages) {
    each.shown.clear();
    made.bytes += bytes_of(each);
  }
  made.used = now;
  if (const auto known = by_call_.find(made.key); known != by_call_.end())
    return drop(known->second);
  if (made.bytes > most / 2)
    return;
  bytes_ += made.bytes;
  const auto owner = made.owner;
  bytes_of_[owner] += made.bytes;
  entries_.push_back(std::move(made));
  by_call_[entries_.back().key] = std::prev(entries_.end());
  while (bytes_of_[owner] > most / 2)
    drop_oldest_of(owner);
  while (bytes_ > most)
    drop(entries_.begin());
}

conversation_digest round_cache::restore(turn_request& request, time_point now) {
  if (request.options.tools.empty())
    return {};
  auto& messages = request.messages;
  const auto before = digests_of(messages);
  const auto owner = owner_of(request.session_id);
  size_t sent = 0;  // the first message that was not restored, of this question
  size_t added = 0; // messages that were not sent
  for (size_t i = 0; !entries_.empty() && i < messages.size(); ++i) {
    if (messages[i].who == role::user)
      sent = i;
    const auto calls = calls_of_client(request, messages[i]);
    const auto known = find(owner, calls);
    if (known == entries_.end())
      continue;
    const auto shown = find_shown_rounds(request, sent, i, known->messages);
    if (!shown || before[shown->first - added] != known->before)
      continue;
    known->used = now;
    entries_.splice(entries_.end(), entries_, known);
    auto rounds = known->messages;
    const auto answer = std::find_if(rounds.rbegin(), rounds.rend(),
                                     [](const auto& each) { return !each.tool_calls.empty(); });
    take_changes(*answer, calls);
    const auto at = messages.begin() + static_cast<std::ptrdiff_t>(shown->first);
    messages.erase(at, messages.begin() + static_cast<std::ptrdiff_t>(shown->last) + 1);
    messages.insert(at, std::make_move_iterator(rounds.begin()),
                    std::make_move_iterator(rounds.end()));
    i = shown->first + rounds.size() - 1;
    sent = i + 1;
    added += rounds.size() - (shown->last + 1 - shown->first);
  }
  return before.back();
}

/// Returns the rounds that end with these calls; entries_.end() if there are none.
round_cache::place round_cache::find(std::string_view owner, const std::vector<tool_call>& calls) {
  const auto known =
      calls.empty() ? by_call_.end() : by_call_.find(scoped_id(owner, calls.front().id));
  return known != by_call_.end() && same_ids(known->second->calls, calls) ? known->second
                                                                          : entries_.end();
}

std::optional<round_cache::time_point> round_cache::tidy(time_point now,
                                                         std::chrono::milliseconds idle) {
  while (!entries_.empty() && entries_.front().used + idle <= now)
    drop(entries_.begin());
  if (alarm_ <= now)
    alarm_ = time_point::max();
  if (entries_.empty() || alarm_ != time_point::max())
    return std::nullopt;
  alarm_ = entries_.front().used + idle;
  return alarm_;
}

void round_cache::drop(place which) {
  bytes_ -= which->bytes;
  if (const auto owner = bytes_of_.find(which->owner); (owner->second -= which->bytes) == 0)
    bytes_of_.erase(owner);
  by_call_.erase(which->key);
  entries_.erase(which);
}

void round_cache::drop_oldest_of(const std::string& owner) {
  drop(std::find_if(entries_.begin(), entries_.end(),
                    [&](const auto& each) { return each.owner == owner; }));
}

} // namespace troupe
