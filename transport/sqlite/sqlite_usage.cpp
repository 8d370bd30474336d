#include "transport/sqlite/sqlite_usage.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "transport/sqlite/sqlite_conversations.hpp"
#include "transport/sqlite/sqlite_query.hpp"

namespace troupe {

namespace {

/// "2026-11-21", UTC.
std::string day_of(int64_t time_ms) {
  constexpr int64_t ms_per_second = 1000;
  const auto seconds = static_cast<std::time_t>(time_ms / ms_per_second);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 16> text{};
  const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return {text.data(), size};
}

std::vector<usage_row> by_model(const turn_report& report) {
  std::vector<usage_row> out;
  for (const auto& request : report.requests) {
    auto same = [&request](const usage_row& row) { return row.model == request.model; };
    auto row = std::find_if(out.begin(), out.end(), same);
    if (row == out.end())
      row = out.insert(out.end(), {{}, request.model, 1, 0, {}});
    ++row->requests;
    row->used += request.used;
  }
  if (out.empty()) // it failed before it asked
    out.push_back({{}, report.model, 1, 0, {}});
  return out;
}

} // namespace

failure add_usage(sqlite_connection& db, int64_t owner, int64_t ended_ms,
                  const turn_report& report) {
  const auto day = day_of(ended_ms);
  for (const auto& row : by_model(report)) {
    sqlite_query add{db,
                     "INSERT INTO usage_days VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
                     "ON CONFLICT DO UPDATE SET turns = turns + ?4, requests = requests + ?5, "
                     "input = input + ?6, output = output + ?7, total = total + ?8, "
                     "reasoning = reasoning + ?9, cached = cached + ?10",
                     owner,
                     day,
                     row.model,
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
