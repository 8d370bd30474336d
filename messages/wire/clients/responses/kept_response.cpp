#include "messages/wire/clients/responses/kept_response.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "messages/wire/clients/responses/item_id.hpp"

namespace troupe {

namespace {

/// The messages of an answer: numbers in conversation::messages.
struct answer_range {
  size_t begin = 0;
  size_t end = 0;

  bool is_empty() const noexcept { return begin == end; }
};

bool holds_instructions(const stored_message& each) {
  return each.message.id == instructions_id;
}

bool is_for_client(const chat_message& answer, std::string_view call_id) {
  const auto& calls = answer.tool_calls;
  return std::any_of(calls.begin(), calls.end(), [call_id](const auto& call) {
    return call.id == call_id && call.client_side;
  });
}

bool has_client_calls(const chat_message& answer) {
  const auto& calls = answer.tool_calls;
  return std::any_of(calls.begin(), calls.end(), [](const auto& call) { return call.client_side; });
}

/// An answer ends before the next message of somebody else, and after the calls for the client:
/// their results come with the next request.
answer_range find_answer(const conversation& chat, const response_place& place) {
  const auto& all = chat.messages;
  auto at = place.from;
  if (!all.empty() && holds_instructions(all.front()))
    ++at;
  while (at < all.size() && all[at].message.who != role::assistant)
    ++at;
  answer_range found{at, at};
  const chat_message* answer = nullptr;
  for (; at < all.size(); ++at) {
    const auto& each = all[at].message;
    const auto goes_on = each.who == role::assistant
                             ? answer == nullptr || !has_client_calls(*answer)
                             : each.who == role::tool && answer != nullptr &&
                                   !is_for_client(*answer, each.tool_call_id);
    if (!goes_on)
      break;
    if (each.who == role::assistant)
      answer = &each;
    found.end = at + 1;
  }
  return found;
}

/// Makes the items of an answer, and counts them as response_output does.
class item_maker {
public:
  explicit item_maker(std::string place) : place_{std::move(place)} {}

  void add(const chat_message& each);

  std::vector<response_item> take() { return std::move(items_); }

private:
  void add_item(response_kind kind, size_t number, const std::string& text);
  void add_calls(const chat_message& answer);
  void add_result(const chat_message& result);

  std::string place_;
  std::vector<response_item> items_;
  size_t answers_ = 0;
  size_t calls_ = 0;
};

void item_maker::add_item(response_kind kind, size_t number, const std::string& text) {
  auto& made = items_.emplace_back();
  made.kind = kind;
  made.id = make_item_id(kind, {number}, place_);
  made.text = text;
  made.done = true;
}

void item_maker::add_calls(const chat_message& answer) {
  for (const auto& call : answer.tool_calls) {
    add_item(call.client_side ? response_kind::function_call : response_kind::mcp_call, calls_++,
             call.arguments);
    auto& made = items_.back();
    made.call_id = call.id;
    made.name = call.name;
    made.extra = call.client_side ? call.provider_metadata : "";
  }
}

void item_maker::add_result(const chat_message& result) {
  for (auto& each : items_)
    if (each.kind == response_kind::mcp_call && each.call_id == result.tool_call_id) {
      each.output = result.text;
      each.failed = result.failed;
    }
}

void item_maker::add(const chat_message& each) {
  if (each.who == role::tool)
    return add_result(each);
  if (!each.reasoning.empty())
    add_item(response_kind::reasoning, answers_, each.reasoning);
  if (!each.text.empty())
    add_item(response_kind::message, answers_, each.text);
  add_calls(each);
  ++answers_;
}

std::vector<response_item> items_of(const conversation& chat, const answer_range& range,
                                    const response_place& place) {
  item_maker maker{place_text(place)};
  for (auto at = range.begin; at < range.end; ++at)
    maker.add(chat.messages[at].message);
  return maker.take();
}

/// Returns how the turn of a response ended; a turn that is gone from the list ended well.
response_outcome outcome_of_turn(const turn_record* turn) {
  if (turn == nullptr)
    return {response_state::completed, "", {}, {}};
  if (turn->state == turn_state::running)
    return {};
  if (turn->state == turn_state::ended)
    return {response_state::completed, "", {}, turn->used};
  auto why = turn->error ? turn->error : failure{errc::aborted, ""};
  return {response_state::failed, "", std::move(why), {}};
}

constexpr std::string_view unknown_echo =
    R"(,"instructions":null,"max_output_tokens":null,"metadata":{},"parallel_tool_calls":true,)"
    R"("reasoning":{"effort":null,"summary":null},"temperature":null,)"
    R"("text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":null,"user":null)";

} // namespace

std::vector<chat_message> history_behind(const conversation& chat, const response_place& place,
                                         bool& last) {
  const auto range = find_answer(chat, place);
  std::vector<chat_message> history;
  last = range.end == chat.messages.size();
  if (range.is_empty())
    return history;
  for (size_t at = 0; at < range.end; ++at)
    if (!holds_instructions(chat.messages[at]))
      history.push_back(chat.messages[at].message);
  return history;
}

std::vector<response_item> kept_items_of(const conversation& chat, const response_place& place) {
  return items_of(chat, find_answer(chat, place), place);
}

std::string kept_response(const conversation& chat, std::string_view id,
                          const response_place& place) {
  const auto turn = std::find_if(chat.turns.begin(), chat.turns.end(),
                                 [id](const auto& each) { return each.turn_id == id; });
  const auto* record = turn == chat.turns.end() ? nullptr : &*turn;
  const auto range = find_answer(chat, place);
  if (range.is_empty() && record == nullptr)
    return {};
  response_head head;
  head.id = id;
  head.stored = true;
  head.echo = unknown_echo;
  head.model = record ? record->model : "";
  head.created = (record ? record->started_ms : chat.info.created_ms) / 1000;
  json_buffer out;
  append_response(out, head, outcome_of_turn(record), items_of(chat, range, place));
  return std::string{view(out)};
}

} // namespace troupe
