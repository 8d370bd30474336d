// A made-up outcome, for tests of the reports.
#pragma once

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"

namespace troupe::bench {

/// What a target may call things to break a report.
inline constexpr const char* nasty = "</script><b onload=x>\"'&,\n\x1b[31m";

inline report_head made_up_head() {
  return {"troupe-bench http://127.0.0.1:8080", "2026-01-31T12:00:00Z", {4, "A CPU", "Linux 6"}};
}

/// Returns a run of 1000 turns whose first texts took 1 to 1000 us.
inline run_result made_up_run(double rate = 100) {
  run_result out;
  out.plan.target.url = "http://127.0.0.1:8080";
  out.plan.arrivals.rate = rate;
  for (int us = 1; us <= 1000; ++us) {
    out.times[size_t(metric::first_text)].record(std::chrono::microseconds{us});
    out.times[size_t(metric::turn)].record(std::chrono::microseconds{us * 10});
  }
  out.seconds = 10;
  out.started = 1003;
  out.ended = out.ended_within = 1000;
  out.good = out.good_within = 990;
  out.counted_within = 800;
  out.used_within = {8'000, 40'000, 48'000, 0, 0};
  out.failures = {{"model_timeout", 2}};
  out.failure_texts = {{"model_timeout", "too slow"}};
  out.cut_off = 1;
  out.tokens = 50'000;
  out.bytes = 10'240'000;
  out.most_running = 12;
  out.timeline = {{100, 99, 1, 5000, 3, 900'000}, {100, 100, 0, 5000, 2, 800'000}};
  out.watched = {42, 0.5, 20 << 20, 24 << 20, 22 << 20, 30, 31};
  return out;
}

inline bench_outcome made_up_outcome(size_t runs = 1) {
  bench_outcome out;
  for (size_t i = 0; i < runs; ++i)
    out.runs.push_back(made_up_run());
  out.ceiling = 40'000;
  return out;
}

/// Returns a sweep of 100, 200 and 400 sessions per second whose knee is at 200.
inline bench_outcome made_up_sweep() {
  bench_outcome out;
  for (double rate : {100, 200, 400}) {
    auto& run = out.runs.emplace_back(made_up_run(rate));
    run.plan.sweep = {true, 100, 1000, 2, 0.02, std::chrono::seconds{5}};
  }
  out.knee = 200;
  return out;
}

} // namespace troupe::bench
