#include "transport/sqlite/rows/sqlite_usage.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <string>

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

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

void usage_sums::add(int64_t owner, int64_t ended_ms, const turn_report& report) {
  const auto day = ended_ms / ms_per_day;
  if (report.requests.empty()) // the turn failed before its first request
    ++rows_[{owner, day, report.model}].turns;
  for (size_t i = 0; i < report.requests.size(); ++i) {
    const auto& request = report.requests[i];
    auto& row = rows_[{owner, day, request.model}];
    row.turns += asked_before(report, i) ? 0 : 1;
    ++row.requests;
    row.used += request.used;
  }
}

failure usage_sums::write(sqlite_connection& db) {
  for (const auto& [key, row] : rows_) {
    const auto& [owner, day, model] = key;
    const auto day_text = text_of_day(day);
    sqlite_query add{db,
                     "INSERT INTO usage_days VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
                     "ON CONFLICT DO UPDATE SET turns = turns + ?4, requests = requests + ?5, "
                     "input = input + ?6, output = output + ?7, total = total + ?8, "
                     "reasoning = reasoning + ?9, cached = cached + ?10",
                     owner,
                     day_text,
                     model,
                     row.turns,
                     row.requests,
                     row.used.input_tokens,
                     row.used.output_tokens,
                     row.used.total_tokens,
                     row.used.reasoning_tokens,
                     row.used.cached_input_tokens};
    if (auto error = add.run())
      return error;
  }
  rows_.clear();
  return {};
}

usage_table read_usage(sqlite_connection& db, const usage_query& ask) {
  usage_table out;
  int64_t owner = 0;
  out.error = find_owner(db, ask.owner, owner);
  if (out.error)
    return out;
  sqlite_query rows{db,
                    "SELECT day, model, turns, requests, input, output, total, reasoning, cached "
                    "FROM usage_days WHERE owner = ?1 AND day >= ?2 AND (?3 = '' OR day <= ?3) "
                    "ORDER BY day, model",
                    owner, ask.from, ask.to};
  while (rows.next())
    out.rows.push_back(
        {rows.text(0),
         rows.text(1),
         rows.natural(2),
         rows.natural(3),
         {rows.natural(4), rows.natural(5), rows.natural(6), rows.natural(7), rows.natural(8)}});
  out.error = rows.error();
  return out;
}

} // namespace troupe
