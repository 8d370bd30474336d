#include "transport/store/usage_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>

namespace troupe {

namespace {

constexpr int64_t ms_per_day = 86'400'000;

/// "2026-11-21", UTC. @param day since 1970
std::string text_of_day(int64_t day) {
  constexpr int64_t seconds_per_day = ms_per_day / 1000;
  const auto seconds = static_cast<std::time_t>(day * seconds_per_day);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 16> text{};
  const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return {text.data(), size};
}

/// Returns whether an earlier request of the turn asked the same model.
bool asked_before(const turn_report& report, size_t request) {
  const auto first = report.requests.begin();
  const auto here = first + static_cast<std::ptrdiff_t>(request);
  return std::any_of(first, here, [&](const auto& each) { return each.model == here->model; });
}

} // namespace

usage_row& usage_sums::row_of(int64_t owner, int64_t day, const std::string& model) {
  auto& row = rows_[{owner, day, model}];
  if (row.day.empty()) { // it is new
    row.day = text_of_day(day);
    row.model = model;
  }
  return row;
}

void usage_sums::add(int64_t owner, int64_t ended_ms, const turn_report& report) {
  const auto day = ended_ms / ms_per_day;
  if (report.requests.empty()) // the turn failed before its first request
    ++row_of(owner, day, report.model).turns;
  for (size_t i = 0; i < report.requests.size(); ++i) {
    const auto& request = report.requests[i];
    auto& row = row_of(owner, day, request.model);
    row.turns += asked_before(report, i) ? 0 : 1;
    ++row.requests;
    row.used += request.used;
  }
}

} // namespace troupe
