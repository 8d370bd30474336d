#include "apps/bench/options/plan_options.hpp"

#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/measure/process_probe.hpp"
#include "apps/bench/options/option_values.hpp"
#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/model_parameters.hpp"
#include "apps/bench/verdict/objectives.hpp"

namespace troupe::bench {

namespace {

using reader = std::function<failure(const std::string&)>;

/// Adds an option whose value `read` takes apart.
CLI::Option* add(CLI::App& app, const std::string& name, const char* type, reader read,
                 const std::string& help) {
  auto take = [name, read = std::move(read)](const std::string& value) {
    if (auto bad = read(value))
      throw CLI::ValidationError(name, bad.text());
  };
  return app.add_option_function<std::string>(name, take, help)->type_name(type);
}

/// As add(), of an option that may be given several times.
CLI::Option* add_repeated(CLI::App& app, const std::string& name, const char* type, reader read,
                          const std::string& help) {
  auto take = [name, read = std::move(read)](const std::vector<std::string>& values) {
    for (const auto& value : values)
      if (auto bad = read(value))
        throw CLI::ValidationError(name, bad.text());
  };
  return app.add_option_function<std::vector<std::string>>(name, take, help + "; may be repeated")
      ->type_name(type)
      ->allow_extra_args(false);
}

CLI::Option* add_duration(CLI::App& app, const std::string& name, nanoseconds& into,
                          const std::string& help) {
  return add(
      app, name, "TIME", [&into](const auto& text) { return parse_duration(text, into); }, help);
}

} // namespace

void plan_options::add_to(CLI::App& app) {
  add_target(app);
  add_mcp(app);
  add_arrivals(app);
  add_work(app);
  add_readers(app);
  add_bounds(app);
  add_sweep(app);
  add_judgement(app);
}

void plan_options::add_target(CLI::App& app) {
  auto& target = plan_.target;
  app.add_option("URL", target.url, "Where the target is: its whole URL, or the part before /api");
  add(
      app, "--target", "KIND", [&](const auto& text) { return read_kind(text, target.kind); },
      "troupe (default), native, openai, ai-sdk, mcp or engine")
      ->group("Target");
  app.add_option("--model", target.model, "Ask for this model")->type_name("NAME")->group("Target");
  add(
      app, "--parameters", "JSON",
      [&](const auto& text) { return read_parameters(text, target.parameters); },
      "Put these members into each request, as in '{\"max_tokens\":64}'")
      ->group("Target");
  add_repeated(
      app, "--header", "'NAME: VALUE'",
      [&](const auto& text) { return read_header(text, target.fields); },
      "Send this with every request")
      ->group("Target");
  app.add_flag("--keep-chats", target.keeps,
               "Have the server keep the chats; else they are ephemeral (troupe, native)")
      ->group("Target");
  app.add_option("--config", target.config, "troupe.json of --target engine or mcp")
      ->type_name("FILE")
      ->group("Target");
  app.add_option("--pid", plan_.watched_pid, "Measure CPU and memory of this process")
      ->check(CLI::PositiveNumber)
      ->type_name("PID")
      ->group("Target");
}

void plan_options::add_mcp(CLI::App& app) {
  auto& target = plan_.target;
  auto* command = app.add_option("--mcp-command", mcp_command_, "Run this server, over stdio");
  command->type_name("'CMD ARGS'")->group("MCP target");
  app.add_option("--mcp-url", mcp_url_, "Use the server at this address")
      ->type_name("URL")
      ->excludes(command)
      ->group("MCP target");
  app.add_option("--server", target.server, "Use this one of --config")
      ->type_name("NAME")
      ->group("MCP target");
  app.add_option("--tool", target.tool, "Call this tool")->type_name("NAME")->group("MCP target");
  app.add_option("--arguments", target.arguments, "with these arguments; default {}")
      ->type_name("JSON")
      ->group("MCP target");
}

void plan_options::add_arrivals(CLI::App& app) {
  auto& how = plan_.arrivals;
  auto rate = [&how](arrival_kind kind) {
    return [&how, kind](const std::string& text) {
      how.kind = kind;
      return read_number(text, how.rate);
    };
  };
  auto* constant = add(app, "--rate", "N", rate(arrival_kind::constant),
                       "Start N sessions a second, evenly; default 10");
  auto* poisson = add(app, "--poisson", "N", rate(arrival_kind::poisson),
                      "Start N sessions a second, at random");
  auto ramp = [&how](const std::string& text) {
    how.kind = arrival_kind::ramp;
    return read_ramp(text, how.rate, how.end_rate);
  };
  auto* growing = add(app, "--ramp", "A:B", ramp, "Let the rate grow from A, which may be 0, to B");
  auto* closed = app.add_option_function<uint32_t>(
      "--concurrency",
      [&how](uint32_t count) {
        how.kind = arrival_kind::concurrency;
        how.concurrency = count;
      },
      "Keep N sessions running; hides how slow a target is to start");
  closed->check(CLI::Range(1, 1'000'000))->type_name("N");
  std::array all{constant, poisson, growing, closed};
  for (size_t i = 0; i < all.size(); ++i) {
    all[i]->group("Arrivals");
    for (size_t k = 0; k < i; ++k)
      all[i]->excludes(all[k]);
  }
}

void plan_options::add_work(CLI::App& app) {
  auto& work = plan_.work;
  app.add_option("--session-turns", work.turns, "Turns of a session; default 1")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N")
      ->group("Sessions");
  add_duration(app, "--think", work.think, "Mean time between a session's turns")
      ->group("Sessions");
  app.add_flag_callback(
         "--think-evenly", [&work] { work.think_varies = false; },
         "Think always as long; else at random")
      ->group("Sessions");
  add_repeated(
      app, "--text", "TEXT",
      [&work](const auto& text) {
        work.texts.push_back(text);
        return failure{};
      },
      "Say this")
      ->group("Sessions");
  add(
      app, "--texts", "FILE", [&work](const auto& path) { return read_texts(path, work.texts); },
      "Say the lines of this file, in turn")
      ->group("Sessions");
  add(
      app, "--history", "N[,N...]",
      [this](const auto& text) { return read_steps(text, 0, 1e4, histories_); },
      "Messages that a session brings; default 0. Several: a step for each")
      ->group("Sessions");
}

void plan_options::add_readers(CLI::App& app) {
  auto& work = plan_.work;
  add(
      app, "--cancel", "SHARE[:FROM-TO]",
      [&work](const auto& text) { return read_cancel(text, work); },
      "Cancel this share of the turns, as in 0.1:0.1s-1s")
      ->group("Sessions");
  add(
      app, "--slow", "SHARE[:PAUSE]", [&work](const auto& text) { return read_slow(text, work); },
      "Read the answers of this share slowly; pause 200ms")
      ->group("Sessions");
}

void plan_options::add_bounds(CLI::App& app) {
  auto& bounds = plan_.bounds;
  length_ = add_duration(app, "--duration", bounds.length, "Measure so long; default 10s");
  length_->group("Bounds");
  app.add_option("--turns", bounds.turns, "Measure so many turns")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group("Bounds");
  add_duration(app, "--warm-up", bounds.warm_up, "Leave out the begin; default 0s")
      ->group("Bounds");
  add_duration(app, "--drain", bounds.drain, "Wait for the last turns; default 30s")
      ->group("Bounds");
  add_duration(app, "--turn-timeout", bounds.turn, "Longest turn; default 120s")->group("Bounds");
  app.add_option("--repeats", plan_.repeats, "Run it so often; medians are judged")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->group("Bounds");
  app.add_option("--seed", plan_.seed, "Of all that is random; default 1")
      ->type_name("N")
      ->group("Bounds");
  app.add_option("--lanes", plan_.lanes, "Event loops of the generator; default 1")
      ->check(CLI::Range(1, 256))
      ->type_name("N")
      ->group("Bounds");
}

void plan_options::add_sweep(CLI::App& app) {
  auto& sweep = plan_.sweep;
  auto read = [&sweep](const std::string& text) {
    sweep.on = true;
    auto bad = read_range(text, sweep.from, sweep.to);
    return bad || sweep.from < sweep.to ? bad : invalid_option("its end is not above its begin");
  };
  auto* on = add(app, "--sweep", "A:B", read,
                 "Raise the rate, or what --concurrency sets, from A until the target no longer "
                 "keeps up or B is reached, and find the knee");
  on->group("Sweep");
  auto read_loads = [&sweep](const std::string& text) {
    sweep.on = true;
    return read_steps(text, 1e-3, 1e9, sweep.steps);
  };
  add(app, "--steps", "A,B,...", read_loads,
      "Run with each of these rates, or numbers that --concurrency sets, and find no knee")
      ->excludes(on)
      ->group("Sweep");
  app.add_option("--sweep-factor", sweep.factor, "Between two steps; default 1.5")
      ->check(CLI::Range(1.01, 100.0))
      ->type_name("X")
      ->group("Sweep");
  app.add_option("--sweep-precision", sweep.precision, "Of the knee; default 0.02")
      ->check(CLI::Range(0.001, 1.0))
      ->type_name("SHARE")
      ->group("Sweep");
  add_duration(app, "--sweep-step", sweep.step, "Length of a step; default 5s")->group("Sweep");
}

void plan_options::add_judgement(CLI::App& app) {
  auto objectives = [this](const std::string& text) {
    return parse_objective(text, plan_.objectives.emplace_back());
  };
  add_repeated(
      app, "--slo", "LIMIT", objectives,
      "Exit with 3 unless this holds, as in first_text:p99<0.5ms, good>0.99 or failed<0.001")
      ->group("Judgement");
  add_duration(app, "--good-first-text", plan_.good_first_text,
               "A turn is good only when its text begins within this")
      ->group("Judgement");
  add_duration(app, "--stall", plan_.stall, "A longer gap in a text is a stall; default 2s")
      ->group("Judgement");
}

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
