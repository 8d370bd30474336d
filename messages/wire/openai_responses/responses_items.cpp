#include "messages/wire/openai_responses/responses_items.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t nowhere = static_cast<size_t>(-1);

/// Returns the place of the newest item that `fits`, or nowhere.
template <class Fits>
size_t newest(const std::vector<responses_item>& items, const Fits& fits) {
  auto found = std::find_if(items.rbegin(), items.rend(), fits);
  return found == items.rend() ? nowhere : static_cast<size_t>(items.rend() - found) - 1;
}

} // namespace

responses_item_kind responses_item_kind_of(std::string_view type) {
  if (type == "message")
    return responses_item_kind::message;
  if (type == "reasoning")
    return responses_item_kind::reasoning;
  if (type == "function_call" || type == "custom_tool_call")
    return responses_item_kind::call;
  return responses_item_kind::other;
}

bool responses_item::show(responses_part_kind part, int64_t number) {
  const shown_part wanted{part, number};
  if (shown_.size() == max_parts ||
      std::find(shown_.rbegin(), shown_.rend(), wanted) != shown_.rend())
    return false;
  shown_.push_back(wanted);
  return true;
}

bool responses_item::shows_other_than(responses_part_kind part) const {
  return !shown_.empty() && shown_.back().kind != part;
}

size_t responses_items::begin(responses_item_kind kind, int64_t index, std::string_view call_id) {
  auto known = newest(items_, [&](const responses_item& each) {
    return each.kind == kind && each.index == index && !each.done &&
           (each.call_id.empty() || call_id.empty() || each.call_id == call_id);
  });
  return known == nowhere ? make(kind, index) : known;
}

size_t responses_items::current(responses_item_kind kind, int64_t index) {
  auto known = newest(
      items_, [&](const responses_item& each) { return each.kind == kind && each.index == index; });
  if (known == nowhere)
    known =
        newest(items_, [&](const responses_item& each) { return each.kind == kind && !each.done; });
  return known == nowhere ? make(kind, index) : known;
}

size_t responses_items::finish(responses_item_kind kind, int64_t index, std::string_view call_id) {
  auto known = nowhere;
  if (!call_id.empty())
    known = newest(items_, [&](const responses_item& each) {
      return each.kind == kind && each.call_id == call_id && each.index == index;
    });
  if (known == nowhere)
    known = newest(items_, [&](const responses_item& each) {
      return each.kind == kind && each.index == index && !each.done;
    });
  if (known == nowhere && kind != responses_item_kind::call)
    known =
        newest(items_, [&](const responses_item& each) { return each.kind == kind && !each.done; });
  return known == nowhere ? make(kind, index) : known;
}

bool responses_items::is_open(responses_item_kind kind, int64_t index) const {
  return newest(items_, [&](const responses_item& each) {
           return each.kind == kind && each.index == index && !each.done;
         }) != nowhere;
}

failure responses_items::overflow() {
  return {errc::model_answer_invalid,
          fmt::format("The model sent an answer with more than {} items.", max_items)};
}

size_t responses_items::make(responses_item_kind kind, int64_t index) {
  if (!overflows()) {
    auto& made = items_.emplace_back();
    made.kind = kind;
    made.index = index;
  }
  return items_.size() - 1;
}

} // namespace troupe
