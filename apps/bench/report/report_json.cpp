#include "apps/bench/report/reports.hpp"

#include <algorithm>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figures.hpp"
#include "messages/json.hpp"
#include "messages/version.hpp"

namespace troupe::bench {

namespace {

/// Writes an object; its destructor writes the closing brace. A value must be appended after key()
/// before the next call.
class json_object {
public:
  explicit json_object(json_buffer& out) : out_{out} { out_.push_back('{'); }
  ~json_object() { out_.push_back('}'); }

  json_object(const json_object&) = delete;
  json_object& operator=(const json_object&) = delete;

  /// Begins a member. The caller appends the value to the returned buffer.
  json_buffer& key(std::string_view name) {
    if (!first_)
      out_.push_back(',');
    first_ = false;
    append_json(out_, name);
    out_.push_back(':');
    return out_;
  }

  template <class T>
  json_object& add(std::string_view name, const T& value) {
    append_json(key(name), value);
    return *this;
  }

private:
  json_buffer& out_;
  bool first_ = true;
};

/// Appends an array; `write` appends one element.
template <class Range, class Write>
void append_array(json_buffer& out, const Range& values, Write write) {
  out.push_back('[');
  bool first = true;
  for (const auto& each : values) {
    if (!first)
      out.push_back(',');
    first = false;
    write(each);
  }
  out.push_back(']');
}

void append_target(json_buffer& out, const target_spec& target) {
  json_object object{out};
  object.add("kind", to_string(target.kind))
      .add("url", shown_url(target.url))
      .add("model", target.model)
      .add("parameters", target.parameters);
  append_array(object.key("headers"), target.fields,
               [&](const header& each) { append_json(out, each.name); });
  object.add("keeps_chats", target.keeps);
  object.add("config", target.config.starts_with('{') ? "" : target.config)
      .add("server", target.server)
      .add("tool", target.tool)
      .add("arguments", target.arguments);
}

void append_arrivals(json_buffer& out, const arrival_spec& arrivals) {
  json_object{out}
      .add("kind", to_string(arrivals.kind))
      .add("sessions_per_second", arrivals.rate)
      .add("end_sessions_per_second", arrivals.end_rate)
      .add("concurrency", arrivals.concurrency);
}

void append_work(json_buffer& out, const scenario& work) {
  json_object{out}
      .add("session_turns", work.turns)
      .add("think_ns", work.think.count())
      .add("think_varies", work.think_varies)
      .add("texts", work.texts)
      .add("history_messages", work.history)
      .add("cancel_share", work.cancel_share)
      .add("cancel_from_ns", work.cancel_from.count())
      .add("cancel_to_ns", work.cancel_to.count())
      .add("slow_share", work.slow_share)
      .add("slow_pause_ns", work.slow_pause.count());
}

void append_bounds(json_buffer& out, const run_bounds& bounds) {
  json_object{out}
      .add("warm_up_ns", bounds.warm_up.count())
      .add("length_ns", bounds.length.count())
      .add("turns", bounds.turns)
      .add("drain_ns", bounds.drain.count())
      .add("turn_ns", bounds.turn.count());
}

void append_sweep(json_buffer& out, const sweep_spec& sweep) {
  json_object object{out};
  object.add("on", sweep.on)
      .add("from", sweep.from)
      .add("to", sweep.to)
      .add("factor", sweep.factor)
      .add("precision", sweep.precision)
      .add("step_ns", sweep.step.count())
      .add("of_history", sweep.of_history);
  append_array(object.key("steps"), sweep.steps, [&](double each) { append_json(out, each); });
}

void append_plan(json_buffer& out, const bench_plan& plan) {
  json_object object{out};
  append_target(object.key("target"), plan.target);
  append_arrivals(object.key("arrivals"), plan.arrivals);
  append_work(object.key("work"), plan.work);
  append_bounds(object.key("bounds"), plan.bounds);
  append_sweep(object.key("sweep"), plan.sweep);
  append_array(object.key("objectives"), plan.objectives,
               [&](const objective& each) { append_json(out, each.text); });
  object.add("good_first_text_ns", plan.good_first_text.count())
      .add("stall_ns", plan.stall.count())
      .add("seed", plan.seed)
      .add("lanes", plan.lanes)
      .add("watched_pid", plan.watched_pid)
      .add("repeats", plan.repeats);
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
    std::visit([&](auto value) { object.add(name, value); }, each.value);
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
  object.add("name", name).add("load", load_of(run.plan));
  add_figures(object, figures_of(run));
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
               [&](const second_row& each) { append_figures(out, each); });
  append_figures(object.key("watched"), run.watched);
  append_figures(object.key("own"), run.own);
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
