#include "messages/wire/anthropic/anthropic_thinking.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

using style = anthropic_thinking_style;

constexpr uint64_t room_for_answer = 4096; ///< beside the thoughts, where nobody set a bound

struct effort_row {
  std::string_view name;
  int64_t budget;       ///< tokens, for models that know no effort
  std::string_view own; ///< Anthropic's word
};

constexpr std::array efforts{
    effort_row{"minimal", 1024, "low"},   effort_row{"low", 2048, "low"},
    effort_row{"medium", 8192, "medium"}, effort_row{"high", 16'384, "high"},
    effort_row{"xhigh", 24'576, "xhigh"}, effort_row{"max", 31'999, "max"},
};

constexpr int64_t usual_budget = 8192; ///< for "as the model likes"

/// An effort that is not known goes out as it is: the answer says which ones the model takes.
std::string own_effort(std::string_view effort, const anthropic_model& model) {
  for (const auto& row : efforts)
    if (row.name == effort)
      return std::string{row.own == "xhigh" && !model.takes_most_effort ? "high" : row.own};
  return std::string{effort};
}

int64_t budget_for(std::string_view effort) {
  for (const auto& row : efforts)
    if (row.name == effort)
      return row.budget;
  return usual_budget;
}

std::string_view effort_for(int64_t budget) {
  if (budget < 0)
    return {}; // as the model likes
  std::string_view name = efforts.front().name;
  for (const auto& row : efforts)
    if (row.budget <= budget)
      name = row.name;
  return name;
}

/// Decides for one request.
class thinking_decision {
public:
  thinking_decision(const request_parameters& asked, const anthropic_model& model)
      : asked_{asked}, model_{model} {
    made_.max_tokens = asked.max_tokens > 0 ? asked.max_tokens : model.max_tokens;
  }

  /// Takes the member as it was given in Anthropic's own words.
  void own(std::string json) {
    const json_source source{json};
    std::string_view type, budget;
    read_members(source.root(), {{"type", &type}, {"budget_tokens", &budget}});
    made_.is_on = json_string(type) != "disabled";
    if (made_.is_on)
      make_room(integer_of(budget).value_or(0));
    made_.thinking = std::move(json);
    effort();
  }

  void budget(int64_t tokens) {
    tokens = std::max(tokens, anthropic_thinking::least_budget);
    make_room(tokens);
    if (static_cast<uint64_t>(tokens) >= made_.max_tokens)
      tokens = static_cast<int64_t>(made_.max_tokens / 2);
    if (tokens < anthropic_thinking::least_budget)
      return;
    made_.is_on = true;
    made_.thinking = fmt::format(R"({{"type":"enabled","budget_tokens":{}}})", tokens);
  }

  void adaptive() {
    made_.is_on = true;
    made_.thinking = model_.hides_thoughts ? R"({"type":"adaptive","display":"summarized"})"
                                           : R"({"type":"adaptive"})";
    effort();
    if (made_.effort.empty() && asked_.reasoning_budget)
      made_.effort = own_effort(effort_for(*asked_.reasoning_budget), model_);
  }

  /// Newer models do not take "disabled", and think little by themselves.
  void none() {
    if (model_.thinking == style::adaptive)
      made_.effort = "low";
    else if (model_.thinking != style::none)
      made_.thinking = R"({"type":"disabled"})";
  }

  anthropic_thinking take() { return std::move(made_); }

private:
  void effort() {
    const auto known = model_.thinking == style::adaptive || model_.thinking == style::either;
    if (known && !asked_.reasoning_effort.empty() && asked_.reasoning_effort != "none")
      made_.effort = own_effort(asked_.reasoning_effort, model_);
  }

  void make_room(int64_t budget) {
    if (asked_.max_tokens == 0 && budget > 0)
      made_.max_tokens =
          std::max(made_.max_tokens, static_cast<uint64_t>(budget) + room_for_answer);
  }

  const request_parameters& asked_;
  const anthropic_model& model_;
  anthropic_thinking made_;
};

} // namespace

anthropic_thinking decide_thinking(request_parameters& asked, const anthropic_model& model,
                                   bool may_think) {
  auto own = asked.take("thinking");
  const auto& effort = asked.reasoning_effort;
  const auto& budget = asked.reasoning_budget;
  thinking_decision decision{asked, model};
  const auto asks = !own.empty() || !effort.empty() || budget;
  if (!asks || !may_think)
    return decision.take();
  if (!own.empty())
    decision.own(std::move(own));
  else if (effort == "none" || (budget == 0 && effort.empty()))
    decision.none();
  else if (model.thinking == style::budget || (model.thinking == style::either && budget > 0))
    decision.budget(budget > 0 ? *budget : budget_for(effort));
  else if (model.thinking != style::none)
    decision.adaptive();
  return decision.take();
}

} // namespace troupe
