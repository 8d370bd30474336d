#include <utility>

#include <fmt/format.h>

#include "apps/bench/measure/process_probe.hpp"
#include "apps/bench/options/option_values.hpp"
#include "apps/bench/options/plan_options.hpp"
#include "apps/bench/plan/model_parameters.hpp"

namespace troupe::bench {

namespace {} // namespace

/// Several lengths of history are a sweep of their own.
failure plan_options::finish_steps(bench_plan& plan) const {
  auto& sweep = plan.sweep;
  if (histories_.size() > 1 && sweep.on)
    return invalid_option("of --sweep, --steps and several numbers of --history there can be one");
  if (histories_.size() > 1) {
    sweep.on = sweep.of_history = true;
    sweep.steps = histories_;
  } else if (!histories_.empty()) {
    plan.work.history = static_cast<uint32_t>(histories_.front());
  }
  if (sweep.on && plan.arrivals.kind == arrival_kind::ramp)
    return invalid_option("a sweep sets the load by itself; leave out --ramp");
  if (sweep.on && plan.repeats > 1)
    return invalid_option("a sweep runs once; leave out --repeats");
  if (sweep.on && (plan.bounds.turns > 0 || length_->count() > 0))
    return invalid_option(
        "--sweep-step is the length of each step; leave out --duration and --turns");
  return {};
}

failure plan_options::finish_mcp(target_spec& target) {
  if (mcp_url_.empty())
    mcp_url_ = target.url;
  if (target.tool.empty())
    return invalid_option("--target mcp needs --tool NAME");
  if (mcp_command_.empty() && mcp_url_.empty() && target.config.empty())
    return invalid_option("--target mcp needs a server: --mcp-command 'CMD ARGS', --mcp-url URL or "
                          "--config FILE");
  if (mcp_command_.empty() && mcp_url_.empty())
    return {};
  if (!target.config.empty())
    return invalid_option(
        "--config names the servers already; leave out --mcp-command and --mcp-url");
  target.config = mcp_config(mcp_command_, mcp_url_, target.fields);
  target.url = mcp_command_.empty() ? mcp_url_ : mcp_command_;
  target.server = "server";
  return {};
}

failure plan_options::finish_work(const bench_plan& plan) {
  const auto kind = plan.target.kind;
  if (plan.work.slow_share > 0 && (kind == target_kind::mcp || kind == target_kind::engine))
    return invalid_option(
        "--slow needs a target whose answers are read over HTTP; leave it out with "
        "--target mcp and engine");
  if (plan.watched_pid != 0 && !look_at(plan.watched_pid).seen)
    return invalid_option(
        fmt::format("--pid: there is no process {}, or it may not be measured", plan.watched_pid));
  return {};
}

failure plan_options::make(bench_plan& out) {
  out = plan_;
  auto& target = out.target;
  if (out.bounds.turns > 0 && length_->count() == 0)
    out.bounds.length = {};
  if (out.bounds.turns == 0 && out.bounds.length.count() == 0)
    return invalid_option("--duration must be above 0, or --turns given");
  if (auto bad = finish_steps(out))
    return bad;
  if (auto bad = finish_work(out))
    return bad;
  if (auto bad = check_parameters(target))
    return bad;
  if (target.kind == target_kind::mcp) {
    if (auto bad = finish_mcp(target))
      return bad;
  } else if (!mcp_command_.empty() || !mcp_url_.empty() || !target.tool.empty()) {
    return invalid_option("--mcp-command, --mcp-url and --tool go with --target mcp");
  } else if (target.kind == target_kind::engine ? !target.url.empty() : target.url.empty()) {
    return invalid_option(target.url.empty()
                              ? "say where the target is, as in troupe-bench http://127.0.0.1:8080"
                              : "--target engine runs in this process; leave out the URL");
  }
  return {};
}

} // namespace troupe::bench
