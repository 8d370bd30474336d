#include "actors/turn/empty_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/wire/clients/ui/ui_steps.hpp"

namespace troupe {

void empty_steps::begin(const std::string& id) {
  goes_on_ = !history_.empty() && history_.back().id == id;
}

void empty_steps::step_shown(const std::string& id) {
  end_step(id);
  bare_ = true;
}

void empty_steps::answered(shown_layout& layout, chat_message& message, bool is_silent) {
  const auto first_run = runs_ + 1;
  const auto is_bare = is_silent && layout.runs() == 0;
  runs_ += layout.runs();
  if (goes_on_) // else the numbers follow from the parts before
    layout.name_reasoning(first_run);
  message.shown = layout.take(message.tool_calls);
  bare_ = is_bare && message.shown.empty();
  if (is_silent && !bare_)
    keep(message.id, spelled_steps(message, first_run));
}

void empty_steps::end_step(const std::string& id) {
  if (std::exchange(bare_, false))
    keep(id, {make_shown("step")});
}

void empty_steps::show_data(const std::string& id, std::string_view type, std::string_view data) {
  keep(id, {make_shown("step"),
            make_shown("part", fmt::format(R"({{"type":"{}","data":{}}})", type, data))});
}

void empty_steps::keep(const std::string& id, std::vector<shown_part> steps) {
  if (history_.empty())
    return;
  auto& last = history_.back();
  const auto begun = std::find_if(last.shown.rbegin(), last.shown.rend(), begins_message);
  const auto& open = begun == last.shown.rend() ? last.id : begun->value;
  if (open != id)
    steps.insert(steps.begin(), make_shown("assistant", id));
  show_behind(last, std::move(steps));
  changed_ = std::min(changed_, history_.size() - 1);
}

} // namespace troupe
