// A plan in words, for reports.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "apps/bench/plan/plan.hpp"

namespace troupe::bench {

inline constexpr std::array all_targets{target_kind::troupe, target_kind::native,
                                        target_kind::openai, target_kind::ai_sdk,
                                        target_kind::mcp,    target_kind::engine};

/// Returns the name, as on the command line: "ai-sdk".
std::string_view to_string(target_kind kind);

/// Returns the name, as on the command line: "poisson".
std::string_view to_string(arrival_kind kind);

/// Returns whom the load goes to: "troupe http://127.0.0.1:8080, model text". Nothing secret is in
/// it: user and password of a URL are left out.
std::string target_text(const target_spec& target);

/// Returns a URL without user and password.
std::string shown_url(const std::string& url);

/// Returns when sessions begin: "200 sessions/s, Poisson", "64 sessions at once".
std::string arrivals_text(const arrival_spec& arrivals);

/// Returns the load that the steps of a sweep vary: sessions per second, sessions at once, or
/// messages in the chat including the new one.
double load_of(const bench_plan& plan);

/// Returns what a session does and how long the run lasts.
std::string work_text(const bench_plan& plan);

} // namespace troupe::bench
