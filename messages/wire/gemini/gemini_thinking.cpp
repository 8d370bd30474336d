#include "messages/wire/gemini/gemini_thinking.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace troupe {

namespace {

/// THE table of efforts. Budgets are those that Google names for the levels.
struct effort_row {
  std::string_view effort;
  int64_t budget = 0;
  std::string_view level;
};

constexpr std::array efforts{
    effort_row{"none", 0, "MINIMAL"},  effort_row{"minimal", 1024, "MINIMAL"},
    effort_row{"low", 1024, "LOW"},    effort_row{"medium", 8192, "MEDIUM"},
    effort_row{"high", 24576, "HIGH"}, effort_row{"xhigh", 24576, "HIGH"},
    effort_row{"max", 24576, "HIGH"},
};

const effort_row* find_effort(std::string_view effort) {
  const auto* found = std::ranges::find(efforts, effort, &effort_row::effort);
  return found == efforts.end() ? nullptr : found;
}

/// Returns the first row whose budget is enough.
const effort_row& effort_of(int64_t budget) {
  const auto* found =
      std::ranges::find_if(efforts, [&](const auto& each) { return each.budget >= budget; });
  return found == efforts.end() ? efforts.back() : *found;
}

/// Returns the level of a row that the model has: the first Pro of generation 3 has two.
std::string_view level_of(const effort_row& row, const gemini_family& family) {
  if (!family.is_pro)
    return row.level;
  if (row.level == "MINIMAL")
    return "LOW";
  return row.level == "MEDIUM" && family.generation == 30 ? "HIGH" : row.level;
}

/// Returns the nearest budget that the model takes; -1 leaves it to the model.
int64_t budget_of(int64_t asked, const gemini_family& family) {
  if (asked < 0)
    return -1;
  if (asked == 0 && !family.is_pro)
    return 0;
  const int64_t least = family.is_pro ? 128 : family.is_lite ? 512 : 1;
  const int64_t most = family.is_pro ? 32768 : 24576;
  return std::clamp(asked, least, most);
}

std::string with_level(const request_parameters& asked, const gemini_family& family) {
  const auto* row = find_effort(asked.reasoning_effort);
  if (asked.reasoning_budget && *asked.reasoning_budget < 0)
    return R"({"includeThoughts":true})";
  if (asked.reasoning_budget)
    row = &effort_of(*asked.reasoning_budget);
  if (row == nullptr)
    return {};
  const auto shows = row->budget > 0;
  return fmt::format(R"({{"includeThoughts":{},"thinkingLevel":"{}"}})", shows,
                     level_of(*row, family));
}

std::string with_budget(const request_parameters& asked, const gemini_family& family) {
  const auto* row = find_effort(asked.reasoning_effort);
  if (!asked.reasoning_budget && row == nullptr)
    return {};
  const auto wanted = asked.reasoning_budget ? *asked.reasoning_budget : row->budget;
  return fmt::format(R"({{"includeThoughts":{},"thinkingBudget":{}}})", wanted != 0,
                     budget_of(wanted, family));
}

} // namespace

std::string gemini_thinking(const request_parameters& asked, const gemini_family& family) {
  if (!family.thinks())
    return {};
  return family.has_levels() ? with_level(asked, family) : with_budget(asked, family);
}

} // namespace troupe
