#include "messages/wire/clients/ui/ui_steps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/shown_layout.hpp"
#include "messages/json.hpp"

namespace troupe {

namespace {

bool is_run(const shown_part& part) {
  return part.type == "text" || part.type == "reasoning";
}

/// Returns the run as a part of its own.
shown_part spelled(const shown_part& run, const chat_message& message, size_t number) {
  const auto thinks = run.type == "reasoning";
  const std::string_view all{thinks ? message.reasoning : message.text};
  auto out = fmt::format(R"({{"type":"{}","text":{})", run.type,
                         to_json(std::string{all.substr(run.at, run.size)}));
  if (!run.value.empty())
    out.append(run.value == "{}" ? "" : ",").append(run.value, 1);
  else
    out += thinks ? fmt::format(R"(,"id":"{}","state":"done"}})", number) : R"(,"state":"done"})";
  return make_shown("part", std::move(out));
}

/// Lists the parts of an answer that is shown in the plain way, so that others can join them.
void list_parts(chat_message& message) {
  const auto own = message.shown.begin() + static_cast<std::ptrdiff_t>(end_of_own(message.shown));
  const auto listed = std::any_of(message.shown.begin(), own,
                                  [](const auto& each) { return each.type != "metadata"; });
  if (listed || message.who != role::assistant)
    return;
  auto plain = plain_layout(message);
  message.shown.insert(own, std::make_move_iterator(plain.begin()),
                       std::make_move_iterator(plain.end()));
}

} // namespace

std::vector<shown_part> spelled_steps(const chat_message& message, size_t first_run) {
  auto steps = message.shown.empty() ? plain_layout(message) : message.shown;
  for (auto& each : steps)
    if (is_run(each)) {
      const auto number = each.size > 0 ? first_run++ : first_run;
      each = spelled(each, message, number);
    }
  return steps;
}

void show_behind(chat_message& last, std::vector<shown_part> steps) {
  list_parts(last);
  std::move(steps.begin(), steps.end(), std::back_inserter(last.shown));
}

void show_before(chat_message& answer, std::vector<shown_part> steps) {
  list_parts(answer);
  answer.shown.insert(answer.shown.begin(), std::make_move_iterator(steps.begin()),
                      std::make_move_iterator(steps.end()));
}

} // namespace troupe
