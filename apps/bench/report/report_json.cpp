#include "apps/bench/report/report_json.hpp"

#include <algorithm>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_text.hpp"
#include "apps/bench/report/figures.hpp"
#include "apps/bench/report/json_object.hpp"
#include "messages/version.hpp"

namespace troupe::bench {

namespace {

/// Returns "p99_9_ns" for "p99.9".
std::string member_name(const named_quantile& quantile) {
  std::string out{quantile.name};
  std::replace(out.begin(), out.end(), '.', '_');
  return out + "_ns";
}

void append_times(json_buffer& out, const latency_histogram& times) {
  json_object object{out};
  object.add("count", times.count())
      .add("mean_ns", times.mean_ns())
      .add("min_ns", times.min_ns())
      .add("max_ns", times.max_ns());
  for (const auto& each : shown_quantiles)
    object.add(member_name(each), times.quantile_ns(each.at));
  object.key("percentiles").push_back('[');
  bool first = true;
  times.percentiles([&](double quantile, int64_t value, uint64_t count) {
    fmt::format_to(std::back_inserter(out), "{}[{:.12g},{},{}]", first ? "" : ",", quantile, value,
                   count);
    first = false;
  });
  out.push_back(']');
}

void append_second(json_buffer& out, const second_row& second) {
  json_object{out}
      .add("started", second.started)
      .add("ended", second.ended)
      .add("failed", second.failed)
      .add("tokens", second.tokens)
      .add("running", second.running)
      .add("first_text_p99_ns", second.first_text_p99_ns);
}

void append_usage(json_buffer& out, const process_usage& usage) {
  json_object{out}
      .add("pid", usage.pid)
      .add("cpu_seconds", usage.cpu_seconds)
      .add("rss_first_bytes", usage.rss_first)
      .add("rss_most_bytes", usage.rss_most)
      .add("rss_last_bytes", usage.rss_last)
      .add("descriptors_first", usage.descriptors_first)
      .add("descriptors_last", usage.descriptors_last)
      .add("children", usage.children);
}

void add_counts(json_object& object, const run_result& run) {
  object.add("seconds", run.seconds)
      .add("started", run.started)
      .add("ended", run.ended)
      .add("cancelled", run.cancelled)
      .add("failed", run.failed())
      .add("cut_off", run.cut_off)
      .add("abandoned", run.abandoned)
      .add("not_begun", run.not_begun)
      .add("good", run.good)
      .add("good_share", run.good_share())
      .add("stalls", run.stalls)
      .add("tokens", run.tokens)
      .add("bytes", run.bytes)
      .add("most_running", run.most_running)
      .add("ended_within", run.ended_within)
      .add("good_within", run.good_within)
      .add("counted_within", run.counted_within)
      .add("input_tokens", run.used_within.input_tokens)
      .add("output_tokens", run.used_within.output_tokens)
      .add("running_growth", run.running_growth)
      .add("lane_busy_share", run.lane_busy)
      .add("client_busy_share", run.client_busy)
      .add("turns_per_second", run.turns_per_second())
      .add("good_turns_per_second", run.goodput())
      .add("cpu_per_turn_ns", cpu_per_turn_ns(run))
      .add("cpu_per_token_ns", cpu_per_token_ns(run));
}

void append_run(json_buffer& out, const run_result& run, const std::string& name) {
  json_object object{out};
  object.add("name", name).add("load", load_of(run.plan));
  add_counts(object, run);
  {
    json_object failures{object.key("failures")};
    for (const auto& [code, count] : run.failures)
      failures.add(code, count);
  }
  {
    json_object texts{object.key("failure_texts")};
    for (const auto& [code, said] : run.failure_texts)
      texts.add(code, said);
  }
  {
    json_object times{object.key("times")};
    for (auto which : all_metrics)
      if (run[which].count() > 0)
        append_times(times.key(to_string(which)), run[which]);
  }
  append_array(object.key("timeline"), run.timeline,
               [&](const second_row& each) { append_second(out, each); });
  append_usage(object.key("watched"), run.watched);
  append_usage(object.key("own"), run.own);
  object.add("invalid", run.invalid).add("notes", run.notes);
}

void append_objective(json_buffer& out, const objective_outcome& outcome) {
  json_object{out}
      .add("text", outcome.asked.text)
      .add("limit", outcome.asked.limit)
      .add("found", outcome.found)
      .add("measured", outcome.measured)
      .add("met", outcome.met)
      .add("why", outcome.why)
      .add("runs", outcome.runs)
      .add("runs_met", outcome.runs_met);
}

void append_machine(json_buffer& out, const machine& on) {
  json_object{out}.add("cores", on.cores).add("cpu", on.cpu).add("kernel", on.kernel);
}

void add_judgement(json_object& object, json_buffer& out, const bench_outcome& outcome) {
  auto why = doubts(outcome);
  object.add("valid", why.empty())
      .add("doubts", why)
      .add("ceiling_turns_per_second", outcome.ceiling)
      .add("knee", outcome.knee)
      .add("ended_early", outcome.ended_early)
      .add("objectives_met", objectives_met(outcome));
  append_array(object.key("objectives"), outcome.objectives,
               [&](const objective_outcome& each) { append_objective(out, each); });
}

} // namespace

std::string report_json(const report_head& head, const bench_outcome& outcome) {
  json_buffer out;
  {
    json_object object{out};
    object.add("format", 1)
        .add("version", version)
        .add("command", head.command)
        .add("started", head.started);
    append_machine(object.key("machine"), head.on);
    add_judgement(object, out, outcome);
    if (!outcome.runs.empty()) {
      append_plan(object.key("plan"), outcome.runs.front().plan);
      object.add("load_unit", load_unit(outcome.runs.front().plan))
          .add("main_run", &representative_run(outcome) - outcome.runs.data());
    }
    size_t at = 0;
    append_array(object.key("runs"), outcome.runs, [&](const run_result& run) {
      append_run(out, run, run_name(outcome, at));
      ++at;
    });
  }
  return std::string{view(out)};
}

} // namespace troupe::bench
