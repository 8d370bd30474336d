#include "apps/bench/plan/plan_text.hpp"

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"

namespace troupe::bench {

namespace {

std::string text_of(nanoseconds length) {
  return duration_text(static_cast<double>(length.count()));
}

/// Returns "1 turn", "2 turns".
std::string count_text(uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

std::string bounds_text(const run_bounds& bounds) {
  std::string out;
  if (bounds.length.count() > 0)
    out = text_of(bounds.length);
  if (bounds.turns > 0)
    out += (out.empty() ? "" : " or ") + count_text(bounds.turns, "turn");
  if (bounds.warm_up.count() > 0)
    out += " after " + text_of(bounds.warm_up) + " of warm-up";
  return out;
}

} // namespace

std::string_view to_string(target_kind kind) {
  switch (kind) {
  case target_kind::troupe:
    return "troupe";
  case target_kind::native:
    return "native";
  case target_kind::openai:
    return "openai";
  case target_kind::ai_sdk:
    return "ai-sdk";
  case target_kind::mcp:
    return "mcp";
  case target_kind::engine:
    return "engine";
  }
  return "";
}

std::string_view to_string(arrival_kind kind) {
  switch (kind) {
  case arrival_kind::constant:
    return "rate";
  case arrival_kind::poisson:
    return "poisson";
  case arrival_kind::ramp:
    return "ramp";
  case arrival_kind::concurrency:
    return "concurrency";
  }
  return "";
}

std::string shown_url(const std::string& url) {
  const auto scheme = url.find("://");
  const auto option = url.starts_with("--") ? url.find('=') + 1 : 0;
  const auto host = scheme == std::string::npos ? option : scheme + 3;
  const auto at = url.find_last_of('@', url.find_first_of("/?#", host));
  if (at == std::string::npos || at <= host)
    return url;
  // Without a scheme it may be any other word of a command line.
  if (scheme == std::string::npos && url.substr(host, at - host).find_first_of(" \"{") != url.npos)
    return url;
  return url.substr(0, host) + url.substr(at + 1);
}

std::string target_text(const target_spec& target) {
  std::string out{to_string(target.kind)};
  if (!target.url.empty())
    out += " " + shown_url(target.url);
  if (target.kind == target_kind::mcp)
    out += ", tool " + target.tool;
  if (!target.model.empty())
    out += ", model " + target.model;
  if (!target.parameters.empty())
    out += ", parameters " + target.parameters;
  if (target.keeps)
    out += ", chats are kept";
  if (!target.config.empty() && target.config.front() != '{')
    out += ", configured by " + target.config;
  return out;
}

std::string arrivals_text(const arrival_spec& arrivals) {
  switch (arrivals.kind) {
  case arrival_kind::constant:
    return fmt::format("{:g} sessions/s", arrivals.rate);
  case arrival_kind::poisson:
    return fmt::format("{:g} sessions/s, Poisson", arrivals.rate);
  case arrival_kind::ramp:
    return fmt::format("{:g} to {:g} sessions/s", arrivals.rate, arrivals.end_rate);
  case arrival_kind::concurrency:
    return count_text(arrivals.concurrency, "session") + " at once";
  }
  return "";
}

double load_of(const bench_plan& plan) {
  const auto& arrivals = plan.arrivals;
  if (plan.sweep.of_history)
    return plan.work.history + 1;
  return arrivals.kind == arrival_kind::concurrency ? arrivals.concurrency : arrivals.rate;
}

std::string work_text(const bench_plan& plan) {
  const auto& work = plan.work;
  auto out =
      bounds_text(plan.sweep.on ? run_bounds{plan.bounds.warm_up, plan.sweep.step} : plan.bounds);
  out += ", " + count_text(work.turns, "turn") + " per session";
  if (work.think.count() > 0)
    out += ", " + text_of(work.think) + " to think";
  if (work.history > 0 && !plan.sweep.of_history)
    out += ", " + count_text(work.history, "message") + " of history";
  if (work.cancel_share > 0)
    out += fmt::format(", {} cancelled after {} to {}", percent(work.cancel_share),
                       text_of(work.cancel_from), text_of(work.cancel_to));
  if (work.slow_share > 0)
    out += ", " + percent(work.slow_share) + " slow readers";
  return out + ", " + count_text(plan.lanes, "lane") + fmt::format(", seed {}", plan.seed);
}

} // namespace troupe::bench
