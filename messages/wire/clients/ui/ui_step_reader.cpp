#include "messages/wire/clients/ui/ui_step_reader.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/clients/ui/ui_steps.hpp"

namespace troupe {

namespace {

/// Returns the members of a part that are written otherwise than of one without any; "{}" for none.
std::string members_or_none(const ui_part& part) {
  auto members = part.others({"type", "text"});
  return members.empty() ? "{}" : members;
}

} // namespace

void ui_step_reader::begin(bool has_start) {
  assistant_ = {};
  assistant_.who = role::assistant;
  results_.clear();
  approvals_.clear();
  runs_ += layout_.runs();
  layout_.open(has_start);
}

void ui_step_reader::text(const ui_part& part) {
  const auto usual = part.state == R"("done")" && part.has_only({"type", "text", "state"});
  auto more = json_string(part.text);
  layout_.add_part(shown_run::text, more.size(), usual ? std::string{} : members_or_none(part));
  assistant_.text += more;
}

/// In a stream each part of this kind has its number as its id.
void ui_step_reader::reasoning(const ui_part& part) {
  const auto number = fmt::format("\"{}\"", runs_ + layout_.runs() + 1);
  const auto usual = part.state == R"("done")" && part.id == number &&
                     part.has_only({"type", "text", "state", "id"});
  auto more = json_string(part.text);
  layout_.add_part(shown_run::reasoning, more.size(),
                   usual ? std::string{} : members_or_none(part));
  assistant_.reasoning += more;
}

void ui_step_reader::file(const ui_part& part) {
  auto what = file_of(part);
  layout_.put(make_shown("file", other_file_members(part, what)));
  assistant_.files.push_back(std::move(what));
}

void ui_step_reader::call(ui_tool_call read) {
  auto& calls = assistant_.tool_calls;
  const auto same = std::ranges::find(calls, read.call.id, &tool_call::id);
  chat_message answer;
  answer.who = role::tool;
  answer.text = std::move(read.result);
  answer.tool_call_id = read.call.id;
  answer.shown = std::move(read.shown);
  answer.failed = shows_failure(answer.shown);
  if (same == calls.end()) {
    layout_.put_call(read.call.id, read.title);
    calls.push_back(std::move(read.call));
    results_.push_back(std::move(answer));
    approvals_.push_back(std::move(read.approval));
    return;
  }
  auto at = static_cast<size_t>(same - calls.begin());
  results_[at] = std::move(answer);
  approvals_[at] = std::move(read.approval);
  *same = std::move(read.call);
}

void ui_step_reader::end(ui_rest& rest) {
  if (says_nothing(assistant_))
    return end_silent(rest);
  assistant_.shown = layout_.take(assistant_.tool_calls);
  if (auto before = std::exchange(rest.silent, {}); !before.empty())
    show_before(assistant_, std::move(before));
  out_.push_back(std::move(assistant_));
  rest.answered.clear();
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!approvals_[i].approval_id.empty())
      rest.answered.push_back({std::move(approvals_[i]), out_.size()});
    out_.push_back(std::move(results_[i]));
  }
}

void ui_step_reader::end_silent(ui_rest& rest) {
  if (layout_.empty())
    return;
  assistant_.shown = layout_.take({});
  auto steps = spelled_steps(assistant_, runs_ + 1);
  if (out_.size() > first_)
    return show_behind(out_.back(), std::move(steps));
  std::move(steps.begin(), steps.end(), std::back_inserter(rest.silent));
}

void ui_step_reader::other(const ui_part& part) {
  layout_.put(make_shown("part", part.whole()));
}

/// @param name in the type of a static part; "" for a dynamic one
failure ui_step_reader::tool(const ui_part& part, std::string_view name, size_t index) {
  ui_tool_call read;
  if (auto bad = read_tool_part(part, std::string{name}, index, read))
    return bad;
  if (read.made)
    call(std::move(read));
  else
    other(part);
  return {};
}

failure ui_step_reader::add(const ui_part& part, std::string_view type, size_t index,
                            ui_rest& rest) {
  constexpr std::string_view static_tool = "tool-";
  if (type == "dynamic-tool")
    return tool(part, {}, index);
  if (type.starts_with(static_tool))
    return tool(part, type.substr(static_tool.size()), index);
  if (type == "text") {
    text(part);
  } else if (type == "reasoning") {
    reasoning(part);
  } else if (type == "file") {
    file(part);
  } else if (type == "step-start") {
    end(rest);
    begin(true);
  } else {
    other(part);
  }
  return {};
}

} // namespace troupe
