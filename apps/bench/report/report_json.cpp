#include "apps/bench/report/reports.hpp"

#include <algorithm>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figures.hpp"
#include "messages/json_object.hpp"
#include "messages/version.hpp"

namespace troupe::bench {

namespace {

void append_target(json_buffer& out, const target_spec& target) {
  json_object object{out};
  object.member("kind", to_string(target.kind))
      .member("url", shown_url(target.url))
      .member("model", target.model)
      .member("parameters", target.parameters);
  object.array("headers").each(
      target.fields, [&](json_buffer&, const header& each) { append_json(out, each.name); });
  object.member("keeps_chats", target.keeps);
  object.member("config", target.config.starts_with('{') ? "" : target.config)
      .member("server", target.server)
      .member("tool", target.tool)
      .member("arguments", target.arguments);
}

void append_arrivals(json_buffer& out, const arrival_spec& arrivals) {
  json_object{out}
      .member("kind", to_string(arrivals.kind))
      .member("sessions_per_second", arrivals.rate)
      .member("end_sessions_per_second", arrivals.end_rate)
      .member("concurrency", arrivals.concurrency);
}

void append_work(json_buffer& out, const scenario& work) {
  json_object{out}
      .member("session_turns", work.turns)
      .member("think_ns", work.think.count())
      .member("think_varies", work.think_varies)
      .member("texts", work.texts)
      .member("history_messages", work.history)
      .member("cancel_share", work.cancel_share)
      .member("cancel_from_ns", work.cancel_from.count())
      .member("cancel_to_ns", work.cancel_to.count())
      .member("slow_share", work.slow_share)
      .member("slow_pause_ns", work.slow_pause.count());
}

void append_bounds(json_buffer& out, const run_bounds& bounds) {
  json_object{out}
      .member("warm_up_ns", bounds.warm_up.count())
      .member("length_ns", bounds.length.count())
      .member("turns", bounds.turns)
      .member("drain_ns", bounds.drain.count())
      .member("turn_ns", bounds.turn.count());
}

void append_sweep(json_buffer& out, const sweep_spec& sweep) {
  json_object object{out};
  object.member("on", sweep.on)
      .member("from", sweep.from)
      .member("to", sweep.to)
      .member("factor", sweep.factor)
      .member("precision", sweep.precision)
      .member("step_ns", sweep.step.count())
      .member("of_history", sweep.of_history);
  object.member("steps", sweep.steps);
}

void append_plan(json_buffer& out, const bench_plan& plan) {
  json_object object{out};
  append_target(object.key("target"), plan.target);
  append_arrivals(object.key("arrivals"), plan.arrivals);
  append_work(object.key("work"), plan.work);
  append_bounds(object.key("bounds"), plan.bounds);
  append_sweep(object.key("sweep"), plan.sweep);
  object.array("objectives").each(plan.objectives, [&](json_buffer&, const objective& each) {
    append_json(out, each.text);
  });
  object.member("good_first_text_ns", plan.good_first_text.count())
      .member("stall_ns", plan.stall.count())
      .member("seed", plan.seed)
      .member("lanes", plan.lanes)
      .member("watched_pid", plan.watched_pid)
      .member("repeats", plan.repeats);
}

/// Adds the figures that JSON has. Quantiles are named "p99_9_ns".
void add_figures(json_object& object, const figure_rows& rows) {
  for (const auto& each : rows) {
    if (each.place == figure_place::csv)
      continue;
    std::string name{each.name};
    std::replace(name.begin(), name.end(), '.', '_');
    if (each.is_quantile())
      name += "_ns";
    std::visit([&](auto value) { object.member(name, value); }, each.value);
  }
}

template <class Measured>
void append_figures(json_buffer& out, const Measured& measured) {
  json_object object{out};
  add_figures(object, figures_of(measured));
}

void append_times(json_buffer& out, const latency_histogram& times) {
  json_object object{out};
  add_figures(object, figures_of(times));
  object.key("percentiles").push_back('[');
  bool first = true;
  times.percentiles([&](double quantile, int64_t value, uint64_t count) {
    fmt::format_to(std::back_inserter(out), "{}[{:.12g},{},{}]", first ? "" : ",", quantile, value,
                   count);
    first = false;
  });
  out.push_back(']');
}

void append_run(json_buffer& out, const run_result& run, const std::string& name) {
  json_object object{out};
  object.member("name", name).member("load", load_of(run.plan));
  add_figures(object, figures_of(run));
  {
    json_object failures{object.key("failures")};
    for (const auto& [code, count] : run.failures)
      failures.member(code, count);
  }
  {
    json_object texts{object.key("failure_texts")};
    for (const auto& [code, said] : run.failure_texts)
      texts.member(code, said);
  }
  {
    json_object times{object.key("times")};
    for (auto which : all_metrics)
      if (run[which].count() > 0)
        append_times(times.key(to_string(which)), run[which]);
  }
  object.array("timeline").each(run.timeline, [&](json_buffer&, const second_row& each) {
    append_figures(out, each);
  });
  append_figures(object.key("watched"), run.watched);
  append_figures(object.key("own"), run.own);
  object.member("invalid", run.invalid).member("notes", run.notes);
}

void append_objective(json_buffer& out, const objective_outcome& outcome) {
  json_object{out}
      .member("text", outcome.asked.text)
      .member("limit", outcome.asked.limit)
      .member("found", outcome.found)
      .member("measured", outcome.measured)
      .member("met", outcome.met)
      .member("why", outcome.why)
      .member("runs", outcome.runs)
      .member("runs_met", outcome.runs_met);
}

void append_machine(json_buffer& out, const machine& on) {
  json_object{out}.member("cores", on.cores).member("cpu", on.cpu).member("kernel", on.kernel);
}

void add_judgement(json_object& object, json_buffer& out, const bench_outcome& outcome) {
  auto why = doubts(outcome);
  object.member("valid", why.empty())
      .member("doubts", why)
      .member("ceiling_turns_per_second", outcome.ceiling)
      .member("knee", outcome.knee)
      .member("ended_early", outcome.ended_early)
      .member("objectives_met", objectives_met(outcome));
  object.array("objectives")
      .each(outcome.objectives,
            [&](json_buffer&, const objective_outcome& each) { append_objective(out, each); });
}

} // namespace

std::string report_json(const report_head& head, const bench_outcome& outcome) {
  json_buffer out;
  {
    json_object object{out};
    object.member("format", 1)
        .member("version", version)
        .member("command", head.command)
        .member("started", head.started);
    append_machine(object.key("machine"), head.on);
    add_judgement(object, out, outcome);
    if (!outcome.runs.empty()) {
      append_plan(object.key("plan"), outcome.runs.front().plan);
      object.member("load_unit", load_unit(outcome.runs.front().plan))
          .member("main_run", &representative_run(outcome) - outcome.runs.data());
    }
    size_t at = 0;
    object.array("runs").each(outcome.runs, [&](json_buffer&, const run_result& run) {
      append_run(out, run, run_name(outcome, at));
      ++at;
    });
  }
  return std::string{view(out)};
}

} // namespace troupe::bench
