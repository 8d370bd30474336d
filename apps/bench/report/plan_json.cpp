#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/json_object.hpp"
#include "apps/bench/report/report_json.hpp"

namespace troupe::bench {

namespace {

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

} // namespace

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

} // namespace troupe::bench
